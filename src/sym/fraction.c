#include "sym/fraction.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "base/sv.h"
#include "sym/float.h"
#include "sym/node.h"
#include "sym/sym.h"
#include "sym/terms.h"

static bool fraction_idle(const struct sym_reader *r)
{
	return !r->p || r->why;
}

struct sym_number sym_number_of(struct sym_reader *r, struct sym s)
{
	struct sym_number n = {.num = s};

	if (fraction_idle(r))
		return n;
	n.den = sym_int(r->p, 1);
	if (sym_is_float_kind(sym_kind(r->p, s)))
		n.kind = NUMBER_FLOAT;
	return n;
}

struct sym_number sym_number_literal(struct sym_reader *r, struct sv text, bool decimal,
				     bool negative)
{
	struct sym_number n = {.kind = NUMBER_DECIMAL, .decimal = text, .negative = negative};
	char digits[24] = "-";
	int64_t value = 0;

	if (decimal || text.len > 20) {
		if (!decimal)
			r->why = "the number is too large";
		return n;
	}
	memcpy(digits + 1, text.at, text.len);
	if (!sv_int((struct sv){digits + !negative, text.len + negative}, &value))
		r->why = "the number is too large";
	if (fraction_idle(r))
		return (struct sym_number){0};
	return sym_number_of(r, sym_int(r->p, value));
}

/* ---- decimals ---- */

/* 0.5 is 1/2.  Only for denominators that are powers of two: 0.7 is ambiguous. */
void sym_decimal_to_fraction(struct sym_reader *r, struct sym_number *n)
{
	int64_t num = 0, den = 1;
	bool fraction = false;
	uint64_t g;

	for (size_t i = 0; i < n->decimal.len; i++) {
		char c = n->decimal.at[i];

		if (c == '.') {
			fraction = true;
			continue;
		}
		if (c < '0' || c > '9' || !num_imul(num, 10, &num) ||
		    !num_iadd(num, c - '0', &num) || (fraction && !num_imul(den, 10, &den))) {
			r->why = "the decimal is not exact";
			return;
		}
	}
	g = num_gcd((uint64_t)num, (uint64_t)den);
	num /= (int64_t)g;
	den /= (int64_t)g;
	if (den & (den - 1)) {
		r->why = "the decimal is not exact";
		return;
	}
	*n = (struct sym_number){.num = sym_int(r->p, n->negative ? -num : num),
				 .den = sym_int(r->p, den)};
}

/* strtod expects the decimal point of the locale. */
struct sym sym_decimal_to_float(struct sym_reader *r, const struct sym_number *n,
				enum sym_float type)
{
	struct str text = {0};
	struct sym s;

	for (size_t i = 0; i < n->decimal.len; i++) {
		if (n->decimal.at[i] == '.')
			str_text(&text, localeconv()->decimal_point);
		else
			str_char(&text, n->decimal.at[i]);
	}
	s = sym_float(r->p, type,
		      n->negative ? -strtod(str_c(&text), NULL) : strtod(str_c(&text), NULL));
	if (sym_is_unknown(s))
		r->why = "the number is too large for its type";
	str_release(&text);
	return s;
}

/* ---- fractions ---- */

static void fraction_reduce(struct sym_reader *r, struct sym_number *n)
{
	struct sym_pool *p = r->p;
	struct sym_poly poly;
	struct sym q;
	int64_t den;
	uint64_t g;

	if (sym_is_unknown(n->num) || sym_is_unknown(n->den)) {
		*n = sym_number_of(r, SYM_UNKNOWN);
		return;
	}
	if (sym_is(n->den, 1))
		return;
	if (sym_divide(p, n->num, n->den, &q)) {
		*n = sym_number_of(r, q);
		return;
	}
	if (!sym_value(p, n->den, &den) || den == INT64_MIN)
		return;
	sym_poly_of(p, n->num, &poly);
	g = sym_poly_content(&poly,
			     num_gcd(sym_magnitude(den), sym_magnitude(sym_poly_constant(&poly))));
	if (den < 0 || g > 1) {
		int64_t by = den < 0 ? -(int64_t)g : (int64_t)g;

		if (sym_divide(p, n->num, sym_int(p, by), &q)) {
			n->num = q;
			n->den = sym_int(p, den / by);
		}
	}
}

static void fraction_multiply(struct sym_reader *r, struct sym_number *a, struct sym num,
			      struct sym den)
{
	a->num = sym_mul(r->p, a->num, num);
	a->den = sym_mul(r->p, a->den, den);
	fraction_reduce(r, a);
}

static void fraction_add(struct sym_reader *r, struct sym_number *a, const struct sym_number *b,
			 int sign)
{
	struct sym_pool *p = r->p;
	struct sym num = sym_mul_int(p, b->num, sign);

	if (sym_same(a->den, b->den)) {
		a->num = sym_add(p, a->num, num);
	} else {
		a->num = sym_add(p, sym_mul(p, a->num, b->den), sym_mul(p, num, a->den));
		a->den = sym_mul(p, a->den, b->den);
	}
	fraction_reduce(r, a);
}

struct sym sym_number_whole(struct sym_reader *r, struct sym_number *a)
{
	if (fraction_idle(r))
		return SYM_UNKNOWN;
	if (a->kind == NUMBER_DECIMAL)
		sym_decimal_to_fraction(r, a);
	if (r->why || a->kind == NUMBER_FLOAT)
		return a->num;
	if (!sym_is(a->den, 1))
		r->why = "not an integer: use floor() or //";
	return a->num;
}

void sym_number_negate(struct sym_reader *r, struct sym_number *a)
{
	enum sym_float type;

	if (a->kind == NUMBER_DECIMAL)
		a->negative = !a->negative;
	if (fraction_idle(r) || a->kind == NUMBER_DECIMAL)
		return;
	if (sym_is_float(r->p, a->num, &type))
		a->num = sym_float_op(r->p, SYM_FOP_MUL, a->num, sym_float(r->p, type, -1));
	else
		a->num = sym_neg(r->p, a->num);
}

void sym_number_power(struct sym_reader *r, struct sym_number *a, uint32_t power)
{
	if (fraction_idle(r))
		return;
	if (a->kind == NUMBER_DECIMAL)
		sym_decimal_to_fraction(r, a);
	if (a->kind == NUMBER_FLOAT)
		r->why = "powers of floats are not supported";
	if (fraction_idle(r))
		return;
	a->num = sym_pow(r->p, a->num, power);
	a->den = sym_pow(r->p, a->den, power);
}

/* ---- operators ---- */

struct sym sym_number_as_float(struct sym_reader *r, struct sym_number *n, enum sym_float type)
{
	struct sym s = n->num;
	enum sym_float other;

	if (n->kind == NUMBER_DECIMAL)
		return sym_decimal_to_float(r, n, type);
	if (n->kind == NUMBER_FRACTION) {
		if (sym_kind(r->p, sym_number_whole(r, n)) != SYM_KIND_INT)
			r->why = "cannot mix an integer expression with a float";
		s = sym_to_float(r->p, type, n->num);
	}
	if (!r->why && (!sym_is_float(r->p, s, &other) || other != type))
		r->why = "cannot mix floats of different types";
	return s;
}

static void join_floats(struct sym_reader *r, enum sym_word op, struct sym_number *a,
			struct sym_number *b)
{
	static const int8_t fop[WORD_COUNT] = {
		[WORD_ADD] = SYM_FOP_ADD + 1,
		[WORD_SUB] = SYM_FOP_SUB + 1,
		[WORD_MUL] = SYM_FOP_MUL + 1,
		[WORD_DIV] = SYM_FOP_DIV + 1,
		/* the rest is 0: no operator of floats */
	};
	enum sym_float type = SYM_F32;
	struct sym x, y;

	if (!sym_is_float(r->p, a->kind == NUMBER_FLOAT ? a->num : b->num, &type) || !fop[op]) {
		r->why = "the operator does not support floats";
		return;
	}
	x = sym_number_as_float(r, a, type);
	y = sym_number_as_float(r, b, type);
	if (r->why)
		return;
	x = sym_float_op(r->p, (enum sym_fop)(fop[op] - 1), x, y);
	*a = sym_number_of(r, x);
}

static void fraction_compare(struct sym_reader *r, enum sym_word op, struct sym_number *a,
			     struct sym_number *b)
{
	struct sym_pool *p = r->p;
	struct sym x = sym_number_whole(r, a), y = sym_number_whole(r, b), s;

	if (r->why)
		return;
	if (op == WORD_EQ || op == WORD_NE)
		s = sym_test_eq(p, x, y);
	else if (op == WORD_LE || op == WORD_GT)
		s = sym_test_le(p, x, y);
	else
		s = sym_test_le(p, y, x);
	if (op == WORD_NE || op == WORD_GT || op == WORD_LT)
		s = sym_sub(p, sym_int(p, 1), s);
	*a = sym_number_of(r, s);
}

static void fraction_divide(struct sym_reader *r, enum sym_word op, struct sym_number *a,
			    struct sym_number *b)
{
	struct sym_number quotient = *a;

	if (sym_is(b->num, 0)) {
		r->why = "division by zero";
		return;
	}
	fraction_multiply(r, &quotient, b->den, b->num);
	if (op == WORD_DIV) {
		*a = quotient;
		return;
	}
	quotient = sym_number_of(r, sym_floor_div(r->p, quotient.num, quotient.den));
	if (op == WORD_MOD) {
		fraction_multiply(r, &quotient, b->num, b->den);
		fraction_add(r, a, &quotient, -1);
		return;
	}
	*a = quotient;
}

void sym_number_join(struct sym_reader *r, enum sym_word op, struct sym_number *a,
		     struct sym_number *b)
{
	if (fraction_idle(r))
		return;
	if (a->kind == NUMBER_FLOAT || b->kind == NUMBER_FLOAT) {
		join_floats(r, op, a, b);
		return;
	}
	if (a->kind == NUMBER_DECIMAL)
		sym_decimal_to_fraction(r, a);
	if (!r->why && b->kind == NUMBER_DECIMAL)
		sym_decimal_to_fraction(r, b);
	if (r->why)
		return;
	if (op == WORD_ADD || op == WORD_SUB)
		fraction_add(r, a, b, op == WORD_ADD ? 1 : -1);
	else if (op == WORD_MUL)
		fraction_multiply(r, a, b->num, b->den);
	else if (op >= WORD_EQ)
		fraction_compare(r, op, a, b);
	else
		fraction_divide(r, op, a, b);
}
