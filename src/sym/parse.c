/* Parses expressions: recursive descent, with exact fractions until an integer is needed. */
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "sym/fraction.h"
#include "sym/lex.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	LENGTH_MAX = 256 << 10,
	NESTING_MAX = 200,
	ARGUMENTS_MAX = 32
};

struct parser {
	struct sym_reader r;
	struct sv text;
	const struct sym_scope *scope; /* or NULL: the pool's symbols */
	const struct sym_pool *names;  /* or NULL: every name is accepted */
	struct sym_token token;        /* the next one */
	int nesting;
	struct str scratch;
	struct err *err;
};

static bool parse_comparison(struct parser *ps, struct sym_number *out);

/* A failed arithmetic step has set the reason; the column is known here. */
static bool parse_fail(struct parser *ps, size_t at, const char *what)
{
	return err_set(ps->err, ERR_USAGE, "column %zu: %s", at + 1, what);
}

static bool parse_done(struct parser *ps, size_t at)
{
	return !ps->r.why || parse_fail(ps, at, ps->r.why);
}

static void parse_advance(struct parser *ps)
{
	ps->token = sym_lex(ps->text, ps->token.at + ps->token.text.len);
}

static bool parse_expect(struct parser *ps, enum sym_word word, const char *what)
{
	if (ps->token.word != word)
		return parse_fail(ps, ps->token.at, what);
	parse_advance(ps);
	return true;
}

static bool parse_resolve(const struct sym_pool *p, const struct sym_scope *scope, struct sv name,
			  struct sym *out)
{
	if (scope)
		return scope->find(scope->context, name, out);
	*out = sym_find(p, name);
	return !sym_is_unknown(*out);
}

static bool parse_named(struct parser *ps, struct sym_token token, struct sym_number *out)
{
	struct sv name = sym_token_name(token, &ps->scratch);
	struct sym s = SYM_UNKNOWN;

	if (ps->names && !parse_resolve(ps->names, ps->scope, name, &s))
		return err_set(ps->err, ERR_USAGE, "column %zu: unknown name %.*s", token.at + 1,
			       (int)MIN(name.len, 200), name.at);
	*out = sym_number_of(&ps->r, s);
	return true;
}

static bool parse_unnamed(struct parser *ps, struct sym_token token, struct sym_number *out)
{
	int64_t id = 0;

	if (!sv_int(sv_skip(token.text, 1), &id) ||
	    (ps->names && (size_t)id >= ps->names->symbols.len))
		return parse_fail(ps, token.at, "unknown generated symbol");
	*out = sym_number_of(&ps->r, ps->names ? ps->names->symbols.at[id].self : SYM_UNKNOWN);
	return true;
}

/* The rest of a call, after a name and an opening parenthesis. */
static bool parse_call(struct parser *ps, struct sym_token name, struct sym_number *out)
{
	struct sym_number args[ARGUMENTS_MAX];
	size_t count = 0;

	parse_advance(ps);
	while (ps->token.word != WORD_CLOSE || count) {
		if (count == ARGUMENTS_MAX)
			return parse_fail(ps, ps->token.at, "too many arguments");
		if (!parse_comparison(ps, &args[count++]))
			return false;
		if (ps->token.word != WORD_COMMA)
			break;
		parse_advance(ps);
	}
	if (!parse_expect(ps, WORD_CLOSE, "expected )"))
		return false;
	sym_number_call(&ps->r, name.text, args, count, out);
	return parse_done(ps, name.at);
}

static bool parse_primary(struct parser *ps, struct sym_number *out)
{
	struct sym_token token = ps->token;

	parse_advance(ps);
	switch (token.word) {
	case WORD_NUMBER:
	case WORD_DECIMAL:
		*out = sym_number_literal(&ps->r, token.text, token.word == WORD_DECIMAL, false);
		return parse_done(ps, token.at);
	case WORD_NAME:
		if (ps->token.word == WORD_OPEN)
			return parse_call(ps, token, out);
		return parse_named(ps, token, out);
	case WORD_QUOTED:
		return parse_named(ps, token, out);
	case WORD_UNNAMED:
		return parse_unnamed(ps, token, out);
	case WORD_UNKNOWN:
		*out = sym_number_of(&ps->r, SYM_UNKNOWN);
		return true;
	case WORD_OPEN:
		return parse_comparison(ps, out) && parse_expect(ps, WORD_CLOSE, "expected )");
	case WORD_END:
		return parse_fail(ps, token.at, "unexpected end of the expression");
	case WORD_BAD:
	case WORD_ADD:
	case WORD_SUB:
	case WORD_MUL:
	case WORD_POWER:
	case WORD_DIV:
	case WORD_FLOOR_DIV:
	case WORD_MOD:
	case WORD_CLOSE:
	case WORD_COMMA:
	case WORD_EQ:
	case WORD_NE:
	case WORD_LE:
	case WORD_LT:
	case WORD_GE:
	case WORD_GT:
	case WORD_COUNT:
		break;
	}
	return parse_fail(ps, token.at, "expected a number, a name or (");
}

static bool parse_power(struct parser *ps, struct sym_number *out)
{
	int64_t exponent = 0;

	if (!parse_primary(ps, out))
		return false;
	while (ps->token.word == WORD_POWER) {
		size_t at = ps->token.at;

		parse_advance(ps);
		if (ps->token.word != WORD_NUMBER || !sv_int(ps->token.text, &exponent) ||
		    exponent > INT32_MAX)
			return parse_fail(ps, ps->token.at, "the exponent must be an integer");
		parse_advance(ps);
		if (ps->token.word == WORD_POWER)
			return parse_fail(ps, ps->token.at, "powers of powers are not supported");
		sym_number_power(&ps->r, out, (uint32_t)exponent);
		if (!parse_done(ps, at))
			return false;
	}
	return true;
}

static bool parse_unary(struct parser *ps, struct sym_number *out)
{
	struct sym_token minus = ps->token;
	bool negative = false;

	while (ps->token.word == WORD_SUB || ps->token.word == WORD_ADD) {
		negative ^= ps->token.word == WORD_SUB;
		minus = ps->token;
		parse_advance(ps);
	}
	/* The sign belongs to the literal: -INT64_MIN overflows. */
	if (negative && minus.word == WORD_SUB && ps->token.word == WORD_NUMBER &&
	    sym_lex(ps->text, ps->token.at + ps->token.text.len).word != WORD_POWER) {
		*out = sym_number_literal(&ps->r, ps->token.text, false, true);
		parse_advance(ps);
		return parse_done(ps, minus.at);
	}
	if (!parse_power(ps, out))
		return false;
	if (negative)
		sym_number_negate(&ps->r, out);
	return parse_done(ps, minus.at);
}

static bool parse_term(struct parser *ps, struct sym_number *out)
{
	if (!parse_unary(ps, out))
		return false;
	while (ps->token.word == WORD_MUL || ps->token.word == WORD_DIV ||
	       ps->token.word == WORD_FLOOR_DIV || ps->token.word == WORD_MOD) {
		struct sym_token mark = ps->token;
		struct sym_number right;

		parse_advance(ps);
		if (!parse_unary(ps, &right))
			return false;
		sym_number_join(&ps->r, mark.word, out, &right);
		if (!parse_done(ps, mark.at))
			return false;
	}
	return true;
}

static bool parse_sum(struct parser *ps, struct sym_number *out)
{
	if (!parse_term(ps, out))
		return false;
	while (ps->token.word == WORD_ADD || ps->token.word == WORD_SUB) {
		struct sym_token mark = ps->token;
		struct sym_number right;

		parse_advance(ps);
		if (!parse_term(ps, &right))
			return false;
		sym_number_join(&ps->r, mark.word, out, &right);
		if (!parse_done(ps, mark.at))
			return false;
	}
	return true;
}

static bool parse_comparison(struct parser *ps, struct sym_number *out)
{
	struct sym_token mark;
	struct sym_number right;

	if (ps->nesting == NESTING_MAX)
		return parse_fail(ps, ps->token.at, "nested too deeply");
	ps->nesting++;
	if (!parse_sum(ps, out))
		return false;
	mark = ps->token;
	if (mark.word >= WORD_EQ && mark.word <= WORD_GT) {
		parse_advance(ps);
		if (!parse_sum(ps, &right))
			return false;
		sym_number_join(&ps->r, mark.word, out, &right);
	}
	ps->nesting--;
	return parse_done(ps, mark.at);
}

static bool parse_text(struct parser *ps, struct sym *out)
{
	struct sym_number number;
	bool ok = false;

	if (ps->text.len > LENGTH_MAX)
		return err_set(ps->err, ERR_LIMIT, "the expression is longer than %d bytes",
			       LENGTH_MAX);
	ps->token = sym_lex(ps->text, 0);
	if (parse_comparison(ps, &number) &&
	    (ps->token.word == WORD_END || parse_fail(ps, ps->token.at, "expected an operator"))) {
		*out = sym_number_whole(&ps->r, &number);
		ok = parse_done(ps, 0);
	}
	str_release(&ps->scratch);
	return ok;
}

bool sym_parse(struct sym_pool *p, struct sv text, const struct sym_scope *scope, struct sym *out,
	       struct err *err)
{
	struct err why = {0};
	struct parser ps = {.r = {.p = p}, .text = text, .scope = scope, .names = p, .err = &why};
	struct sym found = SYM_UNKNOWN;

	if (!parse_text(&ps, &found) && (text.len == 0 || !parse_resolve(p, scope, text, &found))) {
		*err = why;
		return false;
	}
	*out = found;
	return true;
}

bool sym_text_is_expression(struct sv text)
{
	struct err err;
	struct parser ps = {.text = text, .err = &err};
	struct sym ignored;

	return parse_text(&ps, &ignored);
}

bool sym_text_is_known(const struct sym_pool *p, struct sv text, const struct sym_scope *scope)
{
	struct err err;
	struct parser ps = {.text = text, .scope = scope, .names = p, .err = &err};
	struct sym ignored;

	return parse_text(&ps, &ignored);
}
