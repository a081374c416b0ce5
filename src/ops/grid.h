/*
 * Shared by the rules that move elements: contents as rows and columns, lists that are an attribute
 * in old versions and an input in new ones, axes, and checked sizes.
 */
#ifndef OPS_GRID_H
#define OPS_GRID_H

#include "ops/rule.h"
#include "sym/sym.h"

/* ---- contents as rows and columns ---- */

/* A scalar is one row of one column, a vector is one row.  Never empty when the rank is 2. */
struct grid {
	const struct sym *at; /* row by row; borrowed */
	uint32_t rank;
	uint32_t rows;
	uint32_t columns;
};

/* The contents of an input; false when they are not tracked. */
bool grid_of(struct rule *r, uint32_t input, struct grid *out);
/*
 * The form of an output's contents, with .at NULL.  False when they cannot be tracked: no such
 * output, a rank above 2, a dim that is not an integer, more than `max` elements.
 */
bool grid_for(const struct rule *r, uint32_t output, uint32_t max, struct grid *out);
/* Sets an output's contents; g has the form of grid_for.  `at` is kept. */
void grid_keep(struct rule *r, uint32_t output, const struct grid *g, const struct sym *at);
/* The input's elements in the same order, in the output's shape. */
void grid_pass(struct rule *r, uint32_t output, uint32_t input);
/* Every step-th row and column of the input, as many as the output has. */
void grid_cut(struct rule *r, uint32_t output, uint32_t input, const int64_t first[2],
	      const int64_t step[2]);

/* The element of a scalar or of a vector of length 1; floats are truncated. */
struct sym number_of(struct rule *r, uint32_t input);

/*
 * An index into an axis of that length, counted from its start.  False when it is not a known
 * integer or, with an error, out of range.
 */
bool index_of(struct rule *r, struct sym entry, int64_t length, int64_t *out);

/* ---- lists ---- */

struct list {
	bool given;
	bool counted; /* count is valid, even when the elements are unknown */
	uint32_t count;
	const struct sym *at; /* NULL when the elements are unknown; single ones may be unknown */
};

enum {
	LIST_NO_INPUT = INT32_MAX /* for lists that are always an attribute */
};

/* A list that is the attribute `attr` before version `since`, and an input since then. */
struct list list_get(struct rule *r, const char *attr, uint32_t input, int64_t since);
/* The elements as axes of that rank.  NULL when one is unknown or, with an error, invalid. */
const uint32_t *list_axes(struct rule *r, const struct list *l, uint32_t rank, bool distinct);
/* The same as a bit set; false for NULL.  The rank is at most RULE_MAX_RANK. */
bool list_axis_set(struct rule *r, const struct list *l, uint32_t rank, bool distinct,
		   uint64_t *out);
/* A tensor with the list as its shape; unknown and impossible sizes are unknown. */
void list_out(struct rule *r, uint32_t output, int32_t elem, const struct list *l);

static inline bool axis_in(uint64_t set, uint32_t axis)
{
	return set >> axis & 1;
}

/* ---- sizes: overflow of 64 bits is an error, and the result unknown ---- */

struct sym size_add(struct rule *r, struct sym a, struct sym b);
struct sym size_mul(struct rule *r, struct sym a, struct sym b);
struct sym size_product(struct rule *r, const struct sym *dims, uint32_t count);
/* a/b where b must divide a: an error when it does not, a fact when it may not. */
struct sym size_divide(struct rule *r, struct sym a, int64_t b, const char *why);
/* Is the rank known and small enough to work with? */
bool rank_usable(const struct rule *r, uint32_t input);
/* A tensor of sizes must be of 64-bit integers. */
bool check_int64(struct rule *r, uint32_t input);
/* Reports an error and returns false when a size is negative. */
bool check_size(struct rule *r, struct sym s, const char *what);

#endif
