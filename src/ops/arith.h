/*
 * The values that elementwise operators compute, element by element.
 *
 * Integers and bools (1 or 0) are integers of `sym`; floats are chains in their own type.  A result
 * that may overflow its element type is unknown, or rests on an assumption when it is symbolic:
 * 32-bit integers are common in shape arithmetic.
 */
#ifndef OPS_ARITH_H
#define OPS_ARITH_H

#include "ops/info.h"
#include "ops/rule.h"
#include "sym/sym.h"

enum arith_op {
	ARITH_NONE, /* not tracked */
#define ARITH(name, ...) ARITH_##name,
#include "ops/arith.def"
#undef ARITH
	ARITH_OP_COUNT
};

/* What an operation needs to know. */
struct arith {
	struct rule *r;     /* borrowed */
	struct sym_pool *p; /* borrowed */
	int32_t elem;       /* of the operands */
	int32_t out_elem;   /* of the result */
	bool whole;         /* elem is an integer or bool, else a float of sym/float.h */
	uint32_t count;     /* operands; absent ones are unknown */
	enum arith_op op;
};

/* One element of the result. */
struct sym arith_element(const struct arith *a, const struct sym *args);

/*
 * The shape of output 0 must be set.  Its contents are computed when it is small and the contents
 * of all inputs are known; `partly`: of some inputs.
 */
void arith_values(struct rule *r, int32_t elem, enum arith_op op);
void arith_values_partly(struct rule *r, int32_t elem, enum arith_op op);

/*
 * The bounds of a sum, difference or product of two inputs whose elements are not tracked, as
 * indices into a flattened tensor are computed: i*width + j.
 */
void arith_bounds(struct rule *r, enum arith_op op);

/* Is it an integer type or bool? */
bool arith_is_whole(int32_t elem);
/* The value if the element type is known to hold it; see above. */
struct sym arith_fit(struct rule *r, int32_t elem, struct sym s);
/* Allocates the contents of output 0; false when it is too large. */
bool arith_room(struct rule *r, struct contents *out_place, struct sym **out_values);

#endif
