/*
 * Axes of tensors as ordered factors: the digits of a place in the row of elements.
 *
 * A Reshape never moves elements, it only cuts the same row at other places.  So an axis is a
 * list of factors, the most significant first, and its size is their product.  A factor that
 * depends on a freed size is an origin; any other is a number.  Numbers that are 1 are left
 * out: an axis of size 1 has no factors.
 */
#ifndef FLOW_AXIS_H
#define FLOW_AXIS_H

#include "base/arena.h"
#include "sym/sym.h"

enum {
	FLOW_MAX_SYMBOLS = 64,
	FACTOR_SOME = -1
};

/* The bit of sizes of which nobody knows where they come from. */
#define FLOW_UNKNOWN (UINT64_C(1) << (FLOW_MAX_SYMBOLS - 1))

struct factor {
	struct sym size;
	int64_t old;      /* the size at the old sizes */
	uint64_t symbols; /* the freed sizes that it depends on, as bits; 0 for a number */
	/*
	 * In a pass that only watches: of a digit that was cut from a size, how many elements of
	 * that size each step of the digit is; FACTOR_SOME for anything else made of it.
	 */
	int64_t step;
};

/* Immutable once made. */
struct flow_axis {
	const struct factor *at; /* borrowed */
	uint32_t count;
};

/* Where factors are made. */
struct factory {
	struct sym_pool *pool;              /* borrowed */
	struct arena *arena;                /* borrowed */
	uint32_t symbols[FLOW_MAX_SYMBOLS]; /* the freed sizes, by bit */
	uint32_t symbol_count;
	uint32_t first_unknown; /* symbols from this one on are FLOW_UNKNOWN; 0 for none */
};

static inline bool factor_is_origin(const struct factor *f)
{
	return f->symbols != 0;
}

struct factor factor_number(struct factory *f, int64_t number);
struct factor factor_make(struct factory *f, struct sym size, int64_t old);
/* The freed sizes that an expression depends on, as bits. */
uint64_t flow_symbols(const struct factory *f, struct sym s);

/* A copy without the numbers that are 1. */
struct flow_axis axis_make(struct factory *f, const struct factor *factors, uint32_t count);
struct flow_axis axis_number(struct factory *f, int64_t number);
struct flow_axis axis_of(struct factory *f, struct sym size, int64_t old);
/* When watching: anything that is made of these freed sizes. */
struct flow_axis axis_some(struct factory *f, struct sym size, int64_t old, uint64_t symbols);
/* The axis, or if it is a number, something that is made of these freed sizes. */
struct flow_axis axis_made_of(struct factory *f, struct flow_axis a, uint64_t symbols);
struct flow_axis axis_joined(struct factory *f, struct flow_axis a, struct flow_axis b);

/* Of two axes that go together, the one that says more about where they come from. */
struct flow_axis axis_known(struct flow_axis a, struct flow_axis b);

struct sym axis_size(struct factory *f, struct flow_axis a);
int64_t axis_old(struct flow_axis a);
uint64_t axis_symbols(struct flow_axis a);
uint64_t axes_symbols(const struct flow_axis *axes, uint32_t count);
/* The same size, at every size of the freed ones? */
bool axis_same_size(struct factory *f, struct flow_axis a, struct flow_axis b);
/* The same places in the same order?  Neighbouring numbers count as one. */
bool axis_same(struct factory *f, struct flow_axis a, struct flow_axis b);
/* The same, also if one of them is cut: 4*h and [h, 4] grow at the same end. */
bool axis_same_order(struct factory *f, struct flow_axis a, struct flow_axis b);

#endif
