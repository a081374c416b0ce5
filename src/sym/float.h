/*
 * Floats that come from sizes, e.g. int(floor(float32(w)*0.7)).
 *
 * Floats are not fractions: each operation rounds to its own type, so a chain of
 * operations is kept as it is and evaluated step by step.  A `struct sym` may hold such a
 * float value; the integer operations of sym/sym.h return unknown for it.  sym_cut
 * truncates it to an integer: a polynomial when every step is provably exact for all sizes
 * in range (an integer over a power of two that the type can hold), else an atom that
 * keeps the chain.  A chain that is rounded to an integer is such an atom itself: exact
 * steps after it are polynomials of it, e.g. 32*ceil(int(floor(float32(w)*0.7))/32).
 *
 * No size without a bound is exact: float32 rounds above 2^24.  In a pool that is `ordinary`,
 * a chain counts as exact when it is so for sizes up to 2^14 (2^43 in float64), so
 * int(ceil(float32(n)/2)) is ceil(n/2).  Such a form promises nothing where a value of the
 * chain exceeds 2^24.  float16 and bfloat16 round sizes that people use.
 *
 * Infinities and NaN are not kept as constants: a constant step that results in one is
 * unknown.  A minimum or maximum with NaN is NaN; of two zeros the negative one is the
 * smaller.
 */
#ifndef SYM_FLOAT_H
#define SYM_FLOAT_H

#include "sym/sym.h"

/*   name  shown       bits of the significand, smallest exponent, largest exponent */
#define SYM_FLOATS(FLOAT)                     \
	FLOAT(F16, "float16", 11, -14, 15)    \
	FLOAT(BF16, "bfloat16", 8, -126, 127) \
	FLOAT(F32, "float32", 24, -126, 127)  \
	FLOAT(F64, "float64", 53, -1022, 1023)

enum sym_float {
#define FLOAT(name, shown, bits, min, max) SYM_##name,
	SYM_FLOATS(FLOAT)
#undef FLOAT
	SYM_FLOAT_COUNT
};

/*  name   shown   operands, commutative */
#define SYM_FLOAT_OPS(OP)                                 \
	OP(ADD, "+", 2, true)                             \
	OP(SUB, "-", 2, false)                            \
	OP(MUL, "*", 2, true)                             \
	OP(DIV, "/", 2, false)                            \
	OP(MIN, "min", 2, true)                           \
	OP(MAX, "max", 2, true)                           \
	OP(FLOOR, "floor", 1, false)                      \
	OP(CEIL, "ceil", 1, false)                        \
	OP(ROUND, "round", 1, false) /* halves to even */ \
	OP(SQRT, "sqrt", 1, false)                        \
	OP(ABS, "abs", 1, false)

enum sym_fop {
#define OP(name, shown, operands, commutes) SYM_FOP_##name,
	SYM_FLOAT_OPS(OP)
#undef OP
	SYM_FOP_COUNT
};

struct sym sym_float(struct sym_pool *p, enum sym_float type, double value);
/* From an integer expression or from a float of any type. */
struct sym sym_to_float(struct sym_pool *p, enum sym_float type, struct sym s);
/* Operands must be floats of one type, else unknown; unary operations ignore b. */
struct sym sym_float_op(struct sym_pool *p, enum sym_fop op, struct sym a, struct sym b);
/* Truncates to an integer. */
struct sym sym_cut(struct sym_pool *p, struct sym f);

bool sym_is_float(const struct sym_pool *p, struct sym s, enum sym_float *out);
bool sym_float_value(const struct sym_pool *p, struct sym s, double *out);

/* ---- single steps on constants ---- */

/* Rounds to the nearest value of the type, halves to even. */
double sym_float_round(enum sym_float type, double value);
/* False when runtimes disagree on the result (bfloat16 through float32 or not). */
bool sym_float_from_int(enum sym_float type, int64_t value, double *out) MUST_USE;
bool sym_float_convert(enum sym_float from, enum sym_float to, double value, double *out) MUST_USE;
double sym_float_step(enum sym_float type, enum sym_fop op, double a, double b);
/* False for NaN and on overflow of int64_t. */
bool sym_float_cut(double value, int64_t *out) MUST_USE;

#endif
