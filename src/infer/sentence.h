/*
 * The sentences of findings, made from their data and the inferred shapes.
 *
 * The text of each kind is its row of findings.def; the placeholders in braces are filled
 * in here.
 */
#ifndef INFER_SENTENCE_H
#define INFER_SENTENCE_H

#include "base/str.h"
#include "base/sv.h"
#include "infer/finding.h"
#include "infer/infer.h"

/* The sentence, at most 479 bytes. */
void finding_print(const struct infer *in, const struct finding *f, struct str *out);
/* The same, piece by piece: a size or a condition, or the words between them. */
typedef void sentence_piece(void *context, struct sv text, bool is_size);
void finding_walk(const struct infer *in, const struct finding *f, sentence_piece *piece,
		  void *context);
/* The condition on the sizes, without the reason: "past + seq <= 512". */
void finding_print_condition(const struct infer *in, const struct finding *f, struct str *out);

#endif
