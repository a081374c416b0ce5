/*
 * Of the files that make constants follow: a constant whose axes are cut into digits.
 *
 * A digit is a factor of an axis that must follow, or a whole axis that stays.  Digits along
 * which all elements are equal are dropped first; those that are left vary.
 */
#ifndef FLOW_FOLLOW_H
#define FLOW_FOLLOW_H

#include "flow/array.h"
#include "flow/axis.h"
#include "flow/plan.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ops/info.h"

struct digit {
	struct factor factor;
	uint32_t axis;  /* of the constant */
	int64_t size;   /* in `array`: 1 when it was dropped */
	int64_t stride; /* in `array` */
	bool varies;    /* a freed size along which the elements differ */
	bool follows;   /* a freed size */
};

struct digits {
	struct visit *visit;
	uint32_t port;
	const struct follow *spec;
	bool may_be_one;
	struct array array; /* without what was dropped */
	struct digit at[RULE_MAX_RANK];
	uint32_t count;
	uint32_t rank; /* of the constant */
	uint32_t varying[RULE_MAX_RANK];
	uint32_t varying_count;
	plan_ref made;
};

/* ---- follow_series.c ---- */

enum series {
	SERIES_NONE, /* something else */
	SERIES_MADE, /* .made computes it */
	SERIES_REFUSED
};

/* base + step*position along each varying digit, of integers. */
enum series follow_progression(struct digits *d);
/* Element i as an integer, also of a float that is one. */
bool follow_whole(const struct array *a, uint64_t i, int64_t *out);
/* The element with the same numbers, and the varying digits at 0. */
uint64_t follow_base(const struct digits *d, uint64_t i);
/* Integers as elements of another type. */
plan_ref follow_cast(struct plan *p, plan_ref ref, int32_t elem);

/* ---- follow_rates.c ---- */

/* position * rate, exactly, of floats. */
enum series follow_multiples(struct digits *d);

/* ---- follow_band.c ---- */

/* A matrix that depends on the distance of its positions only. */
enum series follow_band(struct digits *d);

/* ---- all of them ---- */

/* The positions along a digit, as elements of the constant's type, shaped to be broadcast. */
plan_ref follow_positions(struct digits *d, uint32_t digit, int32_t elem);
/* The constant without what was dropped, an axis for each digit. */
plan_ref follow_constant(struct digits *d);
/* It would have to grow along the digit's axis, and nothing says with which numbers. */
bool follow_refuse_rows(struct digits *d, const struct digit *g);

#endif
