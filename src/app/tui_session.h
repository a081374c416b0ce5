/*
 * An open document, its screen, and the lines that are run on both: typed, bound to keys, or
 * read from a script.  Without a terminal the screen is drawn too, but only save-screen shows
 * it.
 */
#ifndef APP_TUI_SESSION_H
#define APP_TUI_SESSION_H

#include <stdio.h>
#include <sys/stat.h>

#include "app/app.h"
#include "app/tui_aliases.h"
#include "app/tui_keymap.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/keys.h"
#include "edit/document.h"
#include "ui/dims.h"
#include "ui/prompt.h"
#include "ui/screen.h"
#include "ui/terminal.h"

/* Questions of the prompt, answered by one key. */
enum question {
	QUESTION_NONE,
	QUESTION_LEAVE,   /* quit with unsaved edits? */
	QUESTION_JOURNAL, /* recover the edits of an earlier run? */
	QUESTION_NOTHING, /* a field that cannot be opened: it says why */
	QUESTION_COUNT
};

struct verify_request;
struct verify_result;

/* A dim that was left, with what was typed. */
struct field_kept {
	struct dim_at at;
	struct str value; /* owned */
};

struct dim_field {
	bool open;
	bool tries;        /* a size, without editing */
	struct str target; /* owned: `input:1`, `batch` */
	struct str was;    /* owned: the value when it was opened */
	struct dim_at at;  /* the dim; value 0 for a symbol */
	VEC(struct field_kept) kept;
};

/* A size that is tried while it is typed, and what was tried before. */
struct trial {
	bool on, had;
	int64_t size;
	struct str name; /* owned */
};

struct session {
	const struct app *app; /* borrowed */
	struct document document;
	struct screen screen;
	struct keymap keymap;
	struct aliases aliases;
	struct terminal *terminal; /* owned; NULL without one */
	FILE *out;                 /* borrowed: where lines print; NULL for the screen */
	bool done;                 /* a line asked to quit */
	struct stat seen;          /* the file of that name, when its change was told */
	bool tried;                /* that file was opened, or could not be */
	bool held;                 /* another axed has the model: it is not edited here */
	bool configuring;          /* refuse lines that do not configure */
	bool forgetful;            /* recent models are not remembered */
	bool read_only;            /* refuse lines that write files: for untrusted lines */
	bool dismissed;            /* this key took a message away */
	bool pressing;             /* a `keys` line is running */
	bool themed; /* a theme was asked for: the terminal's answer changes nothing */
	enum question asking;
	struct keys typed;         /* of an incomplete sequence */
	VEC(struct event) waiting; /* typed during long work */
	struct str awaited;        /* a line that waits for one more key */
	size_t lived;              /* the prompt's state when it was last followed */
	bool searching;            /* the hits are those of the line that is typed */
	size_t previewed;          /* the prompt's state when last previewed */
	size_t opened;             /* the prompt's state when it was opened */
	struct dim_field field;    /* the prompt, while it is one */
	struct trial trial;
	struct {
		const char *way; /* borrowed, static: the option that Enter again adds; or NULL */
		size_t typed;    /* the prompt's state when it was offered */
		struct str line; /* owned: the options that were accepted */
	} offer;
	uint8_t *changed;     /* owned; by value: enum value_change */
	size_t changed_count; /* of shapes */
	VEC(struct help_row) help;
	VEC(struct str) help_texts; /* of its rows */
	VEC(struct sv) history;
	VEC(struct sv) history_said;
};

/* Opens the model, starts its journal and does what --recover or --discard asks. */
bool session_open(struct session *s, const struct app *app, struct err *err) MUST_USE;
void session_close(struct session *s);
bool session_run(struct session *s, struct sv line, struct err *err) MUST_USE;
/* The same, but reports failures on the screen. */
void session_do(struct session *s, struct sv line);
void session_key(struct session *s, struct event e);
/* In a terminal: asks about unsaved edits of an earlier run. */
void session_ask_journal(struct session *s);
/* Recovers them, and reports it. */
void session_recover(struct session *s);
/* Says once that the journal cannot be written. */
void session_tell_journal(struct session *s);
/* "2 unsaved edits of an earlier run"; nothing when nothing was left. */
void session_describe_left(const struct session *s, struct str *out);
/* Has the file changed?  Tells it, or takes it up with --watch. */
void session_look(struct session *s);
/* Opens the file again and makes the edits again; what fails is told. */
bool session_reload(struct session *s, struct err *err) MUST_USE;
/* Goes on keeping the bytes of the file, for a moment. */
void session_hold(struct session *s);
/* The model to ourselves: fails while another axed has it open. */
bool session_take(struct session *s, struct err *err) MUST_USE;
/* Refreshes the screen from the document. */
void session_renew(struct session *s);
/* Shows the symbols again, and says so; false if no size is tried. */
bool session_leave_tried(struct session *s);
/* Whether the document shows what is not done yet. */
bool session_is_previewing(const struct session *s);
/* Leaves no trace; the screen is to be renewed. */
void session_end_preview(struct session *s);
/* Whether something typed is not previewed yet. */
bool session_lacks_preview(const struct session *s);
/* Previews the typed line if it changed. */
void session_preview(struct session *s);
/* Whether it is not known yet what the repair of the selected problem would do. */
bool session_lacks_proof(const struct session *s);
/* Tries it and takes it back; a key stops that. */
void session_prove(struct session *s);
/* Whether the line was typed further than what is shown of it: candidates, hits. */
bool session_lacks_live(const struct session *s);
void session_live(struct session *s);
/* Runs the lines of the user's configuration. */
void session_configure(struct session *s);
/* The theme that suits the terminal. */
void session_theme(struct session *s);
/* The one that was asked for last, in this run or an earlier one, if any. */
void session_theme_remembered(struct session *s);

/* The next key: one typed during long work, else from terminal_wait. */
struct event session_event(struct session *s, int wait_ms, bool *out_end);
/* With progress on the screen, and Esc to stop.  Only force replaces another file. */
bool session_save(struct session *s, const char *target, bool force, struct err *err) MUST_USE;
bool session_edit(struct session *s, struct sv line, struct err *err) MUST_USE;
bool session_export(struct session *s, const char *target, bool force, struct err *err) MUST_USE;
/* What a line would make of the document, if `repair` is one; else the document. */
bool session_verify(struct session *s, struct sv repair, const char *original,
		    struct verify_request *request, struct verify_result *out,
		    struct err *err) MUST_USE;
/* Completes the word at the cursor. */
void session_complete(struct session *s, struct completions *out);
/* The rows of help and palette: after the keys have changed, too. */
void session_help(struct session *s);
void session_help_release(struct session *s);
/* The keys that may follow those that were typed. */
void session_following(struct session *s);
/* Opens a prompt; the label precedes the typed text. */
void session_prompt(struct session *s, char kind, const char *label, struct sv text);

#endif
