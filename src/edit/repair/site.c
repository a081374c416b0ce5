#include "edit/repair/site.h"

#include "edit/change.h"
#include "edit/document.h"
#include "edit/repair/emit.h"
#include "edit/repair/old_sizes.h"
#include "edit/repair/reshape.h"
#include "edit/repair/weight.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

/* One change being made. */

static const struct node *site_node_of(const struct edit_site *s)
{
	return &s->document->wire.model.nodes.at[s->site->node];
}

static struct sym dim_of(const struct edit_site *s, uint32_t port, uint32_t axis)
{
	const struct node *n = site_node_of(s);
	const struct info *info;

	if (port >= n->input_count || !n->inputs[port])
		return SYM_UNKNOWN;
	info = &s->document->infer.infos[n->inputs[port]];
	return info->ranked && axis < info->rank ? info->dims[axis] : SYM_UNKNOWN;
}

/* `number` is the baked size or a multiple of it; returns that multiple of the wanted size. */
static struct sym site_scaled(const struct edit_site *s, int64_t number)
{
	struct sym_pool *pool = &s->document->infer.pool;
	struct sym out, multiple = sym_mul_int(pool, s->site->wanted, number);

	if (number == s->site->baked)
		return s->site->wanted;
	if (sym_is_unknown(s->site->wanted) || s->site->baked == 0 ||
	    !sym_divide(pool, multiple, sym_int(pool, s->site->baked), &out))
		return SYM_UNKNOWN;
	return out;
}

/* ---- a list of sizes in an input ---- */

/* Sets the entry of an output axis; lists are aligned at the right, like shapes. */
static bool set_entry(struct edit_site *s, uint32_t port, uint32_t from_right)
{
	struct sizes list;
	int64_t number;
	uint32_t i;

	if (!sizes_read(s, port, &list) || from_right >= list.count)
		return false;
	i = list.count - 1 - from_right;
	if (!sym_value(&s->document->infer.pool, list.at[i], &number))
		return false;
	list.at[i] = site_scaled(s, number);
	return !sym_is_unknown(list.at[i]) && sizes_write(s, port, &list);
}

static uint32_t output_rank(const struct edit_site *s)
{
	const struct info *info = &s->document->infer.infos[site_node_of(s)->outputs[0]];

	return info->ranked ? info->rank : 0;
}

/* An entry of 1 keeps the input's dim. */
static bool keep_entry(struct edit_site *s, uint32_t from_right)
{
	struct sizes list;
	uint32_t rank = s->document->infer.infos[site_node_of(s)->inputs[0]].rank;

	if (from_right >= rank ||
	    !mentions_goal(s->document, s->old, dim_of(s, 0, rank - 1 - from_right)) ||
	    !sizes_read(s, 1, &list) || from_right >= list.count)
		return false;
	list.at[list.count - 1 - from_right] = sym_int(&s->document->infer.pool, 1);
	return sizes_write(s, 1, &list);
}

static bool change_expand(struct edit_site *s, unsigned variant)
{
	uint32_t rank = output_rank(s);

	if (s->site->axis >= rank)
		return false;
	switch (variant) {
	case 0:
		return keep_entry(s, rank - 1 - s->site->axis);
	case 1:
		return set_entry(s, 1, rank - 1 - s->site->axis);
	default:
		s->none = true;
		return false;
	}
}

static bool site_change_list(struct edit_site *s, unsigned variant, uint32_t port)
{
	uint32_t rank = output_rank(s);

	s->none = variant > 0;
	return variant == 0 && s->site->axis < rank && set_entry(s, port, rank - 1 - s->site->axis);
}

static bool change_tile(struct edit_site *s, unsigned variant)
{
	struct sizes list;
	struct sym_pool *pool = &s->document->infer.pool;
	struct sym have = dim_of(s, 0, s->site->axis), times;

	s->none = variant > 0;
	/* The output dim is the input dim times the entry. */
	if (variant || !sizes_read(s, 1, &list) || s->site->axis >= list.count ||
	    sym_is_unknown(s->site->wanted) || !sym_divide(pool, s->site->wanted, have, &times))
		return false;
	list.at[s->site->axis] = times;
	return sizes_write(s, 1, &list);
}

static bool change_constant_of_shape(struct edit_site *s, unsigned variant)
{
	return site_change_list(s, variant, 0);
}

/* ---- Range: the limit ---- */

static bool change_range(struct edit_site *s, unsigned variant)
{
	struct sym_pool *pool = &s->document->infer.pool;
	const struct node *n = site_node_of(s);
	struct sizes start, delta;
	struct sym limit;
	struct attr to = attr_of_int(&s->document->wire.model, "to", ELEM_INT32);
	int32_t elem = s->document->infer.infos[n->inputs[1]].elem;
	uint32_t value;

	s->none = variant > 0;
	if (variant || (elem != ELEM_INT64 && elem != ELEM_INT32) || !sizes_read(s, 0, &start) ||
	    !sizes_read(s, 2, &delta) || start.count != 1 || delta.count != 1 ||
	    sym_is_unknown(s->site->wanted))
		return false;
	limit = sym_add(pool, start.at[0], sym_mul(pool, delta.at[0], s->site->wanted));
	value = emit_size(&s->emitter, limit, true);
	if (value && elem == ELEM_INT32)
		value = emit_node(&s->emitter, "Cast", &value, 1, &to, 1);
	if (value)
		input_replace(s, 1, value);
	return value != 0;
}

/* ---- Slice: the end ---- */

/* The index of the axis in a Slice's lists. */
static bool slice_entry(struct edit_site *s, const struct sizes *axes, bool given, uint32_t *out)
{
	uint32_t rank = s->document->infer.infos[site_node_of(s)->inputs[0]].rank;
	int64_t axis;

	*out = s->site->axis;
	for (uint32_t i = 0; given && i < axes->count; i++) {
		if (sym_value(&s->document->infer.pool, axes->at[i], &axis) &&
		    (axis < 0 ? axis + rank : axis) == s->site->axis) {
			*out = i;
			return true;
		}
	}
	return !given;
}

/* INT64_MAX if the slice went to the end; else the wanted size. */
static struct sym slice_end(const struct edit_site *s, struct sym end, unsigned variant)
{
	struct sym_pool *pool = &s->document->infer.pool;
	struct sym have = at_old(s->document, s->old, dim_of(s, 0, s->site->axis));
	int64_t number;

	if (variant == 0)
		return sym_same(have, end) ? sym_int(pool, INT64_MAX) : SYM_UNKNOWN;
	return sym_value(pool, end, &number) ? site_scaled(s, number) : SYM_UNKNOWN;
}

static bool change_slice_attrs(struct edit_site *s, unsigned variant)
{
	struct sizes ends, axes;
	uint32_t i;
	bool given = attr_sizes_read(s, "axes", &axes);

	if (variant > 0 || !attr_sizes_read(s, "ends", &ends) ||
	    !slice_entry(s, &axes, given, &i) || i >= ends.count)
		return false;
	ends.at[i] = slice_end(s, ends.at[i], 0);
	return !sym_is_unknown(ends.at[i]) && attr_sizes_write(s, "ends", &ends);
}

static bool change_slice(struct edit_site *s, unsigned variant)
{
	struct sizes ends, axes;
	bool given = site_node_of(s)->input_count > 3 && site_node_of(s)->inputs[3];
	uint32_t i;

	s->none = variant > 1;
	if (variant > 1)
		return false;
	if (site_node_of(s)->input_count < 3)
		return change_slice_attrs(s, variant);
	if ((given && !sizes_read(s, 3, &axes)) || !sizes_read(s, 2, &ends) ||
	    !slice_entry(s, &axes, given, &i) || i >= ends.count)
		return false;
	ends.at[i] = slice_end(s, ends.at[i], variant);
	return !sym_is_unknown(ends.at[i]) && sizes_write(s, 2, &ends);
}

/* ---- Resize: a size ---- */

/* The wanted size, or one that keeps the old ratio. */
static struct sym site_resized(const struct edit_site *s, int64_t size)
{
	struct sym_pool *pool = &s->document->infer.pool;
	struct sym have = dim_of(s, 0, s->site->axis);
	struct sym was = at_old(s->document, s->old, have);

	if (!sym_is_unknown(s->site->wanted))
		return site_scaled(s, size);
	if (sym_is_unknown(have) || sym_is(was, 0))
		return SYM_UNKNOWN;
	return sym_floor_div(pool, sym_mul_int(pool, have, size), was);
}

static bool change_resize(struct edit_site *s, unsigned variant)
{
	enum {
		SIZES = 3
	};
	struct sizes list, axes;
	uint32_t i = s->site->axis;
	int64_t size;

	s->none = variant > 0;
	if (variant || !sizes_read(s, SIZES, &list))
		return false;
	if (attr_sizes_read(s, "axes", &axes) && !slice_entry(s, &axes, true, &i))
		return false;
	if (i >= list.count || !sym_value(&s->document->infer.pool, list.at[i], &size))
		return false;
	list.at[i] = site_resized(s, size);
	return !sym_is_unknown(list.at[i]) && sizes_write(s, SIZES, &list);
}

/* ---- Split: the parts ---- */

static bool all_same(const struct sizes *list)
{
	for (uint32_t i = 1; i < list->count; i++) {
		if (!sym_same(list->at[i], list->at[0]))
			return false;
	}
	return true;
}

/* Equal parts need no sizes. */
static bool split_equally(struct edit_site *s, const struct sizes *list, bool attribute)
{
	struct model *m = &s->document->wire.model;
	struct attr outputs = attr_of_int(m, "num_outputs", list->count);

	if (!all_same(list))
		return false;
	if (attribute) {
		change_attr_remove(s->log, m, s->site->node, "split");
		return true;
	}
	input_replace(s, 1, 0);
	if (emit_version(&s->emitter) >= 18)
		change_attr(s->log, m, s->site->node, &outputs);
	return true;
}

/* One part takes the remainder; the last one is the likeliest. */
static bool split_rest(struct edit_site *s, struct sizes *list, uint32_t which)
{
	struct sym_pool *pool = &s->document->infer.pool;
	struct attr axis_attr;
	const struct attr *axis = node_attr(&s->document->wire.model, site_node_of(s), "axis");
	int64_t number = axis ? axis->i : 0;
	uint32_t rank = s->document->infer.infos[site_node_of(s)->inputs[0]].rank;
	struct sym rest = dim_of(s, 0, (uint32_t)(number < 0 ? number + rank : number));

	(void)axis_attr;
	for (uint32_t i = 0; i < list->count; i++) {
		if (i != which)
			rest = sym_sub(pool, rest, list->at[i]);
	}
	list->at[which] = rest;
	return sizes_write(s, 1, list);
}

static bool change_split(struct edit_site *s, unsigned variant)
{
	struct sizes list;
	bool attribute = site_node_of(s)->input_count < 2;

	if (!(attribute ? attr_sizes_read(s, "split", &list) : sizes_read(s, 1, &list)) ||
	    variant > list.count) {
		s->none = true;
		return false;
	}
	if (variant == 0)
		return split_equally(s, &list, attribute);
	return !attribute && split_rest(s, &list, list.count - variant);
}

/* ---- the table ---- */

typedef bool change_site(struct edit_site *s, unsigned variant);

static change_site *const site_changes[OP_SIZES_COUNT] = {
	[OP_SIZES_NONE] = NULL,
	[OP_SIZES_RESHAPE] = change_reshape,
	[OP_SIZES_EXPAND] = change_expand,
	[OP_SIZES_TILE] = change_tile,
	[OP_SIZES_SHAPE] = change_constant_of_shape,
	[OP_SIZES_RANGE] = change_range,
	[OP_SIZES_SLICE] = change_slice,
	[OP_SIZES_RESIZE] = change_resize,
	[OP_SIZES_SPLIT] = change_split,
};

static change_site *site_change_of(const struct model *m, uint32_t node)
{
	const struct node *n = &m->nodes.at[node];

	return n->output_count ? site_changes[op_sizes(m, n)] : NULL;
}

bool site_is_known(const struct model *m, uint32_t node)
{
	return site_change_of(m, node) != NULL;
}

bool site_change(struct document *d, const struct old_sizes *old, const struct site *site,
		 unsigned variant, struct change_log *log, bool *out_none)
{
	struct edit_site s = {.document = d, .old = old, .site = site, .log = log};
	change_site *change = site->weight ? change_weight
					   : site_change_of(&d->wire.model, site->node);
	bool ok;

	emitter_init(&s.emitter, d, log, site->node);
	ok = change && change(&s, variant);
	*out_none = s.none || !change;
	emitter_release(&s.emitter);
	return ok;
}
