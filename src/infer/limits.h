/*
 * What all needs of a model together say about each symbol: at least 17, a multiple of 16.
 *
 * Needs of a single branch of an If are apart, and those that leave few sizes are left out: they
 * are pins, and told one by one.
 */
#ifndef INFER_LIMITS_H
#define INFER_LIMITS_H

#include "base/map.h"
#include "base/vec.h"
#include "infer/condition.h"
#include "infer/infer.h"
#include "infer/sizes.h"
#include "infer/trial.h"
#include "ops/need.h"
#include "sym/sym.h"

struct limit {
	uint32_t symbol;
	uint32_t branch; /* of an If, whose needs these are; 0: of all runs */
	struct size_set sizes;
	/* The first need of each kind, as an index in infer.facts plus 1; 0 for none. */
	uint32_t multiple; /* about remainders */
	uint32_t bound;
	/*
	 * The first need that leaves only few sizes, or 0 for none; and what all such needs leave,
	 * but for those that contradict it.
	 */
	uint32_t pin;
	int64_t pin_lo, pin_hi;
};

struct limits {
	struct map places; /* symbol -> index plus 1 */
	VEC(struct limit) all;
	struct map branch_places; /* branch and symbol -> index plus 1 */
	VEC(struct limit) of_branches;
	VEC(uint32_t) facts; /* indices in infer.facts, of needs that say something new */
};

/* With `assumed`, conditions behind results count as well. */
void limits_find(struct limits *out, struct infer *in, bool assumed);
void limits_release(struct limits *l);
/* NULL when every size will do. */
const struct limit *limit_of(const struct limits *l, uint32_t symbol);

/*
 * Does it hold at all sizes within the limits, or at the sizes that pins leave?  Then it says
 * nothing new.
 */
bool limits_imply(const struct limits *l, struct infer *in, enum fact_kind kind, struct sym a,
		  struct sym b);

/* What is known besides: the size of the symbol is a multiple of this. */
void limits_add_multiple(struct limits *l, struct infer *in, uint32_t symbol, int64_t multiple);

/* Tries only sizes within the limits. */
struct trial limits_trial(const struct limits *l);
/* Do the two differ at some ordinary size within the limits?  True only when certain. */
bool limits_tell_apart(const struct limits *l, struct infer *in, struct sym a, struct sym b);

/* Does the need leave only some sizes, up to a limit: is it a pin? */
bool condition_pins(const struct condition *c, enum fact_kind kind);
/*
 * A size that is 1 or a number: can it be 1?  Not when it cannot be so small within the
 * limits: 1 + floor(H/16)*floor(W/16), from H, W >= 16 on.
 */
bool limits_allow_one(const struct limits *l, struct infer *in, const struct condition *c,
		      struct sym broadcast);
/* Can the factor of an equation be 0 within the limits?  Then both sides are. */
bool limits_allow_zero(const struct limits *l, struct infer *in, struct sym factor);

#endif
