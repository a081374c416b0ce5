/*
 * Symbols that must equal an expression of others in every run: total = past + seq.
 *
 * Only what a node of the main graph demands is one, whatever branches run, and only if no
 * shape that the file merely claims is behind it.  All names are declared by inputs, so the
 * one can be written for the other.
 */
#ifndef INFER_IDENTITY_H
#define INFER_IDENTITY_H

#include "infer/condition.h"
#include "infer/infer.h"

/* Notes what the fact, an equation, says about each of its symbols. */
void identity_note(struct infer *in, const struct fact *f, const struct condition *c);
/*
 * Notes a symbol that is broadcast with an expression of others: `total` of a mask that is added to
 * scores of past + seq columns.  A 1 fits as well, so of two names nothing is noted: which of the
 * two may be the 1 is the model's business.
 */
void identity_note_broadcast(struct infer *in, const struct fact *f);

#endif
