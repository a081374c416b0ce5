/*
 * Follows the sizes through the main graph: each constant that differs gets its explanation from
 * the sizes of the tensors around it, and shape rules say what follows from it.
 */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/fit/internal.h"
#include "flow/array.h"
#include "flow/plan.h"
#include "infer/apply.h"
#include "infer/infer.h"
#include "ir/element.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	MAX_NEAR_DIMS = 64
};

/* A node being visited. */
struct fit_visit {
	struct fitting *f;
	uint32_t id;
	const struct node *node;
	struct info *in;  /* one per input */
	struct info *out; /* one per output */
	struct sym near[MAX_NEAR_DIMS];
	uint32_t near_count;
};

/* ---- reporting ---- */

static void print_array(struct str *out, const struct array *a)
{
	if (a->count > 12) {
		for (uint32_t i = 0; i < a->rank; i++)
			str_format(out, "%s%" PRId64, i ? "x" : "", a->dims[i]);
		return;
	}
	str_text(out, a->rank ? "[" : "");
	for (uint64_t i = 0; i < a->count; i++) {
		struct scalar s = array_at(a, i);

		str_text(out, i ? ", " : "");
		scalar_print(out, &s, 6);
	}
	str_text(out, a->rank ? "]" : "");
}

static void print_info(struct fitting *f, struct str *out, const struct info *info)
{
	const struct sym *list = info->contents.at ? info->contents.at : info->dims;
	uint32_t count = info->contents.at ? info->contents.count : info->rank;

	str_text(out, info->contents.at ? "[" : "");
	for (uint32_t i = 0; i < count && out->len < 300; i++) {
		str_text(out, !i ? "" : info->contents.at ? ", " : " x ");
		sym_print(&f->document->infer.pool, list[i], out);
	}
	str_text(out, info->contents.at ? "]" : "");
}

static void note_number(struct fit_visit *v, const struct fit_use *use,
			const struct array *const *arrays, struct sv after)
{
	struct fitting *f = v->f;
	const struct model *m = f->sides[0].m;
	struct fit_number *n = vec_add(&f->report->numbers);

	str_add(&n->place, model_cut_name(m, v->node->op));
	str_char(&n->place, ' ');
	str_add(&n->place, model_cut_name(m, node_called(m, v->node)));
	str_format(&n->place, " input %" PRIu32, use->port);
	for (uint32_t i = 0; i < f->count; i++) {
		str_text(&n->before, i ? " | " : "");
		print_array(&n->before, arrays[i]);
	}
	str_add(&n->after, after);
}

/* ---- a constant that differs ---- */

static bool visit_is_known(const struct info *info)
{
	bool known = info->kind != TYPE_NONE;

	known = known && (info->kind != TYPE_TENSOR || info->ranked);
	for (uint32_t i = 0; known && info->ranked && i < info->rank; i++)
		known = !sym_is_unknown(info->dims[i]);
	return known;
}

static bool same_shape(const struct fitting *f, const struct array *const *arrays)
{
	for (uint32_t i = 1; i < f->count; i++) {
		if (arrays[i]->rank != arrays[0]->rank || arrays[i]->elem != arrays[0]->elem ||
		    (arrays[0]->rank && memcmp(arrays[i]->dims, arrays[0]->dims,
					       arrays[0]->rank * sizeof(int64_t)) != 0))
			return false;
	}
	return true;
}

static bool refuse_weights(struct fit_visit *v, const struct fit_use *use)
{
	const struct model *m = v->f->sides[0].m;
	struct sv name = model_cut_name(m, m->values.at[use->values[0]].name);

	return fit_refuse(v->f, use->node, "%.*s differs in its elements: exports of other weights",
			  (int)name.len, name.at);
}

static bool solve_constant(struct fit_visit *v, const struct fit_use *use,
			   const struct array *const *arrays, struct info *out, plan_ref *ref,
			   struct str *text)
{
	struct fitting *f = v->f;
	const struct array *a = arrays[0];
	enum elem_class class = elem_info(a->elem)->class;
	struct fit_place place = {f, v->near, v->near_count};
	bool ok;

	if (op_sizes(f->sides[0].m, v->node) == OP_SIZES_RESHAPE && use->port == 1 &&
	    same_shape(f, arrays) && a->count <= FIT_MAX_RANK && visit_is_known(&v->in[0]))
		ok = fit_solve_reshape(f, use, &v->in[0], arrays, out, ref);
	else if (!same_shape(f, arrays))
		ok = fit_solve_table(f, use, v->near, v->near_count, arrays, out, ref);
	else if ((class == ELEM_CLASS_SIGNED || class == ELEM_CLASS_UNSIGNED) &&
		 a->count <= FIT_MAX_INTS)
		ok = fit_solve_ints(&place, use, arrays, out, ref);
	else if (class == ELEM_CLASS_FLOAT && a->count <= FIT_MAX_REALS)
		return fit_solve_reals(&place, use, arrays, out, ref, text);
	else if (class == ELEM_CLASS_SIGNED)
		ok = fit_solve_table(f, use, v->near, v->near_count, arrays, out, ref);
	else
		return refuse_weights(v, use);
	if (ok)
		print_info(f, text, out);
	return ok;
}

/* The ends of a Slice are about the axes that it cuts; NULL when these are not known. */
static const struct array *slice_axes(struct fit_visit *v, const struct fit_use *use)
{
	struct fitting *f = v->f;
	uint32_t axes = v->node->input_count > 3 ? v->node->inputs[3] : 0;

	if (op_sizes(f->sides[0].m, v->node) != OP_SIZES_SLICE || use->port < 1 || use->port > 2 ||
	    !axes || !value_is_constant(f->sides[0].m, axes) || !v->in[0].ranked)
		return NULL;
	return fit_array(f, 0, axes);
}

static void narrow_to(struct fit_visit *v, int64_t axis)
{
	axis += axis < 0 ? v->in[0].rank : 0;
	if (axis >= 0 && axis < v->in[0].rank && v->near_count < MAX_NEAR_DIMS)
		v->near[v->near_count++] = v->in[0].dims[axis];
	v->f->narrow = true;
}

/* Where one axis is cut, or indexed, its size is what counts. */
static void narrow_near(struct fit_visit *v, const struct fit_use *use)
{
	const struct model *m = v->f->sides[0].m;
	const struct array *axes = slice_axes(v, use);
	bool picks = op_picks(m, v->node) && use->port == 1 && v->in[0].ranked;
	const struct attr *axis = picks ? node_attr(m, v->node, "axis") : NULL;

	if (!axes && !picks)
		return;
	v->near_count = 0;
	if (picks)
		narrow_to(v, axis && axis->kind == ATTR_INT ? axis->i : 0);
	for (uint64_t i = 0; axes && i < axes->count; i++) {
		int64_t number;

		if (array_int(axes, i, &number))
			narrow_to(v, number);
	}
}

static bool solve_use(struct fit_visit *v, const struct fit_use *use)
{
	struct fitting *f = v->f;
	const struct array *arrays[FIT_MAX_EXPORTS];
	struct str text = {0};
	plan_ref ref = 0;
	bool ok = true;

	f->plan.before = use->node;
	for (uint32_t i = 0; i < f->count; i++) {
		arrays[i] = fit_array(f, i, use->values[i]);
		if (!arrays[i])
			return refuse_weights(v, use);
	}
	narrow_near(v, use);
	ok = solve_constant(v, use, arrays, &v->in[use->port], &ref, &text);
	f->narrow = false;
	if (ok) {
		plan_replace(&f->plan, use->node, use->port, ref);
		note_number(v, use, arrays, str_sv(&text));
	}
	str_release(&text);
	return ok;
}

/* ---- nodes ---- */

static void visit_near(struct fit_visit *v)
{
	v->near_count = 0;
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		const struct info *info = &v->in[i];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			if (!sym_is_small(info->dims[k]) && v->near_count < MAX_NEAR_DIMS)
				v->near[v->near_count++] = info->dims[k];
		}
	}
}

static bool side_size(const struct fitting *f, uint32_t side, uint32_t value, uint32_t axis,
		      int64_t *out)
{
	const struct infer *in = &f->sides[side].in;
	const struct info *info;
	uint32_t other = fit_partner(f, side, value);

	if (!other)
		return false;
	info = &in->infos[other];
	return info->ranked && axis < info->rank && sym_value(&in->pool, info->dims[axis], out);
}

/* The sizes that the exports have there. */
static bool side_sizes(const struct fitting *f, uint32_t value, uint32_t axis,
		       struct fit_vector *out)
{
	for (uint32_t i = 0; i < f->count; i++) {
		if (!side_size(f, i, value, axis, &out->at[i]))
			return false;
	}
	return true;
}

/* A result of which no rule says anything: bodies, unknown operators. */
static void guess_output(struct fit_visit *v, uint32_t output)
{
	struct fitting *f = v->f;
	uint32_t value = v->node->outputs[output];
	const struct info *base = &f->sides[0].in.infos[value];
	struct sym *dims;

	if (!value || base->kind != TYPE_TENSOR || !base->ranked)
		return;
	dims = arena_array(&f->arena, base->rank + 1, struct sym);
	for (uint32_t k = 0; k < base->rank; k++) {
		struct fit_vector n;
		struct fit_found found;

		dims[k] = SYM_UNKNOWN;
		if (!side_sizes(f, value, k, &n))
			continue;
		if (fit_vector_constant(f, &n))
			dims[k] = sym_int(&f->document->infer.pool, n.at[0]);
		else if (fit_explain(f, &n, v->near, v->near_count, &found) == FIT_GUESS_ONE)
			dims[k] = found.at[0];
	}
	v->out[output] = (struct info){.kind = TYPE_TENSOR,
				       .elem = base->elem,
				       .ranked = true,
				       .rank = base->rank,
				       .dims = dims};
}

/* What the rule says must be what the exports have. */
static bool check_output(struct fit_visit *v, uint32_t output)
{
	struct fitting *f = v->f;
	struct info *info = &v->out[output];
	uint32_t value = v->node->outputs[output];

	for (uint32_t k = 0; value && info->ranked && k < info->rank; k++) {
		for (uint32_t i = 0; i < f->count; i++) {
			int64_t is, want;

			if (sym_eval(&f->document->infer.pool, &f->envs[i], info->dims[k], &is) !=
				    SYM_OK ||
			    !side_size(f, i, value, k, &want) || is == want)
				continue;
			return fit_refuse(f, v->id,
					  "axis %" PRIu32 " of its result would be %" PRId64
					  " in export %" PRIu32 ", and is %" PRId64,
					  k, is, i + 1, want);
		}
		fit_know(f, info->dims[k]);
		fit_note_rounding(f, info->dims[k],
				  op_sizes(f->sides[0].m, v->node) == OP_SIZES_SLICE);
	}
	return true;
}

static void know_contents(struct fitting *f, const struct info *info)
{
	for (uint32_t i = 0; info->contents.at && i < info->contents.count && i < 16; i++)
		fit_know(f, info->contents.at[i]);
}

static void visit_inputs(struct fit_visit *v)
{
	struct fitting *f = v->f;

	for (uint32_t i = 0; i < v->node->input_count; i++) {
		uint32_t value = v->node->inputs[i];

		if (!value)
			continue;
		v->in[i] = value_is_constant(f->sides[0].m, value) ? f->document->infer.infos[value]
								   : f->infos[value];
	}
}

static bool visit_uses(struct fit_visit *v, const struct map *first)
{
	struct fitting *f = v->f;
	uint32_t *at = map_find(first, v->id);

	for (size_t i = at ? *at : f->uses.len; i < f->uses.len && f->uses.at[i].node == v->id; i++)
		v->in[f->uses.at[i].port] = (struct info){0};
	visit_near(v);
	for (size_t i = at ? *at : f->uses.len; i < f->uses.len && f->uses.at[i].node == v->id;
	     i++) {
		if (!solve_use(v, &f->uses.at[i]))
			return false;
	}
	return true;
}

/*
 * A number that is the same in all exports may still be a size, if a size of what the node reads
 * happens to be the same in all of them.  The elements tell only for a Reshape.
 */
static bool check_number(struct fit_visit *v, int64_t number)
{
	struct fitting *f = v->f;

	for (uint32_t i = 0; i < v->near_count; i++) {
		struct fit_vector all;
		struct str text = {0};

		for (uint32_t k = 0; k < f->count; k++)
			all.at[k] = number;
		if (!fit_is_at(f, v->near[i], &all))
			continue;
		sym_print(&f->document->infer.pool, v->near[i], &text);
		(void)fit_refuse(f, v->id,
				 "%" PRId64 " may be a number or %s; add an export at a size where "
				 "they differ",
				 number, str_c(&text));
		str_release(&text);
		return false;
	}
	return true;
}

static bool check_numbers(struct fit_visit *v)
{
	struct fitting *f = v->f;
	enum op_sizes sizes = op_sizes(f->sides[0].m, v->node);

	for (uint32_t i = 1; i < v->node->input_count; i++) {
		uint32_t value = v->node->inputs[i];
		const struct array *a;

		if (sizes == OP_SIZES_NONE || sizes == OP_SIZES_RESHAPE || !value ||
		    !value_is_constant(f->sides[0].m, value) || v->in[i].elem != ELEM_INT64)
			continue;
		a = fit_array(f, 0, value);
		for (uint64_t k = 0; a && k < a->count && k < FIT_MAX_INTS; k++) {
			int64_t number;

			if (array_int(a, k, &number) && number > 1 && !check_number(v, number))
				return false;
		}
	}
	return true;
}

static bool solve_node(struct fitting *f, uint32_t id, const struct map *first, bool main)
{
	const struct node *n = &f->sides[0].m->nodes.at[id];
	struct fit_visit v = {.f = f, .id = id, .node = n};
	bool ok;

	v.in = arena_array(&f->arena, n->input_count + 1, struct info);
	v.out = arena_array(&f->arena, n->output_count + 1, struct info);
	if (main)
		visit_inputs(&v);
	ok = visit_uses(&v, first);
	if (!ok || !main)
		return ok;
	if (!check_numbers(&v))
		return false;
	(void)infer_apply(&f->document->infer, id, &f->arena, v.in, v.out);
	for (uint32_t i = 0; i < n->output_count; i++) {
		if (!visit_is_known(&v.out[i]))
			guess_output(&v, i);
	}
	for (uint32_t i = 0; ok && i < n->output_count; i++) {
		ok = check_output(&v, i);
		know_contents(f, &v.out[i]);
		if (n->outputs[i])
			f->infos[n->outputs[i]] = v.out[i];
	}
	return ok;
}

/* Constants inside bodies; sizes are computed there, since a body sees all inputs. */
static bool solve_bodies(struct fitting *f, const struct map *first)
{
	const struct model *m = f->sides[0].m;

	for (uint32_t g = 1; g < m->graphs.len; g++) {
		const struct graph *graph = &m->graphs.at[g];

		plan_forget(&f->plan);
		for (size_t i = 0; i < graph->order.len; i++) {
			uint32_t id = graph->order.at[i];

			if (!map_find(first, id))
				continue;
			if (graph->kind == GRAPH_FUNCTION)
				return fit_refuse(f, id, "a constant in a function differs");
			if (!solve_node(f, id, first, false))
				return false;
		}
	}
	return true;
}

bool fit_solve(struct fitting *f)
{
	const struct graph *g = &f->sides[0].m->graphs.at[0];
	struct map first = {0};
	bool ok = true;

	f->value_count = f->sides[0].m->values.len;
	f->infos = must_alloc((f->value_count + 1) * sizeof(*f->infos));
	memset(f->infos, 0, (f->value_count + 1) * sizeof(*f->infos));
	for (size_t i = f->uses.len; i-- > 0;)
		*map_at(&first, f->uses.at[i].node) = (uint32_t)i;
	for (size_t i = 0; i < g->inputs.len; i++)
		f->infos[g->inputs.at[i]] = f->document->infer.infos[g->inputs.at[i]];
	for (size_t i = 0; ok && i < g->order.len; i++) {
		if (f->options->progress && i % 256 == 0 &&
		    !f->options->progress(f->options->context, i))
			f->stopped = true;
		if (f->stopped)
			break;
		if (!op_is_constant(f->sides[0].m, &f->sides[0].m->nodes.at[g->order.at[i]]))
			ok = solve_node(f, g->order.at[i], &first, true);
	}
	ok = ok && !f->stopped && solve_bodies(f, &first);
	map_release(&first);
	return ok;
}
