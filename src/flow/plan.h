/*
 * What a repair would change, as nodes to add and inputs to replace.
 *
 * A pass writes a plan while it follows the axes; most passes end in a refusal, so nothing is
 * changed before the last one.  Sizes are computed from the shapes of the model's inputs, which
 * are visible everywhere in the main graph and its bodies.
 */
#ifndef FLOW_PLAN_H
#define FLOW_PLAN_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "flow/array.h"
#include "sym/sym.h"

/* A value of the model, or PLAN_MADE plus the index of a plan's node. */
typedef uint32_t plan_ref;

#define PLAN_MADE (1u << 31)

struct plan_attr {
	const char *name;
	int64_t value;
};

enum {
	PLAN_MAX_ATTRS = 2
};

struct plan_node {
	const char *op;         /* borrowed; "Constant" when there is an array */
	uint32_t before;        /* the node that it is made for */
	const plan_ref *inputs; /* in the arena */
	uint32_t input_count;
	struct plan_attr attrs[PLAN_MAX_ATTRS];
	uint32_t attr_count;
	struct array array;
	bool is_constant;
};

struct plan_input {
	uint32_t node;
	uint32_t port;
	plan_ref ref;
};

/* An attribute that has to go, because an input or its default says it now. */
struct plan_removal {
	uint32_t node;
	const char *attr; /* borrowed */
};

/* An attribute that is a list of numbers gets others. */
struct plan_numbers {
	uint32_t node;
	const char *attr;       /* borrowed */
	const int64_t *numbers; /* in the arena */
	uint32_t count;
};

/* What was done, for people. */
struct plan_note {
	uint32_t node;
	const char *text; /* in the arena */
};

/* The axis of an input that is freed, and where its size comes from at run time. */
struct plan_source {
	uint32_t symbol;
	uint32_t input; /* value */
	uint32_t axis;
	int64_t multiple; /* the size is this many times the symbol */
};

struct plan {
	struct sym_pool *pool; /* borrowed */
	struct arena *arena;   /* borrowed */
	uint32_t before;       /* the node being visited */
	VEC(struct plan_source) sources;
	VEC(struct plan_node) nodes;
	VEC(struct plan_input) inputs;
	VEC(struct plan_removal) removals;
	VEC(struct plan_numbers) lists;
	VEC(struct plan_note) notes;
	struct map shapes; /* input -> its Shape node, plus 1 */
	struct map sizes;  /* word of an expression -> node, plus 1 */
};

void plan_clear(struct plan *p);
/* Sizes that were computed are computed anew: the nodes are gone, or out of sight. */
void plan_forget(struct plan *p);
void plan_release(struct plan *p);

plan_ref plan_op(struct plan *p, const char *op, const plan_ref *inputs, uint32_t count);
plan_ref plan_op_attr(struct plan *p, const char *op, const plan_ref *inputs, uint32_t count,
		      struct plan_attr attr);
#define PLAN_OP(p, op, ...)                             \
	plan_op(p, op, (const plan_ref[]){__VA_ARGS__}, \
		sizeof((const plan_ref[]){__VA_ARGS__}) / sizeof(plan_ref))
plan_ref plan_array(struct plan *p, struct array array);
plan_ref plan_ints(struct plan *p, const int64_t *numbers, uint32_t count);
plan_ref plan_int(struct plan *p, int64_t number); /* a scalar */
/* A list of one int64; 0 when the expression cannot be computed at run time. */
plan_ref plan_size(struct plan *p, struct sym size);
plan_ref plan_sizes(struct plan *p, const struct sym *sizes, uint32_t count);
/* 0, 1, 2, … as int64: a list of `size` elements.  0 when it cannot be computed. */
plan_ref plan_range(struct plan *p, struct sym size);

void plan_replace(struct plan *p, uint32_t node, uint32_t port, plan_ref ref);
void plan_set_attr(struct plan *p, uint32_t node, const char *attr, const int64_t *numbers,
		   uint32_t count);
void plan_remove_attr(struct plan *p, uint32_t node, const char *attr);
void plan_note(struct plan *p, uint32_t node, const char *format, ...) LIKE_PRINTF(3, 4);

#endif
