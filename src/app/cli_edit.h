/*
 * What the commands that edit share: where to save, what to tell.
 */
#ifndef APP_CLI_EDIT_H
#define APP_CLI_EDIT_H

#include "app/app.h"
#include "edit/repair/repair.h"

/* The file to write: -o FILE, or the model itself with --in-place; NULL with --dry-run. */
bool edit_target(const struct app *app, const char **out, struct err *err) MUST_USE;
bool edit_open(const struct app *app, struct document *d, struct err *err) MUST_USE;
/* Words that are not the model's name. */
size_t edit_first_word(const struct app *app);
/*
 * Saves, tells what changed (and which axes were freed; NULL when it was no repair), and
 * writes the recipe when one is asked for.
 */
bool edit_finish(const struct app *app, struct document *d, const char *target,
		 const struct repair_report *report, struct err *err) MUST_USE;
/* Only saves, with progress and notes. */
bool edit_save(const struct app *app, struct document *d, const char *target,
	       struct err *err) MUST_USE;
/* Only tells. */
void edit_tell(const struct app *app, const struct document *d, const char *target,
	       const struct repair_report *report);
/* "axed: note: ..." for each line. */
void print_notes(struct sv lines);

#endif
