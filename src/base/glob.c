#include "base/glob.h"

#include "base/sv.h"
#include "base/utf8.h"

bool glob_is(struct sv text)
{
	return sv_has(text, '*') || sv_has(text, '?') || sv_has(text, '[');
}

/* The length of the set that the pattern starts with; 0 when it is not closed. */
static size_t glob_set_length(struct sv pattern)
{
	size_t i = 1;

	i += i < pattern.len && (pattern.at[i] == '!' || pattern.at[i] == '^');
	for (i++; i < pattern.len; i++) {
		if (pattern.at[i] == ']')
			return i + 1;
	}
	return 0;
}

/* Invalid bytes are characters too, unlike any other. */
static int32_t glob_take(struct sv *rest)
{
	struct utf8_char c = utf8_next(*rest);
	int32_t code = c.code < 0 ? -(int32_t)(unsigned char)rest->at[0] : c.code;

	*rest = sv_skip(*rest, c.len);
	return code;
}

/* `set` is without its brackets. */
static bool glob_set_has(struct sv set, int32_t code)
{
	bool inverted = set.len && (set.at[0] == '!' || set.at[0] == '^'), found = false;

	set = sv_skip(set, inverted);
	while (set.len) {
		int32_t first = glob_take(&set), last = first;

		if (set.len > 1 && set.at[0] == '-') {
			set = sv_skip(set, 1);
			last = glob_take(&set);
		}
		found |= first <= code && code <= last;
	}
	return found != inverted;
}

/* One character of the text against one element of the pattern; both move past it. */
static bool glob_step(struct sv *pattern, struct sv *text)
{
	size_t set = pattern->at[0] == '[' ? glob_set_length(*pattern) : 0;
	int32_t code = glob_take(text);
	bool any = pattern->at[0] == '?', fits;

	if (!set)
		return glob_take(pattern) == code || any;
	fits = glob_set_has((struct sv){pattern->at + 1, set - 2}, code);
	*pattern = sv_skip(*pattern, set);
	return fits;
}

/* Only the last star is tried again, so the time is at most the product of both lengths. */
bool glob_matches(struct sv pattern, struct sv text)
{
	struct sv after_star = {0}, retry = {0};
	bool starred = false;

	while (text.len || pattern.len) {
		if (pattern.len && pattern.at[0] == '*') {
			pattern = sv_skip(pattern, 1);
			after_star = pattern;
			retry = text;
			starred = true;
			continue;
		}
		if (text.len && pattern.len && glob_step(&pattern, &text))
			continue;
		if (!starred || retry.len == 0)
			return false;
		(void)glob_take(&retry);
		pattern = after_star;
		text = retry;
	}
	return true;
}
