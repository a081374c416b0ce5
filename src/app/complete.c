#include "app/complete.h"

#include <string.h>
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
	void (*offers)(const struct completing *c);
	int needs;
} complete_kinds[] = {
#define COMPLETE(id, words, offers, needs) {words, NULL, complete_##offers, needs},
#define CHOICES(id, words, choices)        {words, choices, NULL, 0},
#include "app/completes.def"
#undef COMPLETE
#undef CHOICES
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

bool complete_after(const struct completing *c, char mark, struct completing *out)
{
	size_t kept = sv_through_last(c->prefix, mark).len;

	*out = *c;
	out->head.len += kept;
	out->prefix = sv_skip(c->prefix, kept);
	return kept != 0;
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

/* Of `in|out|LETTER`: words in capitals stand for something else. */
static void complete_choices(const struct completing *c, struct sv choices)
{
	while (choices.len) {
		struct sv choice = sv_cut(&choices, '|');

		if (choice.len && (choice.at[0] < 'A' || choice.at[0] > 'Z'))
			complete_offer(c, choice, NULL);
	}
}

bool complete_is_choice(enum complete_id kind)
{
	return complete_kinds[kind].choices && complete_kinds[kind].choices[0];
}

void complete_word(const struct completing *c, enum complete_id kind)
{
	const struct complete_kind *k = &complete_kinds[kind];
	struct completing opened = *c;
	struct wire w;

	if (k->choices) {
		complete_choices(c, sv_of(k->choices));
	} else if (c->model || !(k->needs & COMPLETE_MODEL)) {
		k->offers(c);
	} else if (complete_open(c, &w)) {
		opened.model = &w.model;
		k->offers(&opened);
		wire_release(&w);
	}
}

/* ---- usages ---- */

void complete_named(const struct completing *c, struct sv word)
{
	for (int i = 0; i < COMPLETE_COUNT; i++) {
		struct sv words = sv_of(complete_kinds[i].words);

		while (words.len) {
			if (sv_eq(sv_cut(&words, ' '), word))
				complete_word(c, (enum complete_id)i);
		}
	}
}

/* Brackets and dots surround a word: [TENSOR...], TENSOR[:AXIS].  What follows a word that
 * repeats may stand in its place. */
void complete_usage(const struct completing *c)
{
	struct sv rest = sv_of(c->usage);
	bool repeats = false;

	for (size_t i = 0; rest.len && i <= c->place; i++) {
		struct sv word = sv_cut(&rest, ' ');

		repeats = repeats || sv_has(word, '.');
		word = sv_skip(word, sv_starts(word, SV("[")));
		if (sv_starts(word, SV("-")))
			return;
		word.len = strcspn(word.at, " .[]");
		if (i < c->place && !repeats)
			continue;
		complete_named(c, word);
		complete_choices(c, word);
	}
}

/* ---- words of the program itself ---- */

void complete_commands(const struct completing *c)
{
	for (size_t i = 0; i < c->grammar->command_count; i++)
		complete_offer(c, sv_of(c->grammar->commands[i].name),
			       c->grammar->commands[i].help);
}

void complete_formats(const struct completing *c)
{
	for (int i = 0; i < FORMAT_COUNT; i++)
		complete_offer(c, sv_of(format_row((enum format_id)i)->name), NULL);
}

void complete_levels(const struct completing *c)
{
	struct completing last;

	(void)complete_after(c, ',', &last);
	for (int i = 0; i < LEVEL_COUNT; i++)
		complete_offer(&last, sv_of(level_info((enum level)i)->name), NULL);
}

void complete_panes(const struct completing *c)
{
	for (int i = 0; i < PANE_COUNT; i++)
		complete_offer(c, sv_of(pane_row((enum pane_id)i)->name), NULL);
}
