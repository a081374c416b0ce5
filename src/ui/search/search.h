/*
 * Searches for nodes by their text and properties.
 *
 *   attn/MatMul           part of a name, an operator, a tensor
 *   ~attn.*MatMul         a regular expression over them; /attn.*MatMul/ is the same
 *   op:Softmax            dim:seq   shape:*x768   is:unknown is:changed is:problem   in:/encoder
 *
 * All words must match; case is ignored unless the text has upper case letters.
 */
#ifndef UI_SEARCH_SEARCH_H
#define UI_SEARCH_SEARCH_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "ui/screen.h"

/* Fills s->search with matching nodes of all graphs; fails on invalid text. */
bool search_run(struct screen *s, struct sv text, struct err *err) MUST_USE;
/* The same while it is typed: s->search keeps its text; an empty one fits nothing. */
bool search_try(struct screen *s, struct sv text, struct err *err) MUST_USE;
/* "12 matches", and what else could be tried when there are none. */
void search_tell(const struct screen *s, struct sv text, struct str *out);
/* Selects the next match after the selection; false if there is none. */
bool search_step(struct screen *s, int step);
/* The next node with a changed shape, or with a problem. */
bool search_changed(struct screen *s, int step);
bool search_problem(struct screen *s, int step);
/* A node or tensor by its full name. */
bool search_goto(struct screen *s, struct sv name, struct err *err) MUST_USE;
/* A tensor: itself, its node, or for a weight its first reader. */
void search_show_value(struct screen *s, uint32_t value);

#endif
