/*
 * A pass over the graph as the rule of one node sees it: what it may ask, and what it says.
 *
 * A rule maps the axes of the node's inputs to those of its outputs, and plans what has to
 * change.  A rule that cannot refuses, with a reason, and the pass ends.  The refusal may say
 * what would help: a demand on a tensor that does not follow yet, or two sizes that are equal
 * only for multiples.
 *
 * What a rule says about sizes is compared with the shape rule of the operator, run on the same
 * expressions: the two must agree in every dim.
 */
#ifndef FLOW_VISIT_H
#define FLOW_VISIT_H

#include "base/arena.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/fold.h"
#include "flow/plan.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/sym.h"

/* What is known about a value in this pass. */
struct track {
	bool known; /* a tensor whose shape is known, or a sequence of these; else nothing is set */
	bool constant; /* computed from constants, and from sizes that are numbers */
	bool lost;     /* depends on carried sizes in a way that is not known; not .known */
	bool counted;  /* made from the number of a round, in a Loop with a fixed number of them */
	uint32_t rank;
	const struct flow_axis *axes;
	struct contents contents; /* elements that depend on freed sizes */
	uint64_t numbered;        /* freed sizes whose positions are its elements, as bits */
	bool is_sequence;         /* of tensors: its rank is 0, and these are known */
	const struct track *items;
	uint32_t item_count;
	bool sized; /* its elements depend on freed sizes, and what they are is not known */
};

/* An axis that must follow although nothing before it says so: found by a demand. */
struct force {
	uint32_t node;
	uint32_t port; /* an input that is a constant, or FORCE_ENTRY: the node's own target */
	uint32_t axis;
	struct flow_axis factors; /* in the arena of the search */
	uint32_t by;              /* the node that demanded it */
};

#define FORCE_ENTRY UINT32_MAX

struct forces {
	VEC(struct force) list;
	struct arena arena; /* of their factors */
};

/*
 * What is taken at a choice.  It is known by its node and by how many choices the node made before
 * it, not by its number: with what was learnt, other choices are met before it.
 */
struct decision {
	uint32_t node;
	uint32_t turn;
	uint32_t option;
};

struct decisions {
	size_t count;
	struct map options; /* node << 32 | turn -> the option, from 1 */
};

/* Where the graph leaves several ways open. */
struct choice {
	struct decision taken;
	bool is_given; /* by the search */
	uint32_t options;
	uint64_t symbols; /* that it places; 0 when it is about a number */
	const char *what; /* in the arena of the pass */
	size_t known;     /* how many sizes, and meanings of literals, it could know of */
	size_t literals;
};

struct pass;
/* Called before each node of the main graph; true ends the pass there. */
typedef bool pass_rejoins(void *context, struct pass *p, uint32_t node);

enum refusal_kind {
	REFUSAL_PLAIN,
	REFUSAL_DEMAND,  /* if .axis of .value had .factors, it would go on */
	REFUSAL_DEEP,    /* the constant .value should follow by what it is made of */
	REFUSAL_UNEQUAL, /* .a and .b would have to be equal */
	REFUSAL_KIND_COUNT
};

/* Where a demand ended, walking back, that found no way. */
struct demand_end {
	uint32_t input; /* of the model, whose axis would have to follow; 0 for none */
	uint32_t axis;
	struct sym size; /* that it must have */
	uint32_t node;   /* else: what makes the axis as long as it is; 0 when that is not known */
	bool lost;       /* the walk ended where it knows no way back: there may be one */
};

struct refusal {
	enum refusal_kind kind;
	enum flow_cause cause;
	bool impossible; /* no run at another size could work; else it is only not proved */
	uint32_t node;
	char why[SENTENCE_BYTES];
	uint32_t value;
	uint32_t axis;
	struct flow_axis factors;
	struct demand_end end; /* of the demand */
	struct sym a, b;
};

/* A size up to which, or from which on, the result holds. */
struct flow_bound {
	struct sym size;
	int64_t limit;
	int64_t old; /* the size at the old sizes */
	bool least;  /* at least; else at most */
	uint32_t node;
};

/* Where a freed size stops being item by item. */
struct mixing {
	bool is_mixed;
	uint32_t node;
	const char *why; /* a literal */
};

/* An input axis to be freed. */
struct seed {
	uint32_t input; /* value */
	uint32_t axis;
	uint32_t bit; /* of its symbol */
};

enum {
	PASS_MAX_DEPTH = 40 /* of bodies and calls in each other */
};

/* What a literal of a Slice means: one literal of one axis means one thing. */
struct literal {
	uint32_t value;
	uint32_t axis;
	int64_t number;
	struct sym meaning;
	uint32_t before; /* another of the same hash, from 1; 0 for none */
};

/* A number of the model that may be computed from a freed size. */
struct flow_scalar {
	uint32_t node;
	uint32_t bit; /* of the size */
	double number;
	struct sym size; /* that it may be, or its root, or the inverse of one of them */
	int64_t old;     /* the size at the old sizes */
};

/* A symbol for all axes of one size of which nobody knows where they come from. */
struct unknown_size {
	uint32_t symbol;
	int64_t old;
};

struct pass;
typedef bool pass_visitor(struct pass *p, uint32_t node);

struct pass {
	struct infer *in;      /* borrowed; the model at its old sizes */
	struct folder *folder; /* borrowed */
	struct arena arena;    /* of this pass */
	struct factory factory;
	struct plan plan;
	struct track *tracks; /* owned; by value */
	uint64_t *depends;    /* owned; by value: the freed sizes that reach it, as bits */
	size_t value_count;
	const struct seed *seeds; /* borrowed */
	size_t seed_count;
	int64_t old[FLOW_MAX_SYMBOLS];
	int64_t multiple[FLOW_MAX_SYMBOLS]; /* assumed; 1 for none */
	struct sym sums[FLOW_MAX_SYMBOLS];  /* names that stand for other sizes; unknown for none */
	VEC(struct sym) totals;             /* sums of freed sizes, of earlier passes too */
	bool asked_totals;                  /* an answer of this pass depended on them */
	struct forces forces;               /* tracks may have their factors */
	const struct map *by_value;         /* borrowed: constants that follow by their elements */
	const struct decisions *given;      /* borrowed: of the search; NULL for none */
	VEC(struct choice) choices;
	uint32_t *turns; /* owned; by node: the choices that it made */
	struct mixing mixed[FLOW_MAX_SYMBOLS];
	VEC(struct flow_bound) bounds;
	struct map bounds_from; /* node -> no bound of it is before this one, from 0 */
	VEC(struct plan_note) assumptions;
	VEC(struct factor) known; /* sizes met so far that depend on freed ones */
	VEC(struct literal) literals;
	struct map literals_by; /* hash -> the newest of it, from 1 */
	VEC(struct flow_scalar) scalars;
	struct refusal refusal;
	struct map calls; /* graph of a function -> what its calls change */
	unsigned depth;
	pass_rejoins *rejoins; /* may be NULL */
	void *rejoins_context; /* borrowed */
	bool is_joined;        /* it ended there */
	bool is_deep;          /* some constants follow by what they are made of */
	uint64_t visits;       /* of nodes of the main graph */
	uint64_t carried;   /* freed sizes that were free before, as bits: nothing has to change */
	uint64_t stand_ins; /* those of them whose old size is made up: it says nothing */
	/* ---- of a pass that only watches: see watch.h ---- */
	pass_visitor *watch; /* visits a node; NULL when axes are freed */
	bool alone;          /* one freed size is followed, and others that it meets are numbers */
	uint64_t numbers;    /* freed sizes that are numbers in the model, as bits */
	VEC(struct unknown_size) unknowns;
};

/* What a pass has said up to here, to be taken back. */
struct pass_mark {
	size_t nodes, inputs, removals, lists, notes, choices, bounds, assumptions;
};

struct pass_mark pass_mark(const struct pass *p);
void pass_return(struct pass *p, const struct pass_mark *m);

/* One node being visited. */
struct visit {
	struct pass *pass;
	uint32_t id;
	const struct node *node;
	struct track *in;   /* one per input */
	struct info *infos; /* one per input: what the shape rule gets */
	struct info *out;   /* one per output: what it says */
	bool applied;
};

/* ---- for rules ---- */

/* All return false; a demand is met when the pass only watches, since nothing has to change. */
bool flow_refuse(struct visit *v, enum flow_cause cause, const char *format, ...) LIKE_PRINTF(3, 4);
/* No run at another size could work: this way is excluded, not only unproved. */
bool flow_impossible(struct visit *v, enum flow_cause cause, const char *format, ...)
	LIKE_PRINTF(3, 4);
/* A weight has this axis. */
bool flow_refuse_weight(struct visit *v, struct flow_axis a);
bool flow_demand(struct visit *v, uint32_t port, uint32_t axis, struct flow_axis factors);
bool flow_unequal(struct visit *v, struct sym a, struct sym b, const char *what);

/* An expression for a message; valid until the pass ends. */
const char *flow_text(struct pass *p, struct sym s);
/* "H, W or 8". */
const char *flow_texts(struct pass *p, const struct sym *list, uint32_t count);
/* "seq, which was 6". */
const char *flow_was(struct pass *p, struct flow_axis a);
/* May a literal of the old size mean this axis?  Not when that size is made up. */
bool flow_meant(const struct pass *p, struct flow_axis a);
/* Would a weight of the old size stop this axis?  Never when the pass only watches. */
bool flow_pins(const struct visit *v, struct flow_axis a);
void flow_mix(struct visit *v, uint64_t symbols, const char *why);
/* What is changed at the node, for people: "its target follows batch". */
void flow_note(struct visit *v, const char *what, uint64_t symbols);
/* Freed sizes by name: "batch and seq"; valid until the pass ends. */
const char *flow_names(struct pass *p, uint64_t symbols);
void flow_assume(struct visit *v, const char *format, ...) LIKE_PRINTF(2, 3);
void flow_limit(struct visit *v, struct sym size, int64_t limit, bool least);
/* Which of several ways: the index. */
void decisions_add(struct decisions *all, struct decision d);
void decisions_release(struct decisions *all);
/* What is decided for a choice; false when nothing is. */
bool decision_for(const struct decisions *all, const struct decision *d, uint32_t *out);
void pass_add_choice(struct pass *p, const struct choice *c);
uint32_t flow_choose(struct visit *v, uint32_t options, uint64_t symbols, const char *format, ...)
	LIKE_PRINTF(4, 5);
/* The factors that a demand forces on it; NULL for none. */
const struct force *flow_force(const struct pass *p, uint32_t node, uint32_t port, uint32_t axis);

/* The size of an axis of an output at the old sizes; -1 when it is not known. */
int64_t visit_old(const struct visit *v, uint32_t output, uint32_t axis);
uint32_t visit_rank(const struct visit *v, uint32_t output);
bool visit_has(const struct visit *v, uint32_t port);
/* Does the node have an output, and the inputs that its operator requires? */
bool visit_is_complete(const struct visit *v);
/* The elements of a constant at the old sizes; NULL when they are not known. */
const struct array *visit_array(const struct visit *v, uint32_t port);
/* A list of integers: numbers, or expressions of freed sizes.  False when it is not known. */
bool visit_list(struct visit *v, uint32_t port, const struct sym **out, uint32_t *out_count);
/* The same when all are numbers. */
bool visit_numbers(struct visit *v, uint32_t port, const int64_t **out, uint32_t *out_count);
int64_t visit_attr(const struct visit *v, const char *name, int64_t otherwise);
bool visit_attr_ints(const struct visit *v, const char *name, const int64_t **out,
		     uint32_t *out_count);
/* Empty when it is absent. */
struct sv visit_attr_text(const struct visit *v, const char *name);
int64_t visit_version(const struct visit *v);

/* The input becomes another value, of which the shape rule knows this. */
void visit_replace(struct visit *v, uint32_t port, plan_ref ref, const struct sym *dims,
		   uint32_t rank, struct contents contents);
/* A list of sizes as an input; false when one cannot be computed. */
bool visit_replace_sizes(struct visit *v, uint32_t port, const struct sym *sizes, uint32_t count);

/* What a size was, at the old sizes of its symbols. */
int64_t pass_old_size(const struct pass *p, struct sym s);
/* Is an input made from the number of a round, in a Loop with a fixed number of them? */
bool visit_counted(const struct visit *v);
/*
 * Says the axes of an output.  False, refused, when their sizes are not what the operator's shape
 * rule says, or not the old shape at the old sizes.
 */
bool visit_put(struct visit *v, uint32_t output, const struct flow_axis *axes, uint32_t rank);
/* The axes are one factor each, as the shape rule says; those of `keep` that are not NULL stay. */
bool visit_put_sizes(struct visit *v, uint32_t output, const struct flow_axis *const *keep);
/* Says them where no shape rule can check them: only the old sizes must fit. */
bool visit_put_as(struct visit *v, uint32_t output, const struct flow_axis *axes, uint32_t rank);
struct flow_axis *visit_axes(struct visit *v, uint32_t rank);

#endif
