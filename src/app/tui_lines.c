#include "app/tui_lines.h"

const struct line_kind line_kinds[] = {
#define LINE(run, argument, name, abbreviation, usage, group, help) \
	{name, abbreviation, usage, group, help, line_##run, argument},
#include "app/lines.def"
#undef LINE
};
const size_t line_kind_count = ARRAY_LEN(line_kinds);

const struct line_kind *line_kind_find(struct sv name, size_t *out_fits)
{
	const struct line_kind *found = NULL;

	*out_fits = 0;
	for (size_t i = 0; i < line_kind_count; i++) {
		const struct line_kind *k = &line_kinds[i];

		if (sv_is(name, k->name) || (k->abbreviation && sv_is(name, k->abbreviation))) {
			*out_fits = 1;
			return k;
		}
		if (sv_starts(sv_of(k->name), name)) {
			++*out_fits;
			found = k;
		}
	}
	return *out_fits == 1 ? found : NULL;
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
