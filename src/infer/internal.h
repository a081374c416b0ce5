/*
 * What the files of this room share.
 */
#ifndef INFER_INTERNAL_H
#define INFER_INTERNAL_H

#include "base/arena.h"
#include "base/str.h"
#include "infer/infer.h"

/* A function call being inferred. */
struct call {
	struct call *caller;             /* borrowed */
	const struct node *node;         /* borrowed: the calling node */
	const struct function *function; /* borrowed */
	uint32_t instance;
};

enum {
	MAX_CALLS = 40, /* functions and bodies inside each other */
	MAX_CALLS_IN_ALL = 20000
};

/* ---- infer.c ---- */

/* All nodes of a graph, in order; its inputs and initializers are set. */
void infer_nodes(struct infer *in, uint32_t graph);
void infer_initializers(struct infer *in, uint32_t graph);

/* Room for a node's inputs and outputs; most have few. */
struct ports {
	struct info few_in[8], few_out[8];
	bool few_given[8];
	void *many; /* owned */
};

/* Fills in a rule's inputs and empty outputs.  The caller frees ports.many. */
void infer_ports(const struct infer *in, struct ports *p, const struct node *n, struct rule *r);

/* ---- symbols.c ---- */

void infer_declare_symbols(struct infer *in);
/* The info of a declared type. `value` and `is_input` name anonymous dims of main inputs. */
struct info infer_declared(struct infer *in, const struct type *t, uint32_t value, bool is_input);
/* A dim as a file says it; unknown when it says nothing. */
struct sym infer_dim(struct infer *in, const struct dim *d);
bool infer_is_declared(const struct infer *in, uint32_t name);

/* ---- claims.c ---- */

/* Compares a value with what is claimed of it, and fills what is not known. */
void infer_claims(struct infer *in, uint32_t value);
/* An input that is also an initializer: the declaration must agree with the constant. */
void infer_default(struct infer *in, uint32_t value, const struct claim *c);

/* ---- host.c ---- */

/* A copy. */
const char *infer_keep_text(struct arena *a, const char *text);
struct rule_host infer_host(struct infer *in);
/* Runs a function's body for a call; outputs as the node has them. */
void infer_call(struct infer *in, const struct function *f, const struct node *n,
		struct info *inputs, uint32_t in_count, struct info *outputs, uint32_t out_count);

/* ---- bounds.c ---- */

/* Is it that something is at least, or at most, something? */
bool bound_is_one(struct infer *in, struct sym condition);
/* "seq <= 512" */
void bound_print(const struct infer *in, struct sym condition, struct str *out);
/* Does the condition hold for every ordinary size?  Then it tells nobody anything. */
bool bound_is_ordinary(struct infer *in, struct sym condition);
/* Is the bound worth telling?  That a size is at least 1 is not. */
bool bound_tells(struct infer *in, const struct fact *f);

/* ---- equation.c ---- */

/* Do sizes that callers may choose break the need?  Only what is certain: see there. */
bool equation_restricts(struct infer *in, const struct fact *f);
/* "batch*seq = 15" */
void equation_print(const struct infer *in, const struct fact *f, struct str *out);

/* ---- agreement.c ---- */

/* A call of the value's function is done: what it says of the value counts. */
void agreed_add(struct infer *in, uint32_t value);
/* After the walk: what all calls agree on becomes the values' result. */
void agreed_show(struct infer *in);

/* ---- facts.c ---- */

/* Once for each finding, however often the node is run. */
void infer_find(struct infer *in, struct finding f);
/* Does it rest on a size that depends on data? */
bool infer_is_of_data(const struct infer *in, struct sym s);
/* After the walk: what the recorded facts mean for the declared symbols. */
void infer_judge_facts(struct infer *in);

#endif
