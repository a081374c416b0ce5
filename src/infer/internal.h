/*
 * Shared by the files of this room.
 */
#ifndef INFER_INTERNAL_H
#define INFER_INTERNAL_H

#include "base/arena.h"
#include "base/str.h"
#include "base/sv.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "sym/sym.h"

enum {
	MAX_NESTED = 40 /* functions and bodies */
};

/* A function call being inferred. */
struct call {
	struct call *caller;             /* borrowed */
	const struct node *node;         /* borrowed: the calling node */
	const struct function *function; /* borrowed */
	uint32_t instance;
};

/* ---- infer.c ---- */

/* Infers the nodes of a graph in order; its inputs and initializers must be set. */
void infer_nodes(struct infer *in, uint32_t graph);
void infer_initializers(struct infer *in, uint32_t graph);

/* Storage for a node's inputs and outputs; most have few. */
struct ports {
	struct info few_in[8], few_out[8];
	bool few_given[8];
	void *many; /* owned */
};

/* Fills in a rule's inputs and empty outputs.  The caller frees ports.many. */
void infer_ports(const struct infer *in, struct ports *p, const struct node *n, struct rule *r);

/* ---- constants.c ---- */

/* Checks an initializer without reading its data: an element type, and enough bytes. */
void infer_check_constant(struct infer *in, uint32_t graph, uint32_t value, const struct tensor *t);

/* The same for external data of tensors that are attributes, as of Constant. */
void infer_check_attributes(struct infer *in);

/* ---- symbols.c ---- */

/* The info of a declared type. `value` and `is_input` name anonymous dims of main inputs. */
struct info infer_declared(struct infer *in, const struct type *t, uint32_t value, bool is_input);
/* A dim as the file has it; unknown when it has none. */
struct sym infer_dim(struct infer *in, const struct dim *d);
bool infer_is_declared(const struct infer *in, uint32_t name);
/* Is the dim_param an expression of declared names? */
bool infer_parse_dim(struct infer *in, uint32_t name, struct sym *out);
/*
 * Takes the name away from a symbol that has it from before the last edit; false when one of
 * this pass has it.
 */
bool infer_free_name(struct infer *in, struct sv name);
/* Which symbols the inputs have: see infer_is_chosen. */
void infer_note_chosen(struct infer *in);
/* Does the caller choose its size?  Not if it depends on data, or only a claim has it. */
bool infer_is_chosen(const struct infer *in, uint32_t symbol);
/* Gives the sizes of bindings to data-dependent symbols that have a name. */
void infer_bind_generated(struct infer *in);

/* ---- largest.c ---- */

/* Makes the largest element of an integer input a symbol. */
void infer_mark_largest(struct infer *in, uint32_t value);

/* ---- claims.c ---- */

/* Compares a value with its claim, and fills in what is unknown. */
void infer_claims(struct infer *in, uint32_t value);
/* An input that is also an initializer: the declaration must agree with the constant. */
void infer_default(struct infer *in, uint32_t value, const struct claim *c);

/* ---- host.c ---- */

/* A copy in the arena. */
const char *infer_keep_text(struct arena *a, const char *text);
struct rule_host infer_host(struct infer *in);
/* Runs a function's body for a call; `out` has the node's outputs. */
void infer_call(struct infer *in, const struct function *f, const struct node *n,
		struct info *inputs, uint32_t in_count, struct info *outputs, uint32_t out_count);

/* ---- bounds.c ---- */

/* The side compared with 0; *out_below when it must be negative.  Unknown: it is no bound. */
struct sym bounds_compared(struct infer *in, struct sym condition, bool *out_below);
/* Is the condition a bound: one size at least, or at most, another? */
bool bound_is_one(struct infer *in, struct sym condition);
/* "seq <= 512" */
void bound_print(const struct infer *in, struct sym condition, struct str *out);
/* Does the condition hold for every ordinary size?  Then it is not worth reporting. */
bool bound_is_ordinary(struct infer *in, struct sym condition);
/* Is a bound on several sizes worth a line?  Not "at least 1", if ordinary sizes meet it. */
bool bound_tells(struct infer *in, const struct fact *f);

/* ---- equation.c ---- */

/* Do the two differ at ordinary sizes, with no size in `a` that is not in `b`? */
bool equation_differs(struct infer *in, struct sym a, struct sym b);
/* Are the two equal, as far as one can see?  False when no sizes can be tried. */
bool equation_holds(struct infer *in, struct sym a, struct sym b);

/* Can sizes that callers choose break the need?  True only when certain: see equation.c. */
bool equation_restricts(struct infer *in, const struct fact *f);
struct trial;

/* What an equation says about one symbol in it. */
enum equation_effect {
	EQUATION_HOLDS,    /* nothing, as far as one can see */
	EQUATION_BOUNDS,   /* it holds at ordinary sizes, and not at some others */
	EQUATION_RESTRICTS /* it fails at ordinary sizes */
};

/* Each but EQUATION_HOLDS only when certain.  `within`: which sizes are possible. */
enum equation_effect equation_effect(struct infer *in, struct sym difference, uint32_t symbol,
				     const struct trial *within);

/* ---- work.c ---- */

void work_begin(struct infer *in);
/* Counts a run of a body or function.  False when it is too much for the model's size. */
bool work_may_run(struct infer *in, uint32_t graph);
/* After a node: says once if its sizes could not be worked out. */
void work_note_node(struct infer *in);
/* Counts steps of judging.  False when none is left. */
bool work_take(struct infer *in, uint64_t steps);
/* Steps: to judge a need, of a pass that is done, and for all axes together. */
uint64_t work_of_need(const struct infer *in, const struct fact *f);
uint64_t work_of_axes(const struct model *m);
/* Says once that this need and others are not judged. */
void work_drop_needs(struct infer *in, const struct fact *f, size_t count);
/* If something was refused: what earlier runs found in bodies may not hold for it. */
void work_forget_bodies(struct infer *in);

/* ---- branches.c ---- */

/* Needs that both branches of an If have become the model's. */
void branches_join(struct infer *in);

/* ---- condition.c ---- */

/* A hash of what the need says, and whether two really say the same. */
uint64_t fact_key(const struct fact *f);
bool fact_says_same(const struct fact *a, const struct fact *b);
void conditions_release(struct infer *in);

/* ---- agreement.c ---- */

/* Adds the result of one finished call of the value's function. */
void agreed_add(struct infer *in, uint32_t value);
/* After the walk: the values get what all calls agree on. */
void agreed_show(struct infer *in);

/* ---- facts.c ---- */

/* Adds a finding once, however often the node runs. */
void infer_find(struct infer *in, struct finding f);
/* Does it depend on a data-dependent size? */
bool infer_is_of_data(const struct infer *in, struct sym s);
/* After the walk: findings from the recorded facts about declared symbols. */
void infer_judge_facts(struct infer *in);

#endif
