/*
 * An open document, a screen over it, and the lines that are run on both: typed, bound to
 * keys, or read from a script.  Without a terminal the screen is drawn all the same; nobody
 * sees it but save-screen.
 */
#ifndef APP_TUI_SESSION_H
#define APP_TUI_SESSION_H

#include <stdio.h>

#include "app/app.h"
#include "app/tui_keymap.h"
#include "edit/document.h"
#include "ui/screen.h"
#include "ui/terminal.h"

/* What the prompt asks, to be answered by one key. */
enum question {
	QUESTION_NONE,
	QUESTION_LEAVE,   /* with something unsaved? */
	QUESTION_JOURNAL, /* what about the steps of an earlier run? */
	QUESTION_COUNT
};

struct session {
	const struct app *app; /* borrowed */
	struct document document;
	struct screen screen;
	struct keymap keymap;
	struct terminal *terminal; /* owned; NULL without one */
	FILE *out;                 /* borrowed: what lines print; NULL when the screen tells */
	bool done;                 /* a line said to leave */
	bool read_only;            /* no line writes a file: for lines of strangers */
	bool pressing;             /* a line presses keys */
	enum question asking;
	struct keys typed; /* of a sequence that is not whole yet */
	VEC(struct event)
	waiting;               /* typed during long work */
	struct str awaited;    /* a line that waits for one more key */
	size_t previewed;      /* the prompt's state that the preview shows */
	size_t opened;         /* the prompt's state when it was opened */
	uint8_t *changed;      /* owned; by value */
	struct help_row *help; /* owned */
	VEC(struct str)
	help_keys;
	VEC(struct sv)
	history;
};

/* Opens the model, starts its journal and brings back what --recover asks for. */
bool session_open(struct session *s, const struct app *app, struct err *err) MUST_USE;
void session_close(struct session *s);
bool session_run(struct session *s, struct sv line, struct err *err) MUST_USE;
/* The same, and what goes wrong is told on the screen. */
void session_do(struct session *s, struct sv line);
void session_key(struct session *s, struct event e);
/* In a terminal: asks about steps that an earlier run did not save. */
void session_ask_journal(struct session *s);
/* Does them, and tells. */
void session_recover(struct session *s);
/* The screen looks at the document anew. */
void session_renew(struct session *s);
/* Was something typed that the preview does not show? */
bool session_lacks_preview(const struct session *s);
/* Previews what is being typed, when it changed. */
void session_preview(struct session *s);
/* The user's own configuration: a list of lines. */
void session_configure(struct session *s);

/* The next key: one that was typed during long work, else as terminal_wait. */
struct event session_event(struct session *s, int wait_ms, bool *out_end);
/* With progress on the screen, and Esc to stop. */
bool session_save(struct session *s, const char *target, struct err *err) MUST_USE;
bool session_edit(struct session *s, struct sv line, struct err *err) MUST_USE;
bool session_export(struct session *s, const char *target, struct err *err) MUST_USE;
/* Words that could stand where the cursor is. */
void session_complete(struct session *s, struct completions *out);
/* Opens a prompt; the label stands before what is typed. */
void session_prompt(struct session *s, char kind, const char *label, struct sv text);

#endif
