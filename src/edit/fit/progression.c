/*
 * Tables of numbers that grow by steps: positions, flat indices, grids of them, and their
 * products with a row of factors.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "edit/fit/internal.h"
#include "edit/fit/table.h"
#include "flow/array.h"
#include "flow/number.h"
#include "flow/plan.h"
#include "ir/type.h"
#include "sym/sym.h"

enum {
	MAX_CELLS = 4096,  /* elements besides the axes of the progression */
	MAX_EXPLAINED = 16 /* first elements that are explained one by one */
};

static bool whole_number(const struct array *a, uint64_t i, int64_t *out)
{
	double x;

	if (elem_info(a->elem)->class != ELEM_CLASS_FLOAT)
		return elem_info(a->elem)->class != ELEM_CLASS_BOOL && array_int(a, i, out);
	x = array_real(a, i);
	if (!(fabs(x) < (1 << 24)) || x != floor(x) || (x == 0 && signbit(x)))
		return false;
	*out = (int64_t)x;
	return true;
}

/*
 * A cell is an index of all axes that are not in the progression.  An element is the start of its
 * cell plus, for each axis of the progression, the index times the cell's step.
 */
struct progression {
	uint32_t axes[FIT_MAX_RANK];
	uint32_t count;
	bool first[FIT_MAX_RANK]; /* the axes, as flags */
	uint64_t cells;
	int64_t *start[FIT_MAX_EXPORTS];
	int64_t *step[FIT_MAX_RANK][FIT_MAX_EXPORTS]; /* NULL where the axis has one element */
};

/* ---- the numbers ---- */

/* The first elements of all cells, moved by one along an axis. */
static bool read_cells(const struct fit_table *t, const struct progression *p, uint32_t side,
		       uint64_t move, int64_t *out)
{
	int64_t index[FIT_MAX_RANK] = {0};
	uint64_t cell = 0;

	do {
		bool in = true;

		for (uint32_t k = 0; k < t->rank; k++)
			in = in && (!p->first[k] || index[k] == 0);
		if (in &&
		    !whole_number(t->arrays[side], table_at(t, side, index) + move, &out[cell++]))
			return false;
	} while (table_next(t, side, index));
	return true;
}

static bool read_steps(const struct fit_table *t, struct progression *p, uint32_t side)
{
	p->start[side] = arena_array(&t->f->arena, p->cells, int64_t);
	if (!read_cells(t, p, side, 0, p->start[side]))
		return false;
	for (uint32_t i = 0; i < p->count; i++) {
		int64_t *step;

		p->step[i][side] = NULL;
		if (seen_dim(t, side, p->axes[i]) < 2)
			continue;
		step = arena_array(&t->f->arena, p->cells, int64_t);
		if (!read_cells(t, p, side, (uint64_t)t->strides[side][p->axes[i]], step))
			return false;
		for (uint64_t c = 0; c < p->cells; c++) {
			if (!num_isub(step[c], p->start[side][c], &step[c]))
				return false;
		}
		p->step[i][side] = step;
	}
	return true;
}

static bool holds_progression(const struct fit_table *t, const struct progression *p, uint32_t side)
{
	int64_t index[FIT_MAX_RANK] = {0}, is;

	do {
		uint64_t cell = 0;
		int64_t sum, part;

		for (uint32_t k = 0; k < t->rank; k++) {
			if (!p->first[k])
				cell = cell * (uint64_t)seen_dim(t, side, k) + (uint64_t)index[k];
		}
		sum = p->start[side][cell];
		for (uint32_t i = 0; i < p->count; i++) {
			const int64_t *step = p->step[i][side];

			if (step && (!num_imul(step[cell], index[p->axes[i]], &part) ||
				     !num_iadd(sum, part, &sum)))
				return false;
		}
		if (!whole_number(t->arrays[side], table_at(t, side, index), &is) || sum != is)
			return false;
	} while (table_next(t, side, index));
	return true;
}

/* ---- explanations ---- */

static bool cells_equal(const struct progression *p, const int64_t *a, const int64_t *b)
{
	return memcmp(a, b, (size_t)p->cells * sizeof(*a)) == 0;
}

static bool cells_uniform(const struct progression *p, const int64_t *a)
{
	for (uint64_t i = 1; i < p->cells; i++) {
		if (a[i] != a[0])
			return false;
	}
	return true;
}

/* Numbers of the cells as a tensor, with 1 for each axis of the progression. */
static plan_ref plan_cells(const struct fit_table *t, const struct progression *p, plan_ref list)
{
	int64_t dims[FIT_MAX_RANK];

	for (uint32_t k = 0; k < t->rank; k++)
		dims[k] = p->first[k] ? 1 : seen_dim(t, 0, k);
	return list ? PLAN_OP(&t->f->plan, "Reshape", list, plan_ints(&t->f->plan, dims, t->rank))
		    : 0;
}

/* One number for all cells, or a number for each, if they are the same in all exports. */
static plan_ref plan_start(struct fit_table *t, const struct progression *p)
{
	struct sym list[MAX_EXPLAINED];
	bool same = true;

	for (uint32_t i = 1; i < t->f->count; i++)
		same = same && cells_equal(p, p->start[0], p->start[i]);
	if (same)
		return plan_cells(t, p, plan_ints(&t->f->plan, p->start[0], (uint32_t)p->cells));
	if (p->cells > MAX_EXPLAINED)
		return 0;
	for (uint64_t c = 0; c < p->cells; c++) {
		struct fit_vector v;
		struct fit_found found;

		for (uint32_t i = 0; i < t->f->count; i++)
			v.at[i] = p->start[i][c];
		if (fit_vector_constant(t->f, &v))
			list[c] = sym_int(table_pool(t), v.at[0]);
		else if (fit_explain(t->f, &v, t->near, t->near_count, &found) == FIT_GUESS_ONE)
			list[c] = found.at[0];
		else
			return 0;
	}
	return plan_cells(t, p, plan_sizes(&t->f->plan, list, (uint32_t)p->cells));
}

/* A step that differs is a size itself; one that not all exports show must be 1. */
static plan_ref plan_step(struct fit_table *t, const struct progression *p, uint32_t i)
{
	const int64_t *some = NULL;
	struct fit_vector v;
	struct fit_found found;
	bool all = true, same = true, uniform = true, plain = true;

	for (uint32_t side = 0; side < t->f->count; side++) {
		const int64_t *step = p->step[i][side];

		all &= step != NULL;
		if (!step)
			continue;
		same = same && (!some || cells_equal(p, some, step));
		uniform = uniform && cells_uniform(p, step);
		v.at[side] = step[0];
		some = step;
	}
	for (uint64_t c = 0; some && c < p->cells; c++)
		plain = plain && some[c] >= -1 && some[c] <= 1;
	if (!some || (!all && (!same || !plain)))
		return 0;
	if (same)
		return plan_cells(t, p, plan_ints(&t->f->plan, some, (uint32_t)p->cells));
	if (!uniform || fit_explain(t->f, &v, t->near, t->near_count, &found) != FIT_GUESS_ONE)
		return 0;
	return plan_size(&t->f->plan, found.at[0]);
}

/* ---- the rule ---- */

static bool find_progression(struct fit_table *t, bool all_axes, struct progression *p)
{
	p->cells = 1;
	for (uint32_t k = 0; k < t->rank; k++) {
		p->first[k] = !t->uniform[k] && (t->varies[k] || (all_axes && t->dims[0][k] > 1));
		if (p->first[k])
			p->axes[p->count++] = k;
		else
			p->cells *= (uint64_t)seen_dim(t, 0, k);
	}
	if (!p->count || p->cells > MAX_CELLS)
		return false;
	for (uint32_t i = 0; i < t->f->count; i++) {
		if (!read_steps(t, p, i) || !holds_progression(t, p, i))
			return false;
	}
	return true;
}

plan_ref solve_progression(struct fit_table *t, bool all_axes)
{
	struct plan *plan = &t->f->plan;
	struct progression p = {0};
	plan_ref ref;

	if (!find_progression(t, all_axes, &p))
		return 0;
	ref = plan_start(t, &p);
	for (uint32_t i = 0; ref && i < p.count; i++) {
		plan_ref step = plan_step(t, &p, i), along = plan_along(t, p.axes[i]);

		ref = step && along ? PLAN_OP(plan, "Add", ref, PLAN_OP(plan, "Mul", along, step))
				    : 0;
	}
	return table_expand(t, table_cast(t, ref));
}

/* ---- multiples of a row ---- */

/* Angles of rotary positions: (start + i) * factor, in float32. */
struct multiples {
	uint32_t axis;
	uint64_t cells;
	int64_t start[FIT_MAX_EXPORTS];
	float *factors;
};

static double multiples_at(const struct fit_table *t, const struct multiples *m, uint32_t side,
			   uint64_t cell, int64_t i)
{
	/* All axes but one are in the cell; those before it are of size 1. */
	return array_real(t->arrays[side], cell + (uint64_t)(i * t->strides[side][m->axis]));
}

static bool holds_multiples(const struct fit_table *t, const struct multiples *m, uint32_t side,
			    uint64_t cell, float factor)
{
	for (int64_t i = 0; i < t->dims[side][m->axis]; i++) {
		if ((double)((float)(m->start[side] + i) * factor) !=
		    multiples_at(t, m, side, cell, i))
			return false;
	}
	return true;
}

/* The factor that gives all elements of the base, near the one that the last suggests. */
static bool find_factor(const struct fit_table *t, struct multiples *m, uint64_t cell)
{
	int64_t last = t->dims[0][m->axis] - 1;
	float near = (float)(multiples_at(t, m, 0, cell, last) / (double)(m->start[0] + last));
	float tries[] = {near, nextafterf(near, 0), nextafterf(near, INFINITY)};

	for (size_t i = 0; i < ARRAY_LEN(tries); i++) {
		m->factors[cell] = tries[i];
		if (isfinite(tries[i]) && holds_multiples(t, m, 0, cell, tries[i]))
			return true;
	}
	return false;
}

static bool find_multiples(const struct fit_table *t, struct multiples *m)
{
	double step = multiples_at(t, m, 0, 0, 1) - multiples_at(t, m, 0, 0, 0), start;

	start = multiples_at(t, m, 0, 0, 0) / step;
	if (!isfinite(start) || fabs(start) > (1 << 20) || fabs(start - round(start)) > 0.01)
		return false;
	m->start[0] = (int64_t)round(start);
	for (uint64_t c = 0; c < m->cells; c++) {
		if (m->start[0] + t->dims[0][m->axis] - 1 == 0 || !find_factor(t, m, c))
			return false;
	}
	for (uint32_t i = 1; i < t->f->count; i++) {
		start = multiples_at(t, m, i, 0, 0) / (double)m->factors[0];
		if (!isfinite(start) || fabs(start) > (1 << 20))
			return false;
		m->start[i] = (int64_t)round(start);
		for (uint64_t c = 0; c < m->cells; c++) {
			if (!holds_multiples(t, m, i, c, m->factors[c]))
				return false;
		}
	}
	return true;
}

static plan_ref plan_multiples(struct fit_table *t, const struct multiples *m)
{
	struct plan *plan = &t->f->plan;
	struct fit_found found;
	struct fit_vector v;
	int64_t *dims = arena_array(&t->f->arena, t->rank + 1, int64_t);
	unsigned char *bytes = arena_alloc(&t->f->arena, m->cells * sizeof(float));
	plan_ref ref = plan_along(t, m->axis), start;
	struct sym shift;

	memcpy(v.at, m->start, sizeof(v.at));
	if (fit_vector_constant(t->f, &v))
		shift = sym_int(table_pool(t), v.at[0]);
	else if (fit_explain(t->f, &v, t->near, t->near_count, &found) == FIT_GUESS_ONE)
		shift = found.at[0];
	else
		return 0;
	start = plan_size(plan, shift);
	if (!ref || !start)
		return 0;
	for (uint64_t i = 0; i < m->cells; i++)
		number_store(ELEM_FLOAT32, bytes, i, (union number){.f = m->factors[i]});
	for (uint32_t k = 0; k < t->rank; k++)
		dims[k] = k == m->axis ? 1 : seen_dim(t, 0, k);
	ref = table_cast(t, PLAN_OP(plan, "Add", ref, start));
	return table_expand(t, PLAN_OP(plan, "Mul", ref,
				       plan_array(plan, (struct array){.elem = ELEM_FLOAT32,
								       .rank = t->rank,
								       .dims = dims,
								       .count = m->cells,
								       .bytes = bytes})));
}

plan_ref solve_multiples(struct fit_table *t)
{
	struct multiples m = {.cells = 1};
	uint32_t left[FIT_MAX_RANK];

	if (t->arrays[0]->elem != ELEM_FLOAT32 || axes_left(t, left) != 1)
		return 0;
	m.axis = left[0];
	for (uint32_t k = 0; k < t->rank; k++) {
		if (k < m.axis && seen_dim(t, 0, k) != 1)
			return 0;
		m.cells *= k > m.axis ? (uint64_t)seen_dim(t, 0, k) : 1;
	}
	for (uint32_t k = m.axis + 1; k < t->rank; k++) {
		if (t->uniform[k])
			return 0;
	}
	if (t->dims[0][m.axis] < 2 || m.cells > MAX_CELLS)
		return 0;
	m.factors = arena_array(&t->f->arena, m.cells, float);
	return find_multiples(t, &m) ? plan_multiples(t, &m) : 0;
}
