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
	VEC(bool) counted; /* by value: its dims belong to a use */
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

/* The dims of a value, which are counted once. */
static uint64_t follow_count(struct follow_making *k, uint32_t value)
{
	bool counted = !value || k->counted.at[value];

	k->counted.at[value] = true;
	return counted ? 0 : k->follow->values.at[value];
}

static uint64_t follow_count_outputs(struct follow_making *k, const struct node *n)
{
	uint64_t dims = 0;

	for (uint32_t i = 0; i < n->output_count; i++)
		dims += follow_count(k, n->outputs[i]);
	return dims;
}

static void follow_add(struct follow_making *k, struct follow_use use)
{
	use.count = 1;
	k->follow->dims += use.dims;
	vec_push(&k->follow->all, use);
}

/* What passes it on besides nodes: inputs of bodies. */
static void follow_values_kept(struct follow_making *k, const uint32_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct follow_use use = {.kind = FOLLOW_KEPT, .value = values[i]};

		use.dims = follow_count(k, values[i]);
		if (!use.dims)
			continue;
		use.after = follow_dim(k, values[i]);
		follow_add(k, use);
	}
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
		use.kind = FOLLOW_KEPT;
		use.after = after.at[0];
	}
	use.dims = follow_count_outputs(k, n);
	follow_add(k, use);
}

/* ---- the model ---- */

static void follow_values(struct follow_making *k)
{
	struct follow *f = k->follow;

	for (uint32_t i = 0; i < k->in->model->values.len; i++) {
		const struct info *info = &k->in->infos[i];
		uint32_t dims = 0;

		for (uint32_t j = 0; i && info->ranked && j < info->rank; j++)
			dims += follow_marked(k, info->dims[j]);
		vec_push(&f->values, dims);
		vec_push(&k->counted, false);
		f->lit |= dims > 0;
	}
}

static void follow_ends(struct follow_making *k, const uint32_t *values, size_t count,
			enum follow_kind kind)
{
	for (size_t i = 0; i < count; i++) {
		if (follow_has(k->follow, values[i]))
			follow_add(k, (struct follow_use){.kind = kind,
							  .value = values[i],
							  .dims = follow_count(k, values[i]),
							  .after = follow_dim(k, values[i])});
	}
}

/* Whatever no node and no graph has told. */
static void follow_rest(struct follow_making *k)
{
	for (uint32_t v = 1; v < k->follow->values.len; v++)
		follow_values_kept(k, &v, 1);
}

/* ---- rows ---- */

static uint64_t follow_key(const struct follow_use *u)
{
	return (uint64_t)u->node << 32 | u->value;
}

/* Those that pass it on, from here to the next use. */
static size_t follow_run(const struct follow *f, size_t from)
{
	size_t count = 0;

	while (from + count < f->all.len && f->all.at[from + count].kind == FOLLOW_KEPT)
		count++;
	return count;
}

static void follow_make_rows(struct follow *f)
{
	size_t folded;

	vec_clear(&f->uses);
	for (size_t i = 0; i < f->all.len; i += folded) {
		struct follow_use use = f->all.at[i];

		folded = follow_run(f, i);
		if (folded < 2 || map_find(&f->opened, follow_key(&use))) {
			folded = MAX(folded, 1);
			for (size_t j = i; j < i + folded; j++)
				vec_push(&f->uses, f->all.at[j]);
			continue;
		}
		use.count = (uint32_t)folded;
		for (size_t j = i + 1; j < i + folded; j++)
			use.dims += f->all.at[j].dims;
		vec_push(&f->uses, use);
	}
}

bool follow_open(struct follow *f, size_t row)
{
	if (row >= f->uses.len || f->uses.at[row].count < 2)
		return false;
	*map_at(&f->opened, follow_key(&f->uses.at[row])) = 1;
	follow_make_rows(f);
	f->at = row;
	return true;
}

size_t follow_place(const struct follow *f, size_t row, size_t *out_of)
{
	size_t place = 0, count = 0;

	for (size_t i = 0; i < f->uses.len; i++) {
		count += f->uses.at[i].count == 1;
		if (i == row && f->uses.at[i].count == 1)
			place = count;
	}
	*out_of = count;
	return place;
}

static void follow_make(struct follow *f, const struct infer *in)
{
	const struct model *m = in->model;
	const struct graph *g = &m->graphs.at[0];
	struct follow_making k = {
		.follow = f, .in = in, .marks = {.test = follow_is, .context = f}};

	vec_clear(&f->values);
	vec_clear(&f->all);
	f->dims = 0;
	f->lit = false;
	follow_values(&k);
	follow_ends(&k, g->inputs.at, g->inputs.len, FOLLOW_BORN);
	for (size_t i = 0; f->lit && i < m->graphs.len; i++) {
		follow_values_kept(&k, m->graphs.at[i].inputs.at, m->graphs.at[i].inputs.len);
		for (size_t j = 0; j < m->graphs.at[i].nodes.len; j++)
			follow_node(&k, m->graphs.at[i].nodes.at[j]);
	}
	follow_rest(&k);
	follow_ends(&k, g->outputs.at, g->outputs.len, FOLLOW_OUT);
	follow_make_rows(f);
	vec_release(&k.counted);
	f->at = MIN(f->at, f->uses.len ? f->uses.len - 1 : 0);
	sym_marks_release(&k.marks);
}

void follow_start(struct follow *f, struct hues *h, const struct infer *in, uint32_t symbol)
{
	f->on = true;
	f->hue = hues_find(h, in, symbol);
	f->symbol = symbol;
	f->at = 0;
	map_release(&f->opened);
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
	return value < f->values.len && f->values.at[value] > 0;
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
	vec_release(&f->all);
	vec_release(&f->uses);
	map_release(&f->opened);
}
