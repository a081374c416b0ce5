#include "sym/pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "sym/node.h"
#include "sym/range.h"
#include "sym/sym.h"

struct sym_memo {
	struct sym a;
	struct sym b;
	struct sym result;
	uint64_t op; /* 0: free */
};

static const uint8_t element_size[SYM_KIND_COUNT] = {
	[SYM_KIND_UNKNOWN] = 1,
	[SYM_KIND_INT] = sizeof(int64_t),
	[SYM_KIND_SYMBOL] = sizeof(struct sym_key),
	[SYM_KIND_PRODUCT] = sizeof(struct sym_factor),
	[SYM_KIND_SUM] = sizeof(struct sym_term),
	[SYM_KIND_FLOOR] = sizeof(struct sym),
	[SYM_KIND_TRUNC] = sizeof(struct sym),
	[SYM_KIND_MAX] = sizeof(struct sym),
	[SYM_KIND_MIN] = sizeof(struct sym),
	[SYM_KIND_BROADCAST] = sizeof(struct sym),
	[SYM_KIND_ZERO] = sizeof(struct sym),
	[SYM_KIND_NATURAL] = sizeof(struct sym),
	[SYM_KIND_SELECT] = sizeof(struct sym),
	[SYM_KIND_CUT] = sizeof(struct sym),
	[SYM_KIND_FCONST] = sizeof(double),
	[SYM_KIND_FCAST] = sizeof(struct sym),
	[SYM_KIND_FOP] = sizeof(struct sym),
};

void sym_pool_release(struct sym_pool *p)
{
	arena_release(&p->arena);
	intern_release(&p->names);
	vec_release(&p->symbols);
	map_release(&p->by_name);
	free(p->nodes);
	free(p->walked);
	free(p->slots);
	free(p->memo);
	*p = (struct sym_pool){0};
}

size_t sym_pool_bytes(const struct sym_pool *p)
{
	return p->arena.total + p->names.text.total + p->symbols.cap * sizeof(*p->symbols.at) +
	       p->by_name.cap * sizeof(*p->by_name.slots) +
	       p->node_cap * (sizeof(*p->nodes) + sizeof(*p->walked)) +
	       p->slot_cap * sizeof(*p->slots) + p->memo_cap * sizeof(*p->memo);
}

static void pool_start(struct sym_pool *p)
{
	p->seed = hash_seed();
	p->node_cap = 64;
	p->nodes = must_alloc(p->node_cap * sizeof(*p->nodes));
	p->nodes[0] = (struct sym_node){0};
	p->walked = must_alloc(p->node_cap * sizeof(*p->walked));
	memset(p->walked, 0, p->node_cap * sizeof(*p->walked));
	p->node_count = 1;
	p->slot_cap = 128;
	p->slots = must_alloc(p->slot_cap * sizeof(*p->slots));
	memset(p->slots, 0, p->slot_cap * sizeof(*p->slots));
}

static uint32_t *pool_slot_of(const struct sym_pool *p, const struct sym_node *n)
{
	size_t size = n->count * (size_t)element_size[n->kind];
	size_t i = n->hash & (p->slot_cap - 1);

	for (; p->slots[i]; i = (i + 1) & (p->slot_cap - 1)) {
		const struct sym_node *other = &p->nodes[p->slots[i]];

		if (other->hash == n->hash && other->kind == n->kind && other->aux == n->aux &&
		    other->count == n->count && memcmp(other->data, n->data, size) == 0)
			break;
	}
	return &p->slots[i];
}

static void slots_grow(struct sym_pool *p)
{
	free(p->slots);
	p->slot_cap *= 2;
	p->slots = must_alloc(p->slot_cap * sizeof(*p->slots));
	memset(p->slots, 0, p->slot_cap * sizeof(*p->slots));
	for (uint32_t n = 1; n < p->node_count; n++) {
		size_t i = p->nodes[n].hash & (p->slot_cap - 1);

		while (p->slots[i])
			i = (i + 1) & (p->slot_cap - 1);
		p->slots[i] = n;
	}
}

/* The size of a node, accumulated over its children. */
struct size {
	unsigned depth, chain, weight, reach;
	bool generated;
};

static void size_add(const struct sym_pool *p, struct size *size, struct sym child)
{
	const struct sym_node *n = sym_is_small(child) ? &p->nodes[0] : sym_node(p, child);

	size->depth = MAX(size->depth, n->depth);
	size->chain = MAX(size->chain, n->chain);
	size->weight += MAX(n->weight, 1u);
	size->reach += MAX(n->reach, 1u);
	size->generated |= n->generated;
}

static struct size key_size(const struct sym_pool *p, const struct sym_key *key)
{
	struct size size = {.reach = 1, .generated = key->source == SYM_GENERATED};

	if (!sym_is_unknown(key->definition))
		size_add(p, &size, key->definition);
	for (size_t i = 0; i < ARRAY_LEN(key->args) && !sym_is_unknown(key->args[i]); i++)
		size_add(p, &size, key->args[i]);
	return (struct size){.weight = 1, .reach = size.reach, .generated = size.generated};
}

static struct size pool_size_of(const struct sym_pool *p, const struct sym_node *n)
{
	struct size size = {0};

	if (n->kind == SYM_KIND_SYMBOL)
		return key_size(p, n->data);
	if (n->kind < SYM_KIND_SYMBOL || n->kind == SYM_KIND_FCONST)
		return (struct size){.weight = 1, .reach = 1};
	if (n->kind == SYM_KIND_SUM) {
		for (size_t i = 0; i < n->count; i++) {
			if (sym_terms(n)[i].m)
				size_add(p, &size, sym_at(sym_terms(n)[i].m));
		}
		return size;
	}
	if (n->kind == SYM_KIND_PRODUCT) {
		for (size_t i = 0; i < n->count; i++)
			size_add(p, &size, sym_at(sym_factors(n)[i].atom));
		return size;
	}
	for (size_t i = 0; i < n->count; i++)
		size_add(p, &size, sym_args(n)[i]);
	if (sym_is_float_kind(n->kind)) {
		size.chain++;
	} else {
		/* A CUT counts twice, to limit chains inside chains. */
		size.depth += n->kind == SYM_KIND_CUT ? 2 : 1;
		size.chain = 0;
	}
	return size;
}

/* A constant is free: whether a sum fits must not depend on when the constant is added. */
static bool size_fits(const struct sym_node *n, struct size size)
{
	size_t terms = n->count - (size_t)(n->kind == SYM_KIND_SUM && sym_terms(n)[0].m == 0);

	return size.depth <= SYM_DEPTH_MAX && size.chain <= SYM_CHAIN_MAX &&
	       size.weight <= SYM_WEIGHT_MAX && size.reach <= SYM_REACH_MAX &&
	       terms <= SYM_TERMS_MAX;
}

static void node_append(struct sym_pool *p, const struct sym_node *n)
{
	if (p->node_count == p->node_cap) {
		p->node_cap *= 2;
		p->nodes = must_realloc(p->nodes, p->node_cap * sizeof(*p->nodes));
		p->walked = must_realloc(p->walked, p->node_cap * sizeof(*p->walked));
		memset(p->walked + p->node_count, 0, p->node_count * sizeof(*p->walked));
	}
	p->nodes[p->node_count++] = *n;
	if (p->node_count * 2 > p->slot_cap)
		slots_grow(p);
}

/* ---- the one symbol ---- */

static uint32_t only_join(const struct sym_pool *p, uint32_t only, struct sym child)
{
	uint32_t other = sym_is_small(child) ? SYM_ONLY_NONE : sym_node(p, child)->only;

	if (only == SYM_ONLY_NONE || only == other)
		return other;
	return other == SYM_ONLY_NONE ? only : SYM_ONLY_SEVERAL;
}

/* Of a symbol, the one in its definition; a symbol without any is numbered later. */
static uint32_t only_of(const struct sym_pool *p, const struct sym_node *n)
{
	const struct sym_key *key = n->data;
	uint32_t only = SYM_ONLY_NONE;

	if (n->kind == SYM_KIND_SYMBOL) {
		only = only_join(p, only, key->definition);
		for (size_t i = 0; i < ARRAY_LEN(key->args); i++)
			only = only_join(p, only, key->args[i]);
		return only;
	}
	if (n->kind == SYM_KIND_INT || n->kind == SYM_KIND_FCONST)
		return only;
	for (size_t i = 0; i < n->count && only != SYM_ONLY_SEVERAL; i++) {
		if (n->kind == SYM_KIND_SUM)
			only = only_join(p, only, sym_at(sym_terms(n)[i].m));
		else if (n->kind == SYM_KIND_PRODUCT)
			only = only_join(p, only, sym_at(sym_factors(n)[i].atom));
		else
			only = only_join(p, only, sym_args(n)[i]);
	}
	return only;
}

uint32_t sym_reach(const struct sym_pool *p, struct sym s)
{
	return sym_is_small(s) || sym_is_unknown(s) ? 1 : sym_node(p, s)->reach;
}

bool sym_has_generated(const struct sym_pool *p, struct sym s)
{
	return !sym_is_small(s) && sym_node(p, s)->generated;
}

static void count_steps(struct sym_pool *p, size_t parts)
{
	p->steps += 1 + parts * parts;
	p->spent |= p->most_steps && p->steps > p->most_steps;
}

uint32_t sym_intern(struct sym_pool *p, enum sym_kind kind, uint8_t aux, const void *data,
		    size_t count)
{
	struct sym_node n = {
		.kind = (uint8_t)kind, .aux = aux, .count = (uint16_t)count, .data = data};
	struct sv bytes = {data, count * element_size[kind]};
	struct size size;
	uint32_t *slot;

	if (!p->slots)
		pool_start(p);
	n.hash = (uint32_t)hash_bytes(bytes, p->seed ^ kind ^ (uint64_t)aux << 8);
	count_steps(p, count);
	slot = pool_slot_of(p, &n);
	if (*slot)
		return *slot;
	size = pool_size_of(p, &n);
	if (!size_fits(&n, size) || p->node_count >= SYM_NODES_MAX)
		return 0;
	n.depth = (uint8_t)size.depth;
	n.chain = (uint8_t)size.chain;
	n.weight = (uint16_t)size.weight;
	n.reach = (uint16_t)size.reach;
	n.generated = size.generated;
	n.data = memcpy(arena_alloc(&p->arena, bytes.len), data, bytes.len);
	n.only = only_of(p, &n);
	if (sym_is_float_kind(kind))
		sym_chain_know(p, &n);
	else
		sym_node_know(p, &n);
	*slot = (uint32_t)p->node_count;
	node_append(p, &n);
	p->spent |= p->most_bytes && sym_pool_bytes(p) > p->most_bytes;
	return (uint32_t)p->node_count - 1;
}

struct sym sym_atom(struct sym_pool *p, enum sym_kind kind, uint8_t aux, const struct sym *args,
		    size_t count)
{
	uint32_t index = sym_intern(p, kind, aux, args, count);
	int64_t value;

	if (index && sym_range_is_one(p->nodes[index].range, &value))
		return sym_int(p, value);
	return sym_at(index);
}

struct sym sym_big(struct sym_pool *p, int64_t value)
{
	return sym_at(sym_intern(p, SYM_KIND_INT, 0, &value, 1));
}

enum sym_kind sym_kind(const struct sym_pool *p, struct sym s)
{
	if (sym_is_small(s))
		return SYM_KIND_INT;
	return s.w == 0 ? SYM_KIND_UNKNOWN : (enum sym_kind)sym_node(p, s)->kind;
}

bool sym_big_value(const struct sym_pool *p, struct sym s, int64_t *out)
{
	if (s.w == 0 || sym_node(p, s)->kind != SYM_KIND_INT)
		return false;
	*out = *(const int64_t *)sym_node(p, s)->data;
	return true;
}

static struct sym_memo *memo_of(const struct sym_pool *p, enum sym_op op, struct sym a,
				struct sym b)
{
	uint64_t hash = hash_u64(a.w ^ (uint64_t)op << 56, p->seed ^ b.w * 0x9e3779b97f4a7c15u);
	size_t i = hash & (p->memo_cap - 1);

	while (p->memo[i].op &&
	       (p->memo[i].op != op || p->memo[i].a.w != a.w || p->memo[i].b.w != b.w))
		i = (i + 1) & (p->memo_cap - 1);
	return &p->memo[i];
}

bool sym_recall(const struct sym_pool *p, enum sym_op op, struct sym a, struct sym b,
		struct sym *out)
{
	const struct sym_memo *memo;

	if (!p->memo)
		return false;
	memo = memo_of(p, op, a, b);
	if (memo->op)
		*out = memo->result;
	return memo->op != 0;
}

static void memo_grow(struct sym_pool *p)
{
	struct sym_memo *old = p->memo;
	size_t old_cap = p->memo_cap;

	p->memo_cap = old_cap ? old_cap * 2 : 128;
	p->memo = must_alloc(p->memo_cap * sizeof(*p->memo));
	memset(p->memo, 0, p->memo_cap * sizeof(*p->memo));
	for (size_t i = 0; i < old_cap; i++) {
		if (old[i].op)
			*memo_of(p, (enum sym_op)old[i].op, old[i].a, old[i].b) = old[i];
	}
	free(old);
}

void sym_remember(struct sym_pool *p, enum sym_op op, struct sym a, struct sym b, struct sym result)
{
	struct sym_memo *memo;

	if (p->memo_count * 2 >= p->memo_cap)
		memo_grow(p);
	memo = memo_of(p, op, a, b);
	p->memo_count += memo->op == 0;
	*memo = (struct sym_memo){a, b, result, op};
}
