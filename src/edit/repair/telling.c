/*
 * What is said about a repair: why it is refused, and what a result rests on.
 */
#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/repair/internal.h"
#include "flow/cause.h"
#include "flow/flow.h"
#include "flow/plan.h"
#include "flow/scalar.h"
#include "flow/visit.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/sentence.h"
#include "ir/graph.h"
#include "sym/sym.h"

static void add_node(const struct model *m, uint32_t node, struct str *out)
{
	const struct node *n = &m->nodes.at[node];

	str_add(out, model_cut_name(m, n->op));
	str_char(out, ' ');
	str_add(out, model_cut_name(m, node_called(m, n)));
}

static void name_node(const struct model *m, uint32_t node, struct str *out)
{
	if (!node)
		return;
	add_node(m, node, out);
	str_text(out, ": ");
}

/* ---- a refusal ---- */

void tell_squeezed(const struct repairing *r, uint32_t node, uint32_t symbol, struct str *out)
{
	name_node(&r->document->wire.model, node, out);
	str_text(out, "without axes, it would remove ");
	str_add(out, sym_name(&r->document->infer.pool, symbol));
	str_text(out, ", where that is 1: its result has another rank then");
}

/* The axis that must be freed too, and its name if that is a freed size itself. */
static void note_wanted(struct repairing *r, const struct flow *f, struct sv input)
{
	struct str *wanted = &r->report->wanted;
	uint32_t symbol;

	if (wanted->len || !sym_symbol_id(&r->bound.pool, f->wanted.size, &symbol))
		return;
	str_add(wanted, input);
	str_format(wanted, ":%" PRIu32 "=", f->wanted.axis);
	str_add(wanted, sym_name(&r->bound.pool, symbol));
}

/* Does the model contradict itself at this node, before anything is freed? */
static const struct finding *find_contradiction(const struct repairing *r, uint32_t node)
{
	const struct infer *in = &r->bound;

	for (size_t i = 0; node && i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];

		if (f->node == node && f->level == LEVEL_ERROR && !f->of_claim)
			return f;
	}
	return NULL;
}

/* What else would have to follow. */
static void tell_demand(const struct model *m, const struct demand_end *end, struct str *out)
{
	if (end->input) {
		str_text(out, "; ");
		str_add(out, model_cut_name(m, m->values.at[end->input].name));
		str_format(out, ":%" PRIu32 " must be freed with it", end->axis);
	} else if (end->node) {
		str_text(out, " by ");
		add_node(m, end->node, out);
	}
}

/* The choice that a refusal may rest on: of the node, or where two sizes differ the last one. */
static const struct choice *refused_choice(const struct flow *f)
{
	const struct pass *p = &f->pass;

	for (size_t i = 0; i < p->choices.len; i++) {
		if (p->choices.at[i].taken.node == f->refusal.node)
			return &p->choices.at[i];
	}
	return f->refusal.cause == CAUSE_UNEQUAL && p->choices.len ? vec_last(&p->choices) : NULL;
}

/* What a node could mean as well: one of the ways is told, and none succeeded. */
static void tell_choice(const struct model *m, const struct flow *f, struct str *out)
{
	const struct choice *c = refused_choice(f);

	if (!c)
		return;
	str_text(out, "; ");
	if (c->taken.node != f->refusal.node)
		name_node(m, c->taken.node, out);
	str_text(out, c->what);
}

void tell_finding(const struct repairing *r, const struct finding *f, struct str *out)
{
	if (!f)
		return;
	str_text(out, ": ");
	name_node(&r->document->wire.model, f->node, out);
	finding_print(&r->document->infer, f, out);
}

enum flow_cause tell_refusal(struct repairing *r, const struct flow *f, struct str *out)
{
	const struct model *m = &r->document->wire.model;
	const struct finding *wrong = find_contradiction(r, f->refusal.node);

	name_node(m, f->refusal.node, out);
	if (wrong) {
		str_text(out, "the model fails at its own sizes: ");
		finding_print(&r->bound, wrong, out);
		return CAUSE_BROKEN;
	}
	str_text(out, f->refusal.why);
	tell_choice(m, f, out);
	tell_demand(m, &f->refusal.end, out);
	if (f->wanted.input)
		note_wanted(r, f, model_name(m, m->values.at[f->wanted.input].name));
	return f->refusal.cause;
}

bool tell_ambiguities(struct repairing *r, const struct flow *f, struct str *out)
{
	for (size_t i = 0; i < f->ambiguities.len; i++) {
		const struct ambiguity *a = &f->ambiguities.at[i];

		if (a->assumed || r->options->assume)
			continue;
		name_node(&r->document->wire.model, a->node, out);
		str_text(out, a->what);
		str_text(out, "; --assume takes the likeliest");
		return true;
	}
	return false;
}

/* What the result rests on, for the report. */
static void tell_levels(struct repairing *r, const struct flow *f)
{
	const struct model *m = &r->document->wire.model;

	for (size_t i = 0; i < r->report->len; i++) {
		struct repair_goal *g = &r->report->at[i];
		uint32_t symbol = goal_symbol(r, g);
		struct sv name = symbol == UINT32_MAX ? SV("")
						      : sym_name(&r->document->infer.pool, symbol);

		for (uint32_t j = 0; j < f->pass.factory.symbol_count; j++) {
			const struct mixing *mixed = &f->pass.mixed[j];

			if (!sv_eq(sym_name(&r->bound.pool, f->pass.factory.symbols[j]), name))
				continue;
			g->by_shape = mixed->is_mixed;
			g->multiple = f->pass.multiple[j];
			if (mixed->is_mixed) {
				name_node(m, mixed->node, &g->level);
				str_text(&g->level, mixed->why);
			}
		}
	}
}

static void tell_assumptions(struct repairing *r, const struct flow *f)
{
	const struct model *m = &r->document->wire.model;

	for (size_t i = 0; i < f->ambiguities.len; i++) {
		struct str *text = vec_add(&r->report->assumes);

		name_node(m, f->ambiguities.at[i].node, text);
		str_format(text, "%s; %s", f->ambiguities.at[i].what,
			   f->ambiguities.at[i].assumed
				   ? "every output keeps it where the inputs have it"
				   : "the likeliest was taken");
	}
	for (size_t i = 0; i < f->pass.assumptions.len; i++) {
		struct str *text = vec_add(&r->report->assumes);

		name_node(m, f->pass.assumptions.at[i].node, text);
		str_text(text, f->pass.assumptions.at[i].text);
	}
}

/* The items never meet, so only code that used the size as a number can differ. */
static void tell_warnings(struct repairing *r, struct flow *f)
{
	for (size_t i = 0; i < f->pass.scalars.len; i++) {
		const struct flow_scalar *scalar = &f->pass.scalars.at[i];
		struct str *text;

		if (f->pass.mixed[scalar->bit].is_mixed)
			continue;
		text = vec_add(&r->report->warnings);
		name_node(&r->document->wire.model, scalar->node, text);
		flow_scalar_print(&f->pass, scalar, text);
	}
}

static void tell_notes(struct repairing *r, const struct plan *p)
{
	for (size_t i = 0; i < p->notes.len; i++) {
		struct str *text = vec_add(&r->report->notes);

		name_node(&r->document->wire.model, p->notes.at[i].node, text);
		str_text(text, p->notes.at[i].text);
	}
}

void tell_result(struct repairing *r, struct flow *f)
{
	tell_notes(r, &f->pass.plan);
	tell_levels(r, f);
	tell_needs(r, &f->pass);
	tell_assumptions(r, f);
	tell_warnings(r, f);
}
