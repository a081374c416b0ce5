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

#endif
