/*
 * The propagation: what is known of every value of a model, and what is wrong with it.
 *
 * Results stand beside the model and never change it.  Inputs of the main graph and
 * constants are facts; what else the file says about shapes (value_info, outputs, formal
 * inputs of bodies and functions) is a claim: it fills what inference cannot know, and is
 * compared with what it does.
 *
 * Functions are inferred for each call; the result of a value inside is what all calls agree
 * on, dims that differ from call to call are unknown.
 */
#ifndef INFER_INFER_H
#define INFER_INFER_H

#include "infer/cache.h"
#include "infer/finding.h"
#include "ops/ops.h"
#include "sym/float.h"
#include "sym/eval.h"

/* Where a value's shape comes from. */
enum source {
	SOURCE_NONE,
	SOURCE_INPUT,
	SOURCE_INITIALIZER,
	SOURCE_INFERRED,
	SOURCE_CLAIM,
	SOURCE_COUNT
};

/* What some node needs of its inputs' sizes and that is not known to hold. */
struct fact {
	enum fact_kind kind;
	struct sym a;
	struct sym b;
	uint32_t graph;
	uint32_t node;
	bool of_state;   /* about an initial state, which exports bake in, unlike weights */
	const char *why; /* in the arena */
};

/* A condition (1 or 0) that some node's result rests on. */
struct assumption {
	struct sym condition;
	uint32_t node;
};

/* A symbol that is a number from the start. */
struct infer_binding {
	struct sv name; /* borrowed */
	int64_t size;
};

/* How to run; all-zero is the ordinary way. */
struct infer_options {
	const struct infer_binding *bindings; /* borrowed */
	size_t binding_count;
	bool fresh;     /* every input axis without a number is a symbol of its own */
	uint32_t freed; /* and so is this input's axis, number or not */
	uint32_t freed_axis;
};

struct infer {
	const struct model *model; /* borrowed */
	struct sym_pool pool;
	struct arena arena;
	struct op_index ops;
	struct info *infos;        /* owned; by value */
	uint8_t *sources;          /* owned; enum source, by value */
	uint32_t *roots;           /* owned; by value: the error it comes from, a finding plus 1 */
	uint32_t root;             /* of the node being inferred */
	struct map declared;       /* names that are the whole dim_param of a main input's dim */
	struct map functions;      /* domain, name, overload -> function + 1 */
	struct map version_places; /* graph << 32 | domain -> place in versions, plus 1 */
	VEC(int64_t)
	versions;
	struct map told; /* findings already made */
	struct map unsupported;
	struct map bounds; /* conditions already told */
	VEC(struct finding)
	findings;
	VEC(struct fact)
	facts;
	VEC(struct assumption)
	assumptions;
	struct infer_options options;
	size_t value_count; /* of the model when it was inferred */
	struct call_cache cache;
	struct agreed *agreed; /* owned; by value; NULL while no function was called */
	uint32_t instances;    /* calls of functions so far */
	struct call *call;     /* the function being inferred */
	uint32_t graph;        /* being inferred */
	uint32_t node;
	unsigned depth;
	struct hearing *hearing; /* borrowed; who wants the needs of a rule that is run again */
};

void infer_run(struct infer *in, const struct model *m, struct infer_options options);

struct changed_values {
	uint32_t *at; /* owned */
	size_t len;
	size_t cap;
};

/*
 * The model was edited: everything anew, and which values have another type or shape now.
 * A pass takes a quarter of a microsecond a node, so nothing is kept but the expressions;
 * results are those of a first run because they are one.
 */
void infer_update(struct infer *in, struct changed_values *out);
void infer_release(struct infer *in);

/* The names that are the whole dim_param of a main input's dim: what expressions may use. */
void infer_declared_names(const struct model *m, struct map *out);

const char *source_name(enum source source);

#endif
