/*
 * What all pictures have in common: colours, numbers and texts.
 */
#ifndef EXPORT_PAPER_INK_H
#define EXPORT_PAPER_INK_H

#include "base/str.h"
#include "base/sv.h"
#include "layout/view/view.h"
#include "ops/property.h"

#define INK_BOX   "#606060" /* borders of boxes, and what is small in them */
#define INK_LINE  "#808080"
#define INK_FRAME "#a0a0b0"
#define INK_NAME  "#606070" /* captions of frames, names at cut lines */

/* From 1 to HUES. */
const char *ink_symbol(uint32_t colour);
/* Of boxes: a node has a tint for the kind of its operator. */
const char *ink_fill(enum view_kind kind, enum op_kind of);
/* Of the title. */
const char *ink_kind(enum op_kind kind);

/* 12,-7 */
void ink_point(struct str *out, int32_t x, int32_t y);
/* Adds what fits into `points` at NAME_SIZE; returns its width. */
int32_t ink_name(struct str *out, struct sv text, int32_t points);
/* Adds a text with what stands for some of its ASCII characters; the others have NULL. */
void ink_quoted(struct str *out, struct sv text, const char *const quotes[128]);

#endif
