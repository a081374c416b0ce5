/*
 * Inside the room: the parser's arithmetic.
 *
 * A number is a fraction of two expressions, a float expression, or a decimal whose type
 * is not known yet.  Without a pool only the grammar is checked and nothing is computed.
 * A step that fails sets `why`, and the steps after it do nothing.
 */
#ifndef SYM_FRACTION_H
#define SYM_FRACTION_H

#include "base/sv.h"
#include "sym/float.h"
#include "sym/lex.h"
#include "sym/sym.h"

struct sym_reader {
	struct sym_pool *p; /* borrowed, or NULL */
	const char *why;    /* the error, or NULL */
};

enum sym_number_kind {
	NUMBER_FRACTION,
	NUMBER_FLOAT,   /* in num */
	NUMBER_DECIMAL, /* in decimal */
	NUMBER_COUNT
};

struct sym_number {
	struct sym num;
	struct sym den;    /* never the integer 0 */
	struct sv decimal; /* borrowed from the text */
	enum sym_number_kind kind;
	bool negative; /* of a decimal */
};

struct sym_number sym_number_of(struct sym_reader *r, struct sym s);
struct sym_number sym_number_literal(struct sym_reader *r, struct sv text, bool decimal,
				     bool negative);
void sym_number_negate(struct sym_reader *r, struct sym_number *a);
void sym_number_power(struct sym_reader *r, struct sym_number *a, uint32_t power);
/* a = a op b, for every operator of the lexer except the power. */
void sym_number_join(struct sym_reader *r, enum sym_word op, struct sym_number *a,
		     struct sym_number *b);
void sym_number_call(struct sym_reader *r, struct sv name, struct sym_number *args, size_t count,
		     struct sym_number *out);
/* 0.5 becomes 1/2; only a power of two is an exact denominator. */
void sym_decimal_to_fraction(struct sym_reader *r, struct sym_number *n);
struct sym sym_decimal_to_float(struct sym_reader *r, const struct sym_number *n,
				enum sym_float type);
/* A decimal or an integer constant next to a float gets its type. */
struct sym sym_number_as_float(struct sym_reader *r, struct sym_number *n, enum sym_float type);
/* The expression, which may be a float but not a fraction. */
struct sym sym_number_whole(struct sym_reader *r, struct sym_number *a);

#endif
