/*
 * The numbers that elementwise operators compute, element by element.
 *
 * Whole numbers and truth values (1 or 0) are integers of `sym`; floats are chains of
 * their own type.  A result that its element type may not hold is unknown, or rests on an
 * assumption when it is symbolic: integers of 32 bits are common in shape arithmetic.
 */
#ifndef OPS_ARITH_H
#define OPS_ARITH_H

#include "ops/rule.h"

/* What one operator's function needs to know. */
struct arith {
	struct rule *r;     /* borrowed */
	struct sym_pool *p; /* borrowed */
	int32_t elem;       /* of the operands that are computed with */
	int32_t out_elem;   /* of the result */
	bool whole;         /* elem is an integer or bool, else a float of sym/float.h */
	uint32_t count;     /* operands; those that are not given are unknown */
};

typedef struct sym arith_function(const struct arith *a, const struct sym *args);

/*
 * Output 0 must have its shape.  Its contents are computed when it is small and the
 * contents of the inputs are known; `partly`: also when only some inputs' are.
 */
void arith_values(struct rule *r, int32_t elem, arith_function *f);
void arith_values_partly(struct rule *r, int32_t elem, arith_function *f);

/* Is it an integer or a truth value? */
bool arith_is_whole(int32_t elem);
/* The value if the element type surely holds it; see above. */
struct sym arith_fit(struct rule *r, int32_t elem, struct sym s);
/* Makes the place for contents of output 0 when it is small enough, else gives false. */
bool arith_room(struct rule *r, struct contents *out_place, struct sym **out_values);

arith_function arith_abs, arith_add, arith_and, arith_cast, arith_ceil, arith_clip, arith_div,
	arith_equal_to, arith_floor, arith_greater, arith_greater_or_equal, arith_less,
	arith_less_or_equal, arith_max, arith_min, arith_mod, arith_mul, arith_neg, arith_not,
	arith_or, arith_pow, arith_reciprocal, arith_relu, arith_round, arith_sign, arith_sqrt,
	arith_sub, arith_sum, arith_where, arith_xor;

#endif
