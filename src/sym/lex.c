#include "sym/lex.h"

#include "base/sv.h"
#include "sym/text.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool lex_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name_part(char c)
{
	return lex_is_letter(c) || is_digit(c) || c == '.';
}

bool sym_is_identifier(struct sv name)
{
	if (name.len == 0 || !lex_is_letter(name.at[0]))
		return false;
	for (size_t i = 1; i < name.len; i++) {
		if (!is_name_part(name.at[i]))
			return false;
	}
	return true;
}

/* Longest first. */
static const struct {
	const char *text;
	enum sym_word word;
} lex_marks[] = {
	{"**", WORD_POWER}, {"//", WORD_FLOOR_DIV}, {"==", WORD_EQ},   {"!=", WORD_NE},
	{"<=", WORD_LE},    {">=", WORD_GE},        {"<", WORD_LT},    {">", WORD_GT},
	{"+", WORD_ADD},    {"-", WORD_SUB},        {"*", WORD_MUL},   {"/", WORD_DIV},
	{"%", WORD_MOD},    {"(", WORD_OPEN},       {")", WORD_CLOSE}, {",", WORD_COMMA},
};

static size_t lex_digits(struct sv s, size_t i)
{
	while (i < s.len && is_digit(s.at[i]))
		i++;
	return i;
}

/* 12, 0.5, 1e-3; invalid when a letter or point follows directly. */
static enum sym_word lex_number(struct sv s, size_t *len)
{
	size_t end = lex_digits(s, 0), more;
	enum sym_word word = WORD_NUMBER;

	if (end + 1 < s.len && s.at[end] == '.' && is_digit(s.at[end + 1])) {
		end = lex_digits(s, end + 1);
		word = WORD_DECIMAL;
	}
	if (end < s.len && (s.at[end] == 'e' || s.at[end] == 'E')) {
		more = end + 1;
		more += more < s.len && (s.at[more] == '-' || s.at[more] == '+');
		if (lex_digits(s, more) > more) {
			end = lex_digits(s, more);
			word = WORD_DECIMAL;
		}
	}
	*len = end;
	return end < s.len && is_name_part(s.at[end]) ? WORD_BAD : word;
}

/* Up to the closing quote; a doubled quote stands for one in the name. */
static enum sym_word lex_quoted(struct sv s, size_t *len)
{
	for (size_t i = 1; i < s.len; i++) {
		if (s.at[i] != '`')
			continue;
		if (i + 1 < s.len && s.at[i + 1] == '`') {
			i++;
			continue;
		}
		*len = i + 1;
		return i > 1 ? WORD_QUOTED : WORD_BAD;
	}
	*len = s.len;
	return WORD_BAD;
}

static enum sym_word lex_word(struct sv s, size_t *len)
{
	char c = s.at[0];

	*len = 1;
	if (is_digit(c))
		return lex_number(s, len);
	if (c == '`')
		return lex_quoted(s, len);
	if (c == '?') {
		*len = lex_digits(s, 1);
		return *len > 1 ? WORD_UNNAMED : WORD_UNKNOWN;
	}
	if (lex_is_letter(c)) {
		while (*len < s.len && is_name_part(s.at[*len]))
			++*len;
		return WORD_NAME;
	}
	for (size_t i = 0; i < ARRAY_LEN(lex_marks); i++) {
		if (sv_starts(s, sv_of(lex_marks[i].text))) {
			*len = sv_of(lex_marks[i].text).len;
			return lex_marks[i].word;
		}
	}
	return WORD_BAD;
}

struct sym_token sym_lex(struct sv text, size_t at)
{
	struct sym_token token = {.word = WORD_END};
	size_t len = 0;

	while (at < text.len && (text.at[at] == ' ' || text.at[at] == '\t'))
		at++;
	token.at = at;
	if (at < text.len)
		token.word = lex_word(sv_skip(text, at), &len);
	token.text = (struct sv){text.at ? text.at + at : NULL, len};
	return token;
}

struct sv sym_token_name(struct sym_token token, struct str *scratch)
{
	if (token.word != WORD_QUOTED)
		return token.text;
	str_clear(scratch);
	for (size_t i = 1; i + 1 < token.text.len; i++) {
		str_char(scratch, token.text.at[i]);
		i += token.text.at[i] == '`';
	}
	return str_sv(scratch);
}

void sym_quote_name(struct sv name, struct str *out)
{
	if (sym_is_identifier(name)) {
		str_add(out, name);
		return;
	}
	str_char(out, '`');
	for (size_t i = 0; i < name.len; i++) {
		if (name.at[i] == '`')
			str_char(out, '`');
		str_char(out, name.at[i]);
	}
	str_char(out, '`');
}

bool sym_text_next_name(struct sv text, size_t *at, struct str *scratch, struct sv *out_name)
{
	for (;;) {
		struct sym_token token = sym_lex(text, *at);

		if (token.word == WORD_END || token.word == WORD_BAD)
			return false;
		*at = token.at + token.text.len;
		if (token.word == WORD_NAME && sym_lex(text, *at).word == WORD_OPEN)
			continue;
		if (token.word == WORD_NAME || token.word == WORD_QUOTED) {
			*out_name = sym_token_name(token, scratch);
			return true;
		}
	}
}

/* Replaces the old name in an expression. */
static bool rename_words(struct sv text, struct sv old_name, struct sv new_name, struct str *out)
{
	struct str scratch = {0};
	bool changed = false;
	size_t copied = 0;
	struct sym_token token;

	for (size_t at = 0; (token = sym_lex(text, at)).word != WORD_END;) {
		at = token.at + token.text.len;
		if ((token.word != WORD_NAME && token.word != WORD_QUOTED) ||
		    (token.word == WORD_NAME && sym_lex(text, at).word == WORD_OPEN) ||
		    !sv_eq(sym_token_name(token, &scratch), old_name))
			continue;
		str_add(out, (struct sv){text.at + copied, token.at - copied});
		sym_quote_name(new_name, out);
		copied = at;
		changed = true;
	}
	str_add(out, sv_skip(text, copied));
	str_release(&scratch);
	return changed;
}

bool sym_text_rename(struct sv text, struct sv old_name, struct sv new_name, struct str *out)
{
	if (sv_eq(text, old_name)) {
		str_add(out, new_name);
		return true;
	}
	if (sym_text_is_expression(text))
		return rename_words(text, old_name, new_name, out);
	str_add(out, text);
	return false;
}
