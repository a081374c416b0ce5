/*
 * Shape inference: what is known about every value of a model, and what is wrong with it.
 *
 * Results are stored beside the model and never change it.  Inputs of the main graph and
 * constants are facts; any other shape in the file (value_info, outputs, formal inputs of
 * bodies and functions) is a claim: it fills in what inference does not know, and is
 * compared with what it does.
 *
 * Functions are inferred for each call; the result of a value inside is what all calls agree
 * on, and dims that differ between calls are unknown.
 */
#ifndef INFER_INFER_H
#define INFER_INFER_H

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/cache.h"
#include "infer/finding.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/need.h"
#include "ops/ops.h"
#include "sym/sym.h"

/* Where a value's shape comes from. */
enum source {
	SOURCE_NONE,
	SOURCE_INPUT,
	SOURCE_INITIALIZER,
	SOURCE_INFERRED,
	SOURCE_CLAIM,
	SOURCE_COUNT
};

/* A condition on a node's input sizes that is not known to hold. */
struct fact {
	enum fact_kind kind;
	struct sym a;
	struct sym b;
	uint32_t graph;
	uint32_t node;
	uint32_t branch;    /* the branch of an If that has it; 0 for the model itself */
	bool of_state;      /* about an initial state, which exports bake in, not a weight */
	bool on_claim;      /* its node reads a shape that rests on a claim */
	const char *why;    /* in the arena */
	struct sym in, out; /* as a need's */
};

/* A symbol, and what it must equal in every run, or else be 1: see identity.h. */
struct identity {
	uint32_t symbol;
	uint32_t fact; /* that says so, plus 1 */
	struct sym equal;
	bool broadcast; /* a 1 fits too */
};

/* A condition (1 or 0) that a node's result depends on. */
struct assumption {
	struct sym condition;
	uint32_t node;
	uint32_t branch; /* as a fact's */
};

/* A symbol replaced by a number. */
struct infer_binding {
	struct sv name; /* borrowed */
	int64_t size;
};

/* All-zero is the default. */
struct infer_options {
	const struct infer_binding *bindings; /* borrowed */
	size_t binding_count;
	bool fresh;     /* every input axis without a number is a symbol of its own */
	uint32_t freed; /* so is this input's axis, number or not */
	uint32_t freed_axis;
	bool largest; /* the largest element of each integer input is a symbol: infer_largest */
};

struct infer {
	const struct model *model; /* borrowed */
	struct sym_pool pool;
	struct arena arena;
	struct op_index ops;
	struct info *infos;   /* owned; by value */
	uint8_t *sources;     /* owned; enum source, by value */
	uint32_t *roots;      /* owned; by value: the error it follows from, a finding plus 1 */
	uint32_t root;        /* of the node being inferred */
	struct map declared;  /* names that are the whole dim_param of a main input's dim */
	struct map functions; /* domain, name, overload -> function + 1 */
	struct map version_places; /* graph << 32 | domain -> index in versions, plus 1 */
	VEC(int64_t) versions;
	struct map told; /* findings already reported */
	struct map unsupported;
	struct map bounds; /* conditions already reported */
	VEC(struct finding) findings;
	VEC(struct fact) facts;
	VEC(struct identity) identities;
	struct condition_list *conditions; /* owned; see condition.h */
	struct map outer_branches; /* branch of an undecided If -> the one that contains the If */
	struct map named;          /* symbols that a name of the file has declared in this pass */
	struct map chosen;         /* symbols whose sizes the caller chooses: those of inputs */
	VEC(struct assumption) assumptions;
	struct infer_options options;
	size_t value_count; /* of the model when it was inferred */
	struct call_cache cache;
	struct agreed *agreed; /* owned; by value; NULL until a function is called */
	uint32_t instances;    /* calls of functions so far */
	struct call *call;     /* the function being inferred */
	uint32_t graph;        /* being inferred */
	uint32_t node;
	bool on_claim;   /* the node has an input whose shape rests on a claim */
	uint32_t branch; /* of an undecided If, the innermost being inferred; 0 for none */
	unsigned depth;
	size_t inner_nodes;      /* inferred in bodies and functions so far */
	uint64_t steps_left;     /* for judging needs: see work.c */
	uint32_t refused;        /* the first node that was too much work */
	bool dropped;            /* some needs were not judged */
	struct hearing *hearing; /* borrowed; receives the needs of a rule that is rerun */
};

void infer_run(struct infer *in, const struct model *m, struct infer_options options);

struct changed_values {
	uint32_t *at; /* owned */
	size_t len;
	size_t cap;
};

/*
 * Reruns inference after an edit; `out` lists the values whose type or shape changed.  A
 * pass takes a quarter of a microsecond per node, so only the expressions are kept, and
 * the results are those of a first run.
 */
void infer_update(struct infer *in, struct changed_values *out);

/* About how much work a pass is, in steps of some thirty instructions. */
uint64_t infer_work(const struct infer *in);
void infer_release(struct infer *in);

/*
 * With `largest`: the greatest value that an element of this input may have, by what the nodes
 * require of their indices.  False when they require nothing.
 */
bool infer_largest(struct infer *in, uint32_t value, int64_t *out);

/* The names that expressions may use: whole dim_params of main inputs' dims. */
void infer_declared_names(const struct model *m, struct map *out);
/* "no such symbol 'x'", and the nearest, or those that there are; false, as err_set. */
bool infer_no_symbol(const struct model *m, struct sv name, struct err *err);

const char *source_name(enum source source);

#endif
