/*
 * Loop: a body that runs repeatedly on its own results.
 *
 * The body is run with what is known about the initial state.  What changes is widened and the body
 * run again, until what is known about the inputs also holds for the outputs: a size that changes
 * first becomes a symbol of the loop, to see whether each run adds the same amount to it; if
 * not, it becomes unknown.  A state's contents are kept only when no run changes them.  Nothing is
 * known about the shape of a state whose new shape is only claimed.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "ir/type.h"
#include "ops/body.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "ops/unrolled.h"
#include "sym/sym.h"

enum {
	RUNS = 4,       /* nearly always two suffice; then a last one with types only */
	FIRST_STATE = 2 /* after the trip count and the condition */
};

enum progress {
	SIZE_SAME,
	SIZE_MOVES, /* each run adds the same amount */
	SIZE_LOST
};

/* A size of a state: that of an axis, or the length of a sequence. */
struct size {
	enum progress progress;
	struct sym first;
	struct sym step;
};

struct state {
	struct info first;
	struct size *sizes; /* one per axis, and one for the length */
	bool optional;      /* at first; then what it holds */
};

struct loop {
	struct rule *r;
	struct body body;
	unsigned run;   /* from 0 */
	uint32_t count; /* of states */
	struct state *states;
	struct info *in;  /* of the body: run number, condition, states */
	struct info *out; /* of the body: condition, states, scan outputs */
};

/* Symbols of a loop use axes that no output has, so they differ from its outputs' sizes. */
static struct sym loop_symbol(struct loop *l, uint32_t state, uint32_t axis)
{
	return rule_fresh(l->r, state, RULE_MAX_RANK + 1 + axis, SYM_UNKNOWN);
}

static struct sym widen_size(struct loop *l, uint32_t state, uint32_t axis, struct sym in,
			     struct sym out)
{
	struct size *size = &l->states[state].sizes[axis];

	if (sym_is_unknown(in) || sym_is_unknown(out)) {
		size->progress = SIZE_LOST;
		return SYM_UNKNOWN;
	}
	if (size->progress == SIZE_SAME) {
		if (sym_eq(l->r->pool, in, out) == SYM_YES)
			return in;
		/* A size that changes only because others do is not worth another run. */
		size->progress = l->run ? SIZE_LOST : SIZE_MOVES;
		return loop_symbol(l, state, axis);
	}
	size->step = sym_sub(l->r->pool, out, in);
	if (sym_is_unknown(size->step) || body_is_local(l->r, &l->body, size->step))
		size->progress = SIZE_LOST;
	return in; /* not unknown: a claim of the body would be taken for it */
}

/* Kind and element type, which a state never changes. */
static struct info loop_bare(struct rule *r, const struct info *info, unsigned depth)
{
	struct info out = {.kind = info->kind, .elem = info->elem};

	if (info->inner && depth < 8) {
		struct info inner = loop_bare(r, info->inner, depth + 1);

		out.inner = rule_keep(r, &inner);
	}
	return out;
}

/* Nothing is known about the sizes of a state. */
static struct info loop_lose(struct loop *l, uint32_t state, const struct info *in)
{
	struct state *s = &l->states[state];

	for (uint32_t i = 0; i <= s->first.rank; i++)
		s->sizes[i].progress = SIZE_LOST;
	return loop_bare(l->r, in, 0);
}

static void widen_contents(struct rule *r, struct info *now, const struct info *in,
			   const struct info *out)
{
	struct contents a = body_contents(r, in), b = body_contents(r, out);
	struct sym *at;
	bool any = false;

	if (!a.at || !b.at || a.count != b.count || a.rank != b.rank || a.rows != b.rows)
		return;
	at = rule_values(r, a.count);
	for (uint32_t i = 0; i < a.count; i++) {
		if (sym_same(a.at[i], b.at[i]) && !sym_is_unknown(a.at[i])) {
			at[i] = a.at[i];
			any = true;
		}
	}
	if (any) {
		now->contents = a;
		now->contents.at = at;
		contents_set_bounds(&now->contents, SYM_UNKNOWN, SYM_UNKNOWN);
	}
}

static struct info widen_tensor(struct loop *l, uint32_t state, const struct info *in,
				const struct info *out)
{
	struct info now = {.kind = in->kind, .elem = in->elem ? in->elem : out->elem};
	struct sym *dims;

	if (in->elem && out->elem && in->elem != out->elem)
		rule_error(l->r, "state %" PRIu32 " changes its element type", state);
	if (!in->ranked || !out->ranked || in->rank != out->rank)
		return now;
	dims = rule_dims(l->r, in->rank);
	for (uint32_t i = 0; i < in->rank; i++)
		dims[i] = widen_size(l, state, i, in->dims[i], out->dims[i]);
	now.ranked = true;
	now.rank = in->rank;
	now.dims = dims;
	widen_contents(l->r, &now, in, out);
	return now;
}

static struct info widen_nested(struct loop *l, uint32_t state, const struct info *in,
				const struct info *out)
{
	struct info now = {.kind = in->kind, .elem = in->elem};
	struct info inner, given;

	now.length = widen_size(l, state, l->states[state].first.rank, in->length, out->length);
	if (!in->inner || !out->inner)
		return now;
	given = body_scrub(l->r, &l->body, out->inner);
	/* Any statement about the elements of an empty sequence holds. */
	inner = sym_is(in->length, 0) ? given : rule_join(l->r, in->inner, &given);
	now.inner = rule_keep(l->r, &inner);
	return now;
}

/* An optional state may become what it holds; the next run takes it as a present one. */
static bool loop_is_optional(const struct info *in, const struct info *out)
{
	return in->kind == TYPE_OPTIONAL && in->inner &&
	       (in->inner->kind == out->kind || in->inner->kind == TYPE_NONE) &&
	       out->kind != TYPE_OPTIONAL;
}

static struct info loop_widen(struct loop *l, uint32_t state, const struct info *in,
			      const struct info *out)
{
	struct state *s = &l->states[state];

	for (uint32_t i = 0; i <= s->first.rank; i++)
		s->sizes[i].step = rule_int(l->r, 0);
	if (body_same(l->r, in, out) && !out->claimed)
		return *in;
	if (in->kind == TYPE_NONE || out->kind == TYPE_NONE)
		return loop_lose(l, state, in);
	if (loop_is_optional(in, out)) {
		s->optional = true;
		return *in;
	}
	if (in->kind != out->kind) {
		rule_error(l->r, "state %" PRIu32 " changes its type", state);
		return (struct info){0};
	}
	if (out->claimed)
		return loop_lose(l, state, in);
	if (in->kind == TYPE_TENSOR || in->kind == TYPE_SPARSE)
		return widen_tensor(l, state, in, out);
	return widen_nested(l, state, in, out);
}

/* The iteration number and the condition are scalars, but some bodies declare them as [1]. */
static struct info loop_single(struct loop *l, uint32_t input, int32_t elem)
{
	struct info out = {.kind = TYPE_TENSOR, .elem = elem, .ranked = true};
	uint32_t rank;

	if (body_claimed_rank(l->r, &l->body, input, &rank) && rank == 1) {
		struct sym *dims = rule_dims(l->r, 1);

		dims[0] = rule_int(l->r, 1);
		out.rank = 1;
		out.dims = dims;
	}
	return out;
}

static void loop_prepare(struct loop *l)
{
	struct rule *r = l->r;
	struct sym *yes = rule_values(r, 1);

	l->states = arena_array(r->arena, (size_t)l->count + 1, struct state);
	l->in = arena_array(r->arena, (size_t)l->count + FIRST_STATE, struct info);
	l->in[0] = loop_single(l, 0, ELEM_INT64);
	l->in[1] = loop_single(l, 1, ELEM_BOOL);
	yes[0] = rule_int(r, 1); /* otherwise the body would not run */
	l->in[1].contents = (struct contents){.at = yes, .count = 1, .rank = l->in[1].rank};
	for (uint32_t i = 0; i < l->count; i++) {
		struct state *s = &l->states[i];

		s->first = r->in[FIRST_STATE + i];
		s->sizes = arena_array(r->arena, (size_t)s->first.rank + 1, struct size);
		for (uint32_t k = 0; k < s->first.rank; k++)
			s->sizes[k].first = s->first.dims[k];
		s->sizes[s->first.rank].first = s->first.length;
		l->in[FIRST_STATE + i] = s->first;
	}
}

/* After the first run, the condition is what the body gave: it may have another shape. */
static bool widen_condition(struct loop *l)
{
	struct info *in = &l->in[1];
	const struct info *out = &l->out[0];

	if (!in->ranked || (out->ranked && out->rank == in->rank && !out->claimed))
		return false;
	*in = loop_bare(l->r, in, 0);
	return true;
}

/* Runs the body until nothing changes.  False when it cannot be run. */
static bool loop_settle(struct loop *l)
{
	for (l->run = 0; l->run < RUNS; l->run++) {
		bool changed;

		l->out = body_run(l->r, &l->body, l->in);
		if (!l->out)
			return false;
		changed = widen_condition(l);
		for (uint32_t i = 0; i < l->count; i++) {
			struct info *in = &l->in[FIRST_STATE + i];
			struct info now = loop_widen(l, i, in, &l->out[1 + i]);

			changed |= !body_same(l->r, in, &now);
			*in = now;
		}
		if (!changed)
			return true;
	}
	for (uint32_t i = 0; i < l->count; i++)
		l->in[FIRST_STATE + i] = loop_lose(l, i, &l->in[FIRST_STATE + i]);
	l->out = body_run(l->r, &l->body, l->in);
	return l->out != NULL;
}

/* The only element of an input, or unknown. */
static struct sym loop_number(struct rule *r, const struct info *info)
{
	struct contents c = body_contents(r, info);

	return c.at && c.count == 1 ? c.at[0] : SYM_UNKNOWN;
}

/* How often the body runs. */
static struct sym count_runs(struct loop *l)
{
	struct rule *r = l->r;
	struct sym zero = rule_int(r, 0), one = rule_int(r, 1);
	struct sym max = rule_has(r, 0) ? sym_max(r->pool, loop_number(r, &r->in[0]), zero)
					: SYM_UNKNOWN;
	struct sym begin = rule_has(r, 1) ? loop_number(r, &r->in[1]) : one;
	struct sym again = l->out[0].claimed ? SYM_UNKNOWN : loop_number(r, &l->out[0]);
	enum sym_answer stops = sym_eq(r->pool, again, zero), never = sym_eq(r->pool, begin, zero);
	uint32_t output = l->count < r->out_count ? l->count : 0;
	bool decided = stops == SYM_NO;

	if (never == SYM_YES || sym_is(max, 0))
		return zero;
	if (stops == SYM_YES) {
		decided = !rule_has(r, 0) || !sym_is_unknown(max);
		max = sym_is_unknown(max) ? one : sym_min(r->pool, max, one);
	}
	if (decided && !sym_is_unknown(max) && never == SYM_NO)
		return max;
	if (decided && !sym_is_unknown(max) && !sym_is_unknown(begin))
		return sym_select(r->pool, begin, max, zero);
	return rule_fresh(r, output, l->count < r->out_count ? 0 : RULE_MAX_RANK, max);
}

static struct sym last_size(struct loop *l, uint32_t state, uint32_t axis, struct sym out,
			    struct sym runs)
{
	const struct size *size = &l->states[state].sizes[axis];
	struct sym_pool *p = l->r->pool;
	struct sym last = SYM_UNKNOWN;

	switch (size->progress) {
	case SIZE_SAME:
		return size->first;
	case SIZE_MOVES:
		last = sym_add(p, size->first, sym_mul(p, size->step, runs));
		break;
	case SIZE_LOST:
		if (!body_is_local(l->r, &l->body, out))
			last = sym_select(p, sym_test_eq(p, runs, rule_int(l->r, 0)), size->first,
					  out);
		break;
	}
	return sym_is_unknown(last) ? rule_fresh(l->r, state, axis, SYM_UNKNOWN) : last;
}

static void loop_give_state(struct loop *l, uint32_t state, struct sym runs)
{
	struct rule *r = l->r;
	const struct state *s = &l->states[state];
	const struct info *out = &l->out[1 + state];
	struct info last = l->in[FIRST_STATE + state];

	if (sym_is(runs, 0)) {
		r->out[state] = s->first;
		return;
	}
	if (s->optional) {
		r->out[state] = loop_bare(r, out, 0);
		return;
	}
	if (last.ranked) {
		struct sym *dims = rule_dims(r, last.rank);

		for (uint32_t i = 0; i < last.rank; i++)
			dims[i] = last_size(
				l, state, i,
				out->ranked && i < out->rank ? out->dims[i] : SYM_UNKNOWN, runs);
		last.dims = dims;
	}
	if (last.kind == TYPE_SEQUENCE && !last.items)
		last.length = last_size(l, state, s->first.rank, out->length, runs);
	r->out[state] = last;
}

/*
 * A size of a scan output's slices.  It must be the same in all runs; without any run, runtimes
 * differ on sizes that are not plain integers.
 */
static struct sym scan_size(struct loop *l, uint32_t output, uint32_t axis, struct sym size,
			    struct sym runs)
{
	struct sym_pool *p = l->r->pool;
	int64_t ignored;

	if (sym_is_unknown(size) || sym_value(p, size, &ignored))
		return size;
	if (body_is_local(l->r, &l->body, size))
		return rule_fresh(l->r, output, axis, size);
	if (body_is_local(l->r, &l->body, runs)) /* it cannot be bound */
		return sym_select(p, sym_test_eq(p, runs, rule_int(l->r, 0)),
				  rule_fresh(l->r, output, axis, SYM_UNKNOWN), size);
	return rule_given(l->r, sym_test_le(p, rule_int(l->r, 1), runs), size);
}

/* Stacks the result of each run along a new first axis. */
static void loop_give_scan(struct loop *l, uint32_t output, struct sym runs)
{
	struct rule *r = l->r;
	const struct info *each = &l->out[1 + output];
	struct sym *dims;

	if (each->kind != TYPE_TENSOR && each->kind != TYPE_NONE)
		rule_error(r, "output %" PRIu32 " of the body is not a tensor", 1 + output);
	rule_out_unranked(r, output, each->elem);
	if (!each->ranked)
		return;
	dims = rule_dims(r, each->rank + 1);
	dims[0] = runs;
	for (uint32_t i = 0; !sym_is(runs, 0) && i < each->rank; i++)
		dims[i + 1] = scan_size(l, output, i + 1, each->dims[i], runs);
	rule_out(r, output, each->elem, each->rank + 1, dims);
	r->out[output].claimed = each->claimed;
}

static void loop_check_inputs(struct rule *r)
{
	static const int32_t needed[] = {ELEM_INT64, ELEM_BOOL};

	for (uint32_t i = 0; i < ARRAY_LEN(needed); i++) {
		if (rule_elem(r, i) && rule_elem(r, i) != needed[i])
			rule_error(r, "input %" PRIu32 " is not %s", i, elem_info(needed[i])->name);
		if (rule_ranked(r, i))
			rule_equal(r, sym_product(r->pool, r->in[i].dims, r->in[i].rank),
				   rule_int(r, 1),
				   i ? "the condition must have one element"
				     : "the trip count must have one element");
	}
}

void rule_loop(struct rule *r)
{
	struct loop l = {.r = r};
	struct sym runs;

	loop_check_inputs(r);
	l.count = r->in_count > FIRST_STATE ? r->in_count - FIRST_STATE : 0;
	if (!body_find(r, "body", &l.body))
		return;
	if (r->out_count < l.count) {
		rule_error(r, "%" PRIu32 " %s, but only %" PRIu32 " %s", l.count,
			   PLURAL(l.count, "state", "states"), r->out_count,
			   PLURAL(r->out_count, "output", "outputs"));
		return;
	}
	if (!body_check_counts(r, &l.body, "body", l.count + FIRST_STATE, r->out_count + 1))
		return;
	body_own_names(r, &l.body);
	loop_prepare(&l);
	if (unrolled_loop(r, &l.body, l.in))
		return;
	if (!loop_settle(&l)) {
		for (uint32_t i = 0; i < l.count; i++)
			r->out[i] = loop_bare(r, &l.states[i].first, 0);
		return;
	}
	runs = count_runs(&l);
	for (uint32_t i = 0; i < l.count; i++)
		loop_give_state(&l, i, runs);
	for (uint32_t i = l.count; i < r->out_count; i++)
		loop_give_scan(&l, i, runs);
}
