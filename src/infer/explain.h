/*
 * Why a dimension is what it is: the steps from a size back to inputs and constants.
 *
 * Steps stand in the order of a tree: each is followed by the steps it depends on, one
 * deeper.  Nodes that only pass a size on are skipped and counted.  A place is explained
 * once; later it only refers back.  The work is bounded, and `cut` says so when it was not
 * enough.
 */
#ifndef INFER_EXPLAIN_H
#define INFER_EXPLAIN_H

#include "base/map.h"
#include "base/vec.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/why.h"

enum {
	EXPLAIN_SOURCES = 8,       /* of one step */
	EXPLAIN_MAX_STEPS = 200,   /* of one answer */
	EXPLAIN_MAX_ELEMENTS = 16, /* of one tensor */
	EXPLAIN_WORK = 1 << 18     /* see why_cost; enough for all findings of a real model */
};

enum step_origin {
	STEP_UNKNOWN,
	STEP_INPUT,
	STEP_CONSTANT,
	STEP_NODE,
	STEP_ORIGIN_COUNT
};

struct step {
	struct why what;
	uint32_t depth;
	uint32_t passed; /* nodes that pass it on unchanged to the step above */
	uint32_t more;   /* sources that are left out */
	bool again;      /* explained above, so not here */
	bool is_claim;   /* the file claims it, and nothing else tells it */
	enum step_origin origin;
};

/* All-zero has no steps and no budget. */
struct explanation {
	VEC(struct step) steps;
	struct map seen;
	size_t max;  /* steps */
	size_t work; /* left */
	bool cut;    /* steps or sources are missing */
};

/* Empty, with the whole budget. */
void explanation_init(struct explanation *e);
void explanation_release(struct explanation *e);
void explain_place(struct infer *in, struct why what, struct explanation *e);
/* Every axis, then the known elements: for shape arithmetic they matter more. */
void explain_value(struct infer *in, uint32_t value, struct explanation *e);
/* What the finding is about: its axis, or both sides of its condition. */
void explain_finding(struct infer *in, const struct finding *f, struct explanation *e);

/*
 * One step back: the sources at the place's own node, in the order of its inputs, dims
 * before elements.  *same is the source whose size is only passed on, or NULL.
 */
size_t explain_sources(struct infer *in, struct why what, struct why out[WHY_MAX],
		       const struct why **same);

#endif
