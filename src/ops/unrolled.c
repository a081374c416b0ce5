#include "ops/unrolled.h"

#include <string.h>

#include "base/arena.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"

enum {
	MAX_RUNS = 8,
	FIRST_STATE = 2, /* after the iteration and the condition */
	DEEPEST = 16     /* nesting limit of types */
};

struct unrolled {
	struct rule *r;
	const struct body *body;
	uint32_t states;
	uint32_t runs;
	struct info *in;    /* of the next run */
	struct info *out;   /* of the last run: condition, states, scan outputs */
	struct info *scans; /* of the first run */
};

/* The trip count, if it is small and the condition holds at first. */
static bool count_trips(struct rule *r, int64_t *out)
{
	return rule_has(r, 0) && sym_value(r->pool, rule_single(r, 0), out) && *out > 0 &&
	       *out <= MAX_RUNS && (!rule_has(r, 1) || sym_is(rule_single(r, 1), 1));
}

/* Does no body lie within the body? */
static bool is_flat(const struct rule *r, const struct body *b)
{
	for (uint32_t i = 0; i < r->model->graphs.len; i++) {
		const struct graph *g = &r->model->graphs.at[i];

		if (g->kind == GRAPH_BODY && g->parent == b->graph)
			return false;
	}
	return true;
}

static bool has_local(const struct unrolled *u, const struct sym *at, uint32_t count)
{
	for (uint32_t i = 0; at && i < count; i++) {
		if (body_is_local(u->r, u->body, at[i]))
			return true;
	}
	return false;
}

/* Does all that is known hold after the run too? */
static bool unrolled_outlives(const struct unrolled *u, const struct info *info, unsigned depth)
{
	if (depth > DEEPEST || (info->ranked && has_local(u, info->dims, info->rank)) ||
	    has_local(u, &info->length, 1) ||
	    has_local(u, info->contents.at, info->contents.count) ||
	    (info->inner && !unrolled_outlives(u, info->inner, depth + 1)))
		return false;
	for (uint32_t i = 0; info->items && i < info->item_count; i++) {
		if (!unrolled_outlives(u, &info->items[i], depth + 1))
			return false;
	}
	return true;
}

/* Is it a tensor of the same shape, or a sequence of the same kind of elements? */
static bool unrolled_stays(const struct info *a, const struct info *b)
{
	if (a->kind != b->kind || a->elem != b->elem || a->kind == TYPE_NONE)
		return false;
	if (a->kind != TYPE_TENSOR)
		return a->kind == TYPE_SEQUENCE;
	if (!a->ranked || !b->ranked || a->rank != b->rank)
		return false;
	for (uint32_t i = 0; i < a->rank; i++) {
		if (sym_is_unknown(a->dims[i]) || !sym_same(a->dims[i], b->dims[i]))
			return false;
	}
	return true;
}

static void set_number(struct unrolled *u, uint32_t input, int64_t number)
{
	struct sym *at = rule_values(u->r, 1);

	*at = rule_int(u->r, number);
	u->in[input].contents = (struct contents){.at = at, .count = 1, .rank = u->in[input].rank};
}

/* Does a result of the run rest on a claim, or is the condition not as the next run expects it? */
static bool is_unsure(const struct unrolled *u)
{
	if (!u->out[0].ranked || u->out[0].rank != u->in[1].rank)
		return true;
	for (uint32_t i = 0; i < u->body->outputs; i++) {
		if (u->out[i].claimed)
			return true;
	}
	return false;
}

/* One run; false when what it results in cannot be used by the next. */
static bool unrolled_run(struct unrolled *u)
{
	uint32_t scans = u->body->outputs - 1 - u->states;

	set_number(u, 0, u->runs);
	u->out = body_run(u->r, u->body, u->in);
	if (!u->out || is_unsure(u))
		return false;
	for (uint32_t i = 0; i < u->states; i++) {
		struct info *state = &u->in[FIRST_STATE + i];
		const struct info *next = &u->out[1 + i];

		if (!unrolled_stays(state, next) || !unrolled_outlives(u, next, 0))
			return false;
		*state = *next;
	}
	for (uint32_t i = 0; i < scans; i++) {
		const struct info *scan = &u->out[1 + u->states + i];

		if (u->runs == 0)
			u->scans[i] = *scan;
		if (scan->kind != TYPE_TENSOR || !unrolled_stays(&u->scans[i], scan) ||
		    !unrolled_outlives(u, scan, 0))
			return false;
	}
	u->runs++;
	return true;
}

/* Does the body say whether it goes on? */
static bool is_decided(struct unrolled *u, bool *out_again)
{
	struct contents c = body_contents(u->r, &u->out[0]);

	*out_again = c.at && c.count == 1 && sym_is(c.at[0], 1);
	return *out_again || (c.at && c.count == 1 && sym_is(c.at[0], 0));
}

static void unrolled_give(struct unrolled *u)
{
	struct rule *r = u->r;

	for (uint32_t i = 0; i < u->states; i++)
		r->out[i] = u->in[FIRST_STATE + i];
	for (uint32_t i = u->states; i < r->out_count; i++) {
		const struct info *scan = &u->scans[i - u->states];
		struct sym *dims = rule_dims(r, scan->rank + 1);

		dims[0] = rule_int(r, u->runs);
		if (scan->rank)
			memcpy(dims + 1, scan->dims, scan->rank * sizeof(*dims));
		rule_out(r, i, scan->elem, scan->rank + 1, dims);
	}
}

bool unrolled_loop(struct rule *r, const struct body *b, const struct info *in)
{
	struct unrolled u = {.r = r, .body = b, .states = b->inputs - FIRST_STATE};
	bool again = true;
	int64_t trips;

	if (!count_trips(r, &trips) || !is_flat(r, b))
		return false;
	u.in = arena_array(r->arena, b->inputs, struct info);
	memcpy(u.in, in, b->inputs * sizeof(*in));
	u.scans = arena_array(r->arena, b->outputs, struct info);
	while (again && u.runs < trips) {
		if (!unrolled_run(&u) || (u.runs < trips && !is_decided(&u, &again)))
			return false;
	}
	unrolled_give(&u);
	return true;
}
