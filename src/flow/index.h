/*
 * Index tensors, taken apart: which positions of an axis they pick, digit by digit.
 *
 * An index into an axis of several factors is a number in their mixed radix.  A digit that runs
 * through a freed factor along one axis of the index makes that axis follow, and the index is
 * computed anew for any size.  A freed size that was 1 has one position only: every index meant
 * the item itself, which is added along the axis of the index that is the item.
 */
#ifndef FLOW_INDEX_H
#define FLOW_INDEX_H

#include "flow/axis.h"
#include "flow/plan.h"
#include "flow/visit.h"
#include "sym/sym.h"

enum {
	INDEX_MAX_FACTORS = 16
};

enum digit_kind {
	DIGIT_FIXED,    /* the same at every size */
	DIGIT_RUNS,     /* 0, 1, 2, … along .axis */
	DIGIT_REVERSED, /* …, 2, 1, 0 along .axis */
	DIGIT_OWN       /* the item of .axis: the factor was 1 */
};

struct index_digit {
	enum digit_kind kind;
	uint32_t axis;         /* of the index */
	const int64_t *values; /* fixed: one per element of the index */
};

/* The positions along one axis of the data, one per element of the index. */
struct index_column {
	struct flow_axis axis; /* of the data */
	const int64_t *values; /* at the old sizes, from 0 */
	struct index_digit digits[INDEX_MAX_FACTORS];
};

/* The shape that columns share. */
struct index_shape {
	struct visit *visit;
	uint32_t rank;
	const int64_t *dims; /* at the old sizes */
	uint64_t count;
	struct flow_axis *axes; /* what follows is known when all columns have been read */
	uint64_t taken;         /* axes along which a digit runs, as bits */
};

void index_shape_init(struct index_shape *s, struct visit *v, uint32_t rank, const int64_t *dims);
/* Reads the digits of a column; false when it is refused. */
bool index_read(struct index_shape *s, struct index_column *c);
/* The column for any size, as int64 of the whole shape; 0 when it cannot be computed. */
plan_ref index_write(struct index_shape *s, const struct index_column *c);
struct sym *index_sizes(const struct index_shape *s);

/* Is it a freed size that was 1, of an input's own axis? */
bool index_is_item(const struct pass *p, const struct factor *f);
/*
 * The axis among `count` ones that is the item: the one that has it, else one of size 1.  False
 * when it is refused.
 */
bool index_item_axis(struct visit *v, const struct factor *item, const struct flow_axis *axes,
		     uint32_t count, uint32_t *out);
/* 0, 1, 2, … of the factor's size, along an axis of `rank`. */
plan_ref index_range(struct visit *v, struct sym size, uint32_t axis, uint32_t rank);

/* Elements of an index at the old sizes, from 0 for an axis of this size.  NULL when unknown. */
const int64_t *index_values(struct visit *v, uint32_t port, int64_t size);
/*
 * Positions of freed sizes (`numbered`) index an axis: fine when it is theirs; else up to the
 * last row.
 */
bool index_check_numbered(struct visit *v, uint32_t port, uint64_t numbered, struct flow_axis axis,
			  bool constant);

/* ---- refusals of several rules ---- */

/* The last position: it may have meant the end, whatever the size. */
bool index_refuse_last(struct visit *v, int64_t index, struct flow_axis a);
/* Indices that are data point into an axis of several factors. */
bool index_refuse_unknown(struct visit *v, struct flow_axis a);
bool index_refuse_constant(struct visit *v, struct flow_axis a);
/* It scatters into a constant that is as long as a freed size was. */
bool index_refuse_target(struct visit *v, uint32_t bit);

#endif
