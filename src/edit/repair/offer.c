#include "edit/repair/offer.h"

#include <inttypes.h>

#include "base/err.h"
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

/* Repairing a pin also restores the symbol of an output that lost it. */
static bool offer_lost(const struct infer *in, const struct finding *f, struct str *out)
{
	const struct claim *c = &in->model->claims.at[in->model->values.at[f->value].first_claim];
	struct sym lost = SYM_UNKNOWN;

	if (f->axis >= 0 && (uint32_t)f->axis < c->type.rank)
		lost = sym_find(&in->pool, model_name(in->model, c->type.dims[f->axis].param));
	for (size_t i = 0; !sym_is_unknown(lost) && i < in->findings.len; i++) {
		if (finding_pins(&in->pool, &in->findings.at[i], lost))
			return offer_repair(in, &in->findings.at[i], out);
	}
	return offer_claim(in, f, out);
}

bool offer_line(const struct infer *in, const struct finding *f, struct str *out)
{
	switch (f->level) {
	case LEVEL_PIN:
		return offer_repair(in, f, out);
	case LEVEL_LOSS:
		return offer_lost(in, f, out);
	case LEVEL_STALE:
		return offer_claim(in, f, out);
	default: /* nothing is wrong, or there is no known fix */
		return false;
	}
}

bool offer_works(struct document *d, struct sv line)
{
	struct err ignored;
	bool ok = document_preview(d, line, &ignored);

	document_end_preview(d);
	return ok;
}
