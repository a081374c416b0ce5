#include "layout/scope/scope.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "layout/scope/internal.h"
#include "ops/property.h"

static void scope_keep(struct folding *f)
{
	struct scopes *s = f->s;

	s->count = (uint32_t)f->scopes.len;
	s->at = arena_array(&s->arena, s->count, struct scope);
	memcpy(s->at, f->scopes.at, s->count * sizeof(*s->at));
	for (uint32_t i = 0; i < s->count; i++)
		s->at[i].name = arena_copy(&s->arena, s->at[i].name);
}

static void scope_release(struct folding *f)
{
	vec_release(&f->scopes);
	intern_release(&f->names);
	map_release(&f->children);
	free(f->begin);
	free(f->end);
	free(f->list);
	free(f->place);
}

void scopes_find(struct scopes *s, const struct model *m, uint32_t graph)
{
	struct folding f = {.s = s, .graph = &m->graphs.at[graph]};

	*s = (struct scopes){.model = m, .graph = graph};
	s->of_node = arena_array(&s->arena, f.graph->nodes.len + 1, uint32_t);
	folding_by_name(&f);
	folding_shapes(&f);
	folding_blocks(&f);
	folding_groups(&f);
	folding_fans(&f);
	folding_list(&f);
	folding_repeats(&f);
	folding_list(&f);
	scope_keep(&f);
	scope_release(&f);
	scopes_fold(s, SCOPE_MAX_VISIBLE);
}

void scopes_release(struct scopes *s)
{
	arena_release(&s->arena);
	*s = (struct scopes){0};
}

uint32_t scope_gain(const struct scope *scope)
{
	uint32_t items = scope->own_count + scope->child_count;

	return items ? items - 1 : 0;
}

/* A picture of one box would tell nothing. */
static bool scope_is_all(const struct scopes *s, uint32_t scope)
{
	if (s->at[scope].kind != SCOPE_NAME)
		return false;
	while (scope) {
		scope = s->at[scope].parent;
		if (scope_gain(&s->at[scope]))
			return false;
	}
	return true;
}

void scopes_fold(struct scopes *s, uint32_t max)
{
	const struct graph *g = &s->model->graphs.at[s->graph];
	uint64_t seen = g->inputs.len + g->outputs.len + scope_gain(&s->at[0]) + 1;
	uint32_t *order = must_alloc((s->count + 1) * sizeof(*order)), count = 0;

	/* A scope that shows one item either way is better shown by that item's name. */
	for (uint32_t i = 1; i < s->count; i++)
		s->at[i].folded = scope_gain(&s->at[i]) > 0;
	/* By depth and in file order: children are appended to the list. */
	order[count++] = 0;
	for (uint32_t i = 0; i < count; i++) {
		struct scope *scope = &s->at[order[i]];

		if (order[i] && scope_gain(scope) && !(max && scope_is_all(s, order[i])) &&
		    (scope->kind == SCOPE_REPEAT || scope->kind == SCOPE_SHAPES ||
		     scope->kind == SCOPE_FAN || seen + scope_gain(scope) > max))
			continue;
		if (order[i])
			seen += scope_gain(scope);
		scope->folded = false;
		for (uint32_t child = scope->first_child; child; child = s->at[child].next)
			order[count++] = child;
	}
	free(order);
}

/* The same for the same scope of two versions of a model. */
static uint64_t scope_identity(const struct scopes *s, uint32_t scope)
{
	uint64_t hash = 1;

	for (; scope; scope = s->at[scope].parent) {
		hash = hash_bytes(s->at[scope].name, hash);
		hash = hash_u64((uint64_t)s->at[scope].kind << 32 | s->at[scope].node, hash);
	}
	return hash;
}

void scopes_fold_like(struct scopes *s, const struct scopes *old)
{
	struct map known = {0};

	for (uint32_t i = 1; i < old->count; i++)
		*map_at(&known, scope_identity(old, i)) = old->at[i].folded ? 2 : 1;
	for (uint32_t i = 1; i < s->count; i++) {
		const uint32_t *was = map_find(&known, scope_identity(s, i));

		if (was)
			s->at[i].folded = *was == 2;
	}
	map_release(&known);
}

bool scope_has(const struct scopes *s, uint32_t scope, uint32_t inner)
{
	while (inner && inner != scope)
		inner = s->at[inner].parent;
	return inner == scope;
}

uint32_t scopes_shown(const struct scopes *s, uint32_t scope)
{
	uint32_t shown = 0;

	for (; scope; scope = s->at[scope].parent) {
		if (s->at[scope].folded)
			shown = scope;
	}
	return shown;
}

void scopes_reveal(struct scopes *s, uint32_t scope)
{
	for (; scope; scope = s->at[scope].parent)
		s->at[scope].folded = false;
}

bool scope_counts(const struct scope *scope)
{
	return scope->made && !sv_ends(scope->name, SV("\u2026"));
}

void scope_path(struct str *out, const struct scopes *s, uint32_t scope)
{
	uint32_t chain[2 * SCOPE_DEEPEST + 4], count = 0;

	for (; scope && count < ARRAY_LEN(chain); scope = s->at[scope].parent) {
		if (s->at[scope].kind == SCOPE_NAME && !s->at[scope].made)
			chain[count++] = scope;
	}
	while (count) {
		str_char(out, '/');
		str_add(out, s->at[chain[--count]].name);
	}
}

bool scope_is_constant(const struct model *m, const struct node *n)
{
	/* Copies of copies of a weight do not occur; cycles of copies may. */
	for (int hops = 0; hops < 4; hops++) {
		const struct value *v;

		if (n->output_count != 1 || m->values.at[n->outputs[0]].flags & VALUE_OUTPUT)
			return false;
		if (n->input_count == 0)
			return op_is_constant(m, n);
		/* Exporters write Identity where several nodes share a weight. */
		if (n->input_count != 1 || !op_copies(m, n))
			return false;
		v = &m->values.at[n->inputs[0]];
		if (v->tensor || !v->producer)
			return v->tensor != 0;
		n = &m->nodes.at[v->producer];
	}
	return false;
}

uint32_t scope_reader(const struct model *m, uint32_t value)
{
	/* As above: copies of copies do not occur. */
	for (int hops = 0; hops < 4; hops++) {
		uint32_t count, copy = 0;
		const struct reader *r = model_readers(m, value, &count);

		for (uint32_t i = 0; i < count; i++) {
			if (r[i].node && !scope_is_constant(m, &m->nodes.at[r[i].node]))
				return r[i].node;
			copy = copy ? copy : r[i].node;
		}
		if (!copy)
			return 0;
		value = m->nodes.at[copy].outputs[0];
	}
	return 0;
}
