/*
 * Shared by the command handlers.
 */
#ifndef APP_APP_H
#define APP_APP_H

#include "base/err.h"
#include "base/str.h"
#include "cmd/args.h"
#include "wire/wire.h"

enum option_id {
#define OPTION(id, name, letter, value, help) OPTION_##id,
#include "app/options.def"
#undef OPTION
	OPTION_COUNT
};

enum command_id {
#define COMMAND(id, name, usage, help, more, opts, min, max) COMMAND_##id,
#include "app/commands.def"
#undef COMMAND
	COMMAND_COUNT
};

/* Documented in the manual. */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_FOUND = 1,
	EXIT_BAD = 2
};

struct app {
	const struct grammar *grammar; /* borrowed */
	const struct args *args;       /* borrowed */
	bool color;                    /* on standard output */
	bool screen_color;             /* if the terminal has any */
	size_t width;                  /* of the terminal it is shown on; 0 for none */
	struct str *chosen;            /* borrowed: the start screen's choice; NULL for none */
};

typedef enum exit_code run_command(const struct app *app);

/* One function per row of commands.def. */
#define COMMAND(id, name, usage, help, more, opts, min, max) run_command run_##id;
#include "app/commands.def"
#undef COMMAND
/* `edit` in a terminal. */
run_command run_screen;

struct worker_watch;
struct document;
struct export_view;
/* Exports what the screen shows of the document as it is now; the ending gives the format. */
bool export_document(const struct app *app, struct document *d, const char *target,
		     const struct export_view *view, const struct worker_watch *watch,
		     struct err *err) MUST_USE;

/* Prints "axed: sentence" to standard error, names escaped; returns EXIT_BAD. */
enum exit_code complain(const struct err *err);
/* The number of a command's models: its words, or the demo; 0 when there is none. */
size_t model_count(const struct app *app);
/* The model of a command that takes exactly one. */
bool open_only(const struct app *app, struct wire *w, struct err *err) MUST_USE;
bool open_model(const struct app *app, size_t which, struct wire *w, struct err *err) MUST_USE;
/* Refuses to read a model from a terminal. */
bool model_path_ok(const char *path, struct err *err) MUST_USE;
/* After an error: adds the name of a model that is meant, if the path is not there; false. */
bool suggest_model(const char *path, struct err *err);

#endif
