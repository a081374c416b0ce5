/*
 * The types of all values at one moment, to compare later ones with.
 *
 * Dims are handles of the inference's pool, which outlives its passes: equal handles are equal
 * sizes.  A later pass may give a name to another symbol; past_renew follows it.  With another
 * pool, take it anew.  All-zero: nothing was taken.
 */
#ifndef INFER_PAST_H
#define INFER_PAST_H

#include "base/vec.h"
#include "infer/infer.h"
#include "sym/sym.h"

struct past_value {
	uint64_t kind;        /* hash of everything but the dims */
	uint32_t first, rank; /* of its dims; its elements follow */
	uint32_t elements; /* that are kept: of a tensor of few that are known, such as a shape */
	bool ranked;
};

struct past {
	bool taken;
	VEC(struct past_value) values; /* by value */
	VEC(struct sym) dims;
	VEC(uint32_t) names; /* by symbol: of the pool's names; 0 for none */
};

void past_take(struct past *p, const struct infer *in);
/* After a pass: names mean the symbols that have them now. */
void past_renew(struct past *p, struct infer *in);
void past_release(struct past *p);
/* Has it the same type and shape now?  A value that did not exist then has not. */
bool past_same(const struct past *p, const struct infer *in, uint32_t value);
/* Its dims then, if it has as many now; else NULL. */
const struct sym *past_dims(const struct past *p, const struct infer *in, uint32_t value);
/* Its elements then, if it has as many now and they are known; else NULL. */
const struct sym *past_elements(const struct past *p, const struct infer *in, uint32_t value);
/* Are all of them the same, as far as they are known? */
bool past_same_elements(const struct past *p, const struct infer *in, uint32_t value);
/* How many of its dims are others now; all of them if the rank is another. */
uint32_t past_dims_changed(const struct past *p, const struct infer *in, uint32_t value);

#endif
