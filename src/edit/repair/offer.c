#include "edit/repair/offer.h"

#include <inttypes.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/words.h"
#include "edit/line.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

static void add_axis(struct str *line, const struct model *m, uint32_t value, uint32_t axis,
		     struct sv to)
{
	struct str word = {0};

	graph_path(&word, m, m->values.at[value].graph);
	if (word.len)
		str_char(&word, '/');
	str_add(&word, model_name(m, m->values.at[value].name));
	str_format(&word, ":%" PRIu32, axis);
	str_text(&word, to.len ? "=" : "");
	str_add(&word, to);
	words_quote(line, str_sv(&word));
	str_release(&word);
}

static bool offer_repair(const struct infer *in, const struct finding *f, struct str *out)
{
	const struct graph *g = &in->model->graphs.at[0];
	bool any = false;

	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *info = &in->infos[g->inputs.at[i]];

		for (uint32_t j = 0; info->ranked && j < info->rank; j++) {
			if (!finding_pins(&in->pool, f, info->dims[j]))
				continue;
			if (!any)
				str_text(out, "repair");
			any = true;
			add_axis(out, in->model, g->inputs.at[i], j, SV(""));
		}
	}
	return any;
}

struct sayable {
	const struct infer *in; /* borrowed */
	bool yes;
};

static void offer_check_symbol(void *context, uint32_t id)
{
	struct sayable *s = context;
	uint32_t name = intern_find(&s->in->model->names, sym_name(&s->in->pool, id));

	s->yes &= name && map_find(&s->in->declared, name);
}

/* A body is inferred several times: the final result may be the claim itself. */
static bool says_so(const struct infer *in, const struct finding *f)
{
	const struct claim *c = &in->model->claims.at[in->model->values.at[f->value].first_claim];
	const struct info *info = &in->infos[f->value];

	return (uint32_t)f->axis < c->type.rank && c->type.dims[f->axis].kind == DIM_VALUE &&
	       info->ranked && (uint32_t)f->axis < info->rank &&
	       sym_is(info->dims[f->axis], (int32_t)c->type.dims[f->axis].value);
}

static bool offer_claim(const struct infer *in, const struct finding *f, struct str *out)
{
	const struct info *info = &in->infos[f->value];
	struct sayable sayable = {in, true};
	struct str text = {0};

	if (!f->value || f->axis < 0 || says_so(in, f) || !info->ranked ||
	    (uint32_t)f->axis >= info->rank || sym_is_unknown(info->dims[f->axis]))
		return false;
	sym_each_symbol(&in->pool, info->dims[f->axis], offer_check_symbol, &sayable);
	if (sayable.yes) {
		sym_print(&in->pool, info->dims[f->axis], &text);
		str_text(out, "set");
		add_axis(out, in->model, f->value, (uint32_t)f->axis, str_sv(&text));
	}
	str_release(&text);
	return sayable.yes;
}

/* The symbol of an input that the file says the output has. */
static struct sym offer_lost_symbol(const struct infer *in, const struct finding *f)
{
	const struct claim *c = &in->model->claims.at[in->model->values.at[f->value].first_claim];

	if (!f->value || f->axis < 0 || (uint32_t)f->axis >= c->type.rank)
		return SYM_UNKNOWN;
	return sym_find(&in->pool, model_name(in->model, c->type.dims[f->axis].param));
}

/* A repair of the axes that have the symbol restores an output that lost it. */
static bool offer_restored(const struct infer *in, const struct finding *f, struct str *out)
{
	const struct graph *g = &in->model->graphs.at[0];
	struct sym lost = offer_lost_symbol(in, f);
	bool any = false;

	if (sym_is_unknown(lost))
		return false;
	for (size_t i = 0; i < in->findings.len; i++) {
		if (finding_pins(&in->pool, &in->findings.at[i], lost))
			return offer_repair(in, &in->findings.at[i], out);
	}
	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *info = &in->infos[g->inputs.at[i]];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			if (!sym_same(info->dims[k], lost))
				continue;
			str_text(out, any ? "" : "repair");
			any = true;
			add_axis(out, in->model, g->inputs.at[i], k, SV(""));
		}
	}
	return any;
}

/* What makes one axis of a tensor wrong may be why another one is lost. */
static bool offer_restored_with(const struct infer *in, const struct finding *f, struct str *out)
{
	for (size_t i = 0; f->value && i < in->findings.len; i++) {
		const struct finding *other = &in->findings.at[i];

		if (other->level == LEVEL_LOSS && other->value == f->value &&
		    offer_restored(in, other, out))
			return true;
	}
	return false;
}

bool offer_line(const struct infer *in, const struct finding *f, unsigned which, struct str *out)
{
	switch (f->level) {
	case LEVEL_PIN:
		return which == 0 && offer_repair(in, f, out);
	case LEVEL_UNNAMED:
		if (which == 0) {
			str_text(out, "set");
			add_axis(out, in->model, f->value, (uint32_t)f->axis, SV("?"));
		}
		return which == 0;
	case LEVEL_LOSS:
	case LEVEL_STALE:
		return which == 0 ? offer_restored_with(in, f, out)
				  : which == 1 && offer_claim(in, f, out);
	default: /* nothing is wrong, or there is no known fix */
		return false;
	}
}

uint64_t offer_subject(const struct finding *f)
{
	uint64_t subject = hash_u64(f->level, f->kind);

	subject = hash_u64(hash_u64(subject, f->node), f->value);
	return hash_u64(hash_u64(subject, (uint64_t)f->axis), f->symbol);
}

bool offer_try(struct document *d, struct sv line, struct map *left)
{
	struct err ignored;
	bool ok = document_preview(d, line, &ignored);

	for (size_t i = 0; ok && i < d->infer.findings.len; i++)
		*map_at(left, offer_subject(&d->infer.findings.at[i])) = 1;
	document_end_preview(d);
	return ok;
}
