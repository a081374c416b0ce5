/*
 * The result, checked by inference: at the sizes of each export it has that export's shapes and
 * constants, and at other sizes nothing pins a symbol.
 */
#include <inttypes.h>
#include <math.h>

#include "base/str.h"
#include "base/sv.h"
#include "edit/conditions.h"
#include "edit/fit/internal.h"
#include "flow/array.h"
#include "flow/fold.h"
#include "infer/axes.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/limits.h"
#include "infer/sentence.h"
#include "infer/verdict.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/property.h"
#include "sym/sym.h"

static size_t proof_errors(const struct infer *in)
{
	size_t count = 0;

	for (size_t i = 0; i < in->findings.len; i++)
		count += in->findings.at[i].level == LEVEL_ERROR;
	return count;
}

/* ---- at the sizes of an export ---- */

static bool same_shapes(struct fitting *f, uint32_t side, const struct infer *bound, uint32_t value)
{
	const struct fit_side *s = &f->sides[side];
	const struct info *is = &bound->infos[value];
	const struct info *want = &s->in.infos[fit_partner(f, side, value)];
	const struct model *m = bound->model;
	struct sv name = model_cut_name(m, m->values.at[value].name);

	if (want->kind != TYPE_TENSOR || !want->ranked)
		return true;
	if (is->kind != TYPE_TENSOR || !is->ranked || is->rank != want->rank ||
	    is->elem != want->elem)
		return fit_refuse(f, m->values.at[value].producer,
				  "%.*s would not have the type that it has in export %" PRIu32,
				  (int)name.len, name.at, side + 1);
	for (uint32_t k = 0; k < is->rank; k++) {
		int64_t x, y;

		if (!sym_value(&s->in.pool, want->dims[k], &y))
			continue;
		if (!sym_value(&bound->pool, is->dims[k], &x))
			return fit_refuse(f, m->values.at[value].producer,
					  "the size of %.*s:%" PRIu32 " would not be known",
					  (int)name.len, name.at, k);
		if (x != y)
			return fit_refuse(f, m->values.at[value].producer,
					  "%.*s:%" PRIu32 " would be %" PRId64 " in export %" PRIu32
					  ", and is %" PRId64,
					  (int)name.len, name.at, k, x, side + 1, y);
	}
	return true;
}

static bool same_numbers(const struct array *a, const struct array *b)
{
	if (a->elem != b->elem || a->count != b->count || a->rank != b->rank)
		return false;
	for (uint64_t i = 0; i < a->count; i++) {
		double x = array_real(a, i), y = array_real(b, i);

		if (x != y && !(fabs(x - y) <= 1e-5 * fabs(y)) && !(isnan(x) && isnan(y)))
			return false;
	}
	return true;
}

/* What became of a constant must compute it. */
static bool same_constants(struct fitting *f, uint32_t side, const struct infer *bound)
{
	const struct model *m = bound->model;
	struct folder folder;
	bool ok = true;

	folder_init_at_sizes(&folder, bound);
	for (size_t i = 0; ok && i < f->uses.len; i++) {
		const struct fit_use *use = &f->uses.at[i];
		const struct array *is, *want = fit_array(f, side, use->values[side]);

		/* 0 and -1 of a Reshape are not what they stand for; its shape was compared. */
		if (use->port == 1 && op_sizes(m, &m->nodes.at[use->node]) == OP_SIZES_RESHAPE)
			continue;
		is = fold_value(&folder, m->nodes.at[use->node].inputs[use->port]);
		if (is && want && !same_numbers(is, want))
			ok = fit_refuse(f, use->node,
					"input %" PRIu32
					" would not be what it is in export %" PRIu32,
					use->port, side + 1);
	}
	folder_release(&folder);
	return ok;
}

static bool same_export(struct fitting *f, uint32_t side)
{
	struct infer_binding bindings[FIT_MAX_SYMBOLS];
	const struct model *m = &f->document->wire.model;
	struct infer bound;
	bool ok = true;

	for (uint32_t i = 0; i < f->symbol_count; i++)
		bindings[i] = (struct infer_binding){f->symbols[i].name,
						     f->symbols[i].sizes.at[side]};
	infer_run(&bound, m,
		  (struct infer_options){.bindings = bindings, .binding_count = f->symbol_count});
	if (proof_errors(&bound) > proof_errors(&f->sides[side].in))
		ok = fit_refuse(f, 0, "the result would be wrong at the sizes of export %" PRIu32,
				side + 1);
	for (uint32_t id = 1; ok && id < f->value_count; id++) {
		if (!(m->values.at[id].flags & VALUE_DEAD) && fit_partner(f, side, id) &&
		    !value_is_constant(m, id))
			ok = same_shapes(f, side, &bound, id);
	}
	ok = ok && same_constants(f, side, &bound);
	infer_release(&bound);
	return ok;
}

/* ---- at any size ---- */

static bool is_fitted(const struct fitting *f, const struct axis *a)
{
	const struct model *m = &f->document->wire.model;
	struct str text = {0};
	bool found = false;

	str_add(&text, model_cut_name(m, m->values.at[a->input].name));
	str_format(&text, ":%" PRIu32, a->axis);
	for (size_t i = 0; i < f->report->axes.len; i++)
		found |= sv_eq(str_sv(&f->report->axes.at[i].axis), str_sv(&text));
	str_release(&text);
	return found;
}

/* Would check complain about it?  Also a product of two sizes may be pinned. */
static bool no_pins(struct fitting *f)
{
	struct infer *in = &f->document->infer;

	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *found = &in->findings.at[i];
		struct str text = {0};

		if (found->level != LEVEL_PIN && found->level != LEVEL_LOSS)
			continue;
		finding_print(in, found, &text);
		(void)fit_refuse(f, found->node, "%s", str_c(&text));
		str_release(&text);
		return false;
	}
	return true;
}

static void take_bound(void *context, struct sv text)
{
	fit_bound(context, text);
}

/* What the nodes require of each symbol. */
static void take_bounds(struct fitting *f)
{
	struct infer *in = &f->document->infer;
	struct limits limits = {0};
	uint32_t symbols[FIT_MAX_SYMBOLS];
	const struct finding *found;
	struct str text = {0};

	limits_find(&limits, in, false);
	for (uint32_t i = 0; i < f->symbol_count; i++) {
		const struct limit *l = limit_of(&limits, f->symbols[i].id);

		symbols[i] = f->symbols[i].id;
		if (l)
			condition_tell_sizes(&l->sizes, f->symbols[i].name, take_bound, f);
	}
	for (size_t i = 0; (found = condition_next(in, symbols, f->symbol_count, &i));) {
		finding_print_condition(in, found, &text);
		fit_bound(f, str_sv(&text));
		str_clear(&text);
	}
	fit_tell_rounding(f, &limits);
	str_release(&text);
	limits_release(&limits);
}

/* Every axis on its own. */
static bool all_free(struct fitting *f)
{
	const struct model *m = &f->document->wire.model;
	struct axes axes;
	bool ok = true;

	axes_find(&axes, m);
	for (size_t i = 0; ok && i < axes.list.len; i++) {
		const struct axis *a = &axes.list.at[i];
		struct sv name = model_cut_name(m, m->values.at[a->input].name);

		if (!is_fitted(f, a))
			continue;
		if (a->verdict != VERDICT_FREE && a->verdict != VERDICT_TIED)
			ok = fit_refuse(f, a->node, "%.*s:%" PRIu32 " would still be %s",
					(int)name.len, name.at, a->axis, verdict_name(a->verdict));
	}
	axes_release(&axes);
	return ok;
}

bool fit_is_proved(struct fitting *f)
{
	bool ok = true;

	if (proof_errors(&f->document->infer) > proof_errors(&f->sides[0].in))
		return fit_refuse(f, 0, "the result would contradict itself");
	for (uint32_t i = 0; ok && i < f->count; i++)
		ok = same_export(f, i);
	ok = ok && no_pins(f) && all_free(f);
	if (ok)
		take_bounds(f);
	return ok;
}
