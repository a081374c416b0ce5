/*
 * What a line shows while it is typed: `:` the words that fit, `/` the hits and their number.
 *
 * As with previews, text is drawn first: this runs when no key waits.
 */
#include "app/tui_session.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "ui/prompt.h"
#include "ui/screen.h"
#include "ui/search/search.h"

static bool live_is_search(const struct session *s)
{
	return s->screen.prompt.open && s->screen.prompt.kind == '/';
}

bool session_lacks_live(const struct session *s)
{
	const struct prompt *p = &s->screen.prompt;

	if (s->searching && !live_is_search(s))
		return true;
	return p->open && (p->kind == '/' || p->kind == ':') && s->lived != p->typed;
}

static void live_count(struct session *s)
{
	struct prompt *p = &s->screen.prompt;
	size_t count = s->screen.search.hits.len;
	struct err err;

	str_clear(&p->hint);
	p->bad = !search_try(&s->screen, str_sv(&p->text), &err);
	if (p->bad)
		str_text(&p->hint, err.text);
	else if (p->text.len == 0)
		str_text(&p->hint, "a word, or op: dim: shape: in: is: ~regex");
	else
		search_tell(&s->screen, str_sv(&p->text), &p->hint);
	if (count || s->screen.search.hits.len)
		screen_selected(&s->screen);
}

/* The search that was accepted, or the one before. */
static void live_settle(struct session *s)
{
	struct str text = {0};
	struct err ignored;

	s->searching = false;
	str_add(&text, str_sv(&s->screen.search.text));
	if (!search_try(&s->screen, str_sv(&text), &ignored))
		vec_clear(&s->screen.search.hits);
	screen_selected(&s->screen);
	str_release(&text);
}

static void live_words(struct session *s)
{
	struct prompt *p = &s->screen.prompt;
	struct completions words = {0};

	/* Tab walks through those that are shown. */
	if (p->completion_at)
		return;
	session_complete(s, &words);
	prompt_offer(p, &words);
}

void session_live(struct session *s)
{
	if (!session_lacks_live(s))
		return;
	if (s->searching && !live_is_search(s))
		live_settle(s);
	s->lived = s->screen.prompt.typed;
	if (live_is_search(s)) {
		s->searching = true;
		live_count(s);
	} else if (s->screen.prompt.open) {
		live_words(s);
	}
}
