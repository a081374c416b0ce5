#include "base/wrap.h"

#include "base/utf8.h"

/* How good it is to break between two characters; 0 when it must not be. */
static int wrap_merit(enum wrap_rule rule, int32_t before, int32_t after)
{
	if (rule == WRAP_FACTORS && before == '*')
		return 2;
	if (after == ' ')
		return before != ' ';
	return rule != WRAP_WORDS && (before == ',' || after == '/');
}

static size_t wrap_skip_spaces(struct sv text, size_t at)
{
	while (at < text.len && text.at[at] == ' ')
		at++;
	return at;
}

size_t wrap_line(struct sv text, size_t columns, enum wrap_rule rule, size_t *out_next)
{
	size_t at = 0, end = 0, used = 0;
	int32_t before = 0;
	int best = 0;

	while (at < text.len && text.at[at] != '\n') {
		struct utf8_char c = utf8_next(sv_skip(text, at));
		size_t width = utf8_width((struct sv){text.at + at, c.len});
		int merit = at && width ? wrap_merit(rule, before, c.code) : 0;

		if (merit && merit >= best) {
			best = merit;
			end = at;
		}
		used += width;
		/* A space at the end may exceed the line: it is dropped. */
		if (width && at && used > columns && (end || rule != WRAP_WORDS)) {
			end = end ? end : at;
			*out_next = wrap_skip_spaces(text, end);
			*out_next += *out_next < text.len && text.at[*out_next] == '\n';
			return end;
		}
		before = c.code;
		at += c.len;
	}
	*out_next = at + (at < text.len);
	return at;
}
