/*
 * Inputs and outputs of two graphs, paired by name, then by value, then by order.
 */
#include <inttypes.h>

#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/diff/internal.h"
#include "ir/graph.h"
#include "ir/type.h"

struct slot {
	uint32_t value;
	const struct claim *claim; /* borrowed; NULL in functions, which declare none */
	bool taken;
};

struct slots {
	struct slot *at; /* owned */
	size_t len;
	size_t cap;
};

static void slots_find(const struct side *s, uint32_t graph, enum difference_kind kind,
		       struct slots *out)
{
	const struct graph *g = &s->m->graphs.at[graph];
	bool inputs = kind == DIFFERENCE_INPUT;
	enum claim_kind wanted = inputs ? CLAIM_INPUT : CLAIM_OUTPUT;

	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *claim = &s->m->claims.at[g->claims.at[i]];

		if (claim->kind == wanted)
			*vec_add(out) = (struct slot){claim->value, claim, false};
	}
	if (g->kind != GRAPH_FUNCTION)
		return;
	for (size_t i = 0; i < (inputs ? g->inputs.len : g->outputs.len); i++)
		*vec_add(out) = (struct slot){inputs ? g->inputs.at[i] : g->outputs.at[i], NULL,
					      false};
}

static struct sv slot_name(const struct side *s, const struct slot *slot)
{
	return model_name(s->m, s->m->values.at[slot->value].name);
}

static void compare_denotations(struct comparison *c, enum difference_kind kind, struct sv name,
				const struct type *a, const struct type *b)
{
	compare_texts(c, kind, name, "denotation", model_name(c->a.m, a->denotation),
		      model_name(c->b.m, b->denotation));
	for (uint32_t i = 0; i < MIN(a->rank, b->rank); i++) {
		struct sv before = model_name(c->a.m, a->dims[i].denotation);
		struct sv after = model_name(c->b.m, b->dims[i].denotation);
		struct str what = {0};

		str_format(&what, "denotation of axis %" PRIu32, i);
		compare_texts(c, kind, name, str_c(&what), before, after);
		str_release(&what);
	}
}

static void compare_claims(struct comparison *c, enum difference_kind kind, struct sv name,
			   const struct claim *a, const struct claim *b)
{
	struct str before = {0}, after = {0};

	type_print(&before, &a->type, &c->a.m->names);
	type_print(&after, &b->type, &c->b.m->names);
	compare_texts(c, kind, name, "type", str_sv(&before), str_sv(&after));
	compare_denotations(c, kind, name, &a->type, &b->type);
	compare_texts(c, kind, name, "doc", a->doc, b->doc);
	compare_pairs(c, kind, name, a->metadata, a->metadata_count, b->metadata,
		      b->metadata_count);
	str_release(&before);
	str_release(&after);
}

static void compare_slot(struct comparison *c, enum difference_kind kind, struct slot *a,
			 struct slot *b)
{
	struct sv name = slot_name(&c->a, a);

	a->taken = b->taken = true;
	if (kind == DIFFERENCE_INPUT)
		match_values(c, a->value, b->value);
	compare_texts(c, kind, name, "name", name, slot_name(&c->b, b));
	if (a->claim && b->claim)
		compare_claims(c, kind, name, a->claim, b->claim);
}

static void tell_slot(struct comparison *c, enum difference_kind kind, const struct side *s,
		      const struct slot *slot)
{
	struct str text = {0};
	bool first = s == &c->a;

	if (slot->claim)
		type_print(&text, &slot->claim->type, &s->m->names);
	compare_tell(c, (struct telling){kind, slot_name(s, slot), "", first ? &text : NULL,
					 first ? NULL : &text});
	str_release(&text);
}

static void pair_by_name(struct comparison *c, enum difference_kind kind, struct slots *a,
			 struct slots *b)
{
	struct map places = {0};

	for (size_t i = b->len; i-- > 0;) {
		uint32_t name = c->b.m->values.at[b->at[i].value].name;

		*map_at(&places, c->b.name_tokens[name]) = (uint32_t)i + 1;
	}
	for (size_t i = 0; i < a->len; i++) {
		uint32_t name = c->a.m->values.at[a->at[i].value].name;
		uint32_t *place = map_find(&places, c->a.name_tokens[name]);

		if (!place || b->at[*place - 1].taken)
			continue;
		compare_slot(c, kind, &a->at[i], &b->at[*place - 1]);
		if (*place - 1 != i && a->len == b->len) {
			struct str before = {0}, after = {0};

			str_format(&before, "%zu", i);
			str_format(&after, "%" PRIu32, *place - 1);
			compare_tell(c, (struct telling){kind, slot_name(&c->a, &a->at[i]),
							 "position", &before, &after});
			str_release(&before);
			str_release(&after);
		}
	}
	map_release(&places);
}

static void pair_by_value(struct comparison *c, enum difference_kind kind, struct slots *a,
			  struct slots *b)
{
	struct map places = {0};

	for (size_t i = b->len; i-- > 0;) {
		if (!b->at[i].taken)
			*map_at(&places, b->at[i].value) = (uint32_t)i + 1;
	}
	for (size_t i = 0; i < a->len; i++) {
		uint32_t partner = c->a.values[a->at[i].value];
		uint32_t *place = a->at[i].taken || !partner ? NULL : map_find(&places, partner);

		if (place && !b->at[*place - 1].taken)
			compare_slot(c, kind, &a->at[i], &b->at[*place - 1]);
	}
	map_release(&places);
}

/* If equally many are left on both sides, they were renamed. */
static void pair_by_order(struct comparison *c, enum difference_kind kind, struct slots *a,
			  struct slots *b)
{
	size_t left = 0, right = 0, j = 0;

	for (size_t i = 0; i < a->len; i++)
		left += !a->at[i].taken;
	for (size_t i = 0; i < b->len; i++)
		right += !b->at[i].taken;
	for (size_t i = 0; left == right && i < a->len; i++) {
		if (a->at[i].taken)
			continue;
		while (b->at[j].taken)
			j++;
		compare_slot(c, kind, &a->at[i], &b->at[j]);
	}
}

void compare_slots(struct comparison *c, struct graph_pair g, enum difference_kind kind)
{
	struct slots a = {0}, b = {0};

	slots_find(&c->a, g.a, kind, &a);
	slots_find(&c->b, g.b, kind, &b);
	pair_by_name(c, kind, &a, &b);
	pair_by_value(c, kind, &a, &b);
	pair_by_order(c, kind, &a, &b);
	for (size_t i = 0; i < a.len; i++) {
		if (!a.at[i].taken)
			tell_slot(c, kind, &c->a, &a.at[i]);
	}
	for (size_t i = 0; i < b.len; i++) {
		if (!b.at[i].taken)
			tell_slot(c, kind, &c->b, &b.at[i]);
	}
	vec_release(&a);
	vec_release(&b);
}
