/*
 * Frees axes of a model: follows them through the graph in element order, and plans the changes
 * that let every size through.
 *
 * A repair found this way is proved: item by item when no operator ever lets two items of the
 * axis meet, so that each item of a result is the old function of that item; by shape when they
 * meet, but every constant has its place by the order of elements.  Whatever cannot be decided
 * is refused, with the node and the reason.
 */
#ifndef FLOW_FLOW_H
#define FLOW_FLOW_H

#include "base/arena.h"
#include "base/sv.h"
#include "base/vec.h"
#include "flow/fold.h"
#include "flow/visit.h"
#include "infer/infer.h"

/* An input axis to be freed.  Goals of one name are one size. */
struct flow_goal {
	uint32_t input; /* value */
	uint32_t axis;
	struct sv name;
	int64_t old;   /* its size in `in` */
	bool carried;  /* it is free already, and only has to be followed */
	bool stand_in; /* `old` is made up: the file tells none, and takes every size */
};

/* Two ways that both succeed and differ. */
struct ambiguity {
	uint32_t node;
	const char *what; /* in the arena of the flow */
	bool assumed; /* decided by a convention: each output keeps the axis where inputs have it */
};

struct flow {
	struct infer *in; /* borrowed; the model at its old sizes */
	struct folder folder;
	struct pass pass;   /* the one that succeeded, or the one that was refused first */
	struct seed *seeds; /* owned */
	size_t seed_count;
	struct arena arena;
	bool ok;
	struct refusal refusal;
	struct demand_end wanted; /* of a refusal: what would have to be freed too */
	VEC(struct ambiguity) ambiguities;
	size_t passes;
};

/* Called before each pass, with their number so far; false stops the search. */
typedef bool flow_progress(void *context, size_t passes);

/* `in` must be the model at its old sizes: every size a number.  False when it is refused. */
bool flow_solve(struct flow *f, struct infer *in, const struct flow_goal *goals, size_t count,
		flow_progress *progress, void *context);
void flow_release(struct flow *f);

#endif
