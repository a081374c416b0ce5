/*
 * Reversible changes of a model.
 *
 * Each function below changes the model and records it in a log; reverting a log restores
 * the model, replaying it changes it again.  Ids are never reused: a reverted insertion
 * leaves a dead node.  Only nodes are added, Constant nodes among them, so that changes
 * fit into functions and bodies too.
 *
 * After changes of nodes, inputs or constants, readers and order are stale until
 * changes_settle.
 */
#ifndef EDIT_CHANGE_H
#define EDIT_CHANGE_H

#include "base/sv.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"

enum change_kind {
	CHANGE_DIM,
	CHANGE_CLAIM,  /* a claim's type; TYPE_NONE removes the claim */
	CHANGE_NODE,   /* a node's inputs or attributes */
	CHANGE_TENSOR, /* a constant's elements */
	CHANGE_INSERT, /* a node is added */
	CHANGE_REMOVE, /* a node is removed */
	CHANGE_DROP,   /* an initializer is removed */
	CHANGE_KIND_COUNT
};

/* The part of a node that edits change. */
struct node_parts {
	uint32_t *inputs;   /* in the model's arena */
	struct attr *attrs; /* in the model's arena */
	uint32_t input_count;
	uint32_t attr_count;
};

struct change {
	enum change_kind kind;
	uint32_t id;    /* node, claim, tensor; DROP: value */
	uint32_t index; /* INSERT, REMOVE, DROP: the index in the graph's list */
	union {
		struct {
			struct dim *dim; /* in the model's arena */
			struct dim dim_before, dim_after;
		};
		struct {
			struct type type_before, type_after;
		};
		struct {
			struct node_parts parts_before, parts_after;
		};
		struct {
			struct tensor tensor_before, tensor_after;
		};
	};
};

struct change_log {
	VEC(struct change) list;
	bool structural; /* readers or order changed */
};

/* ---- claims ---- */

bool dim_same(const struct dim *a, const struct dim *b);
/* Is it the identical type?  Its dims may have changed. */
bool type_same(const struct type *a, const struct type *b);
/* Logs nothing when the dim is unchanged.  Keeps the denotation. */
void change_dim(struct change_log *log, struct dim *dim, struct dim to);
void change_claim_type(struct change_log *log, struct model *m, uint32_t claim, struct type to);

/* ---- nodes and constants ---- */

void change_input(struct change_log *log, struct model *m, uint32_t node, uint32_t port,
		  uint32_t value);
/* Replaces an attribute of the same name. */
void change_attr(struct change_log *log, struct model *m, uint32_t node, const struct attr *to);
void change_attr_remove(struct change_log *log, struct model *m, uint32_t node, const char *name);
/*
 * Sets the elements of an int32 or int64 constant: an initializer, or the tensor or
 * list of numbers of a Constant node.  False when the value is no such constant.
 */
bool change_constant(struct change_log *log, struct model *m, uint32_t value,
		     const int64_t *numbers, uint32_t count) MUST_USE;

/* A node to insert; the arrays are copied. */
struct new_node {
	const char *op;
	struct sv name;
	const uint32_t *inputs; /* borrowed */
	uint32_t input_count;
	uint32_t output_count;    /* of outputs, called name, name_1, …; most nodes have one */
	const struct attr *attrs; /* borrowed */
	uint32_t attr_count;
};

/* Inserts a node of the default domain before another of the same graph. */
uint32_t change_insert(struct change_log *log, struct model *m, uint32_t before,
		       const struct new_node *wanted);
/* Inserts a Constant node with int64 elements; rank is 0 or 1.  Returns its value. */
uint32_t change_insert_constant(struct change_log *log, struct model *m, uint32_t before,
				struct sv name, const int64_t *numbers, uint32_t count,
				bool scalar);
/* The elements of a new constant, as raw bytes; copied. */
struct tensor_parts {
	int32_t elem;
	uint32_t rank;
	const int64_t *dims;        /* borrowed */
	const unsigned char *bytes; /* borrowed */
	size_t len;
};

/* Inserts a Constant node with these elements.  Returns its value. */
uint32_t change_insert_tensor(struct change_log *log, struct model *m, uint32_t before,
			      struct sv name, const struct tensor_parts *parts);
/* Removes a constant without readers, and its claims. */
void change_drop_unread(struct change_log *log, struct model *m, uint32_t value);

struct attr attr_of_int(struct model *m, const char *name, int64_t value);
struct attr attr_of_ints(struct model *m, const char *name, const int64_t *values, uint32_t count);

/* ---- logs ---- */

void changes_revert(struct change_log *log, struct model *m);
/* Only changes from `mark` on; removes them. */
void changes_revert_to(struct change_log *log, struct model *m, size_t mark);
void changes_replay(struct change_log *log, struct model *m);
/* Updates readers and order if the log changed them. */
void changes_settle(const struct change_log *log, struct model *m);
void changes_release(struct change_log *log);

#endif
