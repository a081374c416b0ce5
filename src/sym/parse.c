/* Reads expressions: recursive descent, fractions exact until a whole number is needed. */
#include "sym/text.h"

#include "sym/fraction.h"
#include "sym/lex.h"

enum {
	LENGTH_MAX = 256 << 10,
	NESTING_MAX = 200,
	ARGUMENTS_MAX = 32
};

struct parser {
	struct sym_reader r;
	struct sv text;
	const struct sym_scope *scope; /* or NULL: the pool's symbols */
	const struct sym_pool *names;  /* or NULL: every name is good */
	struct sym_token token;        /* the next one */
	int nesting;
	struct str scratch;
	struct err *err;
};

static bool comparison(struct parser *ps, struct sym_number *out);

/* A failed step of the arithmetic has said why; where is known here. */
static bool fail(struct parser *ps, size_t at, const char *what)
{
	return err_set(ps->err, ERR_USAGE, "column %zu: %s", at + 1, what);
}

static bool done(struct parser *ps, size_t at)
{
	return !ps->r.why || fail(ps, at, ps->r.why);
}

static void advance(struct parser *ps)
{
	ps->token = sym_lex(ps->text, ps->token.at + ps->token.text.len);
}

static bool expect(struct parser *ps, enum sym_word word, const char *what)
{
	if (ps->token.word != word)
		return fail(ps, ps->token.at, what);
	advance(ps);
	return true;
}

static bool resolve(const struct sym_pool *p, const struct sym_scope *scope, struct sv name,
		    struct sym *out)
{
	if (scope)
		return scope->find(scope->context, name, out);
	*out = sym_find(p, name);
	return !sym_is_unknown(*out);
}

static bool named(struct parser *ps, struct sym_token token, struct sym_number *out)
{
	struct sv name = sym_token_name(token, &ps->scratch);
	struct sym s = SYM_UNKNOWN;

	if (ps->names && !resolve(ps->names, ps->scope, name, &s))
		return err_set(ps->err, ERR_USAGE, "column %zu: %.*s is not a known name",
			       token.at + 1, (int)MIN(name.len, 200), name.at);
	*out = sym_number_of(&ps->r, s);
	return true;
}

static bool unnamed(struct parser *ps, struct sym_token token, struct sym_number *out)
{
	int64_t id = 0;

	if (!sv_int(sv_skip(token.text, 1), &id) ||
	    (ps->names && (size_t)id >= ps->names->symbols.len))
		return fail(ps, token.at, "there is no such generated symbol");
	*out = sym_number_of(&ps->r, ps->names ? ps->names->symbols.at[id].self : SYM_UNKNOWN);
	return true;
}

/* A name, an opening parenthesis, then this. */
static bool call(struct parser *ps, struct sym_token name, struct sym_number *out)
{
	struct sym_number args[ARGUMENTS_MAX];
	size_t count = 0;

	advance(ps);
	while (ps->token.word != WORD_CLOSE || count) {
		if (count == ARGUMENTS_MAX)
			return fail(ps, ps->token.at, "too many arguments");
		if (!comparison(ps, &args[count++]))
			return false;
		if (ps->token.word != WORD_COMMA)
			break;
		advance(ps);
	}
	if (!expect(ps, WORD_CLOSE, "expected )"))
		return false;
	sym_number_call(&ps->r, name.text, args, count, out);
	return done(ps, name.at);
}

static bool primary(struct parser *ps, struct sym_number *out)
{
	struct sym_token token = ps->token;

	advance(ps);
	switch (token.word) {
	case WORD_NUMBER:
	case WORD_DECIMAL:
		*out = sym_number_literal(&ps->r, token.text, token.word == WORD_DECIMAL, false);
		return done(ps, token.at);
	case WORD_NAME:
		if (ps->token.word == WORD_OPEN)
			return call(ps, token, out);
		return named(ps, token, out);
	case WORD_QUOTED:
		return named(ps, token, out);
	case WORD_UNNAMED:
		return unnamed(ps, token, out);
	case WORD_UNKNOWN:
		*out = sym_number_of(&ps->r, SYM_UNKNOWN);
		return true;
	case WORD_OPEN:
		return comparison(ps, out) && expect(ps, WORD_CLOSE, "expected )");
	case WORD_END:
		return fail(ps, token.at, "something is missing at the end");
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
	return fail(ps, token.at, "expected a number, a name or (");
}

static bool power(struct parser *ps, struct sym_number *out)
{
	int64_t exponent = 0;

	if (!primary(ps, out))
		return false;
	while (ps->token.word == WORD_POWER) {
		size_t at = ps->token.at;

		advance(ps);
		if (ps->token.word != WORD_NUMBER || !sv_int(ps->token.text, &exponent) ||
		    exponent > INT32_MAX)
			return fail(ps, ps->token.at, "only a whole number can be a power");
		advance(ps);
		if (ps->token.word == WORD_POWER)
			return fail(ps, ps->token.at, "powers of powers are not read");
		sym_number_power(&ps->r, out, (uint32_t)exponent);
		if (!done(ps, at))
			return false;
	}
	return true;
}

static bool unary(struct parser *ps, struct sym_number *out)
{
	struct sym_token minus = ps->token;
	bool negative = false;

	while (ps->token.word == WORD_SUB || ps->token.word == WORD_ADD) {
		negative ^= ps->token.word == WORD_SUB;
		minus = ps->token;
		advance(ps);
	}
	/* The sign belongs to the literal: the smallest number has no positive twin. */
	if (negative && minus.word == WORD_SUB && ps->token.word == WORD_NUMBER &&
	    sym_lex(ps->text, ps->token.at + ps->token.text.len).word != WORD_POWER) {
		*out = sym_number_literal(&ps->r, ps->token.text, false, true);
		advance(ps);
		return done(ps, minus.at);
	}
	if (!power(ps, out))
		return false;
	if (negative)
		sym_number_negate(&ps->r, out);
	return done(ps, minus.at);
}

static bool term(struct parser *ps, struct sym_number *out)
{
	if (!unary(ps, out))
		return false;
	while (ps->token.word == WORD_MUL || ps->token.word == WORD_DIV ||
	       ps->token.word == WORD_FLOOR_DIV || ps->token.word == WORD_MOD) {
		struct sym_token mark = ps->token;
		struct sym_number right;

		advance(ps);
		if (!unary(ps, &right))
			return false;
		sym_number_join(&ps->r, mark.word, out, &right);
		if (!done(ps, mark.at))
			return false;
	}
	return true;
}

static bool sum(struct parser *ps, struct sym_number *out)
{
	if (!term(ps, out))
		return false;
	while (ps->token.word == WORD_ADD || ps->token.word == WORD_SUB) {
		struct sym_token mark = ps->token;
		struct sym_number right;

		advance(ps);
		if (!term(ps, &right))
			return false;
		sym_number_join(&ps->r, mark.word, out, &right);
		if (!done(ps, mark.at))
			return false;
	}
	return true;
}

static bool comparison(struct parser *ps, struct sym_number *out)
{
	struct sym_token mark;
	struct sym_number right;

	if (ps->nesting == NESTING_MAX)
		return fail(ps, ps->token.at, "nested too deeply");
	ps->nesting++;
	if (!sum(ps, out))
		return false;
	mark = ps->token;
	if (mark.word >= WORD_EQ && mark.word <= WORD_GT) {
		advance(ps);
		if (!sum(ps, &right))
			return false;
		sym_number_join(&ps->r, mark.word, out, &right);
	}
	ps->nesting--;
	return done(ps, mark.at);
}

static bool parse(struct parser *ps, struct sym *out)
{
	struct sym_number number;
	bool ok = false;

	if (ps->text.len > LENGTH_MAX)
		return err_set(ps->err, ERR_LIMIT, "an expression of more than %d bytes",
			       LENGTH_MAX);
	ps->token = sym_lex(ps->text, 0);
	if (comparison(ps, &number) &&
	    (ps->token.word == WORD_END || fail(ps, ps->token.at, "expected an operator"))) {
		*out = sym_number_whole(&ps->r, &number);
		ok = done(ps, 0);
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

	if (!parse(&ps, &found) && (text.len == 0 || !resolve(p, scope, text, &found))) {
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

	return parse(&ps, &ignored);
}

bool sym_text_is_known(const struct sym_pool *p, struct sv text, const struct sym_scope *scope)
{
	struct err err;
	struct parser ps = {.text = text, .scope = scope, .names = p, .err = &err};
	struct sym ignored;

	return parse(&ps, &ignored);
}
