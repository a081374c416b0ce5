#include "app/verify/internal.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/limits.h"
#include "infer/sizes.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "wire/wire.h"

static void side_note_symbol(void *context, uint32_t id)
{
	struct side *s = context;
	uint32_t *place = map_at(&s->places, id);

	if (*place)
		return;
	vec_push(&s->symbols, id);
	*place = (uint32_t)s->symbols.len;
}

/* NumPy has no such type, or ONNX Runtime takes none of it from Python. */
static bool elem_is_given(int32_t elem)
{
	switch (elem) {
	case ELEM_FLOAT32:
	case ELEM_FLOAT64:
	case ELEM_FLOAT16:
	case ELEM_INT8:
	case ELEM_INT16:
	case ELEM_INT32:
	case ELEM_INT64:
	case ELEM_UINT8:
	case ELEM_UINT16:
	case ELEM_UINT32:
	case ELEM_UINT64:
	case ELEM_BOOL:
	case ELEM_STRING:
	case ELEM_COMPLEX64:
	case ELEM_COMPLEX128:
		return true;
	default: /* of numbers from a file */
		return false;
	}
}

static bool side_add_input(struct side *s, uint32_t value, struct err *err)
{
	const struct model *m = &s->wire->model;
	const struct info *info = &s->plain.infos[value];
	struct sv name = model_cut_name(m, m->values.at[value].name);

	if (info->kind != TYPE_TENSOR)
		return err_set(err, ERR_REFUSED,
			       "input %.*s is not a tensor; verify cannot make one", (int)name.len,
			       name.at);
	if (!elem_is_given(info->elem))
		return err_set(err, ERR_REFUSED,
			       "input %.*s has the element type %s, which Python cannot give",
			       (int)name.len, name.at, elem_info(info->elem)->name);
	if (!info->ranked)
		return err_set(err, ERR_REFUSED, "input %.*s declares no shape", (int)name.len,
			       name.at);
	*vec_add(&s->inputs) = (struct side_input){.value = value,
						   .name = model_name(m, m->values.at[value].name),
						   .elem = info->elem,
						   .rank = info->rank,
						   .dims = info->dims};
	for (uint32_t i = 0; i < info->rank; i++)
		sym_each_symbol(&s->plain.pool, info->dims[i], side_note_symbol, s);
	return true;
}

bool side_open(struct side *s, const struct wire *w, struct err *err)
{
	const struct model *m = &w->model;
	const struct graph *g = &m->graphs.at[0];

	*s = (struct side){.wire = w, .open = true};
	infer_run(&s->plain, m, (struct infer_options){0});
	limits_find(&s->limits, &s->plain, true);
	if (w->file.piped)
		return err_set(err, ERR_USAGE,
			       "verify needs a model in a file, not on standard input");
	if (!m->has_graph)
		return err_set(err, ERR_FORMAT, "%s: there is no graph in it", str_c(&w->path));
	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &m->claims.at[g->claims.at[i]];

		/* One with an initializer has a value already. */
		if (c->kind == CLAIM_INPUT && c->value && !m->values.at[c->value].tensor &&
		    !m->values.at[c->value].sparse && !side_add_input(s, c->value, err))
			return err_prefix(err, "%s", str_c(&w->path));
	}
	return true;
}

void side_release(struct side *s)
{
	if (!s->open)
		return;
	limits_release(&s->limits);
	infer_release(&s->plain);
	vec_release(&s->inputs);
	vec_release(&s->symbols);
	map_release(&s->places);
	s->open = false;
}

bool side_symbol(const struct side *s, struct sym dim, size_t *out)
{
	const uint32_t *place;
	uint32_t id;

	if (!sym_symbol_id(&s->plain.pool, dim, &id))
		return false;
	place = map_find(&s->places, id);
	if (place)
		*out = *place - 1;
	return place;
}

struct sv side_name(const struct side *s, size_t symbol)
{
	return sym_name(&s->plain.pool, s->symbols.at[symbol]);
}

bool side_allows(const struct side *s, size_t symbol, int64_t size)
{
	const struct limit *l = limit_of(&s->limits, s->symbols.at[symbol]);

	if (!l)
		return true;
	return sizes_have(&l->sizes, size) && (!l->pin || (size >= l->pin_lo && size <= l->pin_hi));
}

int64_t side_dim(const struct side *s, const int64_t *sizes, struct sym dim)
{
	struct sym_env env = {0};
	int64_t out = -1;
	bool ok = true;
	struct err ignored;

	if (sym_value(&s->plain.pool, dim, &out))
		return out;
	for (size_t i = 0; i < s->symbols.len; i++)
		ok = ok && sym_bind(&env, &s->plain.pool, s->symbols.at[i], sizes[i], &ignored);
	if (!ok || sym_eval(&s->plain.pool, &env, dim, &out) != SYM_OK)
		out = -1;
	sym_env_release(&env);
	return out;
}

/* The graph itself, not what the file claims. */
static bool side_is_error(const struct finding *f)
{
	return f->level == LEVEL_ERROR && f->root == 0 && !f->of_claim;
}

bool side_infer(const struct side *s, const int64_t *sizes, struct infer *out)
{
	VEC(struct infer_binding) bindings = {0};
	struct map known = {0};
	bool ok = true;

	for (size_t i = 0; i < s->symbols.len; i++)
		*vec_add(&bindings) = (struct infer_binding){side_name(s, i), sizes[i]};
	infer_run(out, &s->wire->model,
		  (struct infer_options){
			  .bindings = bindings.at, .binding_count = bindings.len, .largest = true});
	for (size_t i = 0; i < s->plain.findings.len; i++) {
		if (side_is_error(&s->plain.findings.at[i]))
			*map_at(&known, s->plain.findings.at[i].node) = 1;
	}
	for (size_t i = 0; i < out->findings.len; i++) {
		if (side_is_error(&out->findings.at[i]) &&
		    !map_find(&known, out->findings.at[i].node))
			ok = false;
	}
	/* They are read by nobody from here on. */
	out->options.bindings = NULL;
	out->options.binding_count = 0;
	vec_release(&bindings);
	map_release(&known);
	return ok;
}
