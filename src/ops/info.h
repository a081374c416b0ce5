/*
 * What is known about a value: its type, its dims as expressions, and the elements of small
 * tensors.  Rules write it, inference keeps it, every other room reads it.
 */
#ifndef OPS_INFO_H
#define OPS_INFO_H

#include "ir/type.h"
#include "sym/sym.h"

enum {
	RULE_MAX_RANK = 64,       /* a higher rank is an error: no real model has one */
	RULE_MAX_VALUES = 64,     /* elements of a computed tensor that are tracked */
	RULE_MAX_CONSTANTS = 1024 /* elements of a constant that are read */
};

/* The elements of a tensor, as far as they are tracked: rank 0, 1 or 2. */
struct contents {
	const struct sym *at; /* row by row; NULL when nothing is known */
	uint32_t count;
	uint32_t rank;
	uint32_t rows; /* rank 2: count is rows times columns */
	/* See contents_max; syms that fit 32 bits, or 0: infos are copied a lot. */
	int32_t min, max;
};

/* Where .at is NULL: the least and the largest element, if there is any; may be unknown. */
static inline struct sym contents_min(const struct contents *c)
{
	return (struct sym){(uint64_t)(int64_t)c->min};
}

static inline struct sym contents_max(const struct contents *c)
{
	return (struct sym){(uint64_t)(int64_t)c->max};
}

/* Integers are odd words with a sign, see sym.h. */
static inline int32_t contents_pack(struct sym s)
{
	int64_t word = (int64_t)s.w;

	return word >= INT32_MIN && word <= INT32_MAX ? (int32_t)word : 0;
}

static inline void contents_set_bounds(struct contents *c, struct sym min, struct sym max)
{
	c->min = contents_pack(min);
	c->max = contents_pack(max);
}

/* The same where .at is known too; unknown when elements cannot be compared. */
struct sym contents_least(struct sym_pool *p, const struct contents *c);
struct sym contents_largest(struct sym_pool *p, const struct contents *c);

/* What is known about a value. */
struct info {
	enum type_kind kind; /* TYPE_NONE: nothing */
	int32_t elem;        /* tensor, sparse: element type; map: key type; 0 unknown */
	bool ranked;
	bool claimed; /* result of a body or a function: its shape rests on a claim */
	uint32_t rank;
	const struct sym *dims;   /* rank of them; borrowed */
	const struct info *inner; /* sequence, optional: element; map: value; borrowed */
	struct contents contents;
	/* Of a sequence: the number of its elements (may be unknown), and each one when known. */
	struct sym length;
	/*
	 * Borrowed; NULL when the elements are not known one by one.  Of a tensor of index tuples:
	 * the bounds of each column of its last axis, as contents_max.
	 */
	const struct info *items;
	uint32_t item_count;
	uint32_t tensor; /* a constant whose contents have not been read; 0 otherwise */
};

#endif
