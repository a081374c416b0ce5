/*
 * Constants over two axes whose elements depend on the distance of the positions only: masks.
 *
 * The columns may go further than the rows, by what was before: with a cache, row i is position
 * past + i.  Then distances count from there.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/follow.h"
#include "flow/plan.h"
#include "flow/visit.h"
#include "ir/type.h"
#include "sym/sym.h"

enum {
	BAND_LEAST = 3, /* rows that show a band */
	BAND_MOST = 1 << 12
};

struct band {
	struct digits *digits;
	int64_t rows, columns;
	struct sym before; /* columns before the first row's own */
	uint64_t *at;      /* by distance, from 1 - columns on: an element that has it */
	int64_t count;     /* of the distances */
};

static uint64_t band_element(const struct band *b, int64_t row, int64_t column)
{
	const struct digits *d = b->digits;

	return (uint64_t)(row * d->at[d->varying[0]].stride + column * d->at[d->varying[1]].stride);
}

/* One run of one element, and another element on both sides: a window that was just not the whole.
 */
static bool is_window(const struct band *b)
{
	const struct array *a = &b->digits->array;
	unsigned changes = 0;

	for (int64_t k = 1; k < b->count; k++)
		changes += !array_same(a, b->at[k - 1], b->at[k]);
	return changes == 2 && array_same(a, b->at[0], b->at[b->count - 1]);
}

/* Does the element depend on the distance only, and go on at both ends as it ends? */
static bool is_band(const struct band *b)
{
	const struct array *a = &b->digits->array;

	for (int64_t i = 0; i < b->rows; i++) {
		for (int64_t j = 0; j < b->columns; j++) {
			if (i == 0 || j == 0)
				b->at[j - i + b->rows - 1] = band_element(b, i, j);
		}
	}
	for (int64_t i = 0; i < b->rows; i++) {
		for (int64_t j = 0; j < b->columns; j++) {
			if (!array_same(a, band_element(b, i, j), b->at[j - i + b->rows - 1]))
				return false;
		}
	}
	return (array_same(a, b->at[0], b->at[1]) &&
		array_same(a, b->at[b->count - 1], b->at[b->count - 2])) ||
	       is_window(b);
}

/* Do the elements change right after the row's own position, and not again? */
static bool is_causal(const struct band *b)
{
	const struct array *a = &b->digits->array;
	int64_t own = b->columns - 1;

	for (int64_t k = own + 2; k < b->count; k++) {
		if (!array_same(a, b->at[k], b->at[own + 1]))
			return false;
	}
	return !array_same(a, b->at[own], b->at[own + 1]);
}

static bool band_read(struct band *b)
{
	struct digits *d = b->digits;
	struct pass *p = d->visit->pass;
	const struct digit *rows, *columns;

	if (d->varying_count != 2)
		return false;
	rows = &d->at[d->varying[0]];
	columns = &d->at[d->varying[1]];
	b->rows = rows->size;
	b->columns = columns->size;
	b->count = b->rows + b->columns - 1;
	b->before = sym_sub(&p->in->pool, columns->factor.size, rows->factor.size);
	if (b->rows < BAND_LEAST || b->columns < b->rows || b->columns > BAND_MOST ||
	    d->array.count != (uint64_t)(b->rows * b->columns) || visit_version(d->visit) < 12 ||
	    sym_range(&p->in->pool, b->before).lo < 0)
		return false;
	b->at = arena_array(&p->arena, (size_t)b->count, uint64_t);
	return is_band(b) && (!flow_symbols(&p->factory, b->before) || is_causal(b));
}

/* One element for each distance. */
static plan_ref band_table(const struct band *b)
{
	const struct array *a = &b->digits->array;
	struct pass *p = b->digits->visit->pass;
	size_t width = array_width(a->elem);
	unsigned char *bytes = arena_alloc(&p->arena, (size_t)b->count * width);
	int64_t *dims = arena_array(&p->arena, 1, int64_t);

	for (int64_t i = 0; i < b->count; i++) {
		for (size_t k = 0; k < width; k++)
			bytes[(size_t)i * width + k] = a->bytes[b->at[i] * width + k];
	}
	dims[0] = b->count;
	return plan_array(&p->plan, (struct array){.elem = a->elem,
						   .rank = 1,
						   .dims = dims,
						   .count = (uint64_t)b->count,
						   .bytes = bytes});
}

enum series follow_band(struct digits *d)
{
	struct visit *v = d->visit;
	struct plan *p = &v->pass->plan;
	struct band b = {.digits = d};
	int64_t least, most, last;
	plan_ref distance;

	if (!band_read(&b))
		return SERIES_NONE;
	least = 1 - b.columns;
	most = b.rows - 1;
	last = b.columns - 1;
	distance = PLAN_OP(p, "Sub", follow_positions(d, d->varying[1], ELEM_INT64),
			   follow_positions(d, d->varying[0], ELEM_INT64));
	if (!sym_is(b.before, 0))
		distance = PLAN_OP(p, "Sub", distance, plan_size(p, b.before));
	distance = PLAN_OP(p, "Min", PLAN_OP(p, "Max", distance, plan_ints(p, &least, 1)),
			   plan_ints(p, &most, 1));
	distance = PLAN_OP(p, "Add", distance, plan_ints(p, &last, 1));
	d->made = PLAN_OP(p, "Gather", band_table(&b), distance);
	if (flow_symbols(&v->pass->factory, b.before))
		flow_assume(v, "the diagonal %" PRId64 " of input %" PRIu32 " is %s",
			    b.columns - b.rows, d->port, flow_text(v->pass, b.before));
	/* A window that is wider than the old size looks like a triangle. */
	flow_assume(v, "a band of %" PRId64 " goes on as it ends", b.columns);
	plan_note(p, v->id, "input %" PRIu32 " is a band: computed from the distance", d->port);
	return SERIES_MADE;
}
