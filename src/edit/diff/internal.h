/*
 * Shared by the files of this folder: the state of a comparison, and its parts.
 *
 * Side A is before, side B after.  Names are ids of each model's own table; B's are
 * translated once, so that names are compared as numbers.  A pair of nodes, values or
 * graphs is stored on both sides; 0 is "none" (graphs: id + 1).
 */
#ifndef EDIT_DIFF_INTERNAL_H
#define EDIT_DIFF_INTERNAL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/diff/compare.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/text.h"

enum {
	COMPARE_TEXT = 300 /* bytes of one shown text */
};

extern const struct text_limits compare_limits;

struct side {
	const struct infer *in; /* borrowed */
	const struct model *m;  /* borrowed */
	uint64_t *name_tokens;  /* by name: equal on both sides for equal text */
	uint32_t *nodes;        /* by node: its partner */
	uint32_t *values;       /* by value: its partner */
	uint32_t *graphs;       /* by graph: its partner + 1 */
	uint64_t *up;           /* by value: hash of the chain of producers */
	uint64_t *node_up;      /* by node */
	uint64_t *node_down;    /* by node: hash of the chains of readers */
	uint64_t *symbols;      /* by symbol of the pool: hash of its meaning */
	struct map expressions; /* handle of an expression -> index in hashes, plus 1 */
	VEC(uint64_t) hashes;
};

struct graph_pair {
	uint32_t a;
	uint32_t b;
};

/* How much of an external file was read: overlapping tensors could read it endlessly. */
struct file_use {
	uint64_t used;
	uint64_t size;
};

struct comparison {
	struct side a;
	struct side b;
	uint64_t seed;
	struct compare_options options;
	struct differences *out;      /* borrowed */
	VEC(struct graph_pair) pairs; /* graphs to compare */
	uint32_t graph;               /* of A, being compared */
	struct sv *paths;             /* by graph of A, once it has a difference; in out's arena */
	struct map files;             /* hash of a location -> index in uses, plus 1 */
	VEC(struct file_use) uses;
	uint32_t *next; /* by node of A: the next one with the same key */
	struct arena scratch;
};

/* ---- reporting ---- */

/* A difference to report; its texts are copied. */
struct telling {
	enum difference_kind kind;
	struct sv name;
	const char *what;
	const struct str *before; /* borrowed; NULL for none */
	const struct str *after;  /* borrowed; NULL for none */
};

void compare_tell(struct comparison *c, struct telling t);
/* Reports the texts if they differ. */
void compare_texts(struct comparison *c, enum difference_kind kind, struct sv name,
		   const char *what, struct sv before, struct sv after);
void compare_pairs(struct comparison *c, enum difference_kind kind, struct sv name,
		   const struct pair *a, uint32_t a_count, const struct pair *b, uint32_t b_count);
/* A text of COMPARE_TEXT bytes at most. */
void compare_cut(struct str *s);

/* ---- pairing ---- */

/* Queues two bodies for comparison. */
void match_bodies(struct comparison *c, uint32_t a, uint32_t b);

static inline bool values_paired(const struct comparison *c, uint32_t a, uint32_t b)
{
	return a && c->a.values[a] == b;
}

void match_values(struct comparison *c, uint32_t a, uint32_t b);
/* Initializers of the same name, then all nodes; inputs are paired already. */
void match_graphs(struct comparison *c, uint32_t a, uint32_t b);

/* ---- parts ---- */

/* Inputs or outputs of two graphs; pairs the values of inputs. */
void compare_slots(struct comparison *c, struct graph_pair g, enum difference_kind kind);
void compare_nodes(struct comparison *c, struct graph_pair g);
void compare_attrs(struct comparison *c, const struct node *a, const struct node *b);
/* The elements of two constants. */
void compare_tensors(struct comparison *c, enum difference_kind kind, struct sv name,
		     const char *what, const struct tensor *a, const struct tensor *b);
/* Are type and elements equal?  Fails when they cannot be read. */
bool tensors_equal(struct comparison *c, const struct tensor *a, const struct tensor *b, bool *out,
		   struct err *err) MUST_USE;
/* Two attributes' lists. */
void compare_lists(struct comparison *c, enum difference_kind kind, struct sv name,
		   const char *what, const struct attr *a, const struct attr *b);
void compare_sparse(struct comparison *c, enum difference_kind kind, struct sv name,
		    const char *what, const struct sparse *a, const struct sparse *b);
/* A node without a name goes by its first output's. */
struct sv compare_node_name(const struct side *s, const struct node *n);
/* The tensor of an initializer or of a Constant node; NULL when the value is neither. */
const struct tensor *constant_of(const struct side *s, uint32_t value);
/* After all graphs: declared symbols, then the shapes of all pairs of values. */
void compare_symbols(struct comparison *c);
void compare_shapes(struct comparison *c);
/* Last, since there can be very many: nodes and tensors that were only renamed. */
void compare_names(struct comparison *c);
/* Metadata and functions of a model. */
void compare_heads(struct comparison *c);
void compare_functions(struct comparison *c);
void compare_trainings(struct comparison *c);
/* What few models have: devices, tensor sharding, quantization. */
void compare_devices(struct comparison *c);
void compare_annotations(struct comparison *c, struct graph_pair g);
void compare_shardings(struct comparison *c, struct sv name, const struct node *a,
		       const struct node *b);
#endif
