/*
 * Constants whose shape differs, and large ones of integers.
 *
 * The axes that differ get sizes; an axis that is a product may be seen as several.  Then the
 * first rule counts that holds for every element in every export: equal along the axis, an
 * arithmetic progression, a band around the diagonal, or a part of the largest export's table,
 * which is a bound.
 */
#include "edit/fit/table.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/sv.h"
#include "edit/fit/internal.h"
#include "flow/array.h"
#include "flow/plan.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"

enum {
	MAX_ELEMENTS = 4 << 20, /* of all exports together */
	MAX_SPLITS = 3          /* factors of one axis */
};

/* ---- axes ---- */

static void table_set_strides(struct fit_table *t)
{
	for (uint32_t i = 0; i < t->f->count; i++)
		array_strides(t->dims[i], t->rank, t->strides[i]);
	for (uint32_t k = 0; k < t->rank; k++) {
		t->varies[k] = false;
		t->uniform[k] = false;
		for (uint32_t i = 1; i < t->f->count; i++)
			t->varies[k] |= t->dims[i][k] != t->dims[0][k];
	}
}

static bool is_uniform(const struct fit_table *t, uint32_t axis)
{
	for (uint32_t i = 0; i < t->f->count; i++) {
		int64_t index[FIT_MAX_RANK] = {0};

		do {
			uint64_t at = table_at(t, i, index);
			uint64_t first = at - (uint64_t)(index[axis] * t->strides[i][axis]);

			if (!array_same(t->arrays[i], at, first))
				return false;
		} while (table_next(t, i, index));
	}
	return true;
}

static void find_uniform(struct fit_table *t)
{
	for (uint32_t k = 0; k < t->rank; k++)
		t->uniform[k] = t->varies[k] && is_uniform(t, k);
}

/* ---- equal along the axes ---- */

static bool sides_equal(const struct fit_table *t)
{
	int64_t index[FIT_MAX_RANK] = {0};

	do {
		uint64_t at = table_at(t, 0, index);

		for (uint32_t i = 1; i < t->f->count; i++) {
			if (!same_element(t->arrays[0], at, t->arrays[i], table_at(t, i, index)))
				return false;
		}
	} while (table_next(t, 0, index));
	return true;
}

static plan_ref solve_uniform(struct fit_table *t)
{
	uint32_t left[FIT_MAX_RANK];

	if (axes_left(t, left) || !sides_equal(t))
		return 0;
	return table_expand(t, plan_array(&t->f->plan, table_cut(t, 0, NULL)));
}

/* ---- one constant ---- */

static plan_ref table_rules(struct fit_table *t, bool all_axes)
{
	plan_ref ref;

	table_set_strides(t);
	find_uniform(t);
	ref = solve_uniform(t);
	ref = ref ? ref : solve_progression(t, false);
	if (!ref && all_axes)
		ref = solve_progression(t, true);
	ref = ref ? ref : solve_multiples(t);
	ref = ref ? ref : solve_band(t, false);
	return ref ? ref : solve_band(t, true);
}

/* The factors of a size: a number, and atoms. */
static uint32_t size_factors(const struct fit_table *t, struct sym s, struct sym *out)
{
	struct sym_pool *pool = table_pool(t);
	uint32_t count = 0;

	if (sym_kind(pool, s) == SYM_KIND_SUM) {
		struct sym_part part = sym_part(pool, s, 0);

		if (sym_part_count(pool, s) != 1)
			return 0;
		out[count++] = sym_int(pool, part.number);
		s = part.s;
	}
	if (sym_kind(pool, s) != SYM_KIND_PRODUCT) {
		out[count++] = s;
		return count;
	}
	for (size_t i = 0; i < sym_part_count(pool, s); i++) {
		struct sym_part part = sym_part(pool, s, i);

		for (int64_t n = 0; n < part.number; n++) {
			if (count == MAX_SPLITS)
				return 0;
			out[count++] = part.s;
		}
	}
	return count;
}

/* Replaces an axis by factors of it. */
static bool split_axis(const struct fit_table *from, uint32_t axis, const struct sym *factors,
		       uint32_t count, struct fit_table *to)
{
	*to = *from;
	to->rank = from->rank + count - 1;
	if (to->rank > FIT_MAX_RANK)
		return false;
	for (uint32_t k = axis + 1; k < from->rank; k++)
		to->sizes[k + count - 1] = from->sizes[k];
	for (uint32_t n = 0; n < count; n++)
		to->sizes[axis + n] = factors[n];
	for (uint32_t i = 0; i < from->f->count; i++) {
		for (uint32_t k = axis + 1; k < from->rank; k++)
			to->dims[i][k + count - 1] = from->dims[i][k];
		for (uint32_t n = 0; n < count; n++) {
			if (sym_eval(table_pool(from), &from->f->envs[i], factors[n],
				     &to->dims[i][axis + n]) != SYM_OK)
				return false;
		}
	}
	return true;
}

static plan_ref solve_split(struct fit_table *t, uint32_t axis)
{
	static const uint8_t orders[][MAX_SPLITS] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
						     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
	struct sym factors[MAX_SPLITS + 1];
	uint32_t count = size_factors(t, t->sizes[axis], factors);
	plan_ref ref = 0;

	if (count < 2 || count > MAX_SPLITS)
		return 0;
	for (size_t i = 0; !ref && i < (count == 2 ? 2 : ARRAY_LEN(orders)); i++) {
		struct sym order[MAX_SPLITS];
		struct fit_table split;

		for (uint32_t n = 0; n < count; n++)
			order[n] = factors[orders[i][n]];
		if (split_axis(t, axis, order, count, &split))
			ref = table_rules(&split, false);
	}
	if (ref) {
		plan_ref sizes = plan_sizes(&t->f->plan, t->sizes, t->rank);

		ref = sizes ? PLAN_OP(&t->f->plan, "Reshape", ref, sizes) : 0;
	}
	return ref;
}

static bool table_open(struct fit_table *t)
{
	uint64_t total = 0;

	t->rank = t->arrays[0]->rank;
	for (uint32_t i = 0; i < t->f->count; i++) {
		if (t->arrays[i]->rank != t->rank || t->arrays[i]->elem != t->arrays[0]->elem)
			return fit_refuse(t->f, t->use->node,
					  "a constant has another rank or type in export %" PRIu32,
					  i + 1);
		total += t->arrays[i]->count;
		if (t->arrays[i]->count == 0)
			return fit_refuse(t->f, t->use->node, "a constant is empty");
	}
	if (t->rank > FIT_MAX_RANK || total > MAX_ELEMENTS || !fit_work(t->f, 8 * total))
		return fit_refuse(t->f, t->use->node, "a constant that differs is too large");
	for (uint32_t k = 0; k < t->rank; k++) {
		struct fit_vector n;

		for (uint32_t i = 0; i < t->f->count; i++)
			n.at[i] = t->dims[i][k] = t->arrays[i]->dims[k];
		if (fit_vector_constant(t->f, &n))
			t->sizes[k] = sym_int(table_pool(t), n.at[0]);
		else if (!fit_explain_one(t->f, t->use->node, &n, t->near, t->near_count,
					  &t->sizes[k]))
			return false;
	}
	return true;
}

bool fit_solve_table(struct fitting *f, const struct fit_use *use, const struct sym *near,
		     uint32_t near_count, const struct array *const *arrays, struct info *out,
		     plan_ref *out_ref)
{
	struct fit_table t = {
		.f = f, .use = use, .near = near, .near_count = near_count, .arrays = arrays};
	const struct model *m = f->sides[0].m;
	struct sv name = model_cut_name(m, m->values.at[use->values[0]].name);
	struct sym *dims;
	plan_ref ref;

	if (!table_open(&t))
		return false;
	ref = table_rules(&t, true);
	for (uint32_t k = 0; !ref && k < t.rank; k++) {
		if (t.varies[k])
			ref = solve_split(&t, k);
	}
	ref = ref ? ref : solve_part(&t);
	if (!ref)
		return fit_refuse(
			f, use->node,
			"%.*s was computed when the model was exported, and follows no rule",
			(int)name.len, name.at);
	dims = arena_array(&f->arena, t.rank + 1, struct sym);
	memcpy(dims, t.sizes, t.rank * sizeof(*dims));
	*out = (struct info){.kind = TYPE_TENSOR,
			     .elem = arrays[0]->elem,
			     .ranked = true,
			     .rank = t.rank,
			     .dims = dims};
	*out_ref = ref;
	return true;
}
