#include "app/complete.h"

#include <sys/stat.h>

#include "app/demo.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "export/formats.h"
#include "infer/finding.h"
#include "ui/screen.h"
#include "wire/wire.h"

enum {
	COMPLETE_MODEL = 1
};

static const struct complete_kind {
	const char *words, *choices;
	void (*offers)(struct completing *c);
	int needs;
} complete_kinds[] = {
#define COMPLETE(id, words, offers, needs, choices) {words, choices, complete_##offers, needs},
#include "app/completes.def"
#undef COMPLETE
};

/* ---- one word ---- */

void complete_offer(const struct completing *c, struct sv word, const char *help)
{
	struct str whole = {0}, shown = {0};

	if (word.len == 0 || !sv_starts(word, c->prefix))
		return;
	str_add(&whole, c->head);
	str_add(&whole, word);
	str_add_shown(&shown, str_sv(&whole));
	if (sv_eq(str_sv(&whole), str_sv(&shown)))
		c->take(c->context, str_sv(&whole), help);
	str_release(&whole);
	str_release(&shown);
}

bool complete_after(struct completing *c, char mark)
{
	size_t kept = sv_through_last(c->prefix, mark).len;

	c->head.len += kept;
	c->prefix = sv_skip(c->prefix, kept);
	return kept != 0;
}

enum complete_id complete_named(struct sv word)
{
	for (int i = 0; i < COMPLETE_COUNT; i++) {
		struct sv words = sv_of(complete_kinds[i].words);

		while (words.len) {
			if (sv_eq(sv_cut(&words, ' '), word))
				return (enum complete_id)i;
		}
	}
	return COMPLETE_COUNT;
}

/* Only a regular file: a pipe or standard input must be left for its reader. */
static bool complete_open(const struct completing *c, struct wire *w)
{
	struct stat status;
	struct err err;

	if (c->demo)
		return wire_open_memory(w, c->path, demo_model, demo_model_size, &err);
	return c->path && stat(c->path, &status) == 0 && S_ISREG(status.st_mode) &&
	       wire_open(w, c->path, &err);
}

void complete_word(struct completing *c, enum complete_id kind)
{
	const struct complete_kind *k = &complete_kinds[kind];
	struct wire w;

	if (k->choices)
		c->choices = sv_of(k->choices);
	if (c->model || !(k->needs & COMPLETE_MODEL)) {
		k->offers(c);
	} else if (complete_open(c, &w)) {
		c->model = &w.model;
		k->offers(c);
		c->model = NULL;
		wire_release(&w);
	}
}

/* ---- words of the program itself ---- */

/* Words in capitals stand for something else. */
void complete_choices(struct completing *c)
{
	struct sv words = c->choices;

	while (words.len) {
		struct sv choices = sv_cut(&words, ' ');

		while (choices.len) {
			struct sv choice = sv_cut(&choices, '|');

			if (choice.len && (choice.at[0] < 'A' || choice.at[0] > '['))
				complete_offer(c, choice, NULL);
		}
	}
}

void complete_commands(struct completing *c)
{
	for (size_t i = 0; i < c->grammar->command_count; i++)
		complete_offer(c, sv_of(c->grammar->commands[i].name),
			       c->grammar->commands[i].help);
}

void complete_formats(struct completing *c)
{
	for (int i = 0; i < FORMAT_COUNT; i++)
		complete_offer(c, sv_of(format_row((enum format_id)i)->name), NULL);
}

void complete_levels(struct completing *c)
{
	(void)complete_after(c, ',');
	for (int i = 0; i < LEVEL_COUNT; i++)
		complete_offer(c, sv_of(level_info((enum level)i)->name), NULL);
}

void complete_panes(struct completing *c)
{
	for (int i = 0; i < PANE_COUNT; i++)
		complete_offer(c, sv_of(pane_row((enum pane_id)i)->name), NULL);
}
