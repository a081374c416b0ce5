/*
 * What the rules that move numbers around share: contents as rows and columns, lists that
 * old versions have as an attribute and new ones as an input, axes, and checked sizes.
 */
#ifndef OPS_GRID_H
#define OPS_GRID_H

#include "ops/rule.h"

/* ---- contents as rows and columns ---- */

/* A scalar is one row of one column, a vector is one row.  Never empty when the rank is 2. */
struct grid {
	const struct sym *at; /* row by row; borrowed */
	uint32_t rank;
	uint32_t rows;
	uint32_t columns;
};

/* The numbers of an input; false when they are not followed. */
bool grid_of(struct rule *r, uint32_t input, struct grid *out);
/*
 * The form that the numbers of an output have, .at NULL.  False when they cannot be followed:
 * no such output, a rank above 2, a dim that is not an integer, more than `most` elements.
 */
bool grid_for(const struct rule *r, uint32_t output, uint32_t max, struct grid *out);
/* Gives an output its numbers; g has the form of grid_for.  `at` is kept. */
void grid_keep(struct rule *r, uint32_t output, const struct grid *g, const struct sym *at);
/* The input's numbers in the same order, in the output's shape. */
void grid_pass(struct rule *r, uint32_t output, uint32_t input);
/* Every step-th row and column of the input's numbers, as many as the output has. */
void grid_cut(struct rule *r, uint32_t output, uint32_t input, const int64_t first[2],
	      const int64_t step[2]);

/* The one number of a scalar, or of a vector of one; floats are cut to integers. */
struct sym number_of(struct rule *r, uint32_t input);

/*
 * An index into an axis of that length, counted from its start.  False when it is not a
 * known integer; what is out of bounds is told, and not known either.
 */
bool index_of(struct rule *r, struct sym entry, int64_t length, int64_t *out);

/* ---- lists ---- */

struct list {
	bool given;
	bool counted; /* count holds, also when the elements are not known */
	uint32_t count;
	const struct sym *at; /* NULL when the elements are not known; single ones may be unknown */
};

enum {
	LIST_NO_INPUT = INT32_MAX /* for lists that are always an attribute */
};

/* A list that is attribute `attr` below version `since`, and an input from there on. */
struct list list_get(struct rule *r, const char *attr, uint32_t input, int64_t since);
/* The elements as axes of that rank.  NULL when not all are known, or (told) they are wrong. */
const uint32_t *list_axes(struct rule *r, const struct list *l, uint32_t rank, bool distinct);
/* The same as a set of bits; false for NULL.  The rank is at most RULE_MOST_RANK. */
bool list_axis_set(struct rule *r, const struct list *l, uint32_t rank, bool distinct,
		   uint64_t *out);
/* A tensor whose shape the list says: sizes as far as they are known and possible. */
void list_out(struct rule *r, uint32_t output, int32_t elem, const struct list *l);

static inline bool axis_in(uint64_t set, uint32_t axis)
{
	return set >> axis & 1;
}

/* ---- sizes: what is beyond 64 bits is told, and unknown ---- */

struct sym size_add(struct rule *r, struct sym a, struct sym b);
struct sym size_mul(struct rule *r, struct sym a, struct sym b);
struct sym size_product(struct rule *r, const struct sym *dims, uint32_t count);
/* a/b where b must divide a: told when it does not, a fact when it may not. */
struct sym size_divide(struct rule *r, struct sym a, int64_t b, const char *why);
/* Is the rank known and small enough to work with? */
bool rank_usable(const struct rule *r, uint32_t input);
/* A tensor of sizes must be of 64-bit integers. */
bool check_int64(struct rule *r, uint32_t input);
/* Tells when a number that has to be a size is below 0; gives false then. */
bool check_size(struct rule *r, struct sym s, const char *what);

#endif
