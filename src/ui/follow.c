#include "ui/follow.h"

#include "base/base.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/marks.h"

enum {
	MANY_PORTS = 200, /* of a node; more are not compared */
	MANY_DIMS = 16    /* of its inputs, with the symbol */
};

struct follow_making {
	struct follow *follow;  /* borrowed */
	const struct infer *in; /* borrowed */
	struct sym_marks marks;
};

static bool follow_is(const void *context, uint32_t id)
{
	const struct follow *f = context;

	return id == f->symbol;
}

static bool follow_marked(struct follow_making *k, struct sym dim)
{
	return sym_marked(&k->marks, &k->in->pool, dim);
}

/* The first dim with the symbol; unknown for none. */
static struct sym follow_dim(struct follow_making *k, uint32_t value)
{
	const struct info *info = &k->in->infos[value];

	for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
		if (follow_marked(k, info->dims[i]))
			return info->dims[i];
	}
	return SYM_UNKNOWN;
}

static void follow_add(struct follow_making *k, struct follow_use use)
{
	vec_push(&k->follow->uses, use);
}

/* ---- a node ---- */

struct follow_dims {
	struct sym at[MANY_DIMS];
	size_t count;
};

static bool follow_among(const struct follow_dims *d, struct sym dim)
{
	for (size_t i = 0; i < d->count; i++) {
		if (sym_same(d->at[i], dim))
			return true;
	}
	return false;
}

static void follow_collect(struct follow_making *k, const uint32_t *values, uint32_t count,
			   struct follow_dims *out)
{
	for (uint32_t v = 0; v < MIN(count, MANY_PORTS); v++) {
		const struct info *info = &k->in->infos[values[v]];

		if (!follow_has(k->follow, values[v]))
			continue;
		for (uint32_t i = 0; i < info->rank && out->count < MANY_DIMS; i++) {
			if (follow_marked(k, info->dims[i]) && !follow_among(out, info->dims[i]))
				out->at[out->count++] = info->dims[i];
		}
	}
}

/* The one that is in one list only. */
static struct sym follow_only(const struct follow_dims *in, const struct follow_dims *not_in)
{
	for (size_t i = 0; i < in->count; i++) {
		if (!follow_among(not_in, in->at[i]))
			return in->at[i];
	}
	return SYM_UNKNOWN;
}

/* Arithmetic with sizes: the symbol is in its elements. */
static bool follow_computes(const struct follow_making *k, const struct node *n)
{
	for (uint32_t i = 0; i < MIN(n->output_count, MANY_PORTS); i++) {
		if (n->outputs[i] && k->in->infos[n->outputs[i]].contents.at)
			return true;
	}
	return false;
}

static void follow_node(struct follow_making *k, uint32_t id)
{
	const struct node *n = &k->in->model->nodes.at[id];
	struct follow_dims before = {0}, after = {0};
	struct follow_use use = {.node = id};

	follow_collect(k, n->inputs, n->input_count, &before);
	follow_collect(k, n->outputs, n->output_count, &after);
	if (!before.count && !after.count)
		return;
	use.after = follow_only(&after, &before);
	use.before = follow_only(&before, &after);
	if (!before.count) {
		use.kind = FOLLOW_MADE;
	} else if (!after.count) {
		use.kind = FOLLOW_LOST;
		if (follow_computes(k, n))
			return;
	} else if (!sym_is_unknown(use.after)) {
		use.kind = FOLLOW_CHANGED;
		if (sym_is_unknown(use.before))
			use.before = before.at[0];
	} else {
		if (k->follow->uses.len)
			vec_last(&k->follow->uses)->kept++;
		return;
	}
	follow_add(k, use);
}

/* ---- the model ---- */

static void follow_values(struct follow_making *k)
{
	struct follow *f = k->follow;

	for (uint32_t i = 0; i < k->in->model->values.len; i++) {
		bool has = !sym_is_unknown(follow_dim(k, i));

		vec_push(&f->values, has);
		f->lit |= has;
	}
}

static void follow_ends(struct follow_making *k, const uint32_t *values, size_t count,
			enum follow_kind kind)
{
	for (size_t i = 0; i < count; i++) {
		if (follow_has(k->follow, values[i]))
			follow_add(k, (struct follow_use){.kind = kind,
							  .value = values[i],
							  .after = follow_dim(k, values[i])});
	}
}

static void follow_make(struct follow *f, const struct infer *in)
{
	const struct model *m = in->model;
	const struct graph *g = &m->graphs.at[0];
	struct follow_making k = {.follow = f, .in = in, .marks = {follow_is, f}};

	vec_clear(&f->values);
	vec_clear(&f->uses);
	f->lit = false;
	follow_values(&k);
	follow_ends(&k, g->inputs.at, g->inputs.len, FOLLOW_BORN);
	for (size_t i = 0; f->lit && i < m->graphs.len; i++) {
		for (size_t j = 0; j < m->graphs.at[i].nodes.len; j++)
			follow_node(&k, m->graphs.at[i].nodes.at[j]);
	}
	follow_ends(&k, g->outputs.at, g->outputs.len, FOLLOW_OUT);
	f->at = MIN(f->at, f->uses.len ? f->uses.len - 1 : 0);
	sym_marks_release(&k.marks);
}

void follow_start(struct follow *f, struct hues *h, const struct infer *in, uint32_t symbol)
{
	f->on = true;
	f->hue = hues_find(h, in, symbol);
	f->symbol = symbol;
	f->at = 0;
	follow_make(f, in);
}

void follow_renew(struct follow *f, struct hues *h, const struct infer *in)
{
	if (!f->on)
		return;
	if (!hues_symbol(h, in, f->hue, &f->symbol))
		f->symbol = UINT32_MAX;
	follow_make(f, in);
}

void follow_end(struct follow *f)
{
	f->on = f->lit = false;
}

struct follow_search {
	uint32_t after;
	uint32_t symbol; /* the first one that is wanted */
	bool wanted, found;
};

static void follow_look(void *context, uint32_t id)
{
	struct follow_search *k = context;

	if (k->wanted && !k->found) {
		k->symbol = id;
		k->found = true;
	}
	k->wanted |= id == k->after;
}

bool follow_next(const struct follow *f, const struct infer *in, struct sym dim, uint32_t *out)
{
	struct follow_search k = {.after = f->symbol};

	k.wanted = !f->on || !f->lit || !sym_mentions(&in->pool, dim, f->symbol);
	sym_each_symbol(&in->pool, dim, follow_look, &k);
	if (k.found)
		*out = k.symbol;
	return k.found;
}

bool follow_has(const struct follow *f, uint32_t value)
{
	return value < f->values.len && f->values.at[value];
}

bool follow_has_node(const struct follow *f, const struct model *m, uint32_t node)
{
	const struct node *n = &m->nodes.at[node];

	for (uint32_t i = 0; i < n->output_count; i++) {
		if (follow_has(f, n->outputs[i]))
			return true;
	}
	for (uint32_t i = 0; i < n->input_count; i++) {
		if (follow_has(f, n->inputs[i]))
			return true;
	}
	return false;
}

void follow_release(struct follow *f)
{
	vec_release(&f->values);
	vec_release(&f->uses);
}
