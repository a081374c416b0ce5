/*
 * What a shape rule reads and writes.
 *
 * A rule is called for one node.  It reads what is known about the inputs and writes what follows
 * for the outputs, which start as "nothing known".  It never fails: it reports a contradiction of
 * the specification by rule_error and goes on or returns.  Unknown is always allowed, wrong never.
 *
 * Dims and values are expressions of `sym`; SYM_UNKNOWN is "unknown".  Arrays of dims are shared
 * and immutable once an output has them: rule_dims makes new ones.
 */
#ifndef OPS_RULE_H
#define OPS_RULE_H

#include "base/arena.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/need.h"
#include "sym/sym.h"

struct rule;

/* What a rule needs from outside; the propagation provides it. */
struct rule_host {
	void *context; /* borrowed */
	void (*error)(void *context, const char *message);
	/* A requirement of the operator on its inputs' sizes that is not known to hold. */
	void (*need)(void *context, const struct need *need);
	/* A constant's contents. */
	struct contents (*constant)(void *context, uint32_t tensor);
	/*
	 * The least and the largest of every columns-th element of a constant of integers, which
	 * may have any rank and more elements than contents.  False: cannot.
	 */
	bool (*columns)(void *context, uint32_t tensor, uint32_t columns, int64_t *out_min,
			int64_t *out_max);
	/* Runs a body with these inputs; one info per output of the graph.  False: cannot. */
	bool (*body)(void *context, uint32_t graph, const struct info *in, uint32_t in_count,
		     struct info *out, uint32_t out_count);
	/* An attribute of the calling node, for attributes that refer to one. */
	const struct attr *(*attr)(void *context, uint32_t name);
	/* A result rests on this condition: a binding that violates it runs inference again. */
	void (*assume)(void *context, struct sym condition);
	/*
	 * Needs from now on are of this branch of an undecided If, not of the model (0: of the
	 * model).  Returns the branch until now.
	 */
	uint32_t (*branch)(void *context, uint32_t graph);
};

struct rule {
	const struct model *model;    /* borrowed */
	struct sym_pool *pool;        /* borrowed */
	struct arena *arena;          /* borrowed; results live in it */
	const struct rule_host *host; /* borrowed */
	const struct node *node;      /* borrowed */
	uint32_t node_id;
	uint32_t instance; /* which call of the function the node is in; 0 outside */
	int64_t version;   /* of the operator's domain, as the model imports it */
	int argument;      /* the column of the operator's row; see ops/rules.h */
	struct info *in;   /* an absent one is all-zero and has given[i] false */
	const bool *given;
	uint32_t in_count;
	struct info *out;
	uint32_t out_count;
	bool of_state; /* the needs reported now are of an initial state */
};

typedef void rule_function(struct rule *r);

/* ---- reporting ---- */

/* A contradiction of the specification: becomes an `error` finding at this node. */
void rule_error(struct rule *r, const char *format, ...) LIKE_PRINTF(2, 3);
/*
 * Results hold only if the condition (an expression that is 1 or 0) is 1.  For conditions that no
 * run can violate, such as a size that is not negative.
 */
void rule_assume(struct rule *r, struct sym condition);
/*
 * The result, provided that the condition is 1.  Unknown when the condition rests on a size that
 * depends on data: such a size cannot be bound, so a violation would go unseen.
 */
struct sym rule_given(struct rule *r, struct sym condition, struct sym result);
/* Does it rest on declared symbols only? */
bool rule_is_bindable(const struct rule *r, struct sym s);

/* ---- inputs ---- */

bool rule_has(const struct rule *r, uint32_t input);
/* The element type of an input; 0 when not known or not given. */
int32_t rule_elem(const struct rule *r, uint32_t input);
/* The element type that the row's argument names: ELEM_..., or ELEM_OF(an input). */
int32_t rule_elem_argument(const struct rule *r);
/* Is the input present and its rank known? */
bool rule_ranked(const struct rule *r, uint32_t input);
/* A dim; unknown when there is none. */
struct sym rule_dim(const struct rule *r, uint32_t input, uint32_t axis);
/* Reports an error and returns false when the rank is known and not in [min, max]. */
bool rule_check_rank(struct rule *r, uint32_t input, uint32_t min, uint32_t max);
/* The same for the first inputs, one rank each: RULE_CHECK_RANKS(r, 3, 1). */
bool rule_check_ranks(struct rule *r, const uint32_t *ranks, uint32_t count);
#define RULE_CHECK_RANKS(r, ...)                             \
	rule_check_ranks(r, (const uint32_t[]){__VA_ARGS__}, \
			 ARRAY_LEN(((const uint32_t[]){__VA_ARGS__})))
/* The contents of an input; .at is NULL when they are not tracked.  Reads constants. */
struct contents rule_contents(struct rule *r, uint32_t input);
/* The only element of an input; unknown when it has several or is not tracked. */
struct sym rule_single(struct rule *r, uint32_t input);
/* All elements of an input of rank 0 or 1 as plain integers; false when they are not. */
bool rule_ints(struct rule *r, uint32_t input, const int64_t **out, uint32_t *out_count);
/* Element i as an integer; false when it is not a known integer. */
bool rule_int_at(struct rule *r, const struct contents *c, uint32_t i, int64_t *out);

/* ---- attributes (references to the caller's are followed) ---- */

const struct attr *rule_attr(const struct rule *r, const char *name);
int64_t rule_attr_int(const struct rule *r, const char *name, int64_t otherwise);
/* False and an error when it is not positive. */
bool rule_attr_positive(struct rule *r, const char *name, int64_t otherwise, int64_t *out);
double rule_attr_float(const struct rule *r, const char *name, double otherwise);
/* NULL and 0 when it is absent; false when it is present but not in memory. */
bool rule_attr_ints(const struct rule *r, const char *name, const int64_t **out,
		    uint32_t *out_count);
bool rule_attr_floats(const struct rule *r, const char *name, const float **out,
		      uint32_t *out_count);
/* Empty when absent. */
struct sv rule_attr_text(const struct rule *r, const char *name);
/*
 * Which of the names a text attribute has: RULE_CHOICE(r, "mode", &out, "sum", "mean").  False and
 * an error when it has none of them; *out stays when it is absent.
 */
bool rule_attr_choice(struct rule *r, const char *name, uint32_t *out, const char *const *names,
		      uint32_t count);
#define RULE_CHOICE(r, name, out, ...)                                     \
	rule_attr_choice(r, name, out, (const char *const[]){__VA_ARGS__}, \
			 ARRAY_LEN(((const char *const[]){__VA_ARGS__})))
/* The length of a list attribute; 0 when absent. */
uint32_t rule_attr_count(const struct rule *r, const char *name);

/* ---- dims ---- */

struct sym *rule_dims(struct rule *r, uint32_t rank);
/* A copy of an input's dims with room for `more`. */
struct sym *rule_copy_dims(struct rule *r, uint32_t input, uint32_t more);
struct sym rule_int(struct rule *r, int64_t value);
/* A size that depends on data: a fresh symbol of this node in [0, max] (unknown: no bound).
 */
struct sym rule_fresh(struct rule *r, uint32_t output, uint32_t axis, struct sym max);
/*
 * Two dims that must be equal: returns the more precise one.  Different integers are an error
 * ("why: 3 and 4"); symbols become a fact for the host.  min(n, 512) equal to n becomes the fact
 * that n is at most 512.
 */
struct sym rule_equal(struct rule *r, struct sym a, struct sym b, const char *why);
/* The same for what remains of the numbers of elements `in` and `out`, unknown if too long. */
void rule_equal_elements(struct rule *r, struct sym a, struct sym b, struct sym in, struct sym out);
/* `low` must not exceed `high`: a fact when it may, and assumed. */
void rule_bound(struct rule *r, struct sym low, struct sym high, const char *why);
/* `size` must not be 0.  Not said of a size that depends on data, which may be anything. */
void rule_some(struct rule *r, struct sym size, const char *why);
/* `whole` must be a multiple of `part`: an error when it cannot be, else a fact. */
void rule_divisible(struct rule *r, struct sym whole, struct sym part, const char *why);
/* NumPy broadcasting of two dims; different integers, neither 1, are an error. */
struct sym rule_broadcast_dim(struct rule *r, struct sym a, struct sym b);
/* The same for two shapes, with room for `more` dims after them. */
struct sym *rule_broadcast_dims(struct rule *r, const struct sym *a, uint32_t a_rank,
				const struct sym *b, uint32_t b_rank, uint32_t more);
/* One-way broadcasting: `dim` must be 1 or `over`.  Returns what is then known of `over`. */
struct sym rule_cover(struct rule *r, struct sym dim, struct sym over, const char *why);
/* A negative axis counts from the end.  False (and an error) when not in [-rank, rank). */
bool rule_axis(struct rule *r, int64_t axis, uint32_t rank, uint32_t *out);

/* ---- outputs ---- */

/* Is this output used? */
bool rule_wants(const struct rule *r, uint32_t output);
/* A tensor with this shape.  `dims` is kept. */
void rule_out(struct rule *r, uint32_t output, int32_t elem, uint32_t rank, const struct sym *dims);
/* The same; the dims are copied.  RULE_OUT(r, 0, elem, batch, length) has two. */
void rule_out_dims(struct rule *r, uint32_t output, int32_t elem, uint32_t rank,
		   const struct sym *dims);
#define RULE_OUT(r, output, elem, ...)                                                 \
	rule_out_dims(r, output, elem, ARRAY_LEN(((const struct sym[]){__VA_ARGS__})), \
		      (const struct sym[]){__VA_ARGS__})
/* The shape of an input whose rank is known, with another size along one axis. */
void rule_out_resized(struct rule *r, uint32_t output, uint32_t input, uint32_t axis,
		      struct sym size);
/* A tensor with only the element type known (0: not even that). */
void rule_out_unranked(struct rule *r, uint32_t output, int32_t elem);
/* A tensor of this rank with all dims unknown. */
void rule_out_rank(struct rule *r, uint32_t output, int32_t elem, uint32_t rank);
/* The shape of an input with another element type. */
void rule_out_shape_of(struct rule *r, uint32_t output, uint32_t input, int32_t elem);
/* The input's whole type (sequences and optionals too), without its contents. */
void rule_out_like(struct rule *r, uint32_t output, uint32_t input);
void rule_out_scalar(struct rule *r, uint32_t output, int32_t elem);
/* A scalar with its value, which may be unknown. */
void rule_out_number(struct rule *r, uint32_t output, int32_t elem, struct sym value);
/* Sets an output's contents.  `at` is kept; more than RULE_MAX_CONSTANTS elements are dropped. */
void rule_out_contents(struct rule *r, uint32_t output, struct contents c);
/* The least and the largest element of an output whose elements are not tracked. */
void rule_out_bounds(struct rule *r, uint32_t output, struct sym min, struct sym max);
/* The output has only elements of the input, each once or more. */
void rule_out_same_bounds(struct rule *r, uint32_t output, uint32_t input);
/* A kept copy. */
const struct info *rule_keep(struct rule *r, const struct info *info);
/* Room for contents. */
struct sym *rule_values(struct rule *r, uint32_t count);

/* ---- joining alternatives (If, Loop, sequences) ---- */

/* What holds for both: dims that differ become unknown, ranks that differ no rank. */
struct info rule_join(struct rule *r, const struct info *a, const struct info *b);

#endif
