/*
 * Changes of a model that can be taken back.
 *
 * Each function below changes the model and writes what it did into a log; reverting a log
 * gives the model as it was, replaying it gives it changed again.  Ids are never reused:
 * what a change made is dead, not gone, when the change is taken back.  New things are
 * nodes only, constants among them, so that they fit into functions and bodies alike.
 *
 * After changes of nodes, inputs or constants, readers and order are wrong until
 * changes_settle.
 */
#ifndef EDIT_CHANGE_H
#define EDIT_CHANGE_H

#include "ir/build.h"
#include "wire/patch.h"

enum change_kind {
	CHANGE_DIM,
	CHANGE_CLAIM,  /* a claim's type; TYPE_NONE takes the claim away */
	CHANGE_NODE,   /* a node's inputs or attributes */
	CHANGE_TENSOR, /* a constant's elements */
	CHANGE_INSERT, /* a node comes */
	CHANGE_REMOVE, /* a node goes */
	CHANGE_DROP,   /* an initializer goes */
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
	uint32_t index; /* INSERT, REMOVE, DROP: the place in the graph's list */
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
	VEC(struct change)
	list;
	bool structural; /* readers or order changed */
};

/* ---- what is said about shapes ---- */

bool dim_same(const struct dim *a, const struct dim *b);
/* Is it the very same type?  Its dims may have changed since. */
bool type_same(const struct type *a, const struct type *b);
/* Nothing is logged when the dim is that already.  The denotation stays. */
void change_dim(struct change_log *log, struct dim *dim, struct dim to);
void change_claim_type(struct change_log *log, struct model *m, uint32_t claim, struct type to);

/* ---- nodes and constants ---- */

void change_input(struct change_log *log, struct model *m, uint32_t node, uint32_t port,
		  uint32_t value);
/* An attribute that is there already is replaced; `to` has a name. */
void change_attr(struct change_log *log, struct model *m, uint32_t node, const struct attr *to);
void change_attr_remove(struct change_log *log, struct model *m, uint32_t node, const char *name);
/*
 * The elements of an int32 or int64 constant: an initializer, or the tensor or list of
 * numbers of a Constant node.  False when the value is no such constant.
 */
bool change_constant(struct change_log *log, struct model *m, uint32_t value,
		     const int64_t *numbers, uint32_t count) MUST_USE;

/* A node to be; the arrays are copied. */
struct new_node {
	const char *op;
	struct sv name;
	const uint32_t *inputs; /* borrowed */
	uint32_t input_count;
	uint32_t output_count;    /* of outputs, called name, name_1, …; most nodes have one */
	const struct attr *attrs; /* borrowed */
	uint32_t attr_count;
};

/* Puts a node of the standard's domain before another of the same graph. */
uint32_t change_insert(struct change_log *log, struct model *m, uint32_t before,
		       const struct new_node *wanted);
/* A Constant node with int64 elements; rank is 0 or 1.  Gives its value. */
uint32_t change_insert_constant(struct change_log *log, struct model *m, uint32_t before,
				struct sv name, const int64_t *numbers, uint32_t count,
				bool scalar);
/* A constant that nobody reads any more goes, and what is claimed of it. */
void change_drop_unread(struct change_log *log, struct model *m, uint32_t value);

struct attr attr_of_int(struct model *m, const char *name, int64_t value);
struct attr attr_of_ints(struct model *m, const char *name, const int64_t *values, uint32_t count);

/* ---- the whole ---- */

void changes_revert(struct change_log *log, struct model *m);
/* Only those from `mark` on, and forgets them. */
void changes_revert_to(struct change_log *log, struct model *m, size_t mark);
void changes_replay(struct change_log *log, struct model *m);
/* Readers and order, when the log changed them. */
void changes_settle(const struct change_log *log, struct model *m);
void changes_release(struct change_log *log);

#endif
