/*
 * What the commands that edit share: where to save, what to tell.
 */
#ifndef APP_EDITING_H
#define APP_EDITING_H

#include "app/app.h"
#include "edit/document.h"

/* The file to write: -o FILE, or the model itself with --in-place; NULL with --dry-run. */
bool edit_target(const struct app *app, const char **out, struct err *err) MUST_USE;
bool edit_open(const struct app *app, struct document *d, struct err *err) MUST_USE;
/* Words that are not the model's name. */
size_t edit_first_word(const struct app *app);
/* Tells what changed, saves, and writes the recipe when one is asked for. */
bool edit_finish(const struct app *app, struct document *d, const char *target,
		 struct err *err) MUST_USE;
/* "axed: note: ..." for each line. */
void print_notes(struct sv lines);

#endif
