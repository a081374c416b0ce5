/*
 * A constant tensor with an old size in its own shape: an initial state, a token that was
 * copied for each row of the batch, a mask, a table of positions.
 *
 * An initial state of zeros is dropped: zeros are the default.  Rows that are equal or
 * repeat are cut to one period and repeated at run time.  A table whose rows differ can
 * only be cut to the size, so a bound remains.
 */
#include "edit/repair/weight.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/err.h"
#include "edit/repair/emit.h"
#include "edit/repair/old_sizes.h"
#include "ir/element.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ops/property.h"
#include "sym/eval.h"
#include "sym/sym.h"

enum {
	LARGEST_WEIGHT = 1 << 26 /* elements that are compared */
};

struct weight {
	struct edit_site *site; /* borrowed */
	uint32_t value;
	uint32_t tensor;
	uint64_t outer; /* product of the dims before the axis */
	uint64_t size;  /* of the axis */
	uint64_t inner; /* elements of one row */
};

static bool weight_site_measure(struct weight *w)
{
	const struct model *m = &w->site->document->wire.model;
	const struct tensor *t = &m->tensors.at[w->tensor];
	uint64_t all;

	if (!w->tensor || t->rank_lost || w->site->site->axis >= t->rank ||
	    !tensor_elements(t, &all) || all == 0 || all > LARGEST_WEIGHT)
		return false;
	w->outer = w->inner = 1;
	for (uint32_t i = 0; i < t->rank; i++) {
		uint64_t *part = i < w->site->site->axis ? &w->outer : &w->inner;

		if (i == w->site->site->axis)
			w->size = (uint64_t)t->dims[i];
		else
			*part *= (uint64_t)t->dims[i];
	}
	return true;
}

/* Bit patterns: equal elements must be interchangeable. */
static uint64_t bits_of(const struct scalar *s)
{
	uint64_t bits = 0;

	switch (s->class) {
	case ELEM_CLASS_BOOL:
		return s->truth;
	case ELEM_CLASS_SIGNED:
		return (uint64_t)s->i;
	case ELEM_CLASS_UNSIGNED:
		return s->u;
	case ELEM_CLASS_FLOAT:
		memcpy(&bits, &s->f, sizeof(bits));
		return bits;
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_COMPLEX:
	case ELEM_CLASS_STRING:
	case ELEM_CLASS_COUNT:
		break;
	}
	return 0;
}

/* All elements as bits; NULL when they cannot be read. */
static uint64_t *read_elements(const struct weight *w)
{
	const struct model *m = &w->site->document->wire.model;
	const struct tensor *t = &m->tensors.at[w->tensor];
	enum elem_class class = elem_info(t->elem)->class;
	uint64_t all = w->outer * w->size * w->inner;
	struct tensor_reader r;
	struct err ignored;
	uint64_t *bits;

	if (class < ELEM_CLASS_BOOL || class > ELEM_CLASS_FLOAT ||
	    !tensor_reader_init(&r, &m->bytes, t, &ignored))
		return NULL;
	bits = must_alloc(all * sizeof(*bits));
	for (uint64_t i = 0; i < all; i++) {
		struct scalar element;
		size_t got = 0;

		if (!tensor_reader_next(&r, &element, 1, &got, &ignored) || got == 0) {
			free(bits);
			bits = NULL;
			break;
		}
		bits[i] = bits_of(&element);
	}
	tensor_reader_release(&r);
	return bits;
}

static bool is_zero(const struct weight *w)
{
	uint64_t *bits = read_elements(w), sum = 0;

	for (uint64_t i = 0; bits && i < w->outer * w->size * w->inner; i++)
		sum |= bits[i];
	free(bits);
	return bits && sum == 0;
}

/* Does each row equal the one `period` rows before? */
static bool weight_site_repeats(const struct weight *w, uint64_t period)
{
	uint64_t *bits = read_elements(w);
	bool same = bits != NULL;

	for (uint64_t o = 0; same && o < w->outer; o++) {
		for (uint64_t i = period; same && i < w->size; i++) {
			const uint64_t *row = bits + (o * w->size + i) * w->inner;

			same = memcmp(row, row - period * w->inner, w->inner * sizeof(*row)) == 0;
		}
	}
	free(bits);
	return same;
}

/* ---- the changes ---- */

static uint32_t weight_site_cut(struct edit_site *s, uint32_t value, uint32_t end)
{
	int64_t zero = 0, axis = s->site->axis;
	uint32_t inputs[4] = {value, 0, end, 0};

	inputs[1] = emit_ints(&s->emitter, &zero, 1);
	inputs[3] = emit_ints(&s->emitter, &axis, 1);
	return emit_node(&s->emitter, "Slice", inputs, 4, NULL, 0);
}

/* Repeats one period to the wanted size. */
static bool weight_site_spread(struct weight *w, uint64_t period)
{
	struct edit_site *s = w->site;
	struct sym_pool *pool = &s->document->infer.pool;
	const struct tensor *t = &s->document->wire.model.tensors.at[w->tensor];
	int64_t rows = (int64_t)period;
	struct sizes list = {.count = t->rank};
	uint32_t inputs[2] = {w->value, 0};
	struct sym times;

	if (emit_version(&s->emitter) < (period == w->size ? 8 : 10) || t->rank > SIZES_MAX ||
	    !sym_divide(pool, s->site->wanted, sym_int(pool, rows), &times))
		return false;
	for (uint32_t i = 0; i < t->rank; i++)
		list.at[i] = sym_int(pool, 1);
	list.at[s->site->axis] = times;
	if (period != w->size)
		inputs[0] = weight_site_cut(s, w->value, emit_ints(&s->emitter, &rows, 1));
	inputs[1] = emit_sizes(&s->emitter, list.at, list.count);
	if (!inputs[1])
		return false;
	/* Expand keeps the dims of axes with 1. */
	input_replace(s, s->site->port,
		      emit_node(&s->emitter, period == 1 ? "Expand" : "Tile", inputs, 2, NULL, 0));
	return true;
}

/* Rows of one period.  Integers are usually positions, which do not repeat. */
static uint64_t period_of(const struct weight *w)
{
	const struct old_sizes *old = w->site->old;
	int32_t elem = w->site->document->wire.model.tensors.at[w->tensor].elem;
	bool values = elem_info(elem)->class == ELEM_CLASS_FLOAT || elem == ELEM_BOOL;

	for (uint32_t i = 0; i < old->count; i++) {
		if (sym_mentions(&w->site->document->infer.pool, w->site->site->wanted,
				 old->symbols[i]) &&
		    old->sizes[i] > 0 && w->size % (uint64_t)old->sizes[i] == 0 &&
		    (values || w->size == (uint64_t)old->sizes[i]))
			return w->size / (uint64_t)old->sizes[i];
	}
	return 0;
}

static bool cut_to_size(struct weight *w)
{
	struct edit_site *s = w->site;
	uint32_t end;

	if (!s->site->may_cut || emit_version(&s->emitter) < 10)
		return false;
	end = emit_size(&s->emitter, s->site->wanted, false);
	if (end)
		input_replace(s, s->site->port, weight_site_cut(s, w->value, end));
	return end != 0;
}

static bool is_state(const struct edit_site *s)
{
	const struct model *m = &s->document->wire.model;

	return op_recurs(m, &m->nodes.at[s->site->node]) && s->site->port >= OP_RECURRENT_STATES;
}

bool change_weight(struct edit_site *s, unsigned variant)
{
	const struct model *m = &s->document->wire.model;
	struct weight w = {.site = s, .value = m->nodes.at[s->site->node].inputs[s->site->port]};
	uint64_t period;

	w.tensor = value_constant(m, w.value);
	s->none = variant > 2 || sym_is_unknown(s->site->wanted) || !weight_site_measure(&w);
	if (s->none)
		return false;
	switch (variant) {
	case 0:
		if (!is_state(s) || !is_zero(&w))
			return false;
		input_replace(s, s->site->port, 0);
		return true;
	case 1:
		period = period_of(&w);
		return period && (period == w.size || weight_site_repeats(&w, period)) &&
		       weight_site_spread(&w, period);
	default:
		return cut_to_size(&w);
	}
}
