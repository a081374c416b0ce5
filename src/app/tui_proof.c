/*
 * What a repair would do, before it is made: the repair of the selected problem is made and taken
 * back while nobody types, and its proof is shown beside it.
 *
 * The work is bounded, and a key stops it; then it starts again when no key waits.
 */
#include "app/tui_session.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "edit/document.h"
#include "edit/line.h"
#include "infer/infer.h"
#include "ui/panes/problems.h"
#include "ui/screen.h"
#include "ui/terminal.h"

enum {
	/* Passes over the model: as many as this work allows. */
	PROOF_WORK = 1 << 24,
	PROOF_LEAST = 8,
	PROOF_MOST = 300
};

struct proving {
	struct session *session; /* borrowed */
	size_t passes, most;
	bool waited; /* a key did */
};

static bool proof_go_on(void *context, size_t done)
{
	struct proving *p = context;
	struct session *s = p->session;
	bool ended = false;
	struct event e;

	(void)done;
	while (s->terminal && (e = terminal_wait(s->terminal, 0, &ended)).key) {
		p->waited = true;
		vec_push(&s->waiting, e);
	}
	p->waited |= ended;
	return !p->waited && ++p->passes <= p->most;
}

/* The repair that is selected, if it has the keys. */
static bool proof_line(const struct session *s, struct str *out)
{
	const struct screen *screen = &s->screen;

	return screen->active == PANE_PROBLEMS && !screen->prompt.open &&
	       screen->overlay == OVERLAY_NONE && !s->done && !session_is_previewing(s) &&
	       problems_repair(screen, out);
}

bool session_lacks_proof(const struct session *s)
{
	struct str line = {0};
	bool lacks = proof_line(s, &line) && !sv_eq(str_sv(&line), str_sv(&s->screen.proof.line));

	str_release(&line);
	return lacks;
}

static void proof_make(struct session *s, struct sv line)
{
	struct document *d = &s->document;
	struct proving p = {.session = s, .most = PROOF_WORK / (infer_work(&d->infer) + 1)};
	struct proof *proof = &s->screen.proof;
	/* Still true: the document is the same afterwards. */
	struct str said = {0}, refused = proof->refused;
	struct err err;
	bool ok;

	p.most = MAX(MIN(p.most, (size_t)PROOF_MOST), (size_t)PROOF_LEAST);
	d->working = proof_go_on;
	d->working_context = &p;
	ok = document_preview(d, line, &err);
	if (ok && d->previewing)
		str_add(&said, str_sv(&d->actions.at[d->done - 1].said));
	else if (!ok)
		str_text(&said, err.text);
	document_end_preview(d);
	d->working = NULL;
	proof->refused = (struct str){0};
	session_renew(s);
	proof->refused = refused;
	if (!p.waited) {
		str_clear(&proof->line);
		str_clear(&proof->text);
		str_add(&proof->line, line);
		str_add_shown(&proof->text, str_sv(&said));
		proof->state = ok                        ? PROOF_WORKS
			       : err.kind == ERR_STOPPED ? PROOF_LONG
							 : PROOF_REFUSED;
		if (proof->state == PROOF_REFUSED) {
			str_clear(&proof->refused);
			str_add(&proof->refused, line);
		}
	}
	str_release(&said);
}

void session_prove(struct session *s)
{
	struct str line = {0};

	if (session_lacks_proof(s) && proof_line(s, &line))
		proof_make(s, str_sv(&line));
	str_release(&line);
}
