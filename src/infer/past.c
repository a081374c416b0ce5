#include "infer/past.h"

#include "base/hash.h"
#include "base/intern.h"
#include "base/vec.h"
#include "infer/infer.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"

enum {
	MOST_ELEMENTS = 8
};

/* Of a sequence, the shape of its elements too. */
static uint64_t past_kind(const struct info *info)
{
	uint64_t hash = 0;

	for (const struct info *i = info; i; i = i->inner) {
		hash = hash_u64((uint64_t)i->kind << 32 | (uint32_t)i->elem, hash);
		for (uint32_t k = 0; i != info && i->ranked && k < i->rank; k++)
			hash = hash_u64(i->dims[k].w, hash + 1);
	}
	return hash;
}

/* Tables have more, and no box shows them. */
static uint32_t past_element_count(const struct info *info)
{
	const struct contents *c = &info->contents;

	return c->at && c->rank <= 1 && c->count <= MOST_ELEMENTS ? c->count : 0;
}

void past_take(struct past *p, const struct infer *in)
{
	vec_clear(&p->values);
	vec_clear(&p->dims);
	vec_clear(&p->names);
	p->taken = true;
	for (size_t i = 0; i < in->pool.symbols.len; i++)
		vec_push(&p->names, in->pool.symbols.at[i].name);
	for (size_t v = 0; v < in->value_count; v++) {
		const struct info *info = &in->infos[v];
		uint32_t rank = info->ranked ? info->rank : 0;
		uint32_t elements = past_element_count(info);

		*vec_add(&p->values) = (struct past_value){.kind = past_kind(info),
							   .first = (uint32_t)p->dims.len,
							   .rank = rank,
							   .elements = elements,
							   .ranked = info->ranked};
		for (uint32_t i = 0; i < rank; i++)
			vec_push(&p->dims, info->dims[i]);
		for (uint32_t i = 0; i < elements; i++)
			vec_push(&p->dims, info->contents.at[i]);
	}
}

/* The symbol that has its name now, if it has lost it. */
static bool past_successor(const struct past *p, const struct sym_pool *pool, uint32_t id,
			   struct sym *out)
{
	if (!p->names.at[id] || pool->symbols.at[id].name == p->names.at[id])
		return false;
	*out = sym_find(pool, intern_text(&pool->names, p->names.at[id]));
	return !sym_is_unknown(*out);
}

/* Names that moved are noted as names of the new symbol. */
static bool past_successors(struct past *p, const struct sym_pool *pool, struct sym_subst *out)
{
	size_t count = p->names.len;
	bool any = false;

	while (p->names.len < pool->symbols.len)
		vec_push(&p->names, 0);
	for (uint32_t i = 0; i < count; i++) {
		struct sym now;
		uint32_t id;

		if (!past_successor(p, pool, i, &now))
			continue;
		sym_replace(out, i, now);
		if (sym_symbol_id(pool, now, &id))
			p->names.at[id] = p->names.at[i];
		p->names.at[i] = 0;
		any = true;
	}
	return any;
}

void past_renew(struct past *p, struct infer *in)
{
	struct sym_subst subst = {0};

	if (p->taken && past_successors(p, &in->pool, &subst)) {
		for (size_t i = 0; i < p->dims.len; i++)
			p->dims.at[i] = sym_substitute(&in->pool, &subst, p->dims.at[i]);
	}
	sym_subst_release(&subst);
}

void past_release(struct past *p)
{
	vec_release(&p->names);
	vec_release(&p->values);
	vec_release(&p->dims);
	*p = (struct past){0};
}

const struct sym *past_dims(const struct past *p, const struct infer *in, uint32_t value)
{
	const struct info *now = &in->infos[value];

	if (!p->taken || value >= p->values.len || !now->ranked || !p->values.at[value].ranked ||
	    now->rank != p->values.at[value].rank)
		return NULL;
	return p->dims.at + p->values.at[value].first;
}

const struct sym *past_elements(const struct past *p, const struct infer *in, uint32_t value)
{
	uint32_t count = past_element_count(&in->infos[value]);

	if (!p->taken || value >= p->values.len || !count || p->values.at[value].elements != count)
		return NULL;
	return p->dims.at + p->values.at[value].first + p->values.at[value].rank;
}

bool past_same_elements(const struct past *p, const struct infer *in, uint32_t value)
{
	const struct sym *was = past_elements(p, in, value);
	const struct contents *now = &in->infos[value].contents;

	for (uint32_t i = 0; was && i < now->count; i++) {
		if (!sym_same(was[i], now->at[i]))
			return false;
	}
	return true;
}

uint32_t past_dims_changed(const struct past *p, const struct infer *in, uint32_t value)
{
	const struct info *now = &in->infos[value];
	uint32_t rank = now->ranked ? now->rank : 0, changed = 0;
	const struct sym *was = rank ? past_dims(p, in, value) : NULL;

	for (uint32_t i = 0; i < rank; i++)
		changed += !was || !sym_same(was[i], now->dims[i]);
	return changed;
}

bool past_same(const struct past *p, const struct infer *in, uint32_t value)
{
	const struct info *now = &in->infos[value];

	if (!p->taken)
		return true;
	return value < p->values.len && p->values.at[value].ranked == now->ranked &&
	       p->values.at[value].kind == past_kind(now) &&
	       (!now->ranked ||
		(p->values.at[value].rank == now->rank && past_dims_changed(p, in, value) == 0));
}
