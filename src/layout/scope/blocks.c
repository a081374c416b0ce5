/*
 * Blocks without names.  Where very many nodes are in no scope but the base, as in exports that
 * name them Conv_0, /model/Conv_1 … or not at all, their dataflow is divided: see cuts.c for where.
 * A block is a run of nodes in the order of the dataflow, so folding it never makes a cycle.
 *
 * Long lists of blocks get a level above them: what repeats (attention and mlp, twelve times),
 * then stages, which begin where the resolution changes, and if both do not help, stretches of
 * about equal length.
 */
#include "layout/scope/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/internal.h"
#include "layout/scope/scope.h"

enum {
	MANY_AMONG_NAMED = 60, /* loose nodes that are divided where others are in a scope */
	DIVISIBLE = 13,        /* nodes; a smaller block shows them all */
	MOST_ENTRIES = 12,     /* of a level; more get a level above them */
	STRETCH = 8,           /* entries of one, where nothing else divides a level */
	LONGEST_PERIOD = 6,    /* entries that repeat together */
	FEWEST_PERIODS = 3,
	MOST_RUNS = 16,
	DEEPEST = 6 /* levels of cuts */
};

struct blocking {
	struct sequence q;
	struct blocks all;
	struct block_list level, above;
};

/* ---- one level ---- */

/* As they are drawn: of three and more equal neighbours, the first and one for the others. */
static uint32_t entry_count(const struct blocking *b)
{
	uint32_t count = 0, equal = 0;

	for (size_t i = 0; i < b->level.len; i++) {
		bool same = i &&
			    b->all.at[b->level.at[i]].sign == b->all.at[b->level.at[i - 1]].sign;

		equal = same ? equal + 1 : 0;
		count += equal < 2;
	}
	return count;
}

/* Entries first … first + count - 1 of the level become one of the level above. */
static void put_above(struct blocking *b, size_t first, size_t count)
{
	uint32_t made = b->level.at[first];

	if (count > 1) {
		const struct block *begin = &b->all.at[made];
		const struct block *end = &b->all.at[b->level.at[first + count - 1]];
		struct block block = {
			.first = begin->first, .end = end->end, .parent = begin->parent};

		made = (uint32_t)b->all.len;
		block.sign = sequence_sign(&b->q, block.first, block.end);
		block.resizes = begin->resizes;
		vec_push(&b->all, block);
		for (size_t i = first; i < first + count; i++)
			b->all.at[b->level.at[i]].parent = made;
	}
	vec_push(&b->above, made);
}

static void level_rise(struct blocking *b)
{
	struct block_list level = b->level;

	b->level = b->above;
	b->above = level;
	vec_clear(&b->above);
}

/* ---- what repeats ---- */

struct periods {
	size_t first, length, period; /* entries of the level */
};

/* The longest run of entries that equal those `period` later. */
static struct periods longest_periods(const struct blocking *b, const bool *used, size_t period)
{
	struct periods best = {.period = period};
	size_t first = 0;

	for (size_t i = 0; i + period <= b->level.len; i++) {
		if (i + period < b->level.len && !used[i] && !used[i + period] &&
		    b->all.at[b->level.at[i]].sign == b->all.at[b->level.at[i + period]].sign)
			continue;
		if (i > first && i - first + period > best.length) {
			best.first = first;
			best.length = i - first + period;
		}
		first = i + 1;
	}
	return best;
}

static struct periods best_periods(const struct blocking *b, const bool *used)
{
	struct periods best = {0};

	for (size_t period = 1; period <= LONGEST_PERIOD; period++) {
		struct periods p = longest_periods(b, used, period);

		p.length -= p.length % period;
		if (p.length / period >= FEWEST_PERIODS && p.length > best.length)
			best = p;
	}
	return best;
}

static void level_repeats(struct blocking *b)
{
	size_t count = b->level.len;
	size_t *together = must_alloc((count + 1) * sizeof(*together));
	bool *used = must_alloc(count + 1);

	memset(used, 0, count + 1);
	for (size_t i = 0; i < count; i++)
		together[i] = 1;
	for (int run = 0; run < MOST_RUNS; run++) {
		struct periods p = best_periods(b, used);

		if (!p.length)
			break;
		for (size_t i = 0; i < p.length; i++) {
			used[p.first + i] = true;
			together[p.first + i] = p.period;
		}
	}
	for (size_t i = 0; i < count; i += together[i])
		put_above(b, i, together[i]);
	free(together);
	free(used);
	level_rise(b);
}

/* ---- stages and stretches ---- */

static void level_stages(struct blocking *b)
{
	size_t first = 0;

	for (size_t i = 1; i <= b->level.len; i++) {
		if (i < b->level.len && !b->all.at[b->level.at[i]].resizes)
			continue;
		put_above(b, first, i - first);
		first = i;
	}
	level_rise(b);
}

static void level_stretches(struct blocking *b)
{
	size_t first = 0, count = b->level.len;

	for (size_t i = 1; i <= count; i++) {
		if (i < count && i - first < STRETCH)
			continue;
		put_above(b, first, i - first);
		first = i;
	}
	level_rise(b);
}

static bool has_stages(const struct blocking *b)
{
	uint32_t stages = 0;

	for (size_t i = 1; i < b->level.len; i++)
		stages += b->all.at[b->level.at[i]].resizes;
	return stages > 0;
}

static void level_raise(struct blocking *b)
{
	if (entry_count(b) > MOST_ENTRIES)
		level_repeats(b);
	if (entry_count(b) > MOST_ENTRIES && has_stages(b))
		level_stages(b);
	while (entry_count(b) > 2 * MOST_ENTRIES)
		level_stretches(b);
}

/* ---- all of them ---- */

/* Adds blocks to the level: those of `inside`, and of a part that is most of it, its parts. */
static void level_cut(struct blocking *b, struct block inside, uint32_t parent, int depth)
{
	struct blocks parts = {0};

	sequence_cut(&b->q, inside.first, inside.end, &parts);
	for (size_t i = 0; i < parts.len; i++) {
		struct block *part = &parts.at[i];
		uint32_t size = part->end - part->first;

		part->parent = parent;
		if (parts.len > 1 && size >= DIVISIBLE && 2 * size > inside.end - inside.first &&
		    depth < DEEPEST) {
			level_cut(b, *part, parent, depth + 1);
			continue;
		}
		vec_push(&b->level, (uint32_t)b->all.len);
		vec_push(&b->all, *part);
	}
	vec_release(&parts);
}

static void blocks_find(struct blocking *b, uint32_t first, uint32_t end_of_run)
{
	struct block whole = {.first = first, .end = end_of_run};
	uint32_t end = 1, level = 0;

	vec_push(&b->all, whole);
	/* Blocks that are made are appended, to be divided in their turn. */
	for (uint32_t i = 0; i < b->all.len; i++) {
		struct block at = b->all.at[i];
		uint32_t before = (uint32_t)b->all.len;

		if (i == end) {
			end = before;
			level++;
		}
		if (at.divided || level >= DEEPEST || at.end - at.first < DIVISIBLE)
			continue;
		vec_clear(&b->level);
		level_cut(b, at, i, 0);
		if (b->level.len < 2) {
			b->all.len = before;
			continue;
		}
		before = (uint32_t)b->all.len;
		level_raise(b);
		for (uint32_t k = before; k < b->all.len; k++)
			b->all.at[k].divided = true;
	}
}

/* A block may come before its parent, which was made to hold it. */
static void blocks_make_scopes(struct blocking *b)
{
	uint32_t *scope = must_alloc(b->all.len * sizeof(*scope));
	struct block_list chain = {0};

	for (size_t i = 0; i < b->all.len; i++)
		scope[i] = UINT32_MAX;
	scope[0] = b->q.f->base;
	for (uint32_t i = 1; i < b->all.len; i++) {
		for (uint32_t at = i; scope[at] == UINT32_MAX; at = b->all.at[at].parent)
			vec_push(&chain, at);
		for (; chain.len; vec_pop(&chain)) {
			uint32_t at = *vec_last(&chain), parent = b->all.at[at].parent;

			scope[at] = sequence_scope(&b->q, &b->all.at[at], scope[parent]);
		}
	}
	vec_release(&chain);
	free(scope);
}

static bool has_names(const struct folding *f)
{
	uint32_t named = 0;

	for (size_t i = 1; i < f->scopes.len; i++)
		named += f->scopes.at[i].kind == SCOPE_NAME;
	/* The base and what it is in do not count. */
	for (uint32_t at = f->base; at; at = f->scopes.at[at].parent)
		named--;
	return named > 0;
}

static uint32_t count_loose(const struct folding *f)
{
	const struct model *m = f->s->model;
	uint32_t count = 0;

	for (uint32_t i = 0; i < f->graph->nodes.len; i++)
		count += f->s->of_node[i] == f->base &&
			 !scope_is_constant(m, &m->nodes.at[f->graph->nodes.at[i]]);
	return count;
}

/* Loose nodes that follow each other, with none between them that a name puts into one. */
static void blocks_of_run(struct blocking *b, uint32_t first, uint32_t end)
{
	vec_clear(&b->all);
	blocks_find(b, first, end);
	blocks_make_scopes(b);
}

void folding_blocks(struct folding *f)
{
	uint32_t least = f->scopes.len > 1 && has_names(f) ? MANY_AMONG_NAMED : FOLDING_MANY;
	struct blocking b = {0};
	uint32_t first = 0;

	if (count_loose(f) < least)
		return;
	/* What is beside each other would be cut in the order of the file. */
	folding_fans(f);
	sequence_make(&b.q, f);
	for (uint32_t i = 1; i <= b.q.count; i++) {
		if (i < b.q.count && !(b.q.traits[i] & BLOCK_BEGINS))
			continue;
		if (i - first >= least)
			blocks_of_run(&b, first, i);
		first = i;
	}
	sequence_release(&b.q);
	vec_release(&b.all);
	vec_release(&b.level);
	vec_release(&b.above);
}
