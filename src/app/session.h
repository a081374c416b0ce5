/*
 * An open document and the lines that are run on it: by a script, or by the screen.
 */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include <stdio.h>

#include "app/app.h"
#include "edit/document.h"

struct session {
	const struct app *app; /* borrowed */
	struct document document;
	FILE *out; /* borrowed: what lines print */
	bool done; /* a line said to leave */
};

/* Opens the model, starts its journal and brings back what --recover asks for. */
bool session_open(struct session *s, const struct app *app, struct err *err) MUST_USE;
bool session_run(struct session *s, struct sv line, struct err *err) MUST_USE;
void session_close(struct session *s);

#endif
