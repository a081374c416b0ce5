/*
 * What a shape rule sees and says.
 *
 * A rule is called for one node.  It reads what is known of the inputs and writes what
 * follows for the outputs; all outputs are "nothing known" before.  It never fails: what
 * contradicts the specification is told by rule_error and the rule goes on or returns.
 * Unknown is always allowed, wrong never.
 *
 * Dims and values are expressions of `sym`; SYM_UNKNOWN is "not known".  Arrays of dims are
 * shared and never changed once they are given to an output: rule_dims makes new ones.
 */
#ifndef OPS_RULE_H
#define OPS_RULE_H

#include "ir/graph.h"
#include "sym/sym.h"

enum {
	RULE_MAX_RANK = 64,       /* a rank above is refused: nothing real has it */
	RULE_MAX_VALUES = 64,     /* elements of a computed value that are followed */
	RULE_MAX_CONSTANTS = 1024 /* elements of a constant that are read */
};

/* The numbers inside a tensor, as far as they are followed: rank 0, 1 or 2. */
struct contents {
	const struct sym *at; /* row by row; NULL when nothing is known */
	uint32_t count;
	uint32_t rank;
	uint32_t rows; /* rank 2: count is rows times columns */
	uint32_t max;  /* see contents_most; a word that fits, or 0: infos are copied a lot */
};

/* Where .at is NULL: the largest number inside, if there is any; unknown allowed. */
static inline struct sym contents_max(const struct contents *c)
{
	return (struct sym){c->max};
}

static inline void contents_set_max(struct contents *c, struct sym max)
{
	c->max = max.w <= UINT32_MAX ? (uint32_t)max.w : 0;
}

/* What is known of a value. */
struct info {
	enum type_kind kind; /* TYPE_NONE: nothing */
	int32_t elem;        /* tensor, sparse: element type; map: key type; 0 unknown */
	bool ranked;
	uint32_t rank;
	const struct sym *dims;   /* rank of them; borrowed */
	const struct info *inner; /* sequence, optional: element; map: value; borrowed */
	struct contents contents;
	/* Of a sequence: how many elements it has (unknown allowed), and each one when known. */
	struct sym length;
	const struct info *items; /* borrowed; NULL when the elements are not known one by one */
	uint32_t item_count;
	uint32_t tensor; /* a constant whose contents are not read yet; 0 otherwise */
};

struct rule;

enum fact_kind {
	FACT_EQUAL,     /* a must equal b */
	FACT_SOFT,      /* a is 1 or b, because they are broadcast */
	FACT_PAIR,      /* they are broadcast: equal, or one of them is 1 */
	FACT_DIVISIBLE, /* b divides a */
	FACT_BOUND,     /* a is at most b */
	FACT_NEVER,     /* a had to equal b, or be a multiple of it, and cannot: an error */
	FACT_KIND_COUNT
};

/* What an operator needs of two sizes. */
struct need {
	enum fact_kind kind;
	struct sym a, b;
	const char *why; /* borrowed */
	bool of_state;   /* about an initial state, which exports bake in, unlike weights */
};

/* What a rule needs from outside; the propagation gives it. */
struct rule_host {
	void *context; /* borrowed */
	void (*error)(void *context, const char *message);
	/* What the operator needs of its inputs' sizes, and is not known to hold. */
	void (*need)(void *context, const struct need *need);
	/* A constant's contents. */
	struct contents (*constant)(void *context, uint32_t tensor);
	/* Runs a body with these inputs; gives one info per output of the graph.  False: cannot. */
	bool (*body)(void *context, uint32_t graph, const struct info *in, uint32_t in_count,
		     struct info *out, uint32_t out_count);
	/* An attribute of the calling node, for attributes that refer to one. */
	const struct attr *(*attr)(void *context, uint32_t name);
	/* A result rests on this being so: binding symbols against it runs inference again. */
	void (*assume)(void *context, struct sym condition);
};

struct rule {
	const struct model *model;    /* borrowed */
	struct sym_pool *pool;        /* borrowed */
	struct arena *arena;          /* borrowed; results live in it */
	const struct rule_host *host; /* borrowed */
	const struct node *node;      /* borrowed */
	uint32_t node_id;
	uint32_t instance; /* which call of the function the node stands in; 0 outside */
	int64_t version;   /* of the operator's domain, as the model imports it */
	struct info *in;   /* what is not given is all-zero and has given[i] false */
	const bool *given;
	uint32_t in_count;
	struct info *out;
	uint32_t out_count;
	bool of_state; /* the needs told now are of an initial state */
};

typedef void rule_function(struct rule *r);

/* ---- telling ---- */

/* A contradiction of the specification: becomes an `error` finding at this node. */
void rule_error(struct rule *r, const char *format, ...) PRINTF_LIKE(2, 3);
/*
 * What follows holds only if the condition (an expression that is 1 or 0) is 1.  For what
 * no run can contradict, such as a size that is not negative.
 */
void rule_assume(struct rule *r, struct sym condition);
/*
 * The result, given that the condition is 1.  Unknown when the condition rests on a size
 * that depends on data: nobody could bind it and see that it does not hold.
 */
struct sym rule_given(struct rule *r, struct sym condition, struct sym result);
/* Does it rest on declared symbols only? */
bool rule_is_bindable(const struct rule *r, struct sym s);

/* ---- inputs ---- */

bool rule_has(const struct rule *r, uint32_t input);
/* The element type of an input; 0 when not known or not given. */
int32_t rule_elem(const struct rule *r, uint32_t input);
/* Is the input there and its rank known? */
bool rule_ranked(const struct rule *r, uint32_t input);
/* A dim; unknown when it is not there. */
struct sym rule_dim(const struct rule *r, uint32_t input, uint32_t axis);
/* Tells an error and gives false when the rank is known and not within [least, most]. */
bool rule_check_rank(struct rule *r, uint32_t input, uint32_t min, uint32_t max);
/* The numbers in an input; .at is NULL when they are not followed.  Reads constants. */
struct contents rule_contents(struct rule *r, uint32_t input);
/* All elements of a one-dimensional (or scalar) input as plain integers; false when not. */
bool rule_ints(struct rule *r, uint32_t input, const int64_t **out, uint32_t *out_count);
/* Element i as an integer; false when it is not a known integer. */
bool rule_int_at(struct rule *r, const struct contents *c, uint32_t i, int64_t *out);

/* ---- attributes (those that refer to the caller's are followed) ---- */

const struct attr *rule_attr(const struct rule *r, const char *name);
int64_t rule_attr_int(const struct rule *r, const char *name, int64_t otherwise);
double rule_attr_float(const struct rule *r, const char *name, double otherwise);
/* NULL and 0 when it is absent; false when it is there but cannot be read here. */
bool rule_attr_ints(const struct rule *r, const char *name, const int64_t **out,
		    uint32_t *out_count);
bool rule_attr_floats(const struct rule *r, const char *name, const float **out,
		      uint32_t *out_count);
/* Empty when absent. */
struct sv rule_attr_text(const struct rule *r, const char *name);
/* How many elements a list attribute has; 0 when absent. */
uint32_t rule_attr_count(const struct rule *r, const char *name);

/* ---- dims ---- */

struct sym *rule_dims(struct rule *r, uint32_t rank);
struct sym rule_int(struct rule *r, int64_t value);
/* A size that depends on data: a fresh symbol of this node, within [0, most] (unknown: no bound).
 */
struct sym rule_fresh(struct rule *r, uint32_t output, uint32_t axis, struct sym max);
/*
 * Two dims that must be equal: gives the one that is known better.  Different integers are
 * an error ("why: 3 and 4"); symbols are told to the host as a fact.  That min(n, 512) must
 * be n says that n is at most 512, and is told as such.
 */
struct sym rule_equal(struct rule *r, struct sym a, struct sym b, const char *why);
/* `low` must not be above `high`: a fact when it may be, and assumed. */
void rule_bound(struct rule *r, struct sym low, struct sym high, const char *why);
/* `whole` must be a multiple of `part`: an error when it cannot be, else told as a fact. */
void rule_divisible(struct rule *r, struct sym whole, struct sym part, const char *why);
/* NumPy broadcasting of two dims; different integers, neither 1, are an error. */
struct sym rule_broadcast_dim(struct rule *r, struct sym a, struct sym b);
/* One-way broadcasting: `dim` must be 1 or `over`.  Gives `over` as it is known then. */
struct sym rule_cover(struct rule *r, struct sym dim, struct sym over, const char *why);
/* Negative counts from the end.  False (and an error) when out of [-rank, rank). */
bool rule_axis(struct rule *r, int64_t axis, uint32_t rank, uint32_t *out);

/* ---- outputs ---- */

/* Does anybody want this output? */
bool rule_wants(const struct rule *r, uint32_t output);
/* A tensor of known shape.  `dims` is kept. */
void rule_out(struct rule *r, uint32_t output, int32_t elem, uint32_t rank, const struct sym *dims);
/* A tensor of which only the element type is known (0: not even that). */
void rule_out_unranked(struct rule *r, uint32_t output, int32_t elem);
/* A tensor of that rank with all dims unknown. */
void rule_out_rank(struct rule *r, uint32_t output, int32_t elem, uint32_t rank);
/* The shape of an input, another element type. */
void rule_out_shape_of(struct rule *r, uint32_t output, uint32_t input, int32_t elem);
/* The input's whole type (sequences and optionals too), without its contents. */
void rule_out_like(struct rule *r, uint32_t output, uint32_t input);
void rule_out_scalar(struct rule *r, uint32_t output, int32_t elem);
/* The numbers in an output.  `at` is kept; a count above RULE_MOST_CONSTANTS is dropped. */
void rule_out_contents(struct rule *r, uint32_t output, struct contents c);
/* The largest number in an output whose numbers are not followed one by one. */
void rule_out_max(struct rule *r, uint32_t output, struct sym max);
/* The output has the input's numbers, each as often as it likes. */
void rule_out_same_max(struct rule *r, uint32_t output, uint32_t input);
/* A kept copy. */
const struct info *rule_keep(struct rule *r, const struct info *info);
/* Room for contents. */
struct sym *rule_values(struct rule *r, uint32_t count);

/* ---- joining what two ways may give (If, Loop, sequences) ---- */

/* What holds whichever of the two it is: differing dims become unknown, differing ranks no rank. */
struct info rule_join(struct rule *r, const struct info *a, const struct info *b);

#endif
