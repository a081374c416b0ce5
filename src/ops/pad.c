#include <inttypes.h>

#include "base/sv.h"
#include "ir/type.h"
#include "ops/grid.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* The padding at both ends of the padded axes. */
struct pads {
	struct list pads;
	const uint32_t *axes; /* NULL: all, in order */
	uint32_t count;       /* of axes */
};

/* False when the padded axes are unknown or, with an error, the lists do not match. */
static bool read_pads(struct rule *r, struct pads *p)
{
	struct list axes = {0};
	uint32_t rank = r->in[0].rank;

	p->count = rank;
	if (r->version >= 18)
		axes = list_get(r, NULL, 3, 18);
	if (axes.given) {
		p->axes = list_axes(r, &axes, rank, true);
		p->count = axes.count;
		if (!p->axes)
			return false;
	}
	if (!p->pads.counted || p->pads.count == 2 * p->count)
		return true;
	rule_error(r, "%" PRIu32 " %s for %" PRIu32 " %s", p->pads.count,
		   PLURAL(p->pads.count, "pad", "pads"), p->count,
		   PLURAL(p->count, "axis", "axes"));
	return false;
}

/* A mirror needs more elements than it adds, not counting those that negative pads cut off. */
static void check_mirror(struct rule *r, struct sym dim, struct sym begin, struct sym end)
{
	struct sv mode = rule_attr_text(r, "mode");

	if (sym_is_unknown(begin) || sym_is_unknown(end) || sym_range(r->pool, begin).lo < 0 ||
	    sym_range(r->pool, end).lo < 0 || (sym_is(begin, 0) && sym_is(end, 0)))
		return;
	if (sv_is(mode, "edge") || sv_is(mode, "wrap"))
		rule_some(r, dim, "an element must be there to be repeated");
	if (!sv_is(mode, "reflect"))
		return;
	if (!sym_is(begin, 0))
		rule_bound(r, sym_add_int(r->pool, begin, 1), dim, "elements to mirror");
	if (!sym_is(end, 0))
		rule_bound(r, sym_add_int(r->pool, end, 1), dim, "elements to mirror");
}

static struct sym pad_size(struct rule *r, struct sym dim, struct sym begin, struct sym end)
{
	struct sym size = size_add(r, dim, size_add(r, begin, end));

	check_mirror(r, dim, begin, end);
	return check_size(r, size, "a size after padding") ? size : SYM_UNKNOWN;
}

/* Pads the elements with a constant; negative pads crop. */
static void pad_contents(struct rule *r, const int64_t begin[2])
{
	struct sv mode = rule_attr_text(r, "mode");
	struct grid from, to;
	struct sym *at, fill = rule_int(r, 0);

	if ((mode.len && !sv_is(mode, "constant")) || r->version < 11 ||
	    !grid_for(r, 0, RULE_MAX_VALUES, &to) || !grid_of(r, 0, &from) || from.rank != to.rank)
		return;
	if (rule_has(r, 2))
		fill = rule_single(r, 2);
	else if (elem_info(rule_elem(r, 0))->class == ELEM_CLASS_FLOAT)
		fill = SYM_UNKNOWN;
	at = rule_values(r, to.rows * to.columns);
	for (uint32_t i = 0; i < to.rows * to.columns; i++) {
		int64_t row = i / to.columns - begin[0], column = i % to.columns - begin[1];
		bool inside = row >= 0 && row < from.rows && column >= 0 && column < from.columns;

		at[i] = inside ? from.at[row * from.columns + column] : fill;
	}
	grid_keep(r, 0, &to, at);
}

void rule_pad(struct rule *r)
{
	struct pads p = {.pads = list_get(r, r->version < 2 ? "paddings" : "pads", 1, 11)};
	const struct info *in = &r->in[0];
	int64_t first[2] = {0, 0};
	bool known = true;
	struct sym *dims;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!p.pads.given)
		rule_error(r, "pads are missing");
	if (!rank_usable(r, 0))
		return;
	rule_out_rank(r, 0, in->elem, in->rank);
	if (!read_pads(r, &p))
		return;
	dims = rule_copy_dims(r, 0, 0);
	for (uint32_t i = 0; i < p.count; i++) {
		uint32_t axis = p.axes ? p.axes[i] : i, side = axis + 2 - MIN(in->rank, 2);
		struct sym begin = p.pads.at ? p.pads.at[i] : SYM_UNKNOWN;
		struct sym end = p.pads.at ? p.pads.at[p.count + i] : SYM_UNKNOWN;

		dims[axis] = pad_size(r, dims[axis], begin, end);
		known = known && side < 2 && sym_value(r->pool, begin, &first[side]) &&
			first[side] > -INT32_MAX && first[side] < INT32_MAX;
	}
	rule_out(r, 0, in->elem, in->rank, dims);
	if (known)
		pad_contents(r, first);
}
