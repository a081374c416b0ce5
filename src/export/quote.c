#include "export/quote.h"

#include <string.h>

#include "base/sv.h"
#include "base/utf8.h"

static bool is_hostile(struct sv text)
{
	while (text.len) {
		struct utf8_char c = utf8_next(text);

		if (utf8_is_hostile(c.code))
			return true;
		text = sv_skip(text, c.len);
	}
	return false;
}

static void python_char(struct str *s, struct sv text, struct utf8_char c)
{
	unsigned char byte = (unsigned char)text.at[0];

	if (c.code < 0)
		str_format(s, "\\udc%02x", byte);
	else if (c.code == '"' || c.code == '\\')
		str_format(s, "\\%c", byte);
	else if (c.code == '\n')
		str_text(s, "\\n");
	else if (!utf8_is_hostile(c.code))
		str_add(s, (struct sv){text.at, c.len});
	else if (c.code < 0x100)
		str_format(s, "\\x%02x", (unsigned)c.code);
	else
		str_format(s, c.code < 0x10000 ? "\\u%04x" : "\\U%08x", (unsigned)c.code);
}

void quote_python(struct str *s, struct sv text)
{
	str_char(s, '"');
	while (text.len) {
		struct utf8_char c = utf8_next(text);

		python_char(s, text, c);
		text = sv_skip(text, c.len);
	}
	str_char(s, '"');
}

/* Escapes bytes that must not appear as they are. */
static void quote_add_bytes(struct str *s, struct sv bytes, const char *format)
{
	for (size_t i = 0; i < bytes.len; i++) {
		char escaped[8];
		unsigned byte = (unsigned char)bytes.at[i];

		if (format[1] == 'x') {
			str_format(s, "\\x%02x", byte);
		} else {
			escaped[0] = '\\';
			escaped[1] = (char)('0' + (byte >> 6));
			escaped[2] = (char)('0' + (byte >> 3 & 7));
			escaped[3] = (char)('0' + (byte & 7));
			str_add(s, (struct sv){escaped, 4});
		}
	}
}

/* Escapes the quote, the backslash and hostile characters. */
static void quote_escaped(struct str *s, struct sv text, char quote, const char *bytes)
{
	while (text.len) {
		struct utf8_char c = utf8_next(text);
		struct sv one = {text.at, c.len};

		if (c.code == quote || c.code == '\\')
			str_char(s, '\\');
		if (utf8_is_hostile(c.code))
			quote_add_bytes(s, one, bytes);
		else
			str_add(s, one);
		text = sv_skip(text, c.len);
	}
}

void quote_pbtxt(struct str *s, struct sv text)
{
	str_char(s, '"');
	quote_escaped(s, text, '"', "\\o");
	str_char(s, '"');
}

static bool quote_is_plain(struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.at[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
		    (c == '\0' || !strchr("_@%+=:,./-", c)))
			return false;
	}
	return text.len > 0;
}

void quote_shell(struct str *s, struct sv text)
{
	if (quote_is_plain(text)) {
		str_add(s, text);
		return;
	}
	if (is_hostile(text)) {
		str_text(s, "$'");
		quote_escaped(s, text, '\'', "\\x");
		str_char(s, '\'');
		return;
	}
	str_char(s, '\'');
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] == '\'')
			str_text(s, "'\\''");
		else
			str_char(s, text.at[i]);
	}
	str_char(s, '\'');
}

void quote_identifier(struct str *s, struct sv text)
{
	/* Python keywords, and names that the snippets use. */
	static const char *const taken[] = {
		"False",       "None",         "True",
		"and",         "as",           "assert",
		"async",       "await",        "break",
		"class",       "continue",     "def",
		"del",         "elif",         "else",
		"except",      "finally",      "for",
		"from",        "global",       "if",
		"import",      "in",           "is",
		"lambda",      "nonlocal",     "not",
		"or",          "pass",         "raise",
		"return",      "try",          "while",
		"with",        "yield",        "torch",
		"ort",         "ov",           "core",
		"model",       "sess_options", "dynamic_shapes",
		"input_names", "output_names", "dynamic_axes",
		"session",     "__debug__",
	};
	enum {
		LONGEST = 60
	};
	size_t start = s->len;

	if (!text.len || (text.at[0] >= '0' && text.at[0] <= '9'))
		str_text(s, "dim_");
	for (size_t i = 0; i < text.len && s->len - start < LONGEST; i++) {
		char c = text.at[i];
		bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9');

		str_char(s, fine ? c : '_');
	}
	for (size_t i = 0; i < ARRAY_LEN(taken); i++) {
		if (sv_is((struct sv){s->at + start, s->len - start}, taken[i])) {
			str_char(s, '_');
			return;
		}
	}
}
