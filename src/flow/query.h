/*
 * Where the axes of tensors come from: for every axis of every tensor, which of its digits are
 * which input axis.
 *
 * Made once for a model, in one pass.  Names of the model get sizes that coincide with nothing, or
 * those of the export; axes that the model has as numbers are followed too, each on its own.  What
 * cannot be followed is unknown, never wrong.
 *
 * An axis of size 1 is told where its place is certain: where it is joined with another, it leaves
 * no trace in the shapes.  At most 63 sizes are followed: names first, then numbers, then ones.
 */
#ifndef FLOW_QUERY_H
#define FLOW_QUERY_H

#include "base/vec.h"
#include "flow/fold.h"
#include "flow/visit.h"
#include "infer/infer.h"
#include "sym/sym.h"

enum flow_how {
	FLOW_NUMBER,   /* a number: no input axis */
	FLOW_WHOLE,    /* an input axis, position by position */
	FLOW_PART,     /* a digit of one: it was cut */
	FLOW_COMPUTED, /* made of some: a slice, windows, several put together */
	FLOW_LOST,     /* not known */
	FLOW_HOW_COUNT
};

/* A digit of an axis. */
struct flow_digit {
	enum flow_how how;
	int64_t number;  /* its size, where that is a number in the model; else 0 */
	struct sym size; /* in the pool of the query */
	uint64_t from;   /* the followed sizes, as bits; 0 for a number, and when it is not known */
};

/* An axis of an input, and the size that it has. */
struct flow_source {
	uint32_t input; /* value */
	uint32_t axis;
	uint32_t bit;
	bool named; /* a name of the model; else the model has a number */
};

struct flow_query {
	struct infer bound; /* the model at sizes that are numbers */
	struct folder folder;
	struct pass pass;
	struct seed *seeds; /* owned */
	VEC(struct flow_source) sources;
};

enum {
	FLOW_MAX_DIGITS = 64
};

void flow_query_init(struct flow_query *q, struct infer *in);
void flow_query_release(struct flow_query *q);
/*
 * The digits of an axis, the most significant first, in an array of FLOW_MAX_DIGITS; the count is
 * 0 for an axis of size 1 that is no input axis.  False when nothing is known about the tensor.
 */
bool flow_query_axis(struct flow_query *q, uint32_t value, uint32_t axis, struct flow_digit *out,
		     uint32_t *out_count);
/*
 * The node that made the digits from these sizes; 0 at an input.  *out_value and *out_axis become
 * the axis of its input that has them, if there is one; else *out_value becomes 0.
 */
uint32_t flow_query_back(struct flow_query *q, uint64_t from, uint32_t *value, uint32_t *axis);
/* Why the axis is not known: the reason, and the node in *out_node; NULL for none. */
const char *flow_query_why(struct flow_query *q, uint32_t value, uint32_t *out_node);

#endif
