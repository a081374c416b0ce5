#include "flow/rules.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/base.h"
#include "base/sv.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/fold.h"
#include "flow/plan.h"
#include "flow/visit.h"
#include "infer/apply.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

/* ---- which rule ---- */

static flow_rule *const flow_rules[OP_FLOW_COUNT] = {
#define FLOW_RULE(kind, rule) [OP_FLOW_##kind] = flow_##rule,
#include "flow/rules.def"
#undef FLOW_RULE
};

/* Elements that are known, and numbers: of a round of a Loop. */
static bool has_numbers(const struct visit *v, uint32_t port)
{
	const struct contents *c = &v->in[port].contents;

	for (uint32_t i = 0; i < c->count; i++) {
		if (flow_symbols(&v->pass->factory, c->at[i]))
			return false;
	}
	return c->at;
}

/* Are only sizes read, no axis that has one? */
static bool reads_only_sizes(const struct visit *v)
{
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		for (uint32_t k = 0; k < v->in[i].rank; k++) {
			if (axis_symbols(v->in[i].axes[k]))
				return false;
		}
		if (visit_has(v, i) && (!v->in[i].known || v->in[i].is_sequence))
			return false;
	}
	return true;
}

/* Arithmetic with sizes: the shape rule computes it, or they become data. */
static bool sizes_only(struct visit *v)
{
	struct pass *p = v->pass;
	uint64_t read = 0;

	for (uint32_t i = 0; i < v->node->output_count; i++) {
		if (!visit_put_sizes(v, i, NULL))
			return false;
	}
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		for (uint32_t k = 0; k < v->in[i].contents.count; k++)
			read |= flow_symbols(&p->factory, v->in[i].contents.at[k]);
	}
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		const struct track *t = &p->tracks[v->node->outputs[i]];

		if (t->contents.at || t->constant)
			return true;
		for (uint32_t k = 0; k < t->rank; k++)
			read &= ~axis_symbols(t->axes[k]);
	}
	flow_mix(v, read, "its size becomes data");
	return true;
}

static bool is_forced_node(const struct visit *v)
{
	for (size_t i = 0; i < v->pass->forces.list.len; i++) {
		if (v->pass->forces.list.at[i].node == v->id)
			return true;
	}
	return false;
}

/* Constants that a demand forces, where the rule does not do it itself. */
static bool follow_forced(struct visit *v, enum op_flow kind)
{
	if (kind == OP_FLOW_ELEMENTWISE || kind == OP_FLOW_SCALED || kind == OP_FLOW_CONCAT)
		return true;
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		struct flow_axis *axes = visit_axes(v, v->in[i].rank);
		struct follow spec[RULE_MAX_RANK] = {0};
		bool any = false;

		for (uint32_t k = 0; v->in[i].constant && k < v->in[i].rank; k++) {
			const struct force *f = flow_force(v->pass, v->id, i, k);

			axes[k] = f ? f->factors : v->in[i].axes[k];
			spec[k] = (struct follow){f != NULL, axes[k]};
			any |= f != NULL;
		}
		if (!any)
			continue;
		if (!flow_follow(v, i, spec, false))
			return false;
		v->in[i].axes = axes;
		v->in[i].constant = false;
	}
	return true;
}

/* Is a size of an output not known, although all sizes are numbers? */
static bool depends_on_data(const struct visit *v)
{
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		for (uint32_t k = 0; v->node->outputs[i] && k < visit_rank(v, i); k++) {
			if (visit_old(v, i, k) < 0)
				return true;
		}
	}
	return false;
}

bool flow_rule_run(struct visit *v)
{
	enum op_flow kind = op_flow(v->pass->in->model, v->node);

	for (uint32_t i = 0; i < v->node->input_count; i++) {
		if (visit_has(v, i) && !v->in[i].known)
			return flow_refuse(v, CAUSE_OPERATOR, "the shape of an input is not known");
	}
	if (reads_only_sizes(v) && visit_is_complete(v) && !is_forced_node(v) &&
	    op_shapes(v->pass->in->model, v->node) &&
	    (kind != OP_FLOW_GATHER || v->in[0].contents.at || has_numbers(v, 1)))
		return sizes_only(v);
	if (flow_rules[kind] && !visit_is_complete(v))
		return flow_refuse(v, CAUSE_BROKEN, "inputs or outputs are missing");
	if (!flow_rules[kind])
		return depends_on_data(v)
			       ? flow_refuse(v, CAUSE_DATA,
					     "the size of its output depends on data")
			       : flow_refuse(v, CAUSE_OPERATOR,
					     "axed cannot follow an axis through this operator");
	return follow_forced(v, kind) && flow_rules[kind](v);
}

/* ---- outputs of the model ---- */

/* Does it depend on the freed axis, and have its old size, but not the axis? */
static bool keeps_old_size(const struct pass *p, uint32_t value, const struct track *t,
			   uint32_t bit)
{
	bool carries = false, has_old = false;

	for (uint32_t k = 0; k < t->rank; k++) {
		carries |= axis_symbols(t->axes[k]) >> bit & 1;
		has_old |= !axis_symbols(t->axes[k]) && axis_old(t->axes[k]) == p->old[bit];
	}
	return (p->depends[value] & ~p->carried) >> bit & 1 && !carries && has_old &&
	       p->old[bit] > 1;
}

bool pass_check_output(struct visit *v, uint32_t value, const struct track *t)
{
	struct sv name = model_cut_name(v->pass->in->model,
					v->pass->in->model->values.at[value].name);

	if (t->constant)
		return flow_refuse(v, CAUSE_FOLDED, "the output %.*s is a constant", (int)name.len,
				   name.at);
	if (!t->known || t->is_sequence)
		return flow_refuse(v, CAUSE_OPERATOR, "the shape of the output %.*s is not known",
				   (int)name.len, name.at);
	for (uint32_t i = 0; i < v->pass->factory.symbol_count; i++) {
		if (!keeps_old_size(v->pass, value, t, i))
			continue;
		return flow_refuse(
			v, CAUSE_MEANT,
			"the output %.*s has an axis of %" PRId64 ", which may be %s",
			(int)name.len, name.at, v->pass->old[i],
			flow_text(v->pass,
				  v->pass->in->pool.symbols.at[v->pass->factory.symbols[i]].self));
	}
	return true;
}

/* ---- elementwise ---- */

static uint32_t present_ports(const struct visit *v, uint32_t *out)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < v->node->input_count && count < RULE_MAX_RANK; i++) {
		if (visit_has(v, i))
			out[count++] = i;
	}
	return count;
}

bool flow_elementwise(struct visit *v)
{
	uint32_t ports[RULE_MAX_RANK], count = present_ports(v, ports);
	uint32_t rank = visit_rank(v, 0);
	struct flow_axis *axes = visit_axes(v, rank);

	if (count == RULE_MAX_RANK)
		return flow_refuse(v, CAUSE_LIMIT, "too many inputs");
	return flow_broadcast(v, ports, count, 0, axes, rank) && visit_put(v, 0, axes, rank);
}

/* The shape of the first input: Cast, Clip, Identity; further inputs are scalars. */
bool flow_same(struct visit *v)
{
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		if (!visit_put(v, i, v->in[0].axes, v->in[0].rank))
			return false;
	}
	return true;
}

/* Shape, Size, ConstantOfShape, Range: the shape rule says all. */
bool flow_sizes(struct visit *v)
{
	struct pass *p = v->pass;
	struct track *t = &p->tracks[v->node->outputs[0]];

	if (!visit_put_sizes(v, 0, NULL))
		return false;
	for (uint32_t k = 0; op_sizes(p->in->model, v->node) == OP_SIZES_RANGE && k < t->rank;
	     k++) {
		t->numbered |= axis_symbols(t->axes[k]) & ~p->carried;
		flow_mix(v, axis_symbols(t->axes[k]), "Range numbers its positions");
	}
	return true;
}

/* ---- moved axes ---- */

bool flow_transpose(struct visit *v)
{
	uint32_t rank = v->in[0].rank, count = 0;
	struct flow_axis *axes = visit_axes(v, rank);
	const int64_t *perm = NULL;

	(void)visit_attr_ints(v, "perm", &perm, &count);
	if (perm && count != rank)
		return flow_refuse(v, CAUSE_BROKEN, "its permutation does not fit");
	for (uint32_t i = 0; i < rank; i++) {
		int64_t from = perm ? perm[i] : rank - 1 - i;

		if (from < 0 || from >= rank)
			return flow_refuse(v, CAUSE_BROKEN, "its permutation does not fit");
		axes[i] = v->in[0].axes[from];
	}
	return visit_put(v, 0, axes, rank);
}

/* The axes of Squeeze and Unsqueeze, as a set: attribute or second input. */
static bool listed_axes(struct visit *v, uint32_t rank, bool *out, bool *out_given)
{
	const int64_t *list = NULL;
	uint32_t count = 0;

	*out_given = visit_attr_ints(v, "axes", &list, &count) ||
		     (visit_has(v, 1) && visit_numbers(v, 1, &list, &count));
	if (visit_has(v, 1) && !*out_given)
		return flow_refuse(v, CAUSE_DATA, "its axes are not constant");
	for (uint32_t i = 0; i < count; i++) {
		int64_t axis = list[i] < 0 ? list[i] + rank : list[i];

		if (axis < 0 || axis >= rank)
			return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
		out[axis] = true;
	}
	return true;
}

bool flow_squeeze(struct visit *v)
{
	const struct track *x = &v->in[0];
	struct flow_axis *axes = visit_axes(v, x->rank);
	bool gone[RULE_MAX_RANK] = {false}, given;
	uint32_t rank = 0;

	if (!listed_axes(v, x->rank, gone, &given))
		return false;
	for (uint32_t i = 0; i < x->rank; i++) {
		bool drop = given ? gone[i] : axis_old(x->axes[i]) == 1;

		if (drop && flow_pins(v, x->axes[i]))
			return flow_impossible(v, given ? CAUSE_ONE : CAUSE_SQUEEZE,
					       "it removes %s", flow_was(v->pass, x->axes[i]));
		if (!drop)
			axes[rank++] = x->axes[i];
	}
	/* Without axes it would remove others too, at other sizes. */
	if (!given)
		for (uint32_t i = 0; i < rank; i++) {
			if (flow_pins(v, axes[i]))
				return flow_refuse(
					v, CAUSE_SQUEEZE,
					"without axes, it would remove %s, where that is 1: "
					"its result has another rank then",
					flow_was(v->pass, axes[i]));
		}
	return visit_put(v, 0, axes, rank);
}

bool flow_unsqueeze(struct visit *v)
{
	uint32_t rank = visit_rank(v, 0), next = 0;
	struct flow_axis *axes = visit_axes(v, rank);
	bool added[RULE_MAX_RANK] = {false}, given;

	if (!listed_axes(v, rank, added, &given))
		return false;
	for (uint32_t i = 0; i < rank; i++) {
		if (!added[i] && next < v->in[0].rank)
			axes[i] = v->in[0].axes[next++];
	}
	return visit_put(v, 0, axes, rank);
}

/* ---- Reshape ---- */

bool flow_flatten(struct visit *v)
{
	const struct track *x = &v->in[0];
	struct flow_axis *axes = visit_axes(v, 2);
	int64_t at = visit_attr(v, "axis", 1);

	at = at < 0 ? at + x->rank : at;
	for (uint32_t i = 0; i < x->rank; i++)
		axes[i >= at] = axis_joined(&v->pass->factory, axes[i >= at], x->axes[i]);
	return visit_put(v, 0, axes, 2);
}

/* Does the target, as it stands, say the sizes at every size? */
static bool target_fits(struct visit *v, const struct flow_axis *axes, uint32_t rank)
{
	struct pass *p = v->pass;
	struct info *out = arena_array(&p->arena, v->node->output_count, struct info);
	uint32_t same = 0;

	if (!infer_apply(p->in, v->id, &p->arena, v->infos, out) || !out[0].ranked ||
	    out[0].rank != rank)
		return false;
	while (same < rank && sym_eq(&p->in->pool, out[0].dims[same],
				     axis_size(&p->factory, axes[same])) == SYM_YES)
		same++;
	return same == rank;
}

/* Is the value computed with a factor that is a literal?  A size that was 1 may be in it. */
static bool has_literal_factor(struct pass *p, uint32_t value, unsigned *left)
{
	const struct model *m = p->in->model;
	const struct node *n = &m->nodes.at[m->values.at[value].producer];
	int64_t number;

	if (!m->values.at[value].producer || !*left)
		return false;
	--*left;
	for (uint32_t i = 0; i < n->input_count; i++) {
		bool constant = p->tracks[n->inputs[i]].constant;
		const struct array *a = constant ? fold_value(p->folder, n->inputs[i]) : NULL;

		if (op_flow(m, n) == OP_FLOW_SCALED && a && a->count == 1 &&
		    array_int(a, 0, &number) && number >= 1)
			return true;
		if (!constant && has_literal_factor(p, n->inputs[i], left))
			return true;
	}
	return false;
}

/* Does the axis have a size that was 1, and would be the entry without it? */
static bool may_hide_one(struct visit *v, struct flow_axis axis, struct sym entry)
{
	unsigned left = 64; /* nodes to look at */
	bool has_one = false;

	for (uint32_t i = 0; i < axis.count; i++)
		has_one |= factor_is_origin(&axis.at[i]) && axis.at[i].old == 1;
	return has_one && pass_old_size(v->pass, entry) == axis_old(axis) &&
	       has_literal_factor(v->pass, v->node->inputs[1], &left);
}

/* Entries that the model computes must be what the elements say; literals may be rewritten. */
static bool computed_entries_fit(struct visit *v, const struct flow_axis *axes,
				 const struct sym *list, uint32_t count)
{
	struct pass *p = v->pass;

	for (uint32_t i = 0; i < count; i++) {
		struct sym size = axis_size(&p->factory, axes[i]);

		if (flow_symbols(&p->factory, list[i]) &&
		    sym_eq(&p->in->pool, list[i], size) != SYM_YES &&
		    !may_hide_one(v, axes[i], list[i]))
			return flow_unequal(v, size, list[i],
					    "an axis of its result would have two sizes");
	}
	return true;
}

/* Before opset 5 the target is an attribute: only numbers. */
static bool write_shape_attr(struct visit *v, const struct sym *entries, uint32_t rank)
{
	int64_t numbers[RULE_MAX_RANK];

	for (uint32_t i = 0; i < rank; i++) {
		if (!sym_value(&v->pass->in->pool, entries[i], &numbers[i]))
			return flow_refuse(v, CAUSE_OPSET,
					   "its target is an attribute, before opset 5");
	}
	plan_set_attr(&v->pass->plan, v->id, "shape", numbers, rank);
	return true;
}

/*
 * What the target copies or infers today, and no freed axis is in, stays so: a number in its place
 * would fix an axis that nobody asked to free.
 */
static void keep_followed(struct visit *v, const struct flow_axis *axes, const int64_t *literal,
			  bool has_open, struct sym *entries, uint32_t rank)
{
	struct pass *p = v->pass;
	const struct track *x = &v->in[0];

	for (uint32_t i = 0; literal && i < rank; i++) {
		bool copied = literal[i] == 0 && i < x->rank && !axis_symbols(x->axes[i]);

		if (!axis_symbols(axes[i]) && (copied || (literal[i] == -1 && !has_open)))
			entries[i] = sym_int(&p->in->pool, literal[i]);
	}
}

/* Numbers where it can be; -1 for the last size that cannot be copied. */
static bool write_target(struct visit *v, const struct flow_axis *axes, const int64_t *literal,
			 uint32_t rank)
{
	struct pass *p = v->pass;
	const struct track *x = &v->in[0];
	struct sym *entries = arena_array(&p->arena, rank, struct sym);
	uint32_t last = UINT32_MAX;
	uint64_t symbols = 0;
	bool may_copy = visit_attr(v, "allowzero", 0) == 0;

	for (uint32_t i = 0; i < rank; i++) {
		entries[i] = axis_size(&p->factory, axes[i]);
		symbols |= axis_symbols(axes[i]);
	}
	for (uint32_t i = 0; i < rank; i++) {
		if (!axis_symbols(axes[i]))
			continue;
		if (may_copy && i < x->rank && axis_same_size(&p->factory, x->axes[i], axes[i]))
			entries[i] = sym_int(&p->in->pool, 0);
		else
			last = i;
	}
	if (last != UINT32_MAX)
		entries[last] = sym_int(&p->in->pool, -1);
	keep_followed(v, axes, may_copy ? literal : NULL, last != UINT32_MAX, entries, rank);
	flow_note(v, "its target follows", symbols);
	return visit_has(v, 1) ? visit_replace_sizes(v, 1, entries, rank)
			       : write_shape_attr(v, entries, rank);
}

bool flow_reshape(struct visit *v)
{
	struct pass *p = v->pass;
	uint32_t rank = visit_rank(v, 0), count = 0;
	struct flow_axis *axes = visit_axes(v, rank);
	int64_t *target = arena_array(&p->arena, rank, int64_t);
	const int64_t *literal = NULL;
	const struct sym *list;

	for (uint32_t i = 0; i < rank; i++)
		target[i] = visit_old(v, 0, i);
	if (!visit_has(v, 1)) {
		if (!flow_align(v, &v->in[0], target, NULL, rank, axes))
			return false;
		return target_fits(v, axes, rank) ? visit_put(v, 0, axes, rank)
						  : write_target(v, axes, NULL, rank) &&
							    visit_put_as(v, 0, axes, rank);
	}
	if (!visit_list(v, 1, &list, &count) || count != rank)
		return flow_refuse(v, CAUSE_DATA, "its target depends on data");
	if (!visit_numbers(v, 1, &literal, &count))
		literal = NULL;
	if (p->watch)
		return flow_align(v, &v->in[0], target, literal, rank, axes) &&
		       visit_put_as(v, 0, axes, rank);
	if (!flow_align(v, &v->in[0], target, literal, rank, axes) ||
	    !computed_entries_fit(v, axes, list, rank))
		return false;
	if (!target_fits(v, axes, rank) && !write_target(v, axes, literal, rank))
		return false;
	return visit_put(v, 0, axes, rank);
}
