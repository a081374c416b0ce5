#include "base/words.h"

#include <string.h>

#include "base/sv.h"
#include "base/utf8.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *place = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;

	return place ? (int)(place - digits) : -1;
}

/* The escape after a backslash at *i; leaves *i at its last character. */
static bool words_read_escape(struct sv line, size_t *i, char *out, struct err *err)
{
	static const char names[] = "ntr", bytes[] = "\n\t\r";
	char c;
	const char *name;

	if (*i + 1 >= line.len)
		return err_set(err, ERR_USAGE, "column %zu: nothing follows the backslash", *i + 1);
	c = line.at[++*i];
	name = c ? strchr(names, c) : NULL;
	*out = name ? bytes[name - names] : c;
	if (c != 'x')
		return true;
	if (*i + 2 >= line.len || hex_digit(line.at[*i + 1]) < 0 || hex_digit(line.at[*i + 2]) < 0)
		return err_set(err, ERR_USAGE, "column %zu: \\x needs two hexadecimal digits", *i);
	*out = (char)(hex_digit(line.at[*i + 1]) * 16 + hex_digit(line.at[*i + 2]));
	*i += 2;
	return true;
}

/* A name in back-quotes, which stay, from *i on; leaves *i at the last one. */
static bool words_read_name(struct sv line, size_t *i, struct str *out)
{
	struct sv rest = sv_skip(line, *i + 1);
	const char *end = rest.len ? memchr(rest.at, '`', rest.len) : NULL;
	size_t len = end ? (size_t)(end - rest.at) + 2 : 0;

	if (!end)
		return false;
	str_add(out, (struct sv){line.at + *i, len});
	*i += len - 1;
	return true;
}

/* One word from *i on; leaves *i after it. */
static bool words_read_word(struct sv line, size_t *i, struct str *out, struct err *err)
{
	size_t quote_at = 0;
	char quote = 0;

	for (; *i < line.len && (quote || !is_blank(line.at[*i])); ++*i) {
		char c = line.at[*i];

		if (c == quote) {
			quote = 0;
		} else if (!quote && (c == '\'' || c == '"')) {
			quote = c;
			quote_at = *i + 1;
		} else if (quote || c != '`' || !words_read_name(line, i, out)) {
			if (c == '\\' && quote != '\'' && !words_read_escape(line, i, &c, err))
				return false;
			str_char(out, c);
		}
	}
	return !quote || err_set(err, ERR_USAGE, "column %zu: unterminated quote", quote_at);
}

/* Views are set last: the text moves while it grows. */
static void set_views(struct words *w)
{
	const char *at = str_c(&w->text);

	for (size_t i = 0; i < w->at.len; i++) {
		w->at.at[i].at = at;
		at += w->at.at[i].len + 1;
	}
}

bool words_split(struct words *w, struct sv line, struct err *err)
{
	*w = (struct words){0};
	for (size_t i = 0; i < line.len;) {
		size_t start = w->text.len;

		if (is_blank(line.at[i])) {
			i++;
			continue;
		}
		if (line.at[i] == '#')
			break;
		if (!words_read_word(line, &i, &w->text, err)) {
			words_release(w);
			return false;
		}
		*vec_add(&w->at) = (struct sv){NULL, w->text.len - start};
		str_char(&w->text, 0);
	}
	set_views(w);
	return true;
}

void words_release(struct words *w)
{
	vec_release(&w->at);
	str_release(&w->text);
}

/* ---- quoting ---- */

static bool words_is_plain(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c && strchr("_-+*/.,:=?@%^~()[]{}<>!&|;$#", c));
}

static bool needs_quotes(struct sv word)
{
	for (size_t i = 0; i < word.len; i++) {
		if (!words_is_plain(word.at[i]))
			return true;
	}
	return word.len == 0 || word.at[0] == '#';
}

static void add_character(struct str *line, struct sv character, int32_t code)
{
	for (size_t i = 0; utf8_is_hostile(code) && i < character.len; i++)
		str_format(line, "\\x%02x", (unsigned char)character.at[i]);
	if (utf8_is_hostile(code))
		return;
	if (code == '"' || code == '\\')
		str_char(line, '\\');
	str_add(line, character);
}

void words_quote(struct str *line, struct sv word)
{
	if (line->len)
		str_char(line, ' ');
	if (!needs_quotes(word)) {
		str_add(line, word);
		return;
	}
	str_char(line, '"');
	while (word.len) {
		struct utf8_char c = utf8_next(word);

		add_character(line, (struct sv){word.at, c.len}, c.code);
		word = sv_skip(word, c.len);
	}
	str_char(line, '"');
}

bool name_unquote(struct str *out, struct sv text)
{
	struct sv inside;

	if (text.len < 3 || text.at[0] != '`' || text.at[text.len - 1] != '`')
		return false;
	inside = (struct sv){text.at + 1, text.len - 2};
	for (size_t i = 0; i < inside.len; i++) {
		if (inside.at[i] == '`' && (++i == inside.len || inside.at[i] != '`'))
			return false;
	}
	for (size_t i = 0; i < inside.len; i++) {
		str_char(out, inside.at[i]);
		i += inside.at[i] == '`';
	}
	return true;
}
