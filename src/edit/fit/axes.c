/*
 * Input axes: which sizes differ between the exports, and what their symbols are called.
 *
 * Axes with the same size in every export share a symbol, unless they are given different names.
 * One that is the sum of two others in every export (past + seq) is declared as that.
 */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/change.h"
#include "edit/document.h"
#include "edit/fit/internal.h"
#include "edit/target.h"
#include "infer/infer.h"
#include "ir/build.h"
#include "ir/graph.h"
#include "ir/place.h"
#include "ir/type.h"
#include "ops/property.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	MAX_AXES = 256
};

/* An input axis whose size differs. */
struct fit_entry {
	uint32_t input;
	uint32_t axis;
	struct fit_vector sizes;
	struct sv name; /* in the arena of the fit, or of the options; empty until it has one */
	bool given;     /* by the user */
	bool sum;       /* an expression of the others */
};

struct fit_entries {
	struct fit_entry *at; /* owned */
	size_t len;
	size_t cap;
};

/* ---- axes that differ ---- */

static bool axes_size(const struct fitting *f, uint32_t side, uint32_t value, uint32_t axis,
		      int64_t *out)
{
	const struct infer *in = &f->sides[side].in;
	const struct info *info = &in->infos[value];

	return value && info->ranked && axis < info->rank &&
	       sym_value(&in->pool, info->dims[axis], out);
}

static bool axes_find_input(struct fitting *f, uint32_t value, struct fit_entries *out)
{
	const struct info *base = &f->sides[0].in.infos[value];
	struct sv name = model_cut_name(f->sides[0].m, f->sides[0].m->values.at[value].name);

	for (uint32_t i = 1; i < f->count; i++) {
		uint32_t other = fit_partner(f, i, value);
		const struct info *info = &f->sides[i].in.infos[other];

		if (!other || info->ranked != base->ranked || info->rank != base->rank ||
		    info->elem != base->elem)
			return fit_refuse(f, 0, "input %.*s has another type in export %" PRIu32,
					  (int)name.len, name.at, i + 1);
	}
	for (uint32_t k = 0; base->ranked && k < base->rank; k++) {
		struct fit_entry e = {.input = value, .axis = k};
		bool known = true;

		for (uint32_t i = 0; known && i < f->count; i++)
			known = axes_size(f, i, fit_partner(f, i, value), k, &e.sizes.at[i]);
		if (!known)
			return fit_refuse(f, 0, "the size of %.*s:%" PRIu32 " is not known",
					  (int)name.len, name.at, k);
		if (!fit_vector_constant(f, &e.sizes))
			vec_push(out, e);
	}
	return true;
}

static bool axes_find_all(struct fitting *f, struct fit_entries *out)
{
	const struct graph *g = &f->sides[0].m->graphs.at[0];

	for (size_t i = 0; i < g->inputs.len; i++) {
		if (!value_is_constant(f->sides[0].m, g->inputs.at[i]) &&
		    !axes_find_input(f, g->inputs.at[i], out))
			return false;
	}
	if (out->len == 0)
		return fit_refuse(f, 0,
				  "the exports have the same sizes, so there is nothing to fit");
	return out->len <= MAX_AXES || fit_refuse(f, 0, "too many axes differ");
}

/* ---- names ---- */

static bool axes_take_name(struct fitting *f, struct fit_entries *list, struct sv text,
			   struct err *err)
{
	const struct model *m = &f->document->wire.model;
	struct target t = {0};
	bool ok = target_find(m, text, &t, err);

	if (ok && !t.axes.len)
		ok = err_set(err, ERR_USAGE, "'%.*s': give an axis, as in input:0=batch",
			     (int)MIN(text.len, 200), text.at);
	if (ok && !sym_is_identifier(t.wanted))
		ok = err_set(err, ERR_USAGE, "'%.*s' is not a name (letters, digits, _ and .)",
			     (int)MIN(t.wanted.len, 200), t.wanted.at);
	for (size_t i = 0; ok && i < t.axes.len; i++) {
		const struct place *p = &t.axes.at[i];
		uint32_t rank = f->sides[0].in.infos[p->value].rank;
		int64_t axis = p->axis < 0 ? p->axis + rank : p->axis;
		bool found = false;

		for (size_t k = 0; k < list->len; k++) {
			if (list->at[k].input != p->value || list->at[k].axis != axis)
				continue;
			list->at[k].name = t.wanted;
			list->at[k].given = found = true;
		}
		if (!found && t.axes.len == 1)
			ok = err_set(err, ERR_USAGE, "'%.*s': its size is the same in all exports",
				     (int)MIN(text.len, 200), text.at);
	}
	target_release(&t);
	return ok;
}

static bool same_sizes(const struct fitting *f, const struct fit_vector *a,
		       const struct fit_vector *b)
{
	return memcmp(a, b, f->count * sizeof(a->at[0])) == 0;
}

static struct sv axes_text(struct fitting *f, const struct fit_entry *e)
{
	const struct model *m = f->sides[0].m;
	struct str s = {0};
	struct sv out;

	str_add(&s, model_cut_name(m, m->values.at[e->input].name));
	str_format(&s, ":%" PRIu32, e->axis);
	out = arena_copy(&f->arena, str_sv(&s));
	str_release(&s);
	return out;
}

/* Names of the user: one name is one size, and an axis without a name takes that of its size. */
static bool axes_share_names(struct fitting *f, struct fit_entries *list, struct err *err)
{
	for (size_t i = 0; i < list->len; i++) {
		struct fit_entry *e = &list->at[i];

		for (size_t k = 0; k < list->len; k++) {
			const struct fit_entry *o = &list->at[k];
			bool same = same_sizes(f, &e->sizes, &o->sizes);

			if (!o->given)
				continue;
			if (e->given && sv_eq(e->name, o->name) && !same)
				return err_set(err, ERR_USAGE,
					       "%.*s: two axes of that name have other sizes",
					       (int)e->name.len, e->name.at);
			if (e->given || !same)
				continue;
			if (e->name.len && !sv_eq(e->name, o->name)) {
				struct sv axis = axes_text(f, e);

				return err_set(err, ERR_USAGE,
					       "%.*s may be %.*s or %.*s: name it too",
					       (int)axis.len, axis.at, (int)e->name.len, e->name.at,
					       (int)o->name.len, o->name.at);
			}
			e->name = o->name;
		}
	}
	return true;
}

static bool axes_name_taken(const struct fitting *f, const struct fit_entries *list, struct sv name)
{
	for (size_t i = 0; i < list->len; i++) {
		if (sv_eq(list->at[i].name, name))
			return true;
	}
	for (uint32_t i = 0; i < f->symbol_count; i++) {
		if (sv_eq(f->symbols[i].name, name))
			return true;
	}
	return false;
}

/* Is it the size of axis 0 wherever that differs? */
static bool axes_is_batch(const struct fitting *f, const struct fit_entries *list,
			  const struct fit_entry *e)
{
	bool any = false;

	for (size_t i = 0; i < list->len; i++) {
		if (list->at[i].axis != 0)
			continue;
		if (!same_sizes(f, &list->at[i].sizes, &e->sizes))
			return false;
		any = true;
	}
	return any;
}

static struct sv axes_make_name(struct fitting *f, const struct fit_entries *list,
				const struct fit_entry *e)
{
	const struct model *m = f->sides[0].m;
	struct sv input = model_cut_name(m, m->values.at[e->input].name), out;
	struct str name = {0};
	unsigned number = 2;

	if (axes_is_batch(f, list, e)) {
		str_text(&name, "batch");
	} else {
		for (size_t i = 0; i < input.len; i++) {
			struct sv c = {input.at + i, 1};

			str_char(&name,
				 sym_is_identifier(c) || (i && c.at[0] >= '0' && c.at[0] <= '9')
					 ? c.at[0]
					 : '_');
		}
		str_format(&name, "_dim_%" PRIu32, e->axis);
	}
	while (axes_name_taken(f, list, str_sv(&name)))
		str_format(&name, "_%u", number++);
	out = arena_copy(&f->arena, str_sv(&name));
	str_release(&name);
	return out;
}

/* The two axes whose sum it is in every export; false unless there is one such pair of names. */
static bool axes_find_sum(struct fitting *f, const struct fit_entries *list,
			  const struct fit_entry *e, struct sv *out)
{
	struct str text = {0};

	for (size_t i = 0; i < list->len; i++) {
		for (size_t k = i + 1; k < list->len; k++) {
			const struct fit_entry *a = &list->at[i], *b = &list->at[k];
			struct str sum = {0};
			bool is = !a->sum && !b->sum && !sv_eq(a->name, b->name) && a->axis &&
				  b->axis;

			for (uint32_t n = 0; is && n < f->count; n++)
				is = a->sizes.at[n] + b->sizes.at[n] == e->sizes.at[n];
			if (!is)
				continue;
			str_add(&sum, a->name);
			str_text(&sum, " + ");
			str_add(&sum, b->name);
			if (!text.len)
				str_add(&text, str_sv(&sum));
			str_release(&sum);
		}
	}
	*out = arena_copy(&f->arena, str_sv(&text));
	str_release(&text);
	return out->len != 0;
}

static void axes_make_names(struct fitting *f, struct fit_entries *list)
{
	for (size_t i = 0; i < list->len; i++) {
		struct fit_entry *e = &list->at[i];
		struct sv name;

		if (e->name.len)
			continue;
		name = axes_make_name(f, list, e);
		for (size_t k = i; k < list->len; k++) {
			if (!list->at[k].name.len && same_sizes(f, &e->sizes, &list->at[k].sizes))
				list->at[k].name = name;
		}
	}
	/* The longest first: a sum is longer than its parts. */
	for (size_t i = 0; i < list->len; i++) {
		struct fit_entry *e = &list->at[i];
		struct sv old = e->name, sum;

		if (e->given || e->sum || e->axis == 0 || !axes_find_sum(f, list, e, &sum))
			continue;
		for (size_t k = 0; k < list->len; k++) {
			if (!sv_eq(list->at[k].name, old))
				continue;
			list->at[k].name = sum;
			list->at[k].sum = true;
		}
	}
}

/* ---- symbols ---- */

static struct claim *axes_claim(struct model *m, uint32_t input)
{
	uint32_t id = m->values.at[input].first_claim;

	while (id && m->claims.at[id].kind != CLAIM_INPUT)
		id = m->claims.at[id].next;
	return id ? &m->claims.at[id] : NULL;
}

static bool axes_add_symbol(struct fitting *f, const struct fit_entry *e)
{
	for (uint32_t i = 0; i < f->symbol_count; i++) {
		if (sv_eq(f->symbols[i].name, e->name))
			return true;
	}
	if (f->symbol_count == FIT_MAX_SYMBOLS)
		return fit_refuse(f, 0, "too many axes differ");
	f->symbols[f->symbol_count++] = (struct fit_symbol){.name = e->name, .sizes = e->sizes};
	return true;
}

static bool axes_write(struct fitting *f, const struct fit_entries *list)
{
	struct model *m = &f->document->wire.model;

	for (size_t i = 0; i < list->len; i++) {
		const struct fit_entry *e = &list->at[i];
		struct claim *c = axes_claim(m, e->input);
		struct fit_axis *row;

		if (!c || e->axis >= c->type.rank)
			return fit_refuse(f, 0, "an input has no shape");
		change_dim(&f->log, &c->type.dims[e->axis],
			   (struct dim){.kind = DIM_PARAM, .param = model_intern(m, e->name)});
		if (!e->sum && !axes_add_symbol(f, e))
			return false;
		row = vec_add(&f->report->axes);
		str_add(&row->axis, axes_text(f, e));
		str_add(&row->name, e->name);
		memcpy(row->sizes, e->sizes.at, sizeof(row->sizes));
	}
	document_infer(f->document);
	return true;
}

/* Where the size of each symbol comes from at run time. */
static bool axes_find_source(struct fitting *f, struct fit_symbol *s)
{
	const struct infer *in = &f->document->infer;
	const struct graph *g = &in->model->graphs.at[0];
	struct sym self = sym_find(&in->pool, s->name);
	struct err ignored;

	if (!sym_symbol_id(&in->pool, self, &s->id))
		return false;
	for (uint32_t i = 0; i < f->count; i++) {
		if (!sym_bind(&f->envs[i], &in->pool, s->id, s->sizes.at[i], &ignored))
			return false;
	}
	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *info = &in->infos[g->inputs.at[i]];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			if (!sym_same(info->dims[k], self))
				continue;
			vec_push(&f->plan.sources,
				 ((struct plan_source){s->id, g->inputs.at[i], k, 1}));
			return true;
		}
	}
	return true;
}

bool fit_name_axes(struct fitting *f, struct err *err)
{
	struct fit_entries list = {0};
	bool ok = axes_find_all(f, &list), valid = true;

	for (size_t i = 0; ok && valid && i < f->options->name_count; i++)
		valid = axes_take_name(f, &list, f->options->names[i], err);
	valid = valid && (!ok || axes_share_names(f, &list, err));
	if (ok && valid) {
		axes_make_names(f, &list);
		ok = axes_write(f, &list);
	}
	f->plan.pool = &f->document->infer.pool;
	f->plan.arena = &f->arena;
	for (uint32_t i = 0; ok && valid && i < f->symbol_count; i++) {
		struct fit_symbol *s = &f->symbols[i];

		if (!axes_find_source(f, s))
			ok = fit_refuse(f, 0, "%.*s cannot be a symbol", (int)s->name.len,
					s->name.at);
		else
			fit_know(f, f->document->infer.pool.symbols.at[s->id].self);
	}
	vec_release(&list);
	return valid;
}
