#include "infer/why.h"

#include <assert.h>
#include <stdlib.h>

#include "infer/rerun.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/need.h"
#include "sym/eval.h"
#include "sym/sym.h"

enum {
	MAX_MARKS = 16,   /* considered on each side of a fact */
	MAX_SEARCHED = 8, /* inputs */
};

static_assert((int)WHY_LARGEST == (int)MARK_LARGEST, "a mark's index is a reason's");

/* Is the symbol a mark?  *out is the place it stands for. */
static bool why_of_mark(const struct infer *in, uint32_t id, const struct node *n, struct why *out)
{
	struct mark mark;

	if (!rerun_is_mark(in, id, n, &mark))
		return false;
	*out = (struct why){n->inputs[mark.port], mark.element, mark.index};
	return true;
}

static struct sym place_in(const struct info *info, struct why what)
{
	if (what.element && what.index == WHY_LARGEST)
		return contents_max(&info->contents);
	if (what.element)
		return info->contents.at && what.index < info->contents.count
			       ? info->contents.at[what.index]
			       : SYM_UNKNOWN;
	return info->ranked && what.index < info->rank ? info->dims[what.index] : SYM_UNKNOWN;
}

struct sym why_expression(const struct infer *in, struct why what)
{
	return place_in(&in->infos[what.value], what);
}

/* ---- needs of a rerun ---- */

/* One side of a need, as the marks in it. */
struct side {
	struct why at[MAX_MARKS];
	size_t count;
};

/* Waits for the need, in marks, that matches a known fact. */
struct hearing {
	const struct fact *fact; /* borrowed */
	const struct node *node; /* borrowed */
	struct side left, right;
	bool found;
};

static void why_hear(void *context, const struct need *need);

/* ---- marks in results ---- */

struct asking {
	struct why *out; /* borrowed */
	size_t count;
	size_t max;
	const struct infer *in;  /* borrowed */
	const struct node *node; /* borrowed */
};

static void note_mark(void *context, uint32_t id)
{
	struct asking *a = context;

	if (a->count < a->max && why_of_mark(a->in, id, a->node, &a->out[a->count]))
		a->count++;
}

size_t why_find(struct infer *in, struct why what, struct why *out, size_t max)
{
	const struct value *v = &in->model->values.at[what.value];
	struct asking a = {
		.out = out, .max = max, .in = in, .node = &in->model->nodes.at[v->producer]};
	struct rerun again;

	for (size_t k = 0; k < RERUN_WAYS && a.count == 0; k++) {
		struct sym found;

		if (!rerun(in, v->producer, k, why_hear, &again))
			return 0;
		found = place_in(&again.rule.out[v->port], what);
		if (!sym_is_unknown(found))
			sym_each_symbol(&in->pool, found, note_mark, &a);
		free(again.ports.many);
	}
	return a.count;
}

/* ---- facts ---- */

struct unmarking {
	const struct infer *in;  /* borrowed */
	const struct node *node; /* borrowed */
	struct sym_subst subst;
};

static void why_unmark(void *context, uint32_t id)
{
	struct unmarking *u = context;
	struct why place;

	if (why_of_mark(u->in, id, u->node, &place))
		sym_replace(&u->subst, id, why_expression(u->in, place));
}

static struct sym without_marks(struct infer *in, const struct node *n, struct sym s)
{
	struct unmarking u = {.in = in, .node = n};
	struct why place;
	struct sym out;
	uint32_t id;

	/* Most are a single mark, and a node may compare thousands. */
	if (sym_symbol_id(&in->pool, s, &id) && why_of_mark(in, id, n, &place))
		return why_expression(in, place);
	sym_each_symbol(&in->pool, s, why_unmark, &u);
	out = sym_substitute(&in->pool, &u.subst, s);
	sym_subst_release(&u.subst);
	return out;
}

/* The same need: equal sides, or a multiple of the difference. */
static bool is_same_need(struct infer *in, const struct fact *f, struct sym a, struct sym b)
{
	struct sym need = sym_sub(&in->pool, f->a, f->b), other = sym_sub(&in->pool, a, b);
	struct sym times;
	int64_t ignored;

	if (sym_is_unknown(a) || sym_is_unknown(b))
		return false;
	if (sym_same(a, f->a) && sym_same(b, f->b))
		return true;
	return !sym_value(&in->pool, need, &ignored) && !sym_is_unknown(other) &&
	       !sym_is(other, 0) && sym_divide(&in->pool, other, need, &times);
}

/* If one size is the whole side, the others have cancelled out. */
static void keep_exact(const struct infer *in, struct side *side, struct sym whole)
{
	size_t count = 0, which = 0;

	for (size_t i = 0; i < side->count; i++) {
		if (!sym_same(why_expression(in, side->at[i]), whole))
			continue;
		which = i;
		count++;
	}
	if (count != 1)
		return;
	side->at[0] = side->at[which];
	side->count = 1;
}

/* Sizes on both sides do not explain the difference. */
static void drop_common(const struct infer *in, struct side *a, struct side *b)
{
	for (size_t i = 0; i < a->count; i++) {
		for (size_t k = 0; k < b->count; k++) {
			if (a->count == 1 || b->count == 1 ||
			    !sym_same(why_expression(in, a->at[i]), why_expression(in, b->at[k])))
				continue;
			a->at[i--] = a->at[--a->count];
			b->at[k] = b->at[--b->count];
			break;
		}
	}
}

static void note_marks(const struct infer *in, const struct node *n, struct sym s, struct side *out)
{
	struct asking asking = {out->at, 0, MAX_MARKS, in, n};

	sym_each_symbol(&in->pool, s, note_mark, &asking);
	out->count = asking.count;
}

static void why_hear(void *context, const struct need *need)
{
	struct infer *in = context;
	struct hearing *h = in->hearing;

	if (!h || h->found || need->kind == FACT_SOFT || need->kind == FACT_PAIR ||
	    !is_same_need(in, h->fact, without_marks(in, h->node, need->a),
			  without_marks(in, h->node, need->b)))
		return;
	h->found = true;
	note_marks(in, h->node, need->a, &h->left);
	note_marks(in, h->node, need->b, &h->right);
	drop_common(in, &h->left, &h->right);
	keep_exact(in, &h->left, h->fact->a);
	keep_exact(in, &h->right, h->fact->b);
}

/* Iterates over the places of a node's inputs; false at the end. */
static bool next_place(const struct infer *in, const struct node *n, uint32_t *input,
		       struct why *place, uint32_t *from_end)
{
	for (; *input < MIN(n->input_count, (uint32_t)MAX_SEARCHED); ++*input) {
		const struct info *info = &in->infos[n->inputs[*input]];
		uint32_t dims = info->ranked ? info->rank : 0;
		uint32_t numbers = info->contents.at ? MIN(info->contents.count, 64) : 0;

		place->value = n->inputs[*input];
		if (!place->element && place->index < dims) {
			*from_end = dims - place->index;
			return true;
		}
		if (!place->element)
			*place = (struct why){.value = place->value, .element = true};
		if (place->index < numbers) {
			*from_end = numbers - place->index;
			return true;
		}
		*place = (struct why){0};
	}
	return false;
}

static bool has_part(const struct infer *in, struct sym s, struct sym part)
{
	bool found = false;

	for (size_t i = 0; i < sym_part_count(&in->pool, s); i++)
		found |= sym_same(sym_part(&in->pool, s, i).s, part);
	return found;
}

/* Are these the fact's sides?  A bound compares n with min(n, 512), or with a maximum. */
static bool why_is_pair(const struct infer *in, const struct fact *f, struct sym a, struct sym b)
{
	if (f->kind != FACT_BOUND)
		return sym_same(a, f->a) && sym_same(b, f->b);
	return (sym_same(a, f->a) || sym_same(a, f->b)) && has_part(in, b, f->a) &&
	       has_part(in, b, f->b);
}

/* Broadcasting leaves no marks, but its axes are equally far from the end. */
static size_t find_pair(const struct infer *in, const struct fact *f, struct why out[2])
{
	const struct node *n = &in->model->nodes.at[f->node];
	uint32_t i = 0, end;

	for (struct why a = {0}; next_place(in, n, &i, &a, &end); a.index++) {
		uint32_t k = 0, other_end;

		for (struct why b = {0}; next_place(in, n, &k, &b, &other_end); b.index++) {
			if (i == k || end != other_end ||
			    !why_is_pair(in, f, why_expression(in, a), why_expression(in, b)))
				continue;
			out[0] = a;
			out[1] = b;
			return 2;
		}
	}
	return 0;
}

size_t why_fact(struct infer *in, const struct fact *f, struct why *out, size_t max)
{
	struct hearing h = {.fact = f, .node = &in->model->nodes.at[f->node]};
	struct rerun again;
	struct why pair[2];
	size_t count = 0;

	for (size_t k = 0;
	     f->kind != FACT_SOFT && f->kind != FACT_PAIR && k < RERUN_WAYS && !h.found; k++) {
		in->hearing = &h;
		if (rerun(in, f->node, k, why_hear, &again))
			free(again.ports.many);
		in->hearing = NULL;
	}
	for (size_t i = 0; i < h.left.count && count < max / 2; i++)
		out[count++] = h.left.at[i];
	for (size_t i = 0; i < h.right.count && count < max; i++)
		out[count++] = h.right.at[i];
	if (count)
		return count;
	for (size_t n = find_pair(in, f, pair); count < MIN(n, max); count++)
		out[count] = pair[count];
	return count;
}

size_t why_cost(const struct infer *in, uint32_t node)
{
	const struct node *n = &in->model->nodes.at[node];
	size_t cost = RERUN_WAYS;

	for (uint32_t i = 0; i < n->input_count; i++) {
		const struct info *info = &in->infos[n->inputs[i]];

		cost += 1 + (info->ranked ? info->rank : 0) + info->contents.count;
	}
	return cost;
}
