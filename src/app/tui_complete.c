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
		for (size_t i = 0; i < line_kind_count; i++)
			complete_offer(&c, sv_of(line_kinds[i].name), line_kinds[i].help);
		for (size_t i = 0; i < s->aliases.list.len; i++)
			complete_offer(&c, str_sv(&s->aliases.list.at[i].name), NULL);
	} else if (kind) {
		c.usage = kind->usage;
		while (rest.len > c.prefix.len)
			c.place += sv_cut(&rest, ' ').len != 0;
		complete_word(&c, kind->completes);
	}
	completions_sort(out);
}
