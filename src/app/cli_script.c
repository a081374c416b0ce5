/*
 * Runs lines on a document without a screen, from a file or standard input; each is
 * acknowledged before the next is read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/tui_session.h"
#include "base/err.h"
#include "base/sv.h"
#include "cmd/args.h"
#include "edit/document.h"
#include "edit/journal/journal.h"

static bool run_lines(struct session *s, FILE *in, const char *name, struct err *err)
{
	char *line = NULL;
	size_t cap = 0, number = 0;
	ssize_t len;
	bool ok = true;

	while (ok && !s->done && (len = getline(&line, &cap, in)) >= 0) {
		number++;
		if (len && line[len - 1] == '\n')
			len--;
		ok = session_run(s, (struct sv){line, (size_t)len}, err) ||
		     err_prefix(err, "%s: line %zu", name, number);
		fflush(s->out);
	}
	if (ok && ferror(in))
		ok = err_system(err, "%s", name);
	free(line);
	return ok;
}

/* Unsaved edits stay in the journal for the next run. */
static void tell_unsaved(struct session *s)
{
	document_end_preview(&s->document);
	if (s->done || !document_is_changed(&s->document) || !s->document.journal)
		return;
	fprintf(stderr,
		journal_is_whole(s->document.journal)
			? "axed: note: there are unsaved edits; --recover brings them back\n"
			: "axed: note: the latest unsaved edits are lost\n");
}

enum exit_code run_edit(const struct app *app)
{
	const char *name = app->args->values[OPTION_SCRIPT];
	struct session s;
	struct err err;
	FILE *in;
	bool ok;

	if (!args_has(app->args, OPTION_SCRIPT))
		return run_screen(app);
	in = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
	if (!in) {
		err_system(&err, "%s", name);
		return complain(&err);
	}
	ok = session_open(&s, app, &err);
	if (ok) {
		ok = run_lines(&s, in, name, &err);
		tell_unsaved(&s);
		session_close(&s);
	}
	if (in != stdin)
		fclose(in);
	return ok ? EXIT_DONE : complain(&err);
}
