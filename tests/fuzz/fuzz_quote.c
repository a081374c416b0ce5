/*
 * The input is a name.  Quoted for another language it is plain text, which that language
 * reads as the same bytes; as JSON it is what the header promises for bytes that are not
 * UTF-8.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/utf8.h"
#include "report/json.h"
#include "export/quote.h"
#include "tests/fuzz/plain.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	return 0;
}

/* ---- parsers of other languages ---- */

static void add_code(struct str *out, uint32_t code)
{
	static const uint8_t leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
	int len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	if (len == 1) {
		str_char(out, (char)code);
		return;
	}
	str_char(out, (char)(leads[len] | code >> 6 * (len - 1)));
	while (--len)
		str_char(out, (char)(0x80 | (code >> 6 * (len - 1) & 0x3f)));
}

/* Takes exactly this many digits. */
static uint32_t take_digits(struct sv *text, size_t count, int base)
{
	char digits[9] = {0};
	char *end;
	uint32_t number;

	BUG_ON(text->len < count);
	memcpy(digits, text->at, count);
	number = (uint32_t)strtoul(digits, &end, base);
	BUG_ON(*end);
	*text = sv_skip(*text, count);
	return number;
}

/* Python: \udcNN is the byte NN, as in os.fsencode. */
static void read_python(struct sv *text, char letter, struct str *out)
{
	size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
	uint32_t code;

	if (digits == 0) {
		BUG_ON(!strchr("\"\\n", letter));
		str_char(out, letter == 'n' ? '\n' : letter);
		return;
	}
	code = take_digits(text, digits, 16);
	if (code >= 0xdc80 && code <= 0xdcff)
		str_char(out, (char)(code & 0xff));
	else
		add_code(out, code);
}

static void read_pbtxt(struct sv *text, char letter, struct str *out)
{
	if (letter >= '0' && letter <= '3') {
		*text = (struct sv){text->at - 1, text->len + 1};
		str_char(out, (char)take_digits(text, 3, 8));
	} else {
		BUG_ON(letter != '"' && letter != '\\');
		str_char(out, letter);
	}
}

/* $'...': \xNN is a byte. */
static void read_bash(struct sv *text, char letter, struct str *out)
{
	if (letter == 'x') {
		str_char(out, (char)take_digits(text, 2, 16));
	} else {
		BUG_ON(letter != '\'' && letter != '\\');
		str_char(out, letter);
	}
}

static void read_json(struct sv *text, char letter, struct str *out)
{
	uint32_t code, low;

	if (letter != 'u') {
		BUG_ON(!strchr("\"\\n", letter));
		str_char(out, letter == 'n' ? '\n' : letter);
		return;
	}
	code = take_digits(text, 4, 16);
	if (code >= 0xd800 && code < 0xdc00) {
		BUG_ON(!sv_starts(*text, SV("\\u")));
		*text = sv_skip(*text, 2);
		low = take_digits(text, 4, 16);
		BUG_ON(low < 0xdc00 || low > 0xdfff);
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	add_code(out, code);
}

typedef void read_escape(struct sv *text, char letter, struct str *out);

/* From the opening quote to the closing one, which must be the last character. */
static void unquote(struct sv text, char quote, read_escape *escape, struct str *out)
{
	BUG_ON(text.len < 2 || text.at[0] != quote);
	text = sv_skip(text, 1);
	while (text.len && text.at[0] != quote) {
		char c = text.at[0];

		text = sv_skip(text, 1);
		if (c != '\\') {
			str_char(out, c);
			continue;
		}
		BUG_ON(text.len == 0);
		c = text.at[0];
		text = sv_skip(text, 1);
		escape(&text, c, out);
	}
	BUG_ON(text.len != 1);
}

/* 'single' pieces with \' between them. */
static void unquote_shell(struct sv text, struct str *out)
{
	bool quoted = false;

	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] == '\'')
			quoted = !quoted;
		else if (!quoted && text.at[i] == '\\')
			str_char(out, text.at[++i]);
		else
			str_char(out, text.at[i]);
		BUG_ON(!quoted && i < text.len && strchr("|&;<>()$`\" \t\n*?[#~{", text.at[i]));
	}
	BUG_ON(quoted);
}

/* ---- invariants ---- */

static void check_python(struct sv name)
{
	struct str text = {0}, back = {0};

	quote_python(&text, name);
	BUG_ON(!text_is_plain(str_sv(&text)) || memchr(text.at, '\n', text.len));
	unquote(str_sv(&text), '"', read_python, &back);
	BUG_ON(!sv_eq(str_sv(&back), name));
	str_release(&text);
	str_release(&back);
}

static void check_pbtxt(struct sv name)
{
	struct str text = {0}, back = {0};

	quote_pbtxt(&text, name);
	BUG_ON(!text_is_plain(str_sv(&text)) || memchr(text.at, '\n', text.len));
	unquote(str_sv(&text), '"', read_pbtxt, &back);
	BUG_ON(!sv_eq(str_sv(&back), name));
	str_release(&text);
	str_release(&back);
}

static void check_shell(struct sv name)
{
	struct str text = {0}, back = {0};

	quote_shell(&text, name);
	BUG_ON(!text_is_plain(str_sv(&text)) || text.len == 0 || memchr(text.at, '\n', text.len));
	if (sv_starts(str_sv(&text), SV("$'")))
		unquote(sv_skip(str_sv(&text), 1), '\'', read_bash, &back);
	else
		unquote_shell(str_sv(&text), &back);
	BUG_ON(!sv_eq(str_sv(&back), name));
	str_release(&text);
	str_release(&back);
}

static void check_identifier(struct sv name)
{
	struct str text = {0};

	quote_identifier(&text, name);
	BUG_ON(text.len == 0 || (text.at[0] >= '0' && text.at[0] <= '9'));
	for (size_t i = 0; i < text.len; i++) {
		char c = text.at[i];

		BUG_ON(!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		       !(c >= '0' && c <= '9') && c != '_');
	}
	str_release(&text);
}

/* A byte that is not UTF-8 appears as \xNN. */
static void add_expected(struct str *out, struct sv name)
{
	while (name.len) {
		struct utf8_char c = utf8_next(name);

		if (c.code < 0)
			str_format(out, "\\x%02x", (unsigned char)name.at[0]);
		else
			str_add(out, (struct sv){name.at, c.len});
		name = sv_skip(name, c.len);
	}
}

static void check_json(struct sv name)
{
	struct str expected = {0}, back = {0};
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);
	struct json j;

	BUG_ON(!file);
	json_init(&j, file);
	json_text(&j, name);
	BUG_ON(fclose(file) != 0);
	BUG_ON(!text_is_plain((struct sv){text, len}) || memchr(text, '\n', len));
	unquote((struct sv){text, len}, '"', read_json, &back);
	add_expected(&expected, name);
	BUG_ON(!sv_eq(str_sv(&back), str_sv(&expected)));
	free(text);
	str_release(&back);
	str_release(&expected);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv name = {(const char *)data, size};
	struct str shown = {0};

	check_python(name);
	check_pbtxt(name);
	/* An argument cannot contain a NUL. */
	if (!size || !memchr(data, 0, size))
		check_shell(name);
	check_identifier(name);
	check_json(name);
	str_add_shown(&shown, name);
	BUG_ON(!text_is_plain(str_sv(&shown)) || (shown.len && memchr(shown.at, '\n', shown.len)));
	BUG_ON(utf8_width(name) != utf8_width(str_sv(&shown)));
	str_release(&shown);
	return 0;
}
