/*
 * Inside the room: the nodes of a pool, to read.
 *
 * A node is a kind with its data; equal data is the same node.  Children have smaller
 * numbers than their parent.  Data lives in the arena and never moves; nodes do, so keep
 * numbers, not pointers, across anything that may build.
 *
 * A term's product is a node number: 0 for the constant term, an atom, or a PRODUCT.
 * A lone atom or PRODUCT is itself the expression; a SUM is anything else.
 */
#ifndef SYM_NODE_H
#define SYM_NODE_H

#include "sym/sym.h"

enum {
	SYM_TERMS_MAX = 32,    /* terms of a sum without the constant, members of a maximum */
	SYM_DEPTH_MAX = 12,    /* atoms inside atoms */
	SYM_CHAIN_MAX = 12,    /* float operations inside float operations */
	SYM_WEIGHT_MAX = 1000, /* leaves when printed */
	SYM_DEGREE_MAX = 16,   /* of a product */
	SYM_REACH_MAX = 1024,  /* leaves, with those of definitions */
	SYM_NODES_MAX = 1 << 22,
	SYM_NODES_SPARE = 1 << 14 /* more than one operation can take */
};

struct sym_term {
	int64_t c;
	uint64_t m; /* node number of the product, 0: constant */
};

struct sym_factor {
	uint32_t atom;
	uint32_t power;
};

/* The identity of a symbol; it is hashed, so it has no padding. */
struct sym_key {
	uint64_t serial; /* declared: its number + 1; else 0 */
	uint64_t op;
	struct sym args[3];
	uint32_t node, output, axis, source;
	int64_t lo, hi;
	struct sym definition;
};

#define SYM_ONLY_NONE    0
#define SYM_ONLY_SEVERAL UINT32_MAX

struct sym_node {
	uint8_t kind;
	uint8_t aux;   /* floats: type and operation */
	uint8_t depth; /* atoms inside atoms */
	uint8_t chain; /* float operations since the last integer */
	uint16_t weight;
	uint16_t count; /* elements in data */
	uint32_t hash;
	uint32_t symbol;  /* SYMBOL: its number */
	uint32_t only;    /* the one symbol without a definition in it, its number; or below */
	uint16_t reach;   /* leaves, with those of the symbols' definitions */
	bool generated;   /* has one of those */
	const void *data; /* in the arena */
	union {
		struct sym_range range;
		struct {
			double lo, hi;
		} frange;
	};
	union {
		struct sym_modulus modulus;
		struct {
			struct sym value; /* a float that is exactly value / 2^shift; or unknown */
			int64_t shift;
		} exact;
	};
};

static inline uint32_t sym_index(struct sym s)
{
	return (uint32_t)(s.w >> 1);
}

static inline struct sym sym_at(uint64_t index)
{
	return (struct sym){index << 1};
}

static inline const struct sym_node *sym_node(const struct sym_pool *p, struct sym s)
{
	return &p->nodes[sym_index(s)];
}

static inline const struct sym_term *sym_terms(const struct sym_node *n)
{
	return n->data;
}

static inline const struct sym_factor *sym_factors(const struct sym_node *n)
{
	return n->data;
}

static inline const struct sym *sym_args(const struct sym_node *n)
{
	return n->data;
}

static inline bool sym_is_float_kind(enum sym_kind kind)
{
	return kind >= SYM_KIND_FCONST;
}

#endif
