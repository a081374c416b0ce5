#include "tests/fuzz/plain.h"

#include <string.h>

#include "base/utf8.h"

bool text_is_plain(struct sv text)
{
	while (text.len) {
		struct utf8_char c;

		if (text.at[0] >= ' ' && text.at[0] < 0x7f) {
			text = sv_skip(text, 1);
			continue;
		}
		c = utf8_next(text);
		if (c.code != '\n' && utf8_is_hostile(c.code))
			return false;
		text = sv_skip(text, c.len);
	}
	return true;
}

bool text_line(struct sv *rest, struct sv *out)
{
	const char *end = rest->len ? memchr(rest->at, '\n', rest->len) : NULL;

	if (rest->len == 0)
		return false;
	*out = (struct sv){rest->at, end ? (size_t)(end - rest->at) : rest->len};
	*rest = sv_skip(*rest, out->len + (end != NULL));
	return true;
}

/* ---- JSON ---- */

static bool take(struct sv *text, char c)
{
	bool there = text->len && text->at[0] == c;

	if (there)
		*text = sv_skip(*text, 1);
	return there;
}

static void skip_blanks(struct sv *text)
{
	while (take(text, ' '))
		continue;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool take_string(struct sv *text)
{
	if (!take(text, '"'))
		return false;
	while (text->len && text->at[0] != '"') {
		char c = text->at[0];

		*text = sv_skip(*text, 1);
		if ((unsigned char)c < ' ')
			return false;
		if (c != '\\')
			continue;
		if (take(text, 'u')) {
			for (int i = 0; i < 4; i++) {
				if (!text->len || !is_hex(text->at[0]))
					return false;
				*text = sv_skip(*text, 1);
			}
		} else if (!text->len || !text->at[0] || !strchr("\"\\/bfnrt", text->at[0])) {
			return false;
		} else {
			*text = sv_skip(*text, 1);
		}
	}
	return take(text, '"');
}

static bool take_value(struct sv *text, unsigned depth);

/* Up to the closing bracket; in an object each value has a key. */
static bool take_list(struct sv *text, char end, unsigned depth)
{
	skip_blanks(text);
	if (take(text, end))
		return true;
	do {
		skip_blanks(text);
		if (end == '}' && !(take_string(text) && take(text, ':')))
			return false;
		if (!take_value(text, depth))
			return false;
		skip_blanks(text);
	} while (take(text, ','));
	return take(text, end);
}

static bool take_number(struct sv *text)
{
	size_t len = 0;

	while (len < text->len && text->at[len] && strchr("+-.0123456789eE", text->at[len]))
		len++;
	*text = sv_skip(*text, len);
	return len != 0;
}

static bool take_value(struct sv *text, unsigned depth)
{
	static const struct sv words[] = {{"true", 4}, {"false", 5}, {"null", 4}};

	skip_blanks(text);
	if (depth == 0)
		return false;
	if (take(text, '{'))
		return take_list(text, '}', depth - 1);
	if (take(text, '['))
		return take_list(text, ']', depth - 1);
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (sv_starts(*text, words[i])) {
			*text = sv_skip(*text, words[i].len);
			return true;
		}
	}
	return text->len && text->at[0] == '"' ? take_string(text) : take_number(text);
}

bool text_is_json(struct sv text)
{
	return take_value(&text, 64) && text.len == 0;
}
