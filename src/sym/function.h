/*
 * Expressions of one symbol, as functions of its size: compiled once, run at many sizes.
 *
 * A sub-expression that occurs twice is one step.  Symbols with a definition, and those that
 * stand for an operation that did not fit, are computed.
 */
#ifndef SYM_FUNCTION_H
#define SYM_FUNCTION_H

#include "base/vec.h"
#include "sym/sym.h"

struct sym_operand {
	int64_t number; /* SUM: coefficient; PRODUCT: power */
	uint32_t step;
};

/* Computes one value from those of earlier steps. */
struct sym_step {
	union {
		int64_t number; /* INT: the value; SUM: the constant */
		double real;    /* FCONST */
	};
	uint32_t first; /* operand */
	uint16_t count;
	uint8_t kind; /* enum sym_kind; SYMBOL: the size */
	uint8_t aux;  /* floats: type and operation */
};

struct sym_result {
	union {
		int64_t number;
		double real;
	};
	bool ok;
};

/* All-zero: not initialised.  The last step is the result. */
struct sym_function {
	VEC(struct sym_step) steps;
	VEC(struct sym_operand) operands;
	VEC(struct sym_result) results; /* by step */
};

/* Does it depend on exactly one symbol, directly or through definitions? */
bool sym_one_symbol(const struct sym_pool *p, struct sym s, uint32_t *out);

/*
 * False, and all-zero, when s is unknown, a float, very large, or depends on a symbol other
 * than this one.
 */
bool sym_function_init(struct sym_function *f, const struct sym_pool *p, struct sym s,
		       uint32_t symbol) MUST_USE;
void sym_function_release(struct sym_function *f);
/* False when it has no value at this size, or a step exceeds 64 bits.  Allocates nothing. */
bool sym_function_run(struct sym_function *f, int64_t size, int64_t *out) MUST_USE;
/*
 * From *out_start on: at size + *out_period it has a value if it has one at size, and the
 * difference of the two is the same for all sizes.  *out_start is at least 0, and may be
 * later than necessary.  False when there is no such period up to 65536, or it cannot be told:
 * products and quotients of sizes, and floats.
 */
bool sym_function_period(const struct sym_function *f, int64_t *out_period,
			 int64_t *out_start) MUST_USE;

#endif
