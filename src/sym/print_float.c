/* Float chains as text: every nested operation in parentheses, constants with a point. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/sv.h"
#include "sym/float.h"
#include "sym/node.h"
#include "sym/print.h"
#include "sym/sym.h"

static const char *const print_float_types[SYM_FLOAT_COUNT] = {
#define FLOAT(name, shown, bits, min, max) shown,
	SYM_FLOATS(FLOAT)
#undef FLOAT
};

static const struct {
	const char *shown;
	bool commutes;
} print_float_ops[SYM_FOP_COUNT] = {
#define OP(name, shown, operands, commutes) {shown, commutes},
	SYM_FLOAT_OPS(OP)
#undef OP
};

/* The fewest digits that parse to the same value, whatever the locale's decimal point. */
static void print_constant(enum sym_float type, double value, struct str *out)
{
	char text[64];
	int digits, exponent = 0; /* digits after the first */

	for (digits = 0; digits < 17; digits++) {
		snprintf(text, sizeof(text), "%.*e", digits, value);
		if (sym_float_round(type, strtod(text, NULL)) == value)
			break;
	}
	if (strchr(text, 'e'))
		exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
	if (exponent > -6 && exponent < 9)
		snprintf(text, sizeof(text), "%.*f", MAX(digits - exponent, 1), value);
	for (const char *c = text; *c; c++)
		str_char(out, (*c >= '0' && *c <= '9') || strchr("-+e", *c) ? *c : '.');
}

static bool is_infix(const struct sym_node *n)
{
	return n->kind == SYM_KIND_FOP && print_float_ops[n->aux >> 2].shown[0] < 'a';
}

static void print_operand(struct sym_printer *pr, struct sym s, bool inside, struct str *out)
{
	double value = 0;
	bool negative = sym_float_value(pr->p, s, &value) && signbit(value);
	bool parenthesis = inside && (negative || is_infix(sym_node(pr->p, s)));

	if (parenthesis)
		str_char(out, '(');
	sym_print_float(pr, s, false, out);
	if (parenthesis)
		str_char(out, ')');
}

/* Nested operations come after others, constants last. */
static int print_float_last(const struct sym_pool *p, struct sym s)
{
	if (sym_kind(p, s) == SYM_KIND_FCONST)
		return 2;
	return is_infix(sym_node(p, s));
}

/* The pool's order of operands depends on history; the printed order must not. */
static void print_two(struct sym_printer *pr, const struct sym_node *n, const char *between,
		      struct str *out)
{
	struct sym a = sym_args(n)[0], b = sym_args(n)[1];
	struct str left = {0}, right = {0};
	int order = print_float_last(pr->p, a) - print_float_last(pr->p, b);
	bool swap;

	print_operand(pr, a, is_infix(n), &left);
	print_operand(pr, b, is_infix(n), &right);
	if (order == 0)
		order = sv_compare(str_sv(&left), str_sv(&right));
	swap = print_float_ops[n->aux >> 2].commutes && order > 0;
	str_add(out, str_sv(swap ? &right : &left));
	str_text(out, between);
	str_add(out, str_sv(swap ? &left : &right));
	str_release(&left);
	str_release(&right);
}

static void print_op(struct sym_printer *pr, const struct sym_node *n, struct str *out)
{
	const char *op = print_float_ops[n->aux >> 2].shown;

	if (is_infix(n)) {
		print_two(pr, n, op[0] == '+' ? " + " : op[0] == '-' ? " - " : op, out);
		return;
	}
	str_format(out, "%s(", op);
	if (n->count == 2)
		print_two(pr, n, ", ", out);
	else
		sym_print_float(pr, sym_args(n)[0], true, out);
	str_char(out, ')');
}

void sym_print_float(struct sym_printer *pr, struct sym s, bool alone, struct str *out)
{
	const struct sym_node *n = sym_node(pr->p, s);
	enum sym_float type = (enum sym_float)(n->aux & 3);
	double value;

	if (sym_float_value(pr->p, s, &value)) {
		if (alone)
			str_format(out, "%s(", print_float_types[type]);
		print_constant(type, value, out);
		if (alone)
			str_char(out, ')');
	} else if (n->kind == SYM_KIND_FCAST) {
		str_format(out, "%s(", print_float_types[type]);
		sym_print_any(pr, sym_args(n)[0], LEVEL_SUM, out);
		str_char(out, ')');
	} else {
		print_op(pr, n, out);
	}
}
