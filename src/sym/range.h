/*
 * Inside the room: ranges and moduli of expressions, from those of their parts.
 * Saturation only makes bounds weaker, never wrong.
 */
#ifndef SYM_RANGE_H
#define SYM_RANGE_H

#include "sym/node.h"
#include "sym/sym.h"

static inline bool sym_range_is_one(struct sym_range r, int64_t *out)
{
	*out = r.lo;
	return r.lo == r.hi && r.lo != INT64_MIN && r.hi != INT64_MAX;
}

struct sym_range sym_range_add(struct sym_range a, struct sym_range b);
struct sym_range sym_range_neg(struct sym_range a);
struct sym_range sym_range_mul(struct sym_range a, struct sym_range b);
/* Of floor(a/b) for the b that are not 0. */
struct sym_range sym_range_floor(struct sym_range a, struct sym_range b);
struct sym_range sym_range_trunc(struct sym_range a, struct sym_range b);
/* Of any operation applied to values within these ranges. */
struct sym_range sym_range_op(enum sym_op op, const struct sym_range args[3]);

/* Of s, as long as no symbol in it is above `most`. */
struct sym_range sym_range_limited(const struct sym_pool *p, struct sym s, int64_t most);

struct sym_modulus sym_node_modulus(const struct sym_pool *p, const struct sym_node *n);
/* Fills in range and modulus of an integer node whose data is set. */
void sym_node_know(const struct sym_pool *p, struct sym_node *n);
/* The same for floats: the range in their own type; the builder adds the exact view. */
void sym_chain_know(const struct sym_pool *p, struct sym_node *n);
/* The integers that a float may be truncated to. */
struct sym_range sym_chain_cut_range(const struct sym_node *n);

#endif
