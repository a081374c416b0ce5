/*
 * The prompt as a field: one value, with a label that stays; the line is made around it.
 *
 *   input:1 = T▏
 *
 * Up and Down go to the dims before and after; what was typed there belongs to the same step.
 */
#ifndef APP_TUI_FIELD_H
#define APP_TUI_FIELD_H

#include "app/tui_session.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"

/* Opens it for a line such as `set input:0=batch`: its value is selected. */
bool field_open(struct session *s, struct sv line, struct err *err) MUST_USE;
/* For a symbol everywhere: a new name, or a size to try. */
void field_open_symbol(struct session *s, struct sv name, bool tries);
/* Up or Down. */
void field_step(struct session *s, int step);
void field_close(struct session *s);
/* What the prompt runs: the text itself, unless it is a field. */
void field_line(const struct session *s, struct str *out);
/* Why a line is refused, without the options that it has elsewhere: they cannot be typed here. */
struct sv field_refusal(const struct err *err);
/* The prompt says why nothing can be typed, and takes no letters: Esc or Enter closes it. */
void field_refuse(struct session *s, const char *label, const struct err *err);
/* False when Enter would change nothing: nothing was typed. */
bool field_was_typed(const struct session *s);

#endif
