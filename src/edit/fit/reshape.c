/*
 * Targets of Reshape: the number of elements stays, whatever the sizes are.
 *
 * If one entry differs, it is what the others leave.  If several do, their explanations must have
 * the product of the input's sizes, as expressions; quotients are exact, since the Reshape itself
 * fails where they are not.
 */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "edit/fit/internal.h"
#include "flow/array.h"
#include "flow/plan.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	MAX_OPTIONS = 12,
	MAX_TRIES = 4096
};

/* An entry is num/q, exactly. */
struct fit_option {
	struct sym num;
	int64_t q;
};

struct fit_entry_options {
	struct fit_vector v;
	bool differs;
	bool rest; /* -1 */
	struct fit_option at[MAX_OPTIONS];
	uint32_t count;
};

struct reshaping {
	struct fitting *f;
	const struct fit_use *use;
	const struct info *data;
	struct fit_entry_options entries[FIT_MAX_RANK];
	uint32_t count;
	uint32_t taken[FIT_MAX_RANK];
	uint32_t solution[FIT_MAX_RANK];
	uint32_t second[FIT_MAX_RANK];
	uint32_t solutions; /* of those with the fewest quotients */
	uint32_t quotients;
	uint32_t tries;
};

static struct sym_pool *reshape_pool(const struct reshaping *r)
{
	return &r->f->document->infer.pool;
}

static struct sym option_size(const struct reshaping *r, const struct fit_option *o)
{
	struct sym_pool *pool = reshape_pool(r);
	struct sym out;

	if (o->q == 1 || sym_divide(pool, o->num, sym_int(pool, o->q), &out))
		return o->q == 1 ? o->num : out;
	return sym_floor_div(pool, o->num, sym_int(pool, o->q));
}

static void option_add(struct reshaping *r, struct fit_entry_options *e, struct sym num, int64_t q)
{
	struct sym_pool *pool = reshape_pool(r);
	struct fit_option o = {num, q};
	struct sym size;

	if (sym_divide(pool, num, sym_int(pool, q), &size))
		o = (struct fit_option){size, 1};
	size = option_size(r, &o);

	if (e->count == MAX_OPTIONS || !fit_is_at(r->f, size, &e->v))
		return;
	for (uint32_t i = 0; i < e->count; i++) {
		if (fit_same_function(r->f, option_size(r, &e->at[i]), size))
			return;
	}
	e->at[e->count++] = o;
}

/* A run of the input's axes, times a fraction. */
static void options_of_runs(struct reshaping *r, struct fit_entry_options *e)
{
	struct sym_pool *pool = reshape_pool(r);

	for (uint32_t i = 0; i < r->data->rank; i++) {
		struct sym run = sym_int(pool, 1);

		for (uint32_t k = i; k < r->data->rank; k++) {
			int64_t value, g;

			run = sym_mul(pool, run, r->data->dims[k]);
			if (sym_is_small(run) || e->v.at[0] <= 0 ||
			    sym_eval(pool, &r->f->envs[0], run, &value) != SYM_OK || value <= 0)
				continue;
			g = num_igcd(e->v.at[0], value);
			option_add(r, e, sym_mul_int(pool, run, e->v.at[0] / g), value / g);
		}
	}
}

static void reshape_options(struct reshaping *r)
{
	for (uint32_t i = 0; i < r->count; i++) {
		struct fit_entry_options *e = &r->entries[i];
		struct fit_found found;

		if (!e->differs) {
			int64_t number = e->v.at[0];

			e->rest = number == -1;
			e->at[0] = (struct fit_option){number == 0 && i < r->data->rank
							       ? r->data->dims[i]
							       : sym_int(reshape_pool(r), number),
						       1};
			e->count = 1;
			continue;
		}
		options_of_runs(r, e);
		(void)fit_explain(r->f, &e->v, r->data->dims, r->data->rank, &found);
		for (uint32_t k = 0; k < found.count; k++)
			option_add(r, e, found.at[k], 1);
	}
}

/* Do the entries that were taken hold all elements? */
static bool reshape_holds(struct reshaping *r)
{
	struct sym_pool *pool = reshape_pool(r);
	struct sym left = sym_int(pool, 1), right = sym_product(pool, r->data->dims, r->data->rank);
	bool rest = false;
	struct sym quotient;

	for (uint32_t i = 0; i < r->count; i++) {
		const struct fit_option *o = &r->entries[i].at[r->taken[i]];

		rest |= r->entries[i].rest;
		if (!r->entries[i].rest)
			left = sym_mul(pool, left, o->num);
		right = sym_mul_int(pool, right, o->q);
	}
	if (rest)
		return sym_divide(pool, right, left, &quotient);
	return sym_eq(pool, left, right) == SYM_YES;
}

static void reshape_search(struct reshaping *r, uint32_t at)
{
	uint32_t quotients = 0;

	if (r->tries++ > MAX_TRIES || !fit_work(r->f, FIT_WORK_TRY))
		return;
	if (at < r->count) {
		for (uint32_t i = 0; i < r->entries[at].count; i++) {
			r->taken[at] = i;
			reshape_search(r, at + 1);
		}
		return;
	}
	if (!reshape_holds(r))
		return;
	for (uint32_t i = 0; i < r->count; i++)
		quotients += r->entries[i].at[r->taken[i]].q != 1;
	if (r->solutions && quotients > r->quotients)
		return;
	if (!r->solutions || quotients < r->quotients) {
		memcpy(r->solution, r->taken, sizeof(r->solution));
		r->quotients = quotients;
		r->solutions = 0;
	}
	if (r->solutions++)
		memcpy(r->second, r->taken, sizeof(r->second));
}

/* ---- the new target ---- */

/* 3*n is a multiple of 12 when n is one of 4. */
static void reshape_note_exact(struct reshaping *r, const struct fit_option *o)
{
	struct sym_pool *pool = reshape_pool(r);
	struct sym num = o->num, factor, rest;
	int64_t q = o->q, c;

	if (q == 1 || sym_divide(pool, num, sym_int(pool, q), &rest))
		return;
	if (sym_common_factor(pool, num, 1, &factor, &rest) && sym_value(pool, factor, &c) &&
	    num_igcd(c / num_igcd(c, q), q / num_igcd(c, q)) == 1) {
		q /= num_igcd(c, q);
		num = rest;
	}
	fit_bound_size(r->f, sym_mod(pool, num, sym_int(pool, q)), "=", 0);
}

static bool reshape_emit(struct reshaping *r, const struct sym *sizes, struct info *out,
			 plan_ref *ref)
{
	struct fitting *f = r->f;
	struct sym *kept = arena_array(&f->arena, r->count, struct sym);
	struct sym *dims = arena_array(&f->arena, 1, struct sym);
	const struct model *m = f->sides[0].m;
	const struct attr *zero = node_attr(m, &m->nodes.at[r->use->node], "allowzero");
	bool rest = false, copies = !zero || (zero->kind == ATTR_INT && zero->i == 0);

	for (uint32_t i = 0; i < r->count; i++) {
		kept[i] = sizes[i];
		rest |= r->entries[i].rest;
		/* 0 copies a size, but where the target says 0 already it may mean 0. */
		copies &= r->entries[i].differs || r->entries[i].v.at[0] != 0;
	}
	for (uint32_t i = 0; copies && i < r->count && i < r->data->rank; i++) {
		if (r->entries[i].differs && sym_same(kept[i], r->data->dims[i]))
			kept[i] = sym_int(reshape_pool(r), 0);
	}
	for (uint32_t i = r->count; !rest && i-- > 0;) {
		if (!r->entries[i].differs || sym_is_small(kept[i]))
			continue;
		kept[i] = sym_int(reshape_pool(r), -1);
		rest = true;
	}
	*ref = plan_sizes(&f->plan, kept, r->count);
	if (!*ref)
		return fit_refuse(f, r->use->node, "a size cannot be computed at run time");
	dims[0] = sym_int(reshape_pool(r), r->count);
	*out = (struct info){
		.kind = TYPE_TENSOR, .elem = ELEM_INT64, .ranked = true, .rank = 1, .dims = dims};
	out->contents = (struct contents){.at = kept, .count = r->count, .rank = 1};
	return true;
}

/* One entry differs: it is the rest. */
static bool reshape_rest(struct reshaping *r, uint32_t which, struct info *out, plan_ref *ref)
{
	struct sym sizes[FIT_MAX_RANK];

	for (uint32_t i = 0; i < r->count; i++)
		sizes[i] = sym_int(reshape_pool(r), i == which ? -1 : r->entries[i].v.at[0]);
	return reshape_emit(r, sizes, out, ref);
}

static bool reshape_ambiguous(struct reshaping *r)
{
	struct str a = {0}, b = {0};
	uint32_t at = 0;

	while (at + 1 < r->count && r->solution[at] == r->second[at])
		at++;
	sym_print(reshape_pool(r), option_size(r, &r->entries[at].at[r->solution[at]]), &a);
	sym_print(reshape_pool(r), option_size(r, &r->entries[at].at[r->second[at]]), &b);
	(void)fit_refuse(
		r->f, r->use->node,
		"entry %" PRIu32
		" of its target may be %s or %s; add an export at a size where they differ",
		at, str_c(&a), str_c(&b));
	str_release(&a);
	str_release(&b);
	return false;
}

static bool reshape_refuse(struct reshaping *r)
{
	struct str text = {0};

	for (uint32_t i = 0; i < r->data->rank; i++) {
		str_text(&text, i ? ", " : "");
		sym_print(reshape_pool(r), r->data->dims[i], &text);
	}
	(void)fit_refuse(r->f, r->use->node,
			 "its target does not hold the elements of [%s] at other sizes",
			 str_c(&text));
	str_release(&text);
	return false;
}

static bool reshape_solve(struct reshaping *r, struct info *out, plan_ref *ref)
{
	struct sym sizes[FIT_MAX_RANK];

	reshape_options(r);
	reshape_search(r, 0);
	if (r->tries > MAX_TRIES || r->f->work > FIT_MAX_WORK)
		return fit_refuse(r->f, r->use->node, "there are too many ways to cut the axes");
	if (r->solutions > 1)
		return reshape_ambiguous(r);
	for (uint32_t i = 0; i < r->count; i++) {
		struct fit_entry_options *e = &r->entries[i];

		if (r->solutions) {
			reshape_note_exact(r, &e->at[r->solution[i]]);
			sizes[i] = e->rest ? sym_int(reshape_pool(r), -1)
					   : option_size(r, &e->at[r->solution[i]]);
			if (!e->differs && !e->rest)
				sizes[i] = sym_int(reshape_pool(r), e->v.at[0]);
		} else if (e->differs) {
			struct sym s;

			if (!fit_explain_one(r->f, r->use->node, &e->v, r->data->dims,
					     r->data->rank, &s))
				return false;
		}
	}
	if (!r->solutions)
		return reshape_refuse(r);
	return reshape_emit(r, sizes, out, ref);
}

/* A size of the result in an export. */
static bool reshape_result(const struct reshaping *r, uint32_t side, uint32_t axis, int64_t *out)
{
	const struct fit_side *s = &r->f->sides[side];
	uint32_t value = r->f->sides[0].m->nodes.at[r->use->node].outputs[0];
	const struct info *info = &s->in.infos[fit_partner(r->f, side, value)];

	return info->ranked && axis < info->rank && sym_value(&s->in.pool, info->dims[axis], out);
}

bool fit_solve_reshape(struct fitting *f, const struct fit_use *use, const struct info *data,
		       const struct array *const *arrays, struct info *out, plan_ref *out_ref)
{
	struct reshaping r = {
		.f = f, .use = use, .data = data, .count = (uint32_t)arrays[0]->count};
	uint32_t differs = 0, last = 0;
	bool rest = false;

	for (uint32_t i = 0; i < r.count; i++) {
		struct fit_entry_options *e = &r.entries[i];

		for (uint32_t k = 0; k < f->count; k++) {
			if (!array_int(arrays[k], i, &e->v.at[k]))
				return fit_refuse(f, use->node,
						  "its target is no list of integers");
		}
		/* -1 and 0 in some exports: the size that they stand for. */
		for (uint32_t k = 0; k < f->count && !fit_vector_constant(f, &e->v); k++) {
			if (e->v.at[k] <= 0 && !reshape_result(&r, k, i, &e->v.at[k]))
				return fit_refuse(f, use->node,
						  "a size of its result is not known");
		}
		e->differs = !fit_vector_constant(f, &e->v);
		rest |= !e->differs && e->v.at[0] == -1;
		if (e->differs) {
			differs++;
			last = i;
		}
	}
	if (differs == 1 && !rest)
		return reshape_rest(&r, last, out, out_ref);
	return reshape_solve(&r, out, out_ref);
}
