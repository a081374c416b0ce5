/*
 * Blocks without names.  Where very many nodes are in one scope, as in exports that name them
 * Conv_0, Conv_1 …, repeating runs of the file become scopes "block 0", "block 1" …
 *
 * Every node has a mark, a hash of its operator and of the distances to its inputs.  A run
 * repeats with period p when its marks equal those p nodes later.  Likely periods are the
 * distances at which marks recur; cuts are made where the fewest tensors cross.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "ir/graph.h"
#include "layout/scope/internal.h"

enum {
	MANY_NODES = 60, /* in one scope; fewer need no blocks */
	FEWEST_BLOCKS = 3,
	SHORTEST = 5,   /* nodes in a block */
	NEAR = 64,      /* nodes back; a tensor from further away may be read by every block */
	CANDIDATES = 6, /* periods to try */
	MAX_RUNS = 16
};

struct sequence {
	struct folding *f; /* borrowed */
	uint32_t scope;
	uint32_t count;
	uint32_t *index;  /* owned; node indices, without constants */
	uint32_t *at;     /* owned; by node index: position in the sequence, plus 1 */
	uint64_t *mark;   /* owned */
	uint32_t *across; /* owned; tensors from before a node to it or beyond */
	bool *used;       /* owned */
	uint32_t periods[CANDIDATES];
	uint32_t period_count;
	uint32_t blocks; /* made so far */
};

struct run {
	uint32_t first, length, period;
};

static const struct node *period_node_at(const struct sequence *q, uint32_t i)
{
	const struct folding *f = q->f;

	return &f->s->model->nodes.at[f->graph->nodes.at[q->index[i]]];
}

/* The position in the sequence of a value's producer, plus 1; 0 when it is outside. */
static uint32_t maker_of(const struct sequence *q, uint32_t value)
{
	const struct model *m = q->f->s->model;
	uint32_t node = m->values.at[value].producer;

	if (!node || m->nodes.at[node].graph != q->f->s->graph)
		return 0;
	return q->at[m->nodes.at[node].index];
}

static void make_marks(struct sequence *q)
{
	for (uint32_t i = 0; i < q->count; i++) {
		const struct node *n = period_node_at(q, i);
		uint64_t mark = hash_u64((uint64_t)n->op << 32 | n->domain, n->output_count);

		for (uint32_t k = 0; k < n->input_count; k++) {
			uint32_t maker = maker_of(q, n->inputs[k]);
			bool near = maker && maker <= i && i + 1 - maker <= NEAR;

			mark = hash_u64(near ? i + 1 - maker : 0, mark);
		}
		q->mark[i] = mark;
	}
}

/* Each value counts from its producer to its last reader. */
static void count_across(struct sequence *q)
{
	const struct model *m = q->f->s->model;

	for (uint32_t i = 0; i < q->count; i++) {
		const struct node *n = period_node_at(q, i);

		for (uint32_t k = 0; k < n->output_count; k++) {
			uint32_t count, last = i;
			const struct reader *r = model_readers(m, n->outputs[k], &count);

			for (uint32_t j = 0; j < count; j++) {
				const struct node *reader = &m->nodes.at[r[j].node];

				if (r[j].node && reader->graph == q->f->s->graph)
					last = MAX(last, q->at[reader->index]);
			}
			q->across[i + 1]++;
			q->across[MIN(last, q->count) + (last == i)]--;
		}
	}
	for (uint32_t i = 1; i <= q->count; i++)
		q->across[i] += q->across[i - 1];
}

/* The distances at which marks recur, most frequent first. */
static void find_periods(struct sequence *q)
{
	uint32_t *often = must_alloc((q->count + 1) * sizeof(*often));
	struct map last = {0};

	memset(often, 0, (q->count + 1) * sizeof(*often));
	for (uint32_t i = 0; i < q->count; i++) {
		uint32_t *before = map_at(&last, q->mark[i]);

		if (*before)
			often[i + 1 - *before]++;
		*before = i + 1;
	}
	while (q->period_count < CANDIDATES) {
		uint32_t best = 0;

		for (uint32_t d = SHORTEST; d <= q->count / FEWEST_BLOCKS; d++) {
			if (often[d] > (best ? often[best] : 1))
				best = d;
		}
		if (!best)
			break;
		q->periods[q->period_count++] = best;
		often[best] = 0;
	}
	map_release(&last);
	free(often);
}

/* The longest unused run that repeats with this period. */
static struct run longest_run(const struct sequence *q, uint32_t period)
{
	struct run best = {0, 0, period};
	uint32_t first = 0;

	for (uint32_t i = 0; i + period <= q->count; i++) {
		bool equal = i + period < q->count && !q->used[i] && !q->used[i + period] &&
			     q->mark[i] == q->mark[i + period];

		if (equal)
			continue;
		if (i > first && i - first + period > best.length) {
			best.first = first;
			best.length = i - first + period;
		}
		first = i + 1;
	}
	return best;
}

/* Cuts where few tensors cross, if that costs no more than one block. */
static uint32_t best_offset(const struct sequence *q, const struct run *r)
{
	uint32_t spare = r->length % r->period, best = 0;

	for (uint32_t o = 0; o < r->period; o++) {
		bool fits = o <= spare || r->length / r->period > FEWEST_BLOCKS;

		if (fits && q->across[r->first + o] < q->across[r->first + best])
			best = o;
	}
	return best;
}

static void make_blocks(struct sequence *q, const struct run *r)
{
	uint32_t at = r->first + best_offset(q, r), end = r->first + r->length;

	for (; at + r->period <= end; at += r->period) {
		struct str name = {0};
		uint32_t scope;

		str_format(&name, "block %u", q->blocks++);
		scope = folding_child(q->f, q->scope, str_sv(&name));
		str_release(&name);
		for (uint32_t i = at; i < at + r->period; i++) {
			q->f->s->of_node[q->index[i]] = scope;
			q->used[i] = true;
		}
	}
	for (uint32_t i = r->first; i < end; i++)
		q->used[i] = true;
}

static void find_runs(struct sequence *q)
{
	for (int run = 0; run < MAX_RUNS; run++) {
		struct run best = {0};

		for (uint32_t i = 0; i < q->period_count; i++) {
			struct run r = longest_run(q, q->periods[i]);

			if (r.length / r.period >= FEWEST_BLOCKS && r.length > best.length)
				best = r;
		}
		if (!best.length)
			return;
		make_blocks(q, &best);
	}
}

static void period_collect(struct sequence *q)
{
	const struct folding *f = q->f;
	const struct model *m = f->s->model;

	for (uint32_t i = 0; i < f->graph->nodes.len; i++) {
		if (f->s->of_node[i] != q->scope ||
		    scope_is_constant(m, &m->nodes.at[f->graph->nodes.at[i]]))
			continue;
		q->index[q->count++] = i;
		q->at[i] = q->count;
	}
}

static void period_divide(struct folding *f, uint32_t scope)
{
	size_t nodes = f->graph->nodes.len + 2;
	struct sequence q = {.f = f, .scope = scope};

	q.index = must_alloc(nodes * sizeof(*q.index));
	q.at = must_alloc(nodes * sizeof(*q.at));
	q.mark = must_alloc(nodes * sizeof(*q.mark));
	q.across = must_alloc(nodes * sizeof(*q.across));
	q.used = must_alloc(nodes);
	memset(q.at, 0, nodes * sizeof(*q.at));
	memset(q.across, 0, nodes * sizeof(*q.across));
	memset(q.used, 0, nodes);
	period_collect(&q);
	make_marks(&q);
	count_across(&q);
	find_periods(&q);
	find_runs(&q);
	free(q.index);
	free(q.at);
	free(q.mark);
	free(q.across);
	free(q.used);
}

/* Only the root: named scopes are divided enough, and one pass stays linear. */
void folding_periods(struct folding *f)
{
	uint32_t own = 0;

	for (size_t i = 0; i < f->graph->nodes.len; i++)
		own += f->s->of_node[i] == 0;
	if (own >= MANY_NODES)
		period_divide(f, 0);
}
