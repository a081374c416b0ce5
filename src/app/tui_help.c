/*
 * The rows of help and palette: a row for each line that keys are bound to, for each other line,
 * and for each choice that a line has, such as `zoom map`.
 */
#include <string.h>

#include "app/complete.h"
#include "app/tui_keymap.h"
#include "app/tui_lines.h"
#include "app/tui_session.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/keys.h"
#include "ui/screen.h"

/* The text lives as long as the rows. */
static struct sv help_keep(struct session *s, struct sv text)
{
	struct str *kept = vec_add(&s->help_texts);

	str_add(kept, text);
	return (struct sv){str_c(kept), text.len};
}

static void help_add(struct session *s, const struct line_kind *kind, struct sv line,
		     struct sv keys)
{
	bool bare = sv_is(line, kind->name);

	vec_push(&s->help, ((struct help_row){
				   .group = kind->group,
				   .line = help_keep(s, line),
				   .usage = bare ? kind->usage : "",
				   .help = kind->help,
				   .synonyms = line_kind_synonyms(kind),
				   .needs_words = bare && line_kind_needs_words(kind),
				   .keys = help_keep(s, keys),
			   }));
}

/* ---- keys ---- */

static bool help_is_of(const struct line_kind *kind, struct sv line)
{
	size_t fits;

	return line_kind_find(sv_cut(&line, ' '), &fits) == kind;
}

/* `mark ` waits for a letter: it is the line itself. */
static struct sv help_bound(const struct session *s, size_t i)
{
	return sv_trim(str_sv(&s->keymap.list.at[i].line));
}

static bool help_is_first(const struct session *s, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (sv_eq(help_bound(s, i), help_bound(s, at)))
			return false;
	}
	return true;
}

/* A newer binding may hide all of them. */
static bool help_keys(const struct session *s, struct sv line, struct str *out)
{
	for (size_t i = 0; i < s->keymap.list.len; i++) {
		const struct binding *b = &s->keymap.list.at[i];

		if (!sv_eq(help_bound(s, i), line) || keymap_is_hidden(&s->keymap, b))
			continue;
		str_text(out, out->len ? " " : "");
		keys_print(out, &b->keys);
	}
	return out->len;
}

static bool help_add_bound(struct session *s, const struct line_kind *kind)
{
	struct str keys = {0};
	bool bare = false;

	for (size_t i = 0; i < s->keymap.list.len; i++) {
		struct sv line = help_bound(s, i);

		if (!help_is_of(kind, line) || !help_is_first(s, i))
			continue;
		str_clear(&keys);
		if (!help_keys(s, line, &keys))
			continue;
		help_add(s, kind, line, str_sv(&keys));
		bare = bare || sv_is(line, kind->name);
	}
	str_release(&keys);
	return bare;
}

/* ---- choices ---- */

struct help_choices {
	struct session *session; /* borrowed */
	const struct line_kind *kind;
	size_t from; /* rows of the kind */
};

static void help_add_choice(void *context, struct sv word, const char *help)
{
	struct help_choices *c = context;
	struct session *s = c->session;
	struct str line = {0};
	bool bound = false;

	(void)help;
	str_format(&line, "%s %.*s", c->kind->name, (int)word.len, word.at);
	for (size_t i = c->from; i < s->help.len; i++)
		bound = bound || sv_eq(s->help.at[i].line, str_sv(&line));
	if (!bound) {
		help_add(s, c->kind, str_sv(&line), SV(""));
		vec_last(&s->help)->is_choice = true;
	}
	str_release(&line);
}

/* Of `panes` and `themes`, and of usages such as `in|out`. */
static void help_add_choices(struct session *s, const struct line_kind *kind, size_t from)
{
	struct help_choices choices = {s, kind, from};
	struct completing c = {.usage = kind->usage, .take = help_add_choice, .context = &choices};

	c.head = c.prefix = SV("");
	/* A second word would be missing. */
	if (strchr(kind->usage, ' '))
		return;
	if (complete_is_choice(kind->completes) ||
	    (kind->completes == COMPLETE_usage && strchr(kind->usage, '|')))
		complete_word(&c, kind->completes);
}

void session_help(struct session *s)
{
	session_help_release(s);
	for (size_t i = 0; i < line_kind_count; i++) {
		const struct line_kind *kind = &line_kinds[i];
		size_t from = s->help.len;

		if (!help_add_bound(s, kind) && (s->help.len == from || kind->usage[0]))
			help_add(s, kind, sv_of(kind->name), SV(""));
		help_add_choices(s, kind, from);
	}
	s->screen.help = s->help.at;
	s->screen.help_count = s->help.len;
}

void session_help_release(struct session *s)
{
	for (size_t i = 0; i < s->help_texts.len; i++)
		str_release(&s->help_texts.at[i]);
	vec_release(&s->help_texts);
	vec_release(&s->help);
}
