/*
 * A Reshape whose target has an old size baked in.
 *
 * Input and target are aligned where the products of their leading dims, at the old
 * sizes, are equal.  Between two such places are a few dims of the input and a few
 * entries of the target with the same product, so one entry has to take the size that
 * became free.  If there are several, the entry that equals the old size is the
 * likeliest, then the first.
 *
 * The target is then written with as few nodes as possible: 0 where the entry is the
 * input's own dim, one -1, and nodes only for the rest.
 */
#include "edit/repair/reshape.h"

#include "edit/repair/emit.h"
#include "edit/repair/old_sizes.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"

struct aligning {
	struct edit_site *site; /* borrowed */
	const struct info *in;  /* borrowed */
	const struct info *out; /* borrowed */
	struct sizes target;    /* as it is */
	struct sizes wanted;    /* each entry as it should be */
	struct sym was_in[SIZES_MAX];
	struct sym was_out[SIZES_MAX];
	bool literal;     /* 0 means 0 */
	bool guessed;     /* a free size could go to several entries */
	unsigned variant; /* which choice to take where there are several */
};

static struct sym_pool *pool_of(const struct aligning *a)
{
	return &a->site->document->infer.pool;
}

/* ---- alignment ---- */

static struct sym reshape_site_product(const struct aligning *a, const struct sym *dims,
				       uint32_t from, uint32_t to)
{
	return sym_product(pool_of(a), dims + from, to - from);
}

/* The next place (i2, k2) after (i, k) up to which both sides have the same product. */
static void next_match(const struct aligning *a, uint32_t i, uint32_t k, uint32_t *i2, uint32_t *k2)
{
	uint32_t in = a->in->rank, out = a->wanted.count;

	for (uint32_t sum = 2; sum <= in - i + out - k; sum++) {
		for (uint32_t left = 1; left < sum; left++) {
			*i2 = i + left;
			*k2 = k + sum - left;
			if (*i2 <= in && *k2 <= out &&
			    sym_same(reshape_site_product(a, a->was_in, i, *i2),
				     reshape_site_product(a, a->was_out, k, *k2)))
				return;
		}
	}
	*i2 = in;
	*k2 = out;
}

/* What entry k must be if the others between from and to stay unchanged. */
static struct sym entry_for(const struct aligning *a, struct sym whole, uint32_t from, uint32_t to,
			    uint32_t k)
{
	struct sym others = sym_mul(pool_of(a), reshape_site_product(a, a->was_out, from, k),
				    reshape_site_product(a, a->was_out, k + 1, to));
	struct sym out;

	return sym_divide(pool_of(a), whole, others, &out) ? out : SYM_UNKNOWN;
}

static bool is_old_size(const struct aligning *a, struct sym whole, struct sym was)
{
	const struct old_sizes *old = a->site->old;

	for (uint32_t i = 0; i < old->count; i++) {
		if (sym_mentions(pool_of(a), whole, old->symbols[i]) &&
		    sym_same(was, sym_int(pool_of(a), old->sizes[i])))
			return true;
	}
	return false;
}

/*
 * Several sizes in one product: each entry that equals an old size takes its symbol, in
 * the order of the goals; the rest must divide evenly.
 */
static bool share_symbols(struct aligning *a, struct sym whole, uint32_t k, uint32_t k2)
{
	const struct old_sizes *old = a->site->old;
	struct sym rest = whole;
	uint64_t used = 0;

	for (uint32_t j = k; j < k2; j++) {
		for (uint32_t i = 0; i < old->count; i++) {
			struct sym symbol = pool_of(a)->symbols.at[old->symbols[i]].self, left;

			if (used >> i & 1 ||
			    !sym_same(a->was_out[j], sym_int(pool_of(a), old->sizes[i])) ||
			    !sym_divide(pool_of(a), rest, symbol, &left))
				continue;
			used |= UINT64_C(1) << i;
			rest = left;
			a->wanted.at[j] = symbol;
			break;
		}
		if (sym_same(a->wanted.at[j], a->was_out[j]) &&
		    !sym_divide(pool_of(a), rest, a->was_out[j], &rest))
			return false;
	}
	return sym_is(rest, 1);
}

/*
 * Assigns the input's dims between i and i2 to the entries between k and k2.  Dims
 * that equal an entry go there; one entry takes all the rest.
 */
static bool reshape_site_share(struct aligning *a, uint32_t i, uint32_t i2, uint32_t k, uint32_t k2)
{
	struct sym whole = reshape_site_product(a, a->in->dims, i, i2);
	uint32_t choices[2 * SIZES_MAX], count = 0;

	for (uint32_t j = k; j < k2; j++)
		a->wanted.at[j] = a->was_out[j];
	if (!mentions_goal(a->site->document, a->site->old, whole))
		return true;
	/* If an entry equals the old size, any other choice would be a guess. */
	for (int likely = 1; likely >= 0 && count == 0; likely--) {
		for (uint32_t j = k; j < k2; j++) {
			if (is_old_size(a, whole, a->was_out[j]) == (likely == 1) &&
			    !sym_is_unknown(entry_for(a, whole, k, k2, j)))
				choices[count++] = j;
		}
	}
	if (count == 0)
		return share_symbols(a, whole, k, k2);
	a->guessed |= k2 - k > 1;
	if (count > 1) {
		uint32_t pick = choices[a->variant % count];

		a->variant /= count;
		choices[0] = pick;
	}
	a->wanted.at[choices[0]] = entry_for(a, whole, k, k2, choices[0]);
	return true;
}

static bool line_up(struct aligning *a)
{
	uint32_t i = 0, k = 0;

	while (i < a->in->rank || k < a->wanted.count) {
		uint32_t i2, k2;

		if (i == a->in->rank || k == a->wanted.count) {
			i2 = a->in->rank;
			k2 = a->wanted.count;
		} else {
			next_match(a, i, k, &i2, &k2);
		}
		if (!reshape_site_share(a, i, i2, k, k2))
			return false;
		i = i2;
		k = k2;
	}
	return true;
}

/* ---- the new target ---- */

static bool is_number(const struct aligning *a, struct sym s)
{
	int64_t ignored;

	return sym_value(pool_of(a), s, &ignored);
}

static bool reshape_site_is_copy(const struct aligning *a, uint32_t k)
{
	return !a->literal && k < a->in->rank && sym_same(a->wanted.at[k], a->in->dims[k]);
}

/* The entry for -1: where it was, else one whose size no visible value has. */
static uint32_t open_entry(const struct aligning *a)
{
	uint32_t best = a->wanted.count, axis;

	for (uint32_t k = 0; k < a->wanted.count; k++) {
		if (is_number(a, a->wanted.at[k]) || reshape_site_is_copy(a, k))
			continue;
		if (sym_is(a->target.at[k], -1))
			return k;
		if (best == a->wanted.count ||
		    !emit_anchor(&a->site->emitter, a->wanted.at[k], &axis))
			best = k;
	}
	return best;
}

static bool write_target(struct aligning *a)
{
	struct sizes list = {.count = a->wanted.count};
	uint32_t open = open_entry(a);

	for (uint32_t k = 0; k < list.count; k++) {
		if (k == open)
			list.at[k] = sym_int(pool_of(a), -1);
		else if (reshape_site_is_copy(a, k) && !is_number(a, a->wanted.at[k]))
			list.at[k] = sym_int(pool_of(a), 0);
		else
			list.at[k] = a->wanted.at[k];
	}
	if (a->site->document->wire.model.nodes.at[a->site->site->node].input_count < 2)
		return attr_sizes_write(a->site, "shape", &list);
	return sizes_write(a->site, 1, &list);
}

/* ---- inputs of unknown shape ---- */

/* Inside a function or a loop: a multiple of the old size becomes 0 or -1. */
static bool change_blindly(struct edit_site *s, struct sizes *target, unsigned variant)
{
	struct sym_pool *pool = &s->document->infer.pool;
	uint32_t k = variant / 2;

	s->none = k >= target->count;
	if (s->none)
		return false;
	for (uint32_t i = 0; i < target->count; i++) {
		if (i != k && variant % 2 && sym_is(target->at[i], -1))
			return false;
	}
	for (uint32_t i = 0; i < s->old->count; i++) {
		int64_t entry;

		if (sym_value(pool, target->at[k], &entry) && s->old->sizes[i] > 0 && entry > 0 &&
		    entry % s->old->sizes[i] == 0) {
			target->at[k] = sym_int(pool, variant % 2 ? -1 : 0);
			return sizes_write(s, 1, target);
		}
	}
	return false;
}

static bool reshape_site_start(struct aligning *a)
{
	struct document *d = a->site->document;

	for (uint32_t i = 0; i < a->in->rank; i++)
		a->was_in[i] = at_old(d, a->site->old, a->in->dims[i]);
	for (uint32_t k = 0; k < a->out->rank; k++) {
		a->was_out[k] = at_old(d, a->site->old, a->out->dims[k]);
		if (sym_is_unknown(a->was_out[k]))
			return false;
	}
	/* What -1 stood for follows from the rest, at the old sizes. */
	a->wanted.count = a->out->rank;
	return true;
}

static bool reshape_site_prepare(struct aligning *a, struct edit_site *s, unsigned variant)
{
	const struct model *m = &s->document->wire.model;
	const struct node *n = &m->nodes.at[s->site->node];
	const struct attr *zero = node_attr(m, n, "allowzero");

	*a = (struct aligning){
		.site = s,
		.in = &s->document->infer.infos[n->inputs[0]],
		.out = &s->document->infer.infos[n->outputs[0]],
		.literal = zero && zero->i,
		.variant = variant,
	};
	return n->input_count < 2 ? attr_sizes_read(s, "shape", &a->target)
				  : sizes_read(s, 1, &a->target);
}

static bool can_line_up(struct aligning *a)
{
	return a->in->rank <= SIZES_MAX && a->out->rank == a->target.count &&
	       reshape_site_start(a) && line_up(a);
}

static bool has_goal(const struct aligning *a)
{
	for (uint32_t i = 0; i < a->in->rank; i++) {
		if (mentions_goal(a->site->document, a->site->old, a->in->dims[i]))
			return true;
	}
	return false;
}

bool change_reshape(struct edit_site *s, unsigned variant)
{
	struct aligning a;

	s->none = !reshape_site_prepare(&a, s, variant);
	if (s->none)
		return false;
	/* Loop bodies are inferred several times: the result need not be the one that failed. */
	if (!a.in->ranked || !a.out->ranked || !has_goal(&a))
		return change_blindly(s, &a.target, variant);
	/* Past the last choice: every combination was tried. */
	s->none = !can_line_up(&a) || a.variant != 0;
	return !s->none && write_target(&a);
}

/*
 * A -1 may absorb a size that belongs to another entry: [3, 17, -1, 8] runs with any
 * batch but is right only with 3.  True only where no entry had to be guessed.
 */
bool reshape_misplaces(struct document *d, const struct old_sizes *old, uint32_t node)
{
	struct site site = {.node = node};
	struct edit_site s = {.document = d, .old = old, .site = &site};
	struct aligning a;

	if (!reshape_site_prepare(&a, &s, 0) || !a.in->ranked || !a.out->ranked ||
	    !can_line_up(&a) || a.guessed)
		return false;
	for (uint32_t k = 0; k < a.wanted.count; k++) {
		if (!sym_same(a.wanted.at[k], a.out->dims[k]) &&
		    mentions_goal(d, old, a.wanted.at[k]))
			return true;
	}
	return false;
}
