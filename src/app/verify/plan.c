#include <inttypes.h>
#include <string.h>

#include "app/verify/internal.h"
#include "app/verify/verify.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"

enum {
	MAX_RUNS = 64,
	MAX_SINGLES = 8, /* symbols that are varied one by one */
	MAX_SIZES = 16   /* of one symbol */
};

/* ---- what the user asks for ---- */

/* The index of the symbol plus 1; 0 for none. */
static size_t plan_symbol(const struct verify_plan *p, struct sv name)
{
	struct str bare = {0};
	size_t found = 0;

	if (name_unquote(&bare, name))
		name = str_sv(&bare);
	for (size_t i = 0; !found && i < p->model.symbols.len; i++) {
		if (sv_eq(side_name(&p->model, i), name))
			found = i + 1;
	}
	str_release(&bare);
	return found;
}

static bool no_symbol(const struct verify_plan *p, struct sv name, struct err *err)
{
	return err_set(err, ERR_USAGE, "%s: no input has an axis '%.*s'",
		       str_c(&p->model.wire->path), (int)MIN(name.len, 100), name.at);
}

static const struct verify_sizes *wish_of(const struct verify_plan *p, size_t symbol)
{
	for (size_t i = 0; i < p->request->size_count; i++) {
		if (plan_symbol(p, p->request->sizes[i].name) == symbol + 1)
			return &p->request->sizes[i];
	}
	return NULL;
}

static bool plan_check_wishes(const struct verify_plan *p, struct err *err)
{
	for (size_t i = 0; i < p->request->size_count; i++) {
		const struct verify_sizes *s = &p->request->sizes[i];

		if (!plan_symbol(p, s->name))
			return no_symbol(p, s->name, err);
		if (s->sizes.len > MAX_SIZES)
			return err_set(err, ERR_USAGE, "--size takes at most %d sizes of an axis",
				       MAX_SIZES);
	}
	return true;
}

/* How many sizes the symbol is tried at. */
static size_t plan_sizes(const struct verify_plan *p, size_t symbol)
{
	const struct verify_sizes *wish = wish_of(p, symbol);

	return wish ? wish->sizes.len : 2;
}

static void plan_size(const struct verify_plan *p, struct sizes *s, size_t symbol, size_t which)
{
	const struct verify_sizes *wish = wish_of(p, symbol);

	if (wish) {
		s->at.at[symbol] = wish->sizes.at[MIN(which, wish->sizes.len - 1)];
		s->level.at[symbol] = SIZE_GIVEN;
	} else {
		s->at.at[symbol] = which ? p->chooser.second.at[symbol]
					 : p->chooser.first.at[symbol];
		s->level.at[symbol] = SIZE_PREFERRED;
	}
}

/* ---- one run ---- */

static bool same_sizes(const struct sizes *a, const struct sizes *b)
{
	return memcmp(a->at.at, b->at.at, a->at.len * sizeof(*a->at.at)) == 0;
}

static bool plan_has(const struct verify_plan *p, const struct sizes *s)
{
	for (size_t i = 0; i < p->runs.len; i++) {
		if (s->at.len == 0 || same_sizes(&p->runs.at[i], s))
			return true;
	}
	return false;
}

/* Does the original have sizes for a group of items of this run? */
static bool plan_by_items(const struct verify_plan *p, const struct sizes *s)
{
	VEC(int64_t) its = {0};
	struct infer in;
	bool ok;

	if (!p->items || !p->outputs_with_items || s->at.at[p->items - 1] < 1)
		return false;
	(void)vec_extend(&its, p->original.symbols.len + 1);
	ok = chooser_translate(&p->chooser, s->at.at, p->items, p->group, its.at);
	if (ok) {
		ok = side_infer(&p->original, its.at, &in);
		infer_release(&in);
	}
	vec_release(&its);
	return ok;
}

/* Takes the sizes. */
static void plan_add(struct verify_plan *p, enum verify_kind kind, struct sizes *s)
{
	struct verify_trial *t;

	if (plan_has(p, s) || p->runs.len >= MAX_RUNS) {
		sizes_release(s);
		return;
	}
	if (kind == VERIFY_OTHER && plan_by_items(p, s))
		kind = VERIFY_ITEMS;
	t = vec_add(&p->result->trials);
	t->kind = kind;
	for (size_t i = 0; i < s->at.len; i++)
		*vec_add(&t->sizes) = (struct verify_size){str_sv(&p->result->names.at[i]),
							   s->at.at[i]};
	vec_push(&p->runs, *s);
	*s = (struct sizes){0};
}

static void plan_add_same(struct verify_plan *p, struct sizes *s)
{
	VEC(int64_t) its = {0};

	(void)vec_extend(&its, p->original.symbols.len + 1);
	if (chooser_translate(&p->chooser, s->at.at, 0, 0, its.at))
		plan_add(p, VERIFY_SAME, s);
	vec_release(&its);
}

/* A size that nobody asked for must be one that the conditions allow. */
static bool plan_fits(struct verify_plan *p, struct sizes *s)
{
	bool given = false;

	for (size_t i = 0; i < s->at.len; i++)
		given |= wish_of(p, i) != NULL;
	return chooser_complete(&p->chooser, s) || given;
}

static void plan_try(struct verify_plan *p, struct sizes *s)
{
	if (plan_fits(p, s))
		plan_add(p, p->request->original ? VERIFY_OTHER : VERIFY_ALONE, s);
	sizes_release(s);
}

/* An axis that has the same size in all runs was not tested. */
static void plan_note_sizes(struct verify_plan *p)
{
	for (size_t i = 0; i < p->model.symbols.len; i++) {
		struct sv name = str_sv(&p->result->names.at[i]);
		int64_t size = p->runs.len ? p->runs.at[0].at.at[i] : 0;
		bool varies = wish_of(p, i);

		for (size_t k = 0; k < p->runs.len; k++)
			varies |= p->runs.at[k].at.at[i] != size;
		if (!varies)
			str_format(vec_add(&p->result->notes),
				   "no size of %.*s but %" PRId64 " was found that fits",
				   (int)name.len, name.at, size);
	}
}

/* ---- all runs ---- */

static void plan_same(struct verify_plan *p)
{
	const struct chooser *c = &p->chooser;
	size_t count = p->model.symbols.len, tries = 1;
	struct sizes s = {0};

	chooser_suit(&p->chooser, true);
	for (size_t i = 0; i < count; i++)
		tries = MAX(tries, c->before.at[i] ? 1 : plan_sizes(p, i));
	for (size_t k = 0; k < tries; k++) {
		p->chooser.without_ones = p->runs.len;
		sizes_reset(&s, count);
		for (size_t i = 0; i < count; i++) {
			plan_size(p, &s, i, k);
			if (!c->before.at[i])
				continue;
			s.at.at[i] = c->before.at[i];
			s.level.at[i] = SIZE_GIVEN;
		}
		if (plan_fits(p, &s) || (k + 1 == tries && !p->runs.len))
			plan_add_same(p, &s);
		sizes_release(&s);
	}
	p->chooser.without_ones = false;
	if (!p->runs.len)
		p->result->missing = "the models have no sizes of the inputs in common";
}

static void plan_begin_run(const struct verify_plan *p, struct sizes *s)
{
	sizes_reset(s, p->model.symbols.len);
	for (size_t i = 0; i < s->at.len; i++) {
		if (p->chooser.before.at[i]) {
			s->at.at[i] = p->chooser.before.at[i];
			s->level.at[i] = SIZE_PREFERRED;
		} else {
			plan_size(p, s, i, 0);
		}
	}
}

static void plan_others(struct verify_plan *p)
{
	size_t count = p->model.symbols.len, tries = 0;
	struct sizes s = {0};

	chooser_suit(&p->chooser, false);
	for (size_t i = 0; i < count; i++)
		tries = MAX(tries, plan_sizes(p, i));
	for (size_t i = 0; count > 1 && count <= MAX_SINGLES && i < count; i++) {
		for (size_t k = 0; k < plan_sizes(p, i); k++) {
			plan_begin_run(p, &s);
			plan_size(p, &s, i, k);
			s.level.at[i] = MAX(s.level.at[i], SIZE_WANTED);
			plan_try(p, &s);
		}
	}
	for (size_t k = 0; k < tries; k++) {
		plan_begin_run(p, &s);
		for (size_t i = 0; i < count; i++)
			plan_size(p, &s, i, k);
		plan_try(p, &s);
	}
	if (!count && !p->request->original) {
		sizes_reset(&s, 0);
		plan_add(p, VERIFY_ALONE, &s);
	}
}

/* ---- item by item ---- */

static bool axis_of_items(const struct side *s, struct sym dim, size_t items)
{
	size_t symbol;

	return side_symbol(s, dim, &symbol) && symbol + 1 == items;
}

/* How many items an input of the original has. */
static int64_t find_group(const struct verify_plan *p, struct sym dim)
{
	int64_t number;
	size_t its;

	if (sym_value(&p->original.plain.pool, dim, &number))
		return number;
	for (number = 1; side_symbol(&p->original, dim, &its) && number < 1 << 12; number++) {
		if (side_allows(&p->original, its, number))
			return number;
	}
	return 1;
}

static bool plan_find_items(struct verify_plan *p, struct err *err)
{
	struct sv name = p->request->items;
	uint32_t id;

	if (!name.len)
		return true;
	p->items = plan_symbol(p, name);
	if (!p->items)
		return no_symbol(p, name, err);
	id = p->model.symbols.at[p->items - 1];
	for (size_t i = 0; i < p->model.inputs.len; i++) {
		const struct side_input *b = &p->model.inputs.at[i];
		const struct side_input *a = NULL;

		for (size_t k = 0; k < p->original.inputs.len; k++) {
			if (sv_eq(p->original.inputs.at[k].name, b->name))
				a = &p->original.inputs.at[k];
		}
		for (uint32_t k = 0; a && k < b->rank; k++) {
			if (axis_of_items(&p->model, b->dims[k], p->items))
				p->group = MAX(p->group, find_group(p, a->dims[k]));
			else if (sym_mentions(&p->model.plain.pool, b->dims[k], id))
				return err_set(err, ERR_REFUSED,
					       "--items %.*s: axis %.*s:%u has items in parts",
					       (int)name.len, name.at, (int)MIN(b->name.len, 80),
					       b->name.at, k);
		}
	}
	return p->group > 0 ||
	       err_set(err, ERR_REFUSED, "--items %.*s: no input has them", (int)name.len, name.at);
}

/* Outputs without them cannot be compared. */
static void plan_find_outputs(struct verify_plan *p)
{
	const struct model *m = &p->model.wire->model;
	const struct graph *g = &m->graphs.at[0];

	for (size_t i = 0; p->items && i < g->outputs.len; i++) {
		const struct info *info = &p->model.plain.infos[g->outputs.at[i]];
		bool found = false;

		for (uint32_t k = 0; info->ranked && k < info->rank; k++)
			found |= axis_of_items(&p->model, info->dims[k], p->items);
		p->outputs_with_items += found;
		if (found)
			continue;
		str_text(vec_add(&p->result->notes), "not compared item by item: output ");
		str_add(vec_last(&p->result->notes),
			model_cut_name(m, m->values.at[g->outputs.at[i]].name));
	}
}

static void plan_check_items(struct verify_plan *p)
{
	size_t runs = 0;

	for (size_t i = 0; i < p->result->trials.len; i++)
		runs += p->result->trials.at[i].kind == VERIFY_ITEMS;
	if (p->items && !runs)
		p->result->missing = "nothing can be compared item by item";
}

/* Which sizes were looked for, and how to choose them. */
static bool plan_has_no_sizes(const struct verify_plan *p, struct err *err)
{
	enum {
		SHOWN = 4
	};
	size_t count = p->model.symbols.len;
	struct str names = {0};

	for (size_t i = 0; i < MIN(count, (size_t)SHOWN); i++) {
		str_text(&names, i == 0 ? "" : i + 1 == count ? " and " : ", ");
		str_add(&names, side_name(&p->model, i));
	}
	if (count)
		(void)err_set(err, ERR_REFUSED,
			      "%s: no sizes of %s%s were found that it accepts; choose some, as in "
			      "--size %.*s=16",
			      str_c(&p->request->model->path), str_c(&names),
			      count > SHOWN ? " and others" : "", (int)side_name(&p->model, 0).len,
			      side_name(&p->model, 0).at);
	else
		(void)err_set(err, ERR_REFUSED, "%s: its inputs have sizes that it does not accept",
			      str_c(&p->request->model->path));
	str_release(&names);
	return false;
}

bool verify_plan_make(struct verify_plan *p, const struct verify_request *request,
		      struct verify_result *result, struct err *err)
{
	bool two = request->original;

	*p = (struct verify_plan){.request = request, .result = result};
	if (!side_open(&p->model, request->model, err) ||
	    (two && !side_open(&p->original, request->original, err)) ||
	    !chooser_open(&p->chooser, &p->model, two ? &p->original : NULL, err))
		return false;
	for (size_t i = 0; i < p->model.symbols.len; i++)
		str_add(vec_add(&result->names), side_name(&p->model, i));
	if (!two && request->items.len)
		return err_set(err, ERR_USAGE, "--items needs two models");
	if (!plan_check_wishes(p, err) || !plan_find_items(p, err))
		return false;
	plan_find_outputs(p);
	if (two)
		plan_same(p);
	plan_others(p);
	plan_note_sizes(p);
	if (!p->runs.len)
		return plan_has_no_sizes(p, err);
	plan_check_items(p);
	return true;
}

void verify_plan_release(struct verify_plan *p)
{
	for (size_t i = 0; i < p->runs.len; i++)
		sizes_release(&p->runs.at[i]);
	vec_release(&p->runs);
	chooser_release(&p->chooser);
	side_release(&p->model);
	side_release(&p->original);
}
