/*
 * Completion at the cursor of the prompt: the line's name first, then what the line takes.
 */
#include "app/complete.h"
#include "app/tui_lines.h"
#include "app/tui_session.h"
#include "base/str.h"
#include "base/sv.h"
#include "ui/prompt.h"

static void completion_take(void *context, struct sv word, const char *help)
{
	completions_add(context, word, help);
}

/* What is called so in other programs: `save` is `write` here. */
static void complete_synonyms(const struct session *s, struct sv word, bool whole,
			      struct completions *out)
{
	enum {
		SHORTEST = 3 /* of a start that says something */
	};

	for (size_t i = 0; i < line_kind_count; i++) {
		const struct line_kind *kind = &line_kinds[i];

		if (line_kind_is_called(kind, word, true) != whole ||
		    !line_kind_is_called(kind, word, whole) || (!whole && word.len < SHORTEST) ||
		    sv_starts(sv_of(kind->name), word))
			continue;
		if (!s->terminal || !(kind->flags & LINE_SCRIPTED))
			completions_add(out, sv_of(kind->name), kind->help);
	}
}

static void complete_lines(const struct session *s, struct completing *c, struct completions *out)
{
	struct completions names = {0};
	bool named = line_kind_named(c->prefix) != NULL;

	c->context = &names;
	for (size_t i = 0; i < line_kind_count; i++) {
		if (!s->terminal || !(line_kinds[i].flags & LINE_SCRIPTED))
			complete_offer(c, sv_of(line_kinds[i].name), line_kinds[i].help);
	}
	for (size_t i = 0; i < s->aliases.list.len; i++)
		complete_offer(c, str_sv(&s->aliases.list.at[i].name), NULL);
	completions_sort(&names);
	if (!named)
		complete_synonyms(s, c->prefix, true, out);
	for (size_t i = 0; i < names.at.len; i++)
		completions_add(out, str_sv(&names.at.at[i].word), names.at.at[i].help);
	if (named)
		complete_synonyms(s, c->prefix, true, out);
	complete_synonyms(s, c->prefix, false, out);
	completions_release(&names);
}

void session_complete(struct session *s, struct completions *out)
{
	const struct prompt *p = &s->screen.prompt;
	struct sv text = {str_c(&p->text), p->cursor}, rest = text;
	const struct line_kind *kind = line_kind_named(sv_cut(&rest, ' '));
	struct completing c = {
		.prefix = sv_after_last(text, ' '),
		.grammar = s->app->grammar,
		.path = str_c(&s->document.wire.path),
		.model = &s->document.wire.model,
		.infer = &s->document.infer,
		.take = completion_take,
		.context = out,
	};

	out->from = text.len - c.prefix.len;
	c.head = (struct sv){c.prefix.at, 0};
	if (p->kind == '/') {
		complete_word(&c, COMPLETE_names);
	} else if (out->from == 0) {
		complete_lines(s, &c, out);
		return;
	} else if (kind) {
		c.usage = kind->usage;
		while (rest.len > c.prefix.len)
			c.place += sv_cut(&rest, ' ').len != 0;
		complete_word(&c, kind->completes);
	}
	completions_sort(out);
}
