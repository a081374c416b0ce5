#include <inttypes.h>

#include "base/err.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/nearest.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "infer/internal.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

bool infer_is_declared(const struct infer *in, uint32_t name)
{
	return map_find(&in->declared, name) != NULL;
}

bool infer_free_name(struct infer *in, struct sv name)
{
	uint32_t symbol;

	if (!sym_symbol_id(&in->pool, sym_find(&in->pool, name), &symbol))
		return true;
	if (map_find(&in->named, symbol))
		return false;
	sym_unname(&in->pool, symbol);
	return true;
}

/* The symbol of that name, or the number it is bound to. */
static struct sym declare_ranged(struct infer *in, struct sv name, struct sym_range range)
{
	struct sym out;
	uint32_t symbol;

	for (size_t i = 0; i < in->options.binding_count; i++) {
		if (sv_eq(in->options.bindings[i].name, name))
			return sym_int(&in->pool, in->options.bindings[i].size);
	}
	if (sym_symbol_id(&in->pool, sym_find(&in->pool, name), &symbol) &&
	    in->pool.symbols.at[symbol].origin.range.lo != range.lo)
		(void)infer_free_name(in, name);
	out = sym_declare_range(&in->pool, name, range);
	if (sym_symbol_id(&in->pool, out, &symbol))
		*map_at(&in->named, symbol) = 1;
	return out;
}

/* The size of an axis of an input. */
static struct sym declare_input(struct infer *in, struct sv name)
{
	return declare_ranged(in, name, SYM_RANGE_DECLARED);
}

/* Expressions may use only names that main inputs declare. */
static bool declare_find_declared(void *context, struct sv name, struct sym *out)
{
	struct infer *in = context;
	uint32_t id = intern_find(&in->model->names, name);

	if (id == 0 || !infer_is_declared(in, id))
		return false;
	*out = declare_input(in, name);
	return true;
}

static bool has_names(struct sv text)
{
	struct str scratch = {0};
	struct sv name;
	size_t at = 0;
	bool found = sym_text_next_name(text, &at, &scratch, &name);

	str_release(&scratch);
	return found;
}

bool infer_parse_dim(struct infer *in, uint32_t name, struct sym *out)
{
	struct sv text = model_name(in->model, name);
	struct sym_scope scope = {declare_find_declared, in};
	struct err ignored;

	return !infer_is_declared(in, name) && !sym_is_identifier(text) && has_names(text) &&
	       sym_text_is_known(&in->pool, text, &scope) &&
	       sym_parse(&in->pool, text, &scope, out, &ignored);
}

static struct sym text_dim(struct infer *in, uint32_t name)
{
	struct sym parsed;

	if (infer_parse_dim(in, name, &parsed))
		return parsed;
	/* A claimed name may stand for a data-dependent size, which may be 0. */
	return declare_ranged(in, model_name(in->model, name),
			      infer_is_declared(in, name) ? SYM_RANGE_DECLARED : SYM_RANGE_SIZE);
}

/* Exporters write `?` and the empty text for a size that they do not know. */
static bool is_anonymous(const struct model *m, const struct dim *d)
{
	return !d->param || sv_is(model_name(m, d->param), "?");
}

struct sym infer_dim(struct infer *in, const struct dim *d)
{
	switch (d->kind) {
	case DIM_VALUE:
		return d->value >= 0 ? sym_int(&in->pool, d->value) : SYM_UNKNOWN;
	case DIM_PARAM:
		return is_anonymous(in->model, d) ? SYM_UNKNOWN : text_dim(in, d->param);
	case DIM_ABSENT:
	case DIM_KIND_COUNT:
		break;
	}
	return SYM_UNKNOWN;
}

/* An input dim with neither value nor name is the symbol input:0. */
static struct sym anonymous_dim(struct infer *in, uint32_t value, uint32_t axis)
{
	struct str name = {0};
	struct sym s;

	str_add(&name, model_name(in->model, in->model->values.at[value].name));
	str_format(&name, ":%" PRIu32, axis);
	s = declare_input(in, str_sv(&name));
	str_release(&name);
	return s;
}

static bool is_freed(const struct infer *in, const struct dim *d, uint32_t value, uint32_t axis)
{
	const struct infer_options *o = &in->options;

	return o->fresh && (d->kind != DIM_VALUE || (o->freed == value && o->freed_axis == axis));
}

static const struct sym *declared_dims(struct infer *in, const struct type *t, uint32_t value,
				       bool is_input)
{
	struct sym *dims = arena_array(&in->arena, t->rank, struct sym);

	for (uint32_t i = 0; i < t->rank; i++) {
		dims[i] = infer_dim(in, &t->dims[i]);
		if (is_input && (sym_is_unknown(dims[i]) || is_freed(in, &t->dims[i], value, i)))
			dims[i] = anonymous_dim(in, value, i);
	}
	return dims;
}

struct info infer_declared(struct infer *in, const struct type *t, uint32_t value, bool is_input)
{
	struct info out = {.kind = t->kind, .elem = t->elem};

	if (t->has_shape && t->rank <= RULE_MAX_RANK) {
		out.ranked = true;
		out.rank = t->rank;
		out.dims = declared_dims(in, t, value, is_input);
	}
	/* Dims may differ between the elements of a sequence, so they are no symbols. */
	if (t->inner) {
		struct info *inner = arena_new(&in->arena, struct info);

		*inner = infer_declared(in, t->inner, value, false);
		out.inner = inner;
	}
	return out;
}

void infer_declared_names(const struct model *m, struct map *out)
{
	const struct graph *g = &m->graphs.at[0];

	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &m->claims.at[g->claims.at[i]];

		for (uint32_t j = 0; c->kind == CLAIM_INPUT && j < c->type.rank; j++) {
			const struct dim *d = &c->type.dims[j];
			struct sv text = model_name(m, d->param);

			/* `past + seq` is no name: its parts may be. */
			if (d->kind == DIM_PARAM && !is_anonymous(m, d) &&
			    (sym_is_identifier(text) || !sym_text_is_expression(text)))
				*map_at(out, d->param) = 1;
		}
	}
}

bool infer_no_symbol(const struct model *m, struct sv name, struct err *err)
{
	enum {
		FEW = 6,
		LONGEST = 40
	};
	struct map names = {0};
	struct str list = {0};
	struct nearest near;
	size_t said = 0;

	infer_declared_names(m, &names);
	nearest_begin(&near, name);
	for (uint32_t id = 1; id < intern_count(&m->names); id++) {
		struct sv text = model_name(m, id);

		if (!map_find(&names, id))
			continue;
		nearest_offer(&near, text, id);
		said++;
		str_text(&list, said == 1 ? "" : said == names.count ? " and " : ", ");
		str_add(&list, utf8_cut(text, LONGEST));
		str_text(&list, text.len > LONGEST ? "\u2026" : "");
	}
	if (!names.count)
		str_text(&list, "none");
	if (names.count > FEW) {
		str_clear(&list);
		str_format(&list, "%zu, which axed symbols lists", (size_t)names.count);
	}
	err_set(err, ERR_USAGE, "no such symbol '%.*s'%s%s", (int)MIN(name.len, 200), name.at,
		near.found ? "" : "; the model has ", near.found ? "" : str_c(&list));
	nearest_suggest(err, near.found ? model_name(m, (uint32_t)near.which) : SV(""));
	map_release(&names);
	str_release(&list);
	return false;
}

/* ---- symbols of inputs ---- */

static void note_chosen(void *context, uint32_t symbol)
{
	struct infer *in = context;

	*map_at(&in->chosen, symbol) = 1;
}

void infer_note_chosen(struct infer *in)
{
	const struct graph *g = &in->model->graphs.at[0];

	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &in->model->claims.at[g->claims.at[i]];
		const struct info *info = &in->infos[c->value];

		for (uint32_t k = 0; c->kind == CLAIM_INPUT && info->ranked && k < info->rank; k++)
			sym_each_symbol(&in->pool, info->dims[k], note_chosen, in);
	}
}

bool infer_is_chosen(const struct infer *in, uint32_t symbol)
{
	return map_find(&in->chosen, symbol) != NULL;
}

/* ---- sizes for data-dependent symbols ---- */

static void bind_info(struct infer *in, struct sym_subst *subst, struct info *info)
{
	struct sym *dims;

	if (!info->ranked || info->rank == 0)
		return;
	dims = arena_array(&in->arena, info->rank, struct sym);
	for (uint32_t i = 0; i < info->rank; i++)
		dims[i] = sym_substitute(&in->pool, subst, info->dims[i]);
	info->dims = dims;
}

/* No rule asks for them by name, so they are replaced in the results. */
void infer_bind_generated(struct infer *in)
{
	struct sym_subst subst = {0};
	bool any = false;

	for (size_t i = 0; i < in->options.binding_count; i++) {
		const struct infer_binding *b = &in->options.bindings[i];
		uint32_t symbol;

		if (!sym_symbol_id(&in->pool, sym_find(&in->pool, b->name), &symbol) ||
		    in->pool.symbols.at[symbol].source != SYM_GENERATED)
			continue;
		sym_replace(&subst, symbol, sym_int(&in->pool, b->size));
		any = true;
	}
	for (size_t v = 1; any && v < in->model->values.len; v++)
		bind_info(in, &subst, &in->infos[v]);
	sym_subst_release(&subst);
}
