/*
 * Shared by the commands that edit: where to save, what to report.
 */
#ifndef APP_CLI_EDIT_H
#define APP_CLI_EDIT_H

#include "app/app.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/document.h"
#include "edit/repair/repair.h"

/* The file to write: -o FILE, or the model itself with --in-place; NULL with --dry-run. */
bool edit_target(const struct app *app, const char **out, struct err *err) MUST_USE;
bool edit_open(const struct app *app, struct document *d, struct err *err) MUST_USE;
/* The words after the model's name. */
size_t edit_first_word(const struct app *app);
/*
 * Saves, reports what changed (and which axes were freed; NULL unless it is a repair), and
 * writes the recipe if --save-recipe asks for one.
 */
bool edit_finish(const struct app *app, struct document *d, const char *target,
		 const struct repair_report *report, struct err *err) MUST_USE;
/* Only saves, with progress and notes. */
bool edit_save(const struct app *app, struct document *d, const char *target,
	       struct err *err) MUST_USE;
/* Only reports. */
void edit_tell(const struct app *app, const struct document *d, const char *target,
	       const struct repair_report *report);
/* A line as a command for a shell, with the model of this run, and OUT for the result. */
bool edit_print_command(const struct app *app, struct sv line, struct str *out);
/* "axed: note: ..." for each line. */
void print_notes(struct sv lines);

#endif
