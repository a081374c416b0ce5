#include "export/snippet/snippet.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/nearest.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "export/quote.h"
#include "export/snippet/internal.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"

static const struct {
	const char *name;
	void (*write)(struct snippet *s);
} snippet_targets[SNIPPET_TARGET_COUNT] = {
#define TARGET(id, name, write) [SNIPPET_##id] = {name, write},
	SNIPPET_TARGETS(TARGET)
#undef TARGET
};

enum snippet_target snippet_target(struct sv name)
{
	enum snippet_target target = 0;

	while (target < SNIPPET_TARGET_COUNT && !sv_is(name, snippet_targets[target].name))
		target++;
	return target;
}

/* Has `name` these letters, in this order: trt of tensorrt? */
static bool snippet_is_short_for(struct sv given, struct sv name)
{
	size_t found = 0;

	for (size_t i = 0; i < name.len && found < given.len; i++)
		found += name.at[i] == given.at[found];
	return given.len > 1 && found == given.len;
}

struct sv snippet_target_nearest(struct sv name)
{
	struct nearest near;

	nearest_begin(&near, name);
	for (size_t i = 0; i < SNIPPET_TARGET_COUNT; i++)
		nearest_offer(&near, sv_of(snippet_targets[i].name), i);
	for (size_t i = 0; !near.found && i < SNIPPET_TARGET_COUNT; i++) {
		near.found = snippet_is_short_for(name, sv_of(snippet_targets[i].name));
		near.which = i;
	}
	return near.found ? sv_of(snippet_targets[near.which].name) : (struct sv){"", 0};
}

void snippet_target_names(struct str *s)
{
	for (size_t i = 0; i < SNIPPET_TARGET_COUNT; i++) {
		str_text(s, i == 0 ? "" : i + 1 < SNIPPET_TARGET_COUNT ? ", " : " or ");
		str_text(s, snippet_targets[i].name);
	}
}

/* ---- what writers ask ---- */

const struct snippet_symbol *dim_symbol(const struct snippet *s, struct sym dim)
{
	const uint32_t *place;
	uint32_t id;

	if (!sym_symbol_id(&s->in->pool, dim, &id))
		return NULL;
	place = map_find(&s->places, id);
	return place ? &s->symbols.at[*place - 1] : NULL;
}

bool dim_size(struct snippet *s, struct sym dim, enum snippet_bound bound, int64_t *out)
{
	return sym_eval(&s->in->pool, &s->bounds[bound], dim, out) == SYM_OK;
}

bool port_is_dynamic(const struct snippet *s, const struct snippet_port *p)
{
	int64_t ignored;

	for (uint32_t i = 0; i < p->info->rank; i++) {
		if (!sym_value(&s->in->pool, p->info->dims[i], &ignored))
			return true;
	}
	return false;
}

struct sv new_identifier(struct snippet *s, struct sv text)
{
	struct str name = {0};
	uint32_t before = intern_count(&s->identifiers);
	uint32_t base;
	size_t len;
	struct sv out;

	quote_identifier(&name, text);
	len = name.len;
	base = intern_add(&s->identifiers, str_sv(&name));
	/* Taken: batch_2, batch_3, ... */
	for (uint32_t id = base; id < before; id = intern_add(&s->identifiers, str_sv(&name))) {
		uint32_t *tail = map_at(&s->tails, base);

		name.len = len;
		str_format(&name, "_%" PRIu32, ++*tail + 1);
	}
	out = arena_copy(&s->arena, str_sv(&name));
	str_release(&name);
	return out;
}

size_t note_ranges(struct snippet *s)
{
	struct str option = {0};
	size_t missing = 0;

	for (size_t i = 0; i < s->symbols.len; i++) {
		if (s->symbols.at[i].ranged)
			continue;
		str_add(&option, s->symbols.at[i].name);
		str_text(&option, "=MIN,OPT,MAX");
		str_text(s->out, "# needs --range ");
		quote_shell(s->out, str_sv(&option));
		str_char(s->out, '\n');
		str_clear(&option);
		missing++;
	}
	str_release(&option);
	return missing;
}

/* ---- gathering ---- */

static void snippet_add_symbol(void *context, uint32_t id)
{
	struct snippet *s = context;
	uint32_t *place = map_at(&s->places, id);
	struct snippet_symbol *symbol;
	struct sv name = sym_name(&s->in->pool, id);

	if (*place)
		return;
	symbol = vec_add(&s->symbols);
	*place = (uint32_t)s->symbols.len;
	symbol->id = id;
	symbol->name = name;
	symbol->identifier = new_identifier(s, name);
}

static void snippet_note(struct snippet *s, enum claim_kind kind, struct sv name, const char *why)
{
	str_text(&s->notes, kind == CLAIM_INPUT ? "# input " : "# output ");
	str_add_shown(&s->notes, name);
	str_format(&s->notes, " %s\n", why);
}

static void add_port(struct snippet *s, struct snippet_ports *out, uint32_t claim)
{
	const struct model *m = s->in->model;
	const struct claim *c = &m->claims.at[claim];
	const struct info *info = &s->in->infos[c->value];
	struct sv name = model_name(m, c->name);
	struct str why = {0};

	if (info->kind != TYPE_TENSOR) {
		str_format(&why, "is left out: its type is %s", type_kind_name(info->kind));
		snippet_note(s, c->kind, name, str_c(&why));
	} else if (!info->ranked) {
		snippet_note(s, c->kind, name, "is left out: its rank is unknown");
	} else {
		*vec_add(out) = (struct snippet_port){name, claim, info};
	}
	str_release(&why);
}

static void snippet_gather(struct snippet *s)
{
	const struct model *m = s->in->model;
	const struct graph *g = &m->graphs.at[0];

	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &m->claims.at[g->claims.at[i]];
		const struct value *v = &m->values.at[c->value];
		bool constant = v->tensor || v->sparse || v->flags & VALUE_DUPLICATE;

		if (c->kind == CLAIM_INPUT && !constant)
			add_port(s, &s->inputs, g->claims.at[i]);
		if (c->kind == CLAIM_OUTPUT)
			add_port(s, &s->outputs, g->claims.at[i]);
	}
	for (size_t i = 0; i < s->inputs.len; i++) {
		const struct info *info = s->inputs.at[i].info;

		for (uint32_t j = 0; j < info->rank; j++)
			sym_each_symbol(&s->in->pool, info->dims[j], snippet_add_symbol, s);
	}
}

static bool snippet_bind(struct snippet *s, const struct snippet_range *range, struct err *err)
{
	const int64_t sizes[BOUND_COUNT] = {range->min, range->best, range->max};
	struct sym symbol = sym_find(&s->in->pool, range->name);
	const uint32_t *place;
	uint32_t id;

	if (!sym_symbol_id(&s->in->pool, symbol, &id))
		return infer_no_symbol(s->in->model, range->name, err);
	for (size_t i = 0; i < BOUND_COUNT; i++) {
		if (!sym_bind(&s->bounds[i], &s->in->pool, id, sizes[i], err))
			return false;
	}
	place = map_find(&s->places, id);
	if (place) {
		s->symbols.at[*place - 1].ranged = true;
		s->symbols.at[*place - 1].range = *range;
	}
	return true;
}

static void snippet_release(struct snippet *s)
{
	vec_release(&s->inputs);
	vec_release(&s->outputs);
	vec_release(&s->symbols);
	map_release(&s->places);
	map_release(&s->tails);
	intern_release(&s->identifiers);
	for (size_t i = 0; i < BOUND_COUNT; i++)
		sym_env_release(&s->bounds[i]);
	str_release(&s->notes);
	arena_release(&s->arena);
}

bool snippet_make(struct str *out, const struct infer *in, const struct snippet_request *request,
		  struct err *err)
{
	struct snippet s = {.in = in, .file = request->file, .out = out};
	bool ok = true;

	snippet_gather(&s);
	for (size_t i = 0; ok && i < request->range_count; i++)
		ok = snippet_bind(&s, &request->ranges[i], err);
	if (ok) {
		str_add(out, str_sv(&s.notes));
		snippet_targets[request->target].write(&s);
	}
	snippet_release(&s);
	return ok;
}
