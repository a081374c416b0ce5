#include "edit/rewrite.h"

#include <inttypes.h>

#include "base/err.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "edit/change.h"
#include "infer/infer.h"
#include "ir/build.h"
#include "ir/dims.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"
#include "wire/scan.h"

/* ---- declared names ---- */

void declared_scope_init(struct declared_scope *s, struct document *d)
{
	*s = (struct declared_scope){.document = d};
	infer_declared_names(&d->wire.model, &s->names);
}

void declared_scope_release(struct declared_scope *s)
{
	map_release(&s->names);
}

static bool rewrite_find_declared(void *context, struct sv name, struct sym *out)
{
	struct declared_scope *s = context;
	uint32_t id = intern_find(&s->document->wire.model.names, name);

	if (id == 0 || !map_find(&s->names, id))
		return false;
	*out = s->replaced.len && sv_eq(name, s->replaced)
		       ? s->by
		       : sym_declare(&s->document->infer.pool, name);
	return true;
}

struct sym_scope declared_scope(struct declared_scope *s)
{
	return (struct sym_scope){rewrite_find_declared, s};
}

struct search {
	uint32_t name;
	bool found;
};

static void look_for(void *context, const struct dim *dim)
{
	struct search *s = context;

	s->found |= dim->kind == DIM_PARAM && dim->param == s->name;
}

bool symbol_exists(const struct model *m, uint32_t name)
{
	struct search s = {.name = name};

	if (name)
		model_each_dim(m, look_for, &s);
	return s.found;
}

/* ---- expressions as text ---- */

struct generated {
	const struct sym_pool *pool; /* borrowed */
	bool any;
};

static void look_for_generated(void *context, uint32_t id)
{
	struct generated *g = context;

	g->any |= g->pool->symbols.at[id].source != SYM_DECLARED;
}

/* False for large expressions, which are symbols of this pool only, and for long texts. */
static bool print_expression(struct document *d, struct sym s, uint32_t *out)
{
	struct generated generated = {&d->infer.pool, sym_is_unknown(s)};
	struct str text = {0};
	bool ok;

	sym_each_symbol(&d->infer.pool, s, look_for_generated, &generated);
	if (!generated.any)
		sym_print(&d->infer.pool, s, &text);
	ok = !generated.any && text.len <= SCAN_LONGEST_NAME;
	if (ok)
		*out = model_intern(&d->wire.model, str_sv(&text));
	str_release(&text);
	return ok;
}

/* ---- the wanted dim ---- */

/* `?2` outside of back-quotes: a symbol of this pool by its number, whatever it is. */
static bool mentions_number_of_pool(struct sv text)
{
	bool quoted = false;

	for (size_t i = 0; i < text.len; i++) {
		quoted ^= text.at[i] == '`';
		if (text.at[i] == '?' && !quoted)
			return true;
	}
	return false;
}

static bool rewrite_read_expression(struct document *d, struct sv text, struct wanted *out,
				    struct err *err)
{
	struct declared_scope names;
	struct sym_scope scope;
	bool known;

	if (mentions_number_of_pool(text))
		return err_set(err, ERR_USAGE, "'%.*s' depends on data; it cannot be set",
			       (int)MIN(text.len, 200), text.at);
	declared_scope_init(&names, d);
	scope = declared_scope(&names);
	known = sym_text_is_known(&d->infer.pool, text, &scope) &&
		sym_parse(&d->infer.pool, text, &scope, &out->expression, err);
	declared_scope_release(&names);
	if (!known)
		return err_set(err, ERR_USAGE,
			       "'%.*s' is neither a name (letters, digits, _ and .) nor an "
			       "expression of declared names",
			       (int)MIN(text.len, 200), text.at);
	if (sym_value(&d->infer.pool, out->expression, &out->number)) {
		out->kind = WANTED_NUMBER;
		return out->number >= 0 || err_set(err, ERR_USAGE, "a size must be 0 or more");
	}
	out->kind = WANTED_EXPRESSION;
	return print_expression(d, out->expression, &out->text) ||
	       err_set(err, ERR_LIMIT, "the expression '%.*s' is too large",
		       (int)MIN(text.len, 200), text.at);
}

/* A name that some dim has, as it is or in back-quotes; 0 for none. */
static uint32_t existing_name(const struct model *m, struct sv text)
{
	uint32_t name = intern_find(&m->names, text);
	struct str bare = {0};

	if (!symbol_exists(m, name)) {
		name = name_unquote(&bare, text) ? intern_find(&m->names, str_sv(&bare)) : 0;
		name = symbol_exists(m, name) ? name : 0;
	}
	str_release(&bare);
	return name;
}

bool wanted_read(struct document *d, struct sv text, struct wanted *out, struct err *err)
{
	*out = (struct wanted){0};
	text = sv_trim(text);
	if (text.len == 0)
		return err_set(err, ERR_USAGE, "missing dim after =; ? makes an axis anonymous");
	if (text.len > SCAN_LONGEST_NAME)
		return err_set(err, ERR_LIMIT, "a name of %zu bytes is too long", text.len);
	if (sv_is(text, "?"))
		return true;
	if (sv_int(text, &out->number)) {
		out->kind = WANTED_NUMBER;
		return out->number >= 0 ||
		       err_set(err, ERR_USAGE, "a size must be 0 or more, not %" PRId64,
			       out->number);
	}
	out->text = sym_is_identifier(text) ? model_intern(&d->wire.model, text)
					    : existing_name(&d->wire.model, text);
	if (out->text) {
		out->kind = WANTED_NAME;
		out->expression = sym_declare(&d->infer.pool,
					      model_name(&d->wire.model, out->text));
		return true;
	}
	return rewrite_read_expression(d, text, out, err);
}

struct dim wanted_dim(const struct wanted *w)
{
	switch (w->kind) {
	case WANTED_NUMBER:
		return (struct dim){.kind = DIM_VALUE, .value = w->number};
	case WANTED_NAME:
	case WANTED_EXPRESSION:
		return (struct dim){.kind = DIM_PARAM, .param = w->text};
	case WANTED_NOTHING:
	case WANTED_KIND_COUNT:
		break;
	}
	return (struct dim){.kind = DIM_ABSENT};
}

/* ---- replacement ---- */

struct rewriting {
	struct document *document; /* borrowed */
	struct change_log *log;    /* borrowed */
	struct declared_scope names;
	uint32_t from;
	const struct wanted *by; /* borrowed */
	struct map seen;         /* texts seen -> index in results, plus 1 */
	VEC(struct dim) results;
};

/* Does `text` mention the replaced symbol? */
static bool rewrite_mentions(const struct rewriting *r, struct sv text)
{
	struct sv from = model_name(&r->document->wire.model, r->from), name;
	struct str scratch = {0};
	bool found = false;
	size_t at = 0;

	while (!found && sym_text_next_name(text, &at, &scratch, &name))
		found = sv_eq(name, from);
	str_release(&scratch);
	return found;
}

static struct dim rewrite_text(struct rewriting *r, uint32_t text_id)
{
	struct model *m = &r->document->wire.model;
	struct sym_scope scope = declared_scope(&r->names);
	struct sv text = model_name(m, text_id);
	struct dim to = {.kind = DIM_PARAM, .param = text_id};
	struct str renamed = {0};
	struct sym s;
	struct err ignored;

	if (map_find(&r->names.names, text_id) || sym_is_identifier(text) ||
	    !rewrite_mentions(r, text) ||
	    !sym_text_is_known(&r->document->infer.pool, text, &scope))
		return to;
	if (r->by->kind == WANTED_NAME) {
		if (sym_text_rename(text, model_name(m, r->from), model_name(m, r->by->text),
				    &renamed))
			to.param = model_intern(m, str_sv(&renamed));
	} else if (r->by->kind == WANTED_NOTHING ||
		   !sym_parse(&r->document->infer.pool, text, &scope, &s, &ignored)) {
		to = (struct dim){0};
	} else if (sym_value(&r->document->infer.pool, s, &to.value)) {
		to.kind = DIM_VALUE;
	} else if (!print_expression(r->document, s, &to.param)) {
		to = (struct dim){0};
	}
	str_release(&renamed);
	return to;
}

static void rewrite_dim(void *context, const struct dim *dim)
{
	struct rewriting *r = context;
	uint32_t *place;
	struct dim to;

	if (dim->kind != DIM_PARAM || dim->param == 0)
		return;
	place = map_at(&r->seen, dim->param);
	if (*place == 0) {
		to = dim->param == r->from ? wanted_dim(r->by) : rewrite_text(r, dim->param);
		vec_push(&r->results, to);
		*place = (uint32_t)r->results.len;
	}
	/* We own the model; only the walk's interface is const. */
	change_dim(r->log, (struct dim *)(uintptr_t)dim, r->results.at[*place - 1]);
}

void rewrite_replace(struct document *d, struct change_log *log, uint32_t name,
		     const struct wanted *by)
{
	struct rewriting r = {.document = d, .log = log, .from = name, .by = by};

	declared_scope_init(&r.names, d);
	r.names.replaced = model_name(&d->wire.model, name);
	r.names.by = by->kind == WANTED_NUMBER ? sym_int(&d->infer.pool, by->number)
					       : by->expression;
	model_each_dim(&d->wire.model, rewrite_dim, &r);
	declared_scope_release(&r.names);
	map_release(&r.seen);
	vec_release(&r.results);
}

void rewrite_rename(struct document *d, struct change_log *log, uint32_t from, uint32_t to)
{
	struct wanted by = {.kind = WANTED_NAME, .text = to};

	rewrite_replace(d, log, from, &by);
}

/* ---- orphaned expressions ---- */

/* Adds the names that the log removed, so that `names` is as before it. */
static void add_lost_names(struct declared_scope *names, const struct change_log *log)
{
	for (size_t i = 0; i < log->list.len; i++) {
		const struct change *c = &log->list.at[i];

		if (c->kind == CHANGE_DIM && c->dim_before.kind == DIM_PARAM)
			*map_at(&names->names, c->dim_before.param) = 1;
	}
}

static bool is_known(struct declared_scope *names, struct sv text)
{
	struct sym_scope scope = declared_scope(names);

	return sym_text_is_known(&names->document->infer.pool, text, &scope);
}

uint32_t rewrite_orphan(struct document *d, const struct change_log *log)
{
	const struct model *m = &d->wire.model;
	const struct graph *g = &m->graphs.at[0];
	struct declared_scope now, before;
	uint32_t orphan = 0;

	declared_scope_init(&now, d);
	declared_scope_init(&before, d);
	add_lost_names(&before, log);
	for (size_t i = 0; !orphan && i < g->claims.len; i++) {
		const struct claim *c = &m->claims.at[g->claims.at[i]];

		for (uint32_t j = 0; c->kind == CLAIM_INPUT && !orphan && j < c->type.rank; j++) {
			const struct dim *dim = &c->type.dims[j];
			struct sv text = model_name(m, dim->kind == DIM_PARAM ? dim->param : 0);

			if (text.len && !sym_is_identifier(text) && sym_text_is_expression(text) &&
			    !is_known(&now, text) && is_known(&before, text))
				orphan = dim->param;
		}
	}
	declared_scope_release(&now);
	declared_scope_release(&before);
	return orphan;
}
