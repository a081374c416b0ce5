/*
 * The sentences of findings, made of their data and what was inferred around them.
 *
 * The text of each kind is its row of findings.def; what stands in braces there is filled
 * in here.
 */
#ifndef INFER_WORDING_H
#define INFER_WORDING_H

#include "base/str.h"
#include "infer/finding.h"
#include "infer/infer.h"

/* The sentence, of at most 479 bytes. */
void finding_print(const struct infer *in, const struct finding *f, struct str *out);
/* What the sizes must keep to, without why: "past + seq <= 512". */
void finding_print_condition(const struct infer *in, const struct finding *f, struct str *out);

#endif
