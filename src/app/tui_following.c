/*
 * The keys that may follow those that were typed, from the table of keys.
 */
#include <string.h>

#include "app/tui_keymap.h"
#include "app/tui_lines.h"
#include "app/tui_session.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/keys.h"
#include "ui/screen.h"

static const struct line_kind *following_kind(struct sv line)
{
	size_t fits;

	return line_kind_find(sv_cut(&line, ' '), &fits);
}

static void following_add(struct session *s, const struct keys *rest, struct sv line)
{
	const struct line_kind *kind = following_kind(line);
	struct following *f = vec_add(&s->screen.following);

	*f = (struct following){.help = kind ? kind->help : ""};
	keys_print(&f->key, rest);
	str_add(&f->line, sv_trim(line));
}

static void following_of_keys(struct session *s)
{
	unsigned typed = s->typed.count;

	for (size_t i = 0; i < s->keymap.list.len; i++) {
		const struct binding *b = &s->keymap.list.at[i];
		struct keys rest = {.count = b->keys.count - typed};

		if (b->keys.count <= typed || keymap_is_hidden(&s->keymap, b) ||
		    memcmp(b->keys.at, s->typed.at, typed * sizeof(s->typed.at[0])) != 0)
			continue;
		memcpy(rest.at, b->keys.at + typed, rest.count * sizeof(rest.at[0]));
		following_add(s, &rest, str_sv(&b->line));
	}
}

/* A line that waits for its last word, a letter: those that it takes, if it has said so. */
static void following_of_line(struct session *s)
{
	const struct line_kind *kind = following_kind(str_sv(&s->awaited));
	struct following *f;

	for (size_t i = 0; i < s->screen.choices.len; i++) {
		const struct following *choice = &s->screen.choices.at[i];

		f = vec_add(&s->screen.following);
		*f = (struct following){.help = kind ? kind->help : ""};
		str_add(&f->key, str_sv(&choice->key));
		str_add(&f->line, str_sv(&choice->line));
	}
	if (s->screen.choices.len)
		return;
	f = vec_add(&s->screen.following);
	*f = (struct following){.help = kind ? kind->help : ""};
	str_text(&f->key, "a letter");
	str_add(&f->line, sv_trim(str_sv(&s->awaited)));
}

void session_following(struct session *s)
{
	following_clear(&s->screen);
	if (s->awaited.len)
		following_of_line(s);
	else if (s->typed.count)
		following_of_keys(s);
}
