/*
 * Equal blocks: neighbours in the tree with the same operators and attributes, connected in
 * the same way.  Weights and constants may differ, names always do.
 */
#include "base/hash.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/hash.h"
#include "layout/scope/internal.h"

enum {
	FEWEST_EQUAL = 3,    /* blocks, each feeding the next */
	FEWEST_PARALLEL = 8, /* parallel blocks: q, k and v stay separate, experts do not */
	SMALLEST_BLOCK = 2   /* nodes */
};

/* The source of an input: its producer's position in the block, or outside. */
static uint64_t source_of(const struct folding *f, uint32_t scope, uint32_t value)
{
	const struct model *m = f->s->model;
	const struct value *v = &m->values.at[value];
	const struct node *n = &m->nodes.at[v->producer];
	uint32_t place;

	if (!value || v->tensor)
		return value != 0;
	if (!v->producer || n->graph != f->s->graph)
		return 2;
	place = f->place[n->index];
	if (place < f->begin[scope] || place >= f->end[scope])
		return scope_is_constant(m, n) ? 1 : 2;
	return 3 + ((uint64_t)(place - f->begin[scope]) << 8 | (v->port & 255));
}

static uint64_t repeat_hash_of(const struct folding *f, uint32_t scope)
{
	const struct model *m = f->s->model;
	uint64_t hash = 1;

	for (uint32_t k = f->begin[scope]; k < f->end[scope]; k++) {
		const struct node *n = &m->nodes.at[f->graph->nodes.at[f->list[k]]];

		hash = hash_u64((uint64_t)n->op << 32 | n->domain, hash);
		hash = hash_u64((uint64_t)n->overload << 32 | n->output_count, hash);
		for (uint32_t i = 0; i < n->attr_count; i++)
			hash = attr_hash(m, &n->attrs[i], false, hash_u64(n->attrs[i].name, hash));
		for (uint32_t i = 0; i < n->input_count; i++)
			hash = hash_u64(source_of(f, scope, n->inputs[i]), hash);
	}
	return hash;
}

static uint32_t next_block(const struct folding *f, uint32_t scope)
{
	while (scope && f->scopes.at[scope].kind != SCOPE_NAME)
		scope = f->scopes.at[scope].next;
	return scope;
}

/* The first stays, the others move under a new scope. */
static void put_under(struct folding *f, uint32_t first, uint32_t count)
{
	uint32_t made = (uint32_t)f->scopes.len, at = next_block(f, f->scopes.at[first].next);
	struct scope repeat = {.kind = SCOPE_REPEAT,
			       .like = first,
			       .parent = f->scopes.at[first].parent,
			       .made = f->scopes.at[at].made,
			       .name = f->scopes.at[at].name};

	vec_push(&f->scopes, repeat);
	for (uint32_t i = 1; i < count; i++) {
		f->scopes.at[at].parent = made;
		at = next_block(f, f->scopes.at[at].next);
	}
}

/* Does a node of one block read an output of the other? */
static bool repeat_feeds(const struct folding *f, uint32_t from, uint32_t to)
{
	const struct model *m = f->s->model;

	for (uint32_t k = f->begin[to]; k < f->end[to]; k++) {
		const struct node *n = &m->nodes.at[f->graph->nodes.at[f->list[k]]];

		for (uint32_t i = 0; i < n->input_count; i++) {
			uint32_t node = m->values.at[n->inputs[i]].producer, place;

			if (!node || m->nodes.at[node].graph != f->s->graph)
				continue;
			place = f->place[m->nodes.at[node].index];
			if (place >= f->begin[from] && place < f->end[from])
				return true;
		}
	}
	return false;
}

static void end_run(struct folding *f, uint32_t first, uint32_t equal)
{
	uint32_t second;

	if (equal < FEWEST_EQUAL || f->scopes.at[first].node_count < SMALLEST_BLOCK)
		return;
	second = next_block(f, f->scopes.at[first].next);
	if (equal >= FEWEST_PARALLEL || repeat_feeds(f, first, second))
		put_under(f, first, equal);
}

/* Blocks without names come from the order of the dataflow: a node between them stays there. */
static bool is_between(const struct folding *f, uint32_t at, uint32_t next)
{
	return f->scopes.at[at].made && f->scopes.at[at].after != f->scopes.at[next].node;
}

static void find_in(struct folding *f, uint32_t parent)
{
	uint32_t at = next_block(f, f->scopes.at[parent].first_child), first = at, equal = 1;
	uint64_t hash = at ? repeat_hash_of(f, at) : 0;

	while (at) {
		uint32_t next = next_block(f, f->scopes.at[at].next);
		uint64_t other = next ? repeat_hash_of(f, next) : 0;

		if (next && other == hash &&
		    f->scopes.at[next].node_count == f->scopes.at[first].node_count &&
		    !is_between(f, at, next)) {
			equal++;
		} else {
			end_run(f, first, equal);
			first = next;
			equal = 1;
		}
		hash = other;
		at = next;
	}
}

void folding_repeats(struct folding *f)
{
	size_t count = f->scopes.len;

	for (uint32_t i = 0; i < count; i++)
		find_in(f, i);
}
