/*
 * Resize and Upsample, and the grids of samples: a literal size may be the size of another tensor.
 */
#include <inttypes.h>
#include <math.h>

#include "base/arena.h"
#include "base/sv.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/fold.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

enum {
	PORT_SIZES = 3,
	MAX_MEANINGS = 16,
	SPATIAL = 2,       /* the first axis after batch and channels */
	GRID_STEPS = 64,   /* back from a grid to its arithmetic */
	SCALE_FRACTION = 8 /* scales that are multiples of 1/8 are meant as such */
};

struct resize {
	struct visit *visit;
	uint32_t rank;
	struct flow_axis *axes;
	struct sym *entries; /* of the sizes, by axis */
	bool listed[RULE_MAX_RANK];
	bool changed;
};

/* ---- sizes ---- */

static void add_meaning(struct sym *list, uint32_t *count, struct sym size)
{
	for (uint32_t i = 0; i < *count; i++) {
		if (sym_same(list[i], size))
			return;
	}
	if (*count < MAX_MEANINGS)
		list[(*count)++] = size;
}

/* Sizes that were the literal, and depend on the same freed ones, or on any. */
static void resize_known(const struct pass *p, int64_t literal, uint64_t symbols, struct sym *list,
			 uint32_t *count)
{
	for (size_t i = 0; i < p->known.len; i++) {
		const struct factor *f = &p->known.at[i];

		if (f->old == literal && literal > 1 && (!symbols || f->symbols == symbols))
			add_meaning(list, count, f->size);
	}
}

/* The freed sizes that the literal may be: those of the axis itself, if there are any. */
static uint32_t list_meanings(struct resize *r, uint32_t axis, int64_t literal, struct sym *out)
{
	struct pass *p = r->visit->pass;
	struct flow_axis own = r->visit->in[0].axes[axis];
	struct sym size = axis_size(&p->factory, own);
	uint32_t count = 0;

	if (literal == axis_old(own)) {
		add_meaning(out, &count, size);
		return count;
	}
	resize_known(p, literal, axis_symbols(own), out, &count);
	if (count)
		return count;
	if (literal % axis_old(own) == 0)
		add_meaning(out, &count, sym_mul_int(&p->in->pool, size, literal / axis_old(own)));
	resize_known(p, literal, 0, out, &count);
	return count;
}

/* What a literal size of a freed axis means. */
static struct sym literal_size(struct resize *r, uint32_t axis, int64_t literal)
{
	struct visit *v = r->visit;
	struct pass *p = v->pass;
	struct flow_axis own = v->in[0].axes[axis];
	struct sym meanings[MAX_MEANINGS + 1];
	uint32_t count, chosen = 0;

	if (p->watch)
		return literal == axis_old(own) ? axis_size(&p->factory, own)
						: sym_int(&p->in->pool, literal);
	count = list_meanings(r, axis, literal, meanings);
	meanings[count++] = sym_int(&p->in->pool, literal);
	if (count > 2)
		chosen = flow_choose(v, count, 0, "the size %" PRId64 " may be %s", literal,
				     flow_texts(p, meanings, count));
	flow_assume(v, "the size %" PRId64 " of axis %" PRIu32 " is %s", literal, axis,
		    flow_text(p, meanings[chosen]));
	return meanings[chosen];
}

static void put_entry(struct resize *r, uint32_t axis, struct sym size)
{
	struct pass *p = r->visit->pass;
	struct flow_axis own = r->visit->in[0].axes[axis];

	r->changed |= !sym_same(r->entries[axis], size);
	r->entries[axis] = size;
	if (sym_eq(&p->in->pool, size, axis_size(&p->factory, own)) == SYM_YES) {
		r->axes[axis] = own;
		return;
	}
	flow_mix(r->visit, axis_symbols(own) | flow_symbols(&p->factory, size), "it is resized");
	r->axes[axis] = axis_of(&p->factory, size, visit_old(r->visit, 0, axis));
	if (p->watch && axis_symbols(own))
		r->axes[axis] = axis_some(&p->factory, size, visit_old(r->visit, 0, axis),
					  axis_symbols(own) | flow_symbols(&p->factory, size));
}

/* An axis that is a number: another tensor may demand that it gets a freed size. */
static void plain_entry(struct resize *r, uint32_t axis)
{
	const struct force *force = flow_force(r->visit->pass, r->visit->id, FORCE_ENTRY, axis);

	if (!force) {
		put_entry(r, axis, r->entries[axis]);
		return;
	}
	put_entry(r, axis, axis_size(&r->visit->pass->factory, force->factors));
	r->axes[axis] = force->factors;
}

static bool size_entry(struct resize *r, uint32_t axis)
{
	struct visit *v = r->visit;
	struct pass *p = v->pass;
	struct flow_axis own = v->in[0].axes[axis];
	int64_t literal;

	if (!r->listed[axis]) {
		r->axes[axis] = own;
	} else if (flow_symbols(&p->factory, r->entries[axis])) {
		put_entry(r, axis, r->entries[axis]);
	} else if (!sym_value(&p->in->pool, r->entries[axis], &literal)) {
		return flow_refuse(v, CAUSE_DATA, "its sizes depend on data");
	} else if (!axis_symbols(own)) {
		plain_entry(r, axis);
	} else if (axis >= SPATIAL) {
		put_entry(r, axis, literal_size(r, axis, literal));
	} else if (literal == axis_old(own)) {
		put_entry(r, axis, axis_size(&p->factory, own));
	} else {
		return flow_refuse(v, CAUSE_OPERATOR,
				   "it resizes the freed axis %" PRIu32 ", of batch or channels",
				   axis);
	}
	return true;
}

/* Which axis each entry is for; all of them before opset 18. */
static bool read_sizes(struct resize *r, uint32_t *order, uint32_t *out_count)
{
	struct visit *v = r->visit;
	const int64_t *axes = NULL;
	const struct sym *list;
	uint32_t count = 0, axis_count = 0;

	if (!visit_list(v, PORT_SIZES, &list, &count))
		return flow_refuse(v, CAUSE_DATA, "its sizes depend on data");
	(void)visit_attr_ints(v, "axes", &axes, &axis_count);
	if (count != (axes ? axis_count : r->rank))
		return flow_refuse(v, CAUSE_BROKEN, "its sizes do not fit");
	for (uint32_t i = 0; i < count; i++) {
		int64_t axis = axes ? axes[i] : i;

		axis = axis < 0 ? axis + r->rank : axis;
		if (axis < 0 || axis >= r->rank)
			return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
		order[i] = (uint32_t)axis;
		r->entries[axis] = list[i];
		r->listed[axis] = true;
	}
	*out_count = count;
	return true;
}

static bool resize_by_sizes(struct resize *r)
{
	struct visit *v = r->visit;
	uint32_t order[RULE_MAX_RANK], count = 0;
	struct sym list[RULE_MAX_RANK];

	if (!read_sizes(r, order, &count))
		return false;
	for (uint32_t k = 0; k < r->rank; k++) {
		if (!size_entry(r, k))
			return false;
	}
	for (uint32_t i = 0; i < count; i++)
		list[i] = r->entries[order[i]];
	if (r->changed) {
		flow_note(v, "its sizes follow", axes_symbols(r->axes, r->rank));
		if (!visit_replace_sizes(v, PORT_SIZES, list, count))
			return false;
	}
	return visit_put(v, 0, r->axes, r->rank);
}

/* ---- scales ---- */

/* A fraction that nobody writes was computed from two sizes. */
static bool check_scale(struct resize *r, uint32_t axis)
{
	struct visit *v = r->visit;
	struct pass *p = v->pass;
	int64_t old = axis_old(v->in[0].axes[axis]), new = visit_old(v, 0, axis);
	struct sym others[MAX_MEANINGS];
	uint32_t count = 0;

	if (flow_force(p, v->id, FORCE_ENTRY, axis))
		return flow_refuse(v, CAUSE_FIXED,
				   "it grows by a scale where a freed size is needed");
	if (!flow_pins(v, v->in[0].axes[axis]) || new % old == 0)
		return true;
	resize_known(p, new, 0, others, &count);
	if (new *SCALE_FRACTION % old == 0 && !count)
		return true;
	return flow_refuse(v, CAUSE_MEANT,
			   "it scales %" PRId64 " to %" PRId64
			   ", perhaps by a quotient of two sizes",
			   old, new);
}

static bool resize_by_scales(struct resize *r)
{
	struct visit *v = r->visit;
	const struct flow_axis **keep = arena_array(&v->pass->arena, r->rank,
						    const struct flow_axis *);

	for (uint32_t k = 0; k < r->rank; k++) {
		if (visit_old(v, 0, k) == axis_old(v->in[0].axes[k])) {
			keep[k] = &v->in[0].axes[k];
			continue;
		}
		if (k < SPATIAL && axis_symbols(v->in[0].axes[k]))
			return flow_refuse(
				v, CAUSE_OPERATOR,
				"it resizes the freed axis %" PRIu32 ", of batch or channels", k);
		if (!check_scale(r, k))
			return false;
		flow_mix(v, axis_symbols(v->in[0].axes[k]), "it is resized");
	}
	return visit_put_sizes(v, 0, keep);
}

bool flow_resize(struct visit *v)
{
	struct resize r = {.visit = v, .rank = v->in[0].rank};
	struct sv policy = visit_attr_text(v, "keep_aspect_ratio_policy");
	struct sv mode = visit_attr_text(v, "coordinate_transformation_mode");

	if (visit_rank(v, 0) != r.rank || r.rank > RULE_MAX_RANK)
		return flow_refuse(v, CAUSE_BROKEN, "its output has another rank");
	if (sv_eq(mode, SV("tf_crop_and_resize")) || (policy.len && !sv_eq(policy, SV("stretch"))))
		return flow_refuse(v, CAUSE_OPERATOR, "it crops, or keeps the aspect ratio");
	r.axes = visit_axes(v, r.rank);
	r.entries = arena_array(&v->pass->arena, r.rank, struct sym);
	return visit_has(v, PORT_SIZES) ? resize_by_sizes(&r) : resize_by_scales(&r);
}

/* ---- samples ---- */

/* Two inputs have the same batch. */
static bool sample_batch(struct visit *v, struct flow_axis *out)
{
	struct factory *f = &v->pass->factory;
	struct flow_axis a = v->in[0].axes[0], b = v->in[1].axes[0];
	uint32_t plain = axis_symbols(a) ? 1 : 0;
	struct follow spec[RULE_MAX_RANK] = {0};

	*out = plain ? a : b;
	if (!axis_symbols(*out))
		return true;
	if (axis_symbols(a) && axis_symbols(b))
		return axis_same(f, a, b) || flow_unequal(v, axis_size(f, a), axis_size(f, b),
							  "the batch of the data and of the grid");
	if (!v->in[plain].constant)
		return flow_demand(v, plain, 0, *out);
	spec[0] = (struct follow){true, *out};
	return flow_follow(v, plain, spec, false);
}

/* Does the node scale by a number that positions are normalised with: n - 1, or half of it? */
static bool scales_by(const struct pass *p, const struct node *n, int64_t size, double *out)
{
	double last = (double)size - 1;
	double kinds[] = {last, last / 2, 2 / last, 1 / last, (double)size, (double)size / 2};

	for (uint32_t i = 0; op_flow(p->in->model, n) == OP_FLOW_SCALED && i < n->input_count;
	     i++) {
		const struct array *a = n->inputs[i] ? fold_value(p->folder, n->inputs[i]) : NULL;

		for (size_t k = 0; a && a->count == 1 && k < ARRAY_LEN(kinds); k++) {
			*out = array_real(a, 0);
			if (fabs(*out - kinds[k]) < 1e-6 * kinds[k])
				return true;
		}
	}
	return false;
}

/* A grid counts from -1 to 1, so that positions were divided by the size: baked in, perhaps. */
static bool check_grid(struct visit *v, struct flow_axis own)
{
	const struct model *m = v->pass->in->model;
	uint32_t open[GRID_STEPS], count = 0;
	double number;

	open[count++] = m->values.at[v->node->inputs[1]].producer;
	for (uint32_t i = 0; i < count; i++) {
		const struct node *n = &m->nodes.at[open[i]];

		if (open[i] && scales_by(v->pass, n, axis_old(own), &number))
			return flow_refuse(
				v, CAUSE_MEANT,
				"its grid is scaled by %g, perhaps computed from %s, which "
				"was %" PRId64,
				number, flow_text(v->pass, axis_size(&v->pass->factory, own)),
				axis_old(own));
		for (uint32_t k = 0; open[i] && k < n->input_count && count < GRID_STEPS; k++)
			open[count++] = m->values.at[n->inputs[k]].producer;
	}
	return true;
}

/* Data [N, C, spatial…], grid [N, spatial…, rank]. */
bool flow_grid_sample(struct visit *v)
{
	const struct track *x = &v->in[0], *grid = &v->in[1];
	uint32_t rank = x->rank;
	struct flow_axis *axes = visit_axes(v, rank);

	if (rank < 3 || grid->rank != rank || visit_rank(v, 0) != rank)
		return flow_refuse(v, CAUSE_BROKEN, "its grid has the wrong rank");
	if (!sample_batch(v, &axes[0]))
		return false;
	axes[1] = x->axes[1];
	for (uint32_t k = SPATIAL; k < rank; k++) {
		struct flow_axis own = x->axes[k], at = grid->axes[k - 1];

		axes[k] = at;
		if (axis_symbols(own) && axis_old(own) > 2 && !check_grid(v, own))
			return false;
		flow_mix(v, axis_symbols(own) | axis_symbols(at), "it is sampled");
		if (!axis_symbols(own) || axis_symbols(at) || axis_old(own) != axis_old(at))
			continue;
		if (grid->constant)
			return flow_refuse(v, CAUSE_FOLDED,
					   "a constant grid has the old size %" PRId64,
					   axis_old(at));
		return flow_demand(v, 1, k - 1, own);
	}
	return visit_put(v, 0, axes, rank);
}

/* The grid of an affine map: theta has the batch, `size` is [N, C, spatial…]. */
bool flow_affine_grid(struct visit *v)
{
	struct pass *p = v->pass;
	uint32_t rank = visit_rank(v, 0), count;
	struct flow_axis *axes = visit_axes(v, rank);
	const struct sym *list;
	struct sym *sizes;
	bool changed = false;

	if (!visit_list(v, 1, &list, &count) || count != rank || !v->in[0].rank || rank < 3)
		return flow_refuse(v, CAUSE_DATA, "its size depends on data");
	sizes = arena_array(&p->arena, count, struct sym);
	axes[0] = v->in[0].axes[0];
	sizes[0] = axis_size(&p->factory, axes[0]);
	sizes[1] = list[1];
	for (uint32_t k = SPATIAL; k < count; k++) {
		const struct force *force = flow_force(p, v->id, FORCE_ENTRY, k - 1);

		sizes[k] = force ? axis_size(&p->factory, force->factors) : list[k];
		axes[k - 1] = force ? force->factors
				    : axis_of(&p->factory, list[k], visit_old(v, 0, k - 1));
		flow_mix(v, axis_symbols(axes[k - 1]), "it is sampled");
	}
	axes[rank - 1] = axis_number(&p->factory, visit_old(v, 0, rank - 1));
	for (uint32_t k = 0; k < count; k++)
		changed |= !sym_same(sizes[k], list[k]);
	if (changed)
		flow_note(v, "its size follows", axes_symbols(axes, rank));
	if (changed && !visit_replace_sizes(v, 1, sizes, count))
		return false;
	return visit_put(v, 0, axes, rank);
}
