#include "app/tui_lines.h"

#include <assert.h>
#include <string.h>

#include "base/sv.h"
#include "ui/screen.h"

const struct line_kind line_kinds[] = {
#define LINE(run, argument, name, abbreviation, usage, completes, flags, group, help) \
	{name, abbreviation, usage, group, help, line_##run, COMPLETE_##completes, argument, flags},
#include "app/lines.def"
#undef LINE
};
const size_t line_kind_count = ARRAY_LEN(line_kinds);

#define LINE(run, argument, name, abbreviation, usage, completes, flags, group, help) \
	static_assert(((LINE_LOOKS & (flags)) != 0) != ((LINE_ASKS & (flags)) != 0),  \
		      name " either looks or asks");
#include "app/lines.def"
#undef LINE

const struct line_kind *line_kind_named(struct sv name)
{
	for (size_t i = 0; i < line_kind_count; i++) {
		const struct line_kind *k = &line_kinds[i];

		if (sv_is(name, k->name) || (k->abbreviation && sv_is(name, k->abbreviation)))
			return k;
	}
	return NULL;
}

const struct line_kind *line_kind_find(struct sv name, size_t *out_fits)
{
	const struct line_kind *named = line_kind_named(name), *found = NULL;

	*out_fits = 0;
	for (size_t i = 0; !named && i < line_kind_count; i++) {
		if (sv_starts(sv_of(line_kinds[i].name), name)) {
			++*out_fits;
			found = &line_kinds[i];
		}
	}
	return *out_fits == 1 ? found : named;
}

static const struct {
	const char *words, *name;
} line_synonyms[] = {
#define SYNONYMS(words, name) {words, name},
#include "app/synonyms.def"
#undef SYNONYMS
};

const char *line_kind_synonyms(const struct line_kind *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(line_synonyms); i++) {
		if (strcmp(line_synonyms[i].name, kind->name) == 0)
			return line_synonyms[i].words;
	}
	return "";
}

bool line_kind_is_called(const struct line_kind *kind, struct sv word, bool whole)
{
	struct sv words = sv_of(line_kind_synonyms(kind));

	while (words.len) {
		struct sv synonym = sv_cut(&words, ' ');

		if (whole ? sv_eq(synonym, word) : sv_starts(synonym, word))
			return true;
	}
	return false;
}

bool line_kind_needs_words(const struct line_kind *kind)
{
	return kind->usage[0] && kind->usage[0] != '[';
}

size_t line_kind_most_words(const struct line_kind *kind)
{
	struct sv rest = sv_of(kind->usage);
	size_t words = 0;

	if (kind->flags & LINE_REST || strstr(kind->usage, "..."))
		return SIZE_MAX;
	for (; rest.len; words++)
		(void)sv_cut(&rest, ' ');
	return words;
}

bool call_word(const struct call *c, size_t i, struct sv *out)
{
	*out = i < c->count ? c->words[i] : SV("");
	return i < c->count;
}

bool call_usage(const struct call *c)
{
	return err_set(c->err, ERR_USAGE, "%.*s %s", (int)MIN(c->words[0].len, 50), c->words[0].at,
		       c->kind->usage);
}
