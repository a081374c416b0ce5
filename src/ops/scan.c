/* Scan, whose body runs once per slice, and SequenceMap, once per element. */
#include <inttypes.h>

#include "base/arena.h"
#include "ir/type.h"
#include "ops/body.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum {
	MAX_MAPPED = 8 /* elements of a sequence that are run one by one */
};

struct scan {
	struct rule *r;
	struct body body;
	uint32_t before; /* inputs before the states: 1 in version 8 */
	uint32_t states;
	uint32_t slices;     /* scan inputs */
	uint32_t batch;      /* 1 in version 8: all tensors have a batch axis first */
	const int64_t *axes; /* NULL: all 0 */
	const int64_t *out_axes;
	struct sym length;
	struct sym batch_size;
};

/* An optional list attribute with `needed` elements; false when it is invalid. */
static bool axes_of(struct rule *r, const char *name, uint32_t needed, const int64_t **out)
{
	uint32_t count;

	if (!rule_attr_ints(r, name, out, &count))
		return false;
	if (*out && count != needed) {
		rule_error(r, "%s has %" PRIu32 " %s, but %" PRIu32 " %s needed", name, count,
			   PLURAL(count, "element", "elements"), needed,
			   PLURAL(needed, "is", "are"));
		return false;
	}
	return true;
}

static void check_directions(struct rule *r, const char *name, uint32_t needed)
{
	const int64_t *list;

	if (!axes_of(r, name, needed, &list) || !list)
		return;
	for (uint32_t i = 0; i < needed; i++) {
		if (list[i] != 0 && list[i] != 1) {
			rule_error(r, "%s has %" PRId64 ", but must have only 0 and 1", name,
				   list[i]);
			return;
		}
	}
}

static bool find_counts(struct scan *s)
{
	struct rule *r = s->r;
	int64_t slices = rule_attr_int(r, "num_scan_inputs", 0);
	uint32_t inputs = r->in_count > s->before ? r->in_count - s->before : 0;

	if (slices < 1 || slices > inputs) {
		rule_error(r, "num_scan_inputs is %" PRId64 ", but must be from 1 to %" PRIu32,
			   slices, inputs);
		return false;
	}
	s->slices = (uint32_t)slices;
	s->states = inputs - s->slices;
	if (r->out_count < s->states) {
		rule_error(r, "%" PRIu32 " %s, but only %" PRIu32 " %s", s->states,
			   PLURAL(s->states, "state", "states"), r->out_count,
			   PLURAL(r->out_count, "output", "outputs"));
		return false;
	}
	return body_find(r, "body", &s->body) &&
	       body_check_counts(r, &s->body, "body", inputs, r->out_count);
}

/* The type without the axes `drop`, or without a shape. */
static struct info scan_op_without(struct rule *r, const struct info *whole, uint32_t first,
				   uint32_t drop)
{
	struct info out = {.kind = whole->kind, .elem = whole->elem};
	struct sym *dims;

	if (!whole->ranked || whole->rank < first + drop)
		return out;
	dims = rule_dims(r, whole->rank - drop);
	for (uint32_t i = 0, k = 0; i < whole->rank; i++) {
		if (i < first || i >= first + drop)
			dims[k++] = whole->dims[i];
	}
	out.ranked = true;
	out.rank = whole->rank - drop;
	out.dims = dims;
	return out;
}

/* What the body gets for a state: no batch axis, and no contents, which change. */
static struct info state_of(struct scan *s, uint32_t i)
{
	struct rule *r = s->r;
	const struct info *in = &r->in[s->before + i];

	if (s->batch && in->ranked && in->rank == 0)
		rule_error(r, "state %" PRIu32 " has no batch axis", i);
	else if (s->batch && in->ranked)
		s->batch_size = rule_equal(r, s->batch_size, in->dims[0], "batch sizes");
	return scan_op_without(r, in, 0, s->batch);
}

/* What the body gets for a scan input. */
static struct info slice_of(struct scan *s, uint32_t i)
{
	struct rule *r = s->r;
	const struct info *in = &r->in[s->before + s->states + i];
	struct info none = {.kind = in->kind, .elem = in->elem};
	uint32_t axis;

	if (!in->ranked)
		return none;
	if (s->batch && in->rank < 2) {
		rule_error(r, "scan input %" PRIu32 " has no batch and sequence axes", i);
		return none;
	}
	if (s->batch) {
		s->batch_size = rule_equal(r, s->batch_size, in->dims[0], "batch sizes");
		axis = 1;
	} else if (!rule_axis(r, s->axes ? s->axes[i] : 0, in->rank, &axis)) {
		return none;
	}
	s->length = rule_equal(r, s->length, in->dims[axis], "sequence lengths");
	rule_some(r, in->dims[axis], "at least one slice is needed");
	return s->batch ? scan_op_without(r, in, 0, 2) : scan_op_without(r, in, axis, 1);
}

/* A state keeps its shape in every run. */
static void scan_op_give_state(struct scan *s, uint32_t i, const struct info *in,
			       const struct info *out)
{
	struct rule *r = s->r;
	int32_t elem = in->elem ? in->elem : out->elem;
	const struct info *known = in->ranked ? in : out;
	bool both = in->ranked && out->ranked && !out->claimed;
	struct sym *dims;

	if (in->elem && out->elem && in->elem != out->elem)
		rule_error(r, "state %" PRIu32 " changes its element type", i);
	if (both && in->rank != out->rank)
		rule_error(r, "state %" PRIu32 " changes its rank", i);
	if (!known->ranked || (both && in->rank != out->rank)) {
		rule_out_unranked(r, i, elem);
		return;
	}
	dims = rule_dims(r, known->rank + s->batch);
	if (s->batch)
		dims[0] = s->batch_size;
	for (uint32_t k = 0; k < known->rank; k++)
		dims[k + s->batch] = both ? rule_equal(r, in->dims[k], out->dims[k],
						       "sizes of a state before and after the body")
					  : known->dims[k];
	rule_out(r, i, elem, known->rank + s->batch, dims);
	r->out[i].claimed = known->claimed;
}

static void scan_op_give_scan(struct scan *s, uint32_t i, const struct info *each)
{
	struct rule *r = s->r;
	uint32_t rank = each->rank + 1 + s->batch;
	uint32_t axis = s->batch;
	struct sym *dims;

	if (!each->ranked ||
	    (s->out_axes && !rule_axis(r, s->out_axes[i - s->states], rank, &axis))) {
		rule_out_unranked(r, i, each->elem);
		return;
	}
	dims = rule_dims(r, rank);
	dims[0] = s->batch_size;
	for (uint32_t k = s->batch, from = 0; k < rank; k++)
		dims[k] = k == axis ? s->length : each->dims[from++];
	rule_out(r, i, each->elem, rank, dims);
	r->out[i].claimed = each->claimed;
}

static void scan_op_run(struct scan *s)
{
	struct rule *r = s->r;
	struct info *in, *out;

	in = arena_array(r->arena, s->body.inputs, struct info);
	for (uint32_t i = 0; i < s->states; i++)
		in[i] = state_of(s, i);
	for (uint32_t i = 0; i < s->slices; i++)
		in[s->states + i] = slice_of(s, i);
	out = body_run(r, &s->body, in);
	for (uint32_t i = 0; out && i < s->states; i++)
		scan_op_give_state(s, i, &in[i], &out[i]);
	for (uint32_t i = s->states; out && i < r->out_count; i++)
		scan_op_give_scan(s, i, &out[i]);
}

void rule_scan8(struct rule *r)
{
	struct scan s = {.r = r, .before = 1, .batch = 1};

	if (!find_counts(&s) || !rule_check_rank(r, 0, 1, 1))
		return;
	check_directions(r, "directions", s.slices);
	s.batch_size = rule_dim(r, 0, 0);
	scan_op_run(&s);
}

void rule_scan(struct rule *r)
{
	struct scan s = {.r = r};

	if (!find_counts(&s) || !axes_of(r, "scan_input_axes", s.slices, &s.axes) ||
	    !axes_of(r, "scan_output_axes", r->out_count - s.states, &s.out_axes))
		return;
	check_directions(r, "scan_input_directions", s.slices);
	check_directions(r, "scan_output_directions", r->out_count - s.states);
	scan_op_run(&s);
}

/* ---- SequenceMap ---- */

/* Runs the body for element i of all sequences (UINT32_MAX: for any element). */
static struct info *map_one(struct rule *r, const struct body *b, uint32_t i)
{
	struct info *in = arena_array(r->arena, r->in_count, struct info);

	for (uint32_t k = 0; k < r->in_count; k++) {
		const struct info *given = &r->in[k];

		in[k] = *given;
		if (given->kind == TYPE_SEQUENCE && i != UINT32_MAX)
			in[k] = given->items[i];
		else if (given->kind == TYPE_SEQUENCE)
			in[k] = given->inner ? *given->inner : (struct info){0};
	}
	return body_run(r, b, in);
}

/* Are all sequences short and known element by element? */
static bool can_map_items(const struct rule *r)
{
	for (uint32_t k = 0; k < r->in_count; k++) {
		const struct info *in = &r->in[k];

		if (in->kind == TYPE_NONE)
			return false;
		if (in->kind == TYPE_SEQUENCE && (!in->items || in->item_count > MAX_MAPPED ||
						  in->item_count != r->in[0].item_count))
			return false;
	}
	return true;
}

static void map_items(struct rule *r, const struct body *b, struct info **items)
{
	for (uint32_t i = 0; i < r->in[0].item_count; i++) {
		struct info *given = map_one(r, b, i);

		for (uint32_t k = 0; k < r->out_count; k++)
			items[k][i] = given ? body_scrub(r, b, &given[k]) : (struct info){0};
	}
}

void rule_sequence_map(struct rule *r)
{
	struct body b;
	struct info **items, *any;
	struct sym length = r->in_count ? r->in[0].length : SYM_UNKNOWN;
	bool each;

	if (!body_find(r, "body", &b) ||
	    !body_check_counts(r, &b, "body", r->in_count, r->out_count))
		return;
	body_own_names(r, &b);
	if (r->in[0].kind != TYPE_SEQUENCE && r->in[0].kind != TYPE_NONE) {
		rule_error(r, "the first input is not a sequence");
		return;
	}
	for (uint32_t i = 1; i < r->in_count; i++) {
		if (r->in[i].kind == TYPE_SEQUENCE)
			length = rule_equal(r, length, r->in[i].length, "lengths of the sequences");
	}
	items = arena_array(r->arena, r->out_count, struct info *);
	each = r->in[0].kind == TYPE_SEQUENCE && can_map_items(r);
	for (uint32_t k = 0; each && k < r->out_count; k++)
		items[k] = arena_array(r->arena, (size_t)r->in[0].item_count + 1, struct info);
	if (each)
		map_items(r, &b, items);
	any = map_one(r, &b, UINT32_MAX); /* last: the body then shows what holds for all */
	for (uint32_t k = 0; k < r->out_count; k++) {
		struct info inner = any ? body_scrub(r, &b, &any[k]) : (struct info){0};

		for (uint32_t i = 0; each && i < r->in[0].item_count; i++)
			inner = i ? rule_join(r, &inner, &items[k][i]) : items[k][i];
		r->out[k] = (struct info){.kind = TYPE_SEQUENCE, .length = length};
		r->out[k].inner = rule_keep(r, &inner);
		r->out[k].items = each ? items[k] : NULL;
		r->out[k].item_count = each ? r->in[0].item_count : 0;
		r->out[k].claimed = inner.claimed;
	}
}
