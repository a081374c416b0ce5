#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/sv.h"
#include "base/width.h"

static const struct utf8_char utf8_bad = {-1, 1};

struct utf8_char utf8_next(struct sv text)
{
	static const int32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char lead = (unsigned char)text.at[0];
	size_t len = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	int32_t code;

	if (len == 1)
		return (struct utf8_char){lead, 1};
	if (len == 0 || lead > 0xf4 || len > text.len)
		return utf8_bad;
	code = lead & (0x7f >> len);
	for (size_t i = 1; i < len; i++) {
		unsigned char next = (unsigned char)text.at[i];

		if ((next & 0xc0) != 0x80)
			return utf8_bad;
		code = code << 6 | (next & 0x3f);
	}
	if (code < smallest[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return utf8_bad;
	return (struct utf8_char){code, len};
}

struct sv utf8_cut(struct sv text, size_t most)
{
	size_t len = MIN(text.len, most);

	/* Back to the first byte of the character that would be cut; it has four at most. */
	for (unsigned i = 0; len < text.len && i < 3 && len && (text.at[len] & 0xc0) == 0x80; i++)
		len--;
	return (struct sv){text.at, len};
}

void str_cut_words(struct str *out, struct sv text, size_t most)
{
	struct sv ellipsis = SV("\u2026"), kept = utf8_cut(text, most - MIN(most, ellipsis.len));
	size_t end = kept.len;

	if (text.len <= most) {
		str_add(out, text);
		return;
	}
	/* A word that is most of it is cut all the same. */
	while (end > kept.len / 2 && kept.at[end] != ' ')
		end--;
	if (end > kept.len / 2)
		kept.len = end;
	str_add(out, kept);
	str_add(out, ellipsis);
}

void text_print(char *out, size_t size, const char *format, va_list args)
{
	struct str cut = {0};
	char *text;
	va_list again;
	int len;

	va_copy(again, args);
	len = vsnprintf(out, size, format, args);
	if (len > 0 && (size_t)len >= size) {
		text = must_alloc((size_t)len + 1);
		(void)vsnprintf(text, (size_t)len + 1, format, again);
		str_cut_words(&cut, sv_of(text), size - 1);
		memcpy(out, str_c(&cut), cut.len + 1);
		str_release(&cut);
		free(text);
	}
	va_end(again);
}

bool utf8_is_hostile(int32_t code)
{
	static const struct {
		int32_t first, last;
	} ranges[] = {
		{-1, 0x1f},         {0x7f, 0x9f},       {0xad, 0xad},       {0x600, 0x605},
		{0x61c, 0x61c},     {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},
		{0x8e2, 0x8e2},     {0x115f, 0x1160},   {0x180e, 0x180e},   {0x200b, 0x200f},
		{0x2028, 0x202e},   {0x2060, 0x206f},   {0x3164, 0x3164},   {0xe000, 0xf8ff},
		{0xfdd0, 0xfdef},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
		{0xfff0, 0xfffb},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f},
		{0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}, {0xf0000, 0x10ffff},
	};

	/* The last two of each plane are no characters. */
	if (code > 0 && (code & 0xfffe) == 0xfffe)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	}
	return false;
}

static void add_escaped(struct str *s, unsigned char byte, int32_t code)
{
	switch (code) {
	case '\n':
		str_text(s, "\\n");
		return;
	case '\t':
		str_text(s, "\\t");
		return;
	case '\r':
		str_text(s, "\\r");
		return;
	default:
		if (code < 0x80)
			str_format(s, "\\x%02x", byte);
		else
			str_format(s, code > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)code);
	}
}

/* The length of the plain ASCII prefix: most names are nothing else. */
static size_t utf8_plain_run(struct sv text)
{
	size_t len = 0;

	while (len < text.len && text.at[len] >= ' ' && text.at[len] < 0x7f)
		len++;
	return len;
}

void str_code(struct str *s, uint32_t code)
{
	if (code < 0x80) {
		str_char(s, (char)code);
	} else if (code < 0x800) {
		str_char(s, (char)(0xc0 | code >> 6));
		str_char(s, (char)(0x80 | (code & 0x3f)));
	} else if (code < 0x10000) {
		str_char(s, (char)(0xe0 | code >> 12));
		str_char(s, (char)(0x80 | (code >> 6 & 0x3f)));
		str_char(s, (char)(0x80 | (code & 0x3f)));
	} else {
		str_char(s, (char)(0xf0 | code >> 18));
		str_char(s, (char)(0x80 | (code >> 12 & 0x3f)));
		str_char(s, (char)(0x80 | (code >> 6 & 0x3f)));
		str_char(s, (char)(0x80 | (code & 0x3f)));
	}
}

void str_add_shown(struct str *s, struct sv text)
{
	while (text.len) {
		size_t plain = utf8_plain_run(text);
		struct utf8_char c;

		if (plain)
			str_add(s, (struct sv){text.at, plain});
		text = sv_skip(text, plain);
		if (text.len == 0)
			break;
		c = utf8_next(text);
		if (utf8_is_hostile(c.code))
			add_escaped(s, (unsigned char)text.at[0], c.code);
		else
			str_add(s, (struct sv){text.at, c.len});
		text = sv_skip(text, c.len);
	}
}

void str_show_from(struct str *s, size_t from)
{
	struct sv added = sv_skip(str_sv(s), from);
	struct str raw = {0};

	if (utf8_plain_run(added) == added.len)
		return;
	str_add(&raw, added);
	s->len = from;
	str_add_shown(s, str_sv(&raw));
	str_release(&raw);
}

size_t utf8_width(struct sv text)
{
	size_t width = 0;

	while (text.len) {
		size_t plain = utf8_plain_run(text);
		struct utf8_char c;

		width += plain;
		text = sv_skip(text, plain);
		if (text.len == 0)
			break;
		c = utf8_next(text);
		if (utf8_is_hostile(c.code)) {
			struct str escaped = {0};

			add_escaped(&escaped, (unsigned char)text.at[0], c.code);
			width += escaped.len;
			str_release(&escaped);
		} else {
			width += (size_t)width_of(c.code);
		}
		text = sv_skip(text, c.len);
	}
	return width;
}

size_t utf8_distance(struct sv a, struct sv b)
{
	size_t *row;
	size_t result;

	/* For hints, the first 200 bytes are enough. */
	a.len = MIN(a.len, 200);
	b.len = MIN(b.len, 200);
	row = must_alloc((b.len + 1) * sizeof(*row));
	for (size_t j = 0; j <= b.len; j++)
		row[j] = j;
	for (size_t i = 1; i <= a.len; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b.len; j++) {
			size_t change = diagonal + (a.at[i - 1] != b.at[j - 1]);

			diagonal = row[j];
			row[j] = MIN(change, MIN(row[j], row[j - 1]) + 1);
		}
	}
	result = row[b.len];
	free(row);
	return result;
}

struct sv utf8_tail(struct sv text, size_t columns)
{
	size_t width;

	/* Do not start inside a character. */
	while (text.len && ((unsigned char)text.at[0] & 0xc0) == 0x80)
		text = sv_skip(text, 1);
	for (width = utf8_width(text); text.len && width > columns;) {
		struct sv first = {text.at, utf8_next(text).len};

		width -= MIN(width, utf8_width(first));
		text = sv_skip(text, first.len);
	}
	return text;
}
