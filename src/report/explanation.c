#include "report/explanation.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "infer/explain.h"
#include "infer/infer.h"
#include "infer/why.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "report/paint.h"
#include "report/record.h"

/* The index in brackets; the data has its own key for an element. */
static void step_index(struct record *r, struct why what)
{
	record_tone(r, TONE_FAINT);
	record_say(r, what.element ? "{" : "[");
	if (what.element && what.index == WHY_LARGEST)
		record_text(r, "element", SV("largest"));
	else
		record_count(r, what.element ? "element" : "axis", what.index);
	record_say(r, what.element ? "} = " : "] = ");
	record_tone(r, TONE_PLAIN);
}

static void step_origin(struct record *r, const struct model *m, const struct step *step)
{
	uint32_t producer = m->values.at[step->what.value].producer;
	const struct node *n = &m->nodes.at[producer];
	bool by_node = step->origin == STEP_NODE && !step->again;

	record_tone(r, TONE_FAINT);
	if (step->again)
		record_say(r, "  (see above)");
	else if (step->origin == STEP_CONSTANT)
		record_say(r, "  a constant of the file");
	else if (step->origin == STEP_INPUT)
		record_say(r, "  an input");
	else if (by_node)
		record_say(r, "  by ");
	if (!by_node)
		record_hide(r);
	record_tone(r, TONE_STRONG);
	record_name(r, "op", LINK_NODE, producer,
		    n->op || !by_node ? model_cut_name(m, n->op) : SV("?"));
	record_tone(r, TONE_FAINT);
	if (n->name)
		record_say(r, " ");
	record_name(r, "node", LINK_NODE, producer, model_cut_name(m, n->name));
	record_show(r);
}

static void step_notes(struct record *r, const struct step *step)
{
	if (step->is_claim) {
		record_tone(r, TONE_WARNING);
		record_say(r, " (as the file claims)");
	}
	record_tone(r, TONE_FAINT);
	if (step->passed)
		record_format(r, ", unchanged through %" PRIu32 " node%s", step->passed,
			      step->passed == 1 ? "" : "s");
	if (step->more)
		record_format(r, ", and from %" PRIu32 " more", step->more);
}

void step_record(struct record *r, const struct infer *in, const struct step *step)
{
	const struct model *m = in->model;
	uint32_t value = step->what.value;

	record_clear(r, &in->pool);
	record_name(r, "tensor", LINK_VALUE, value, model_cut_name(m, m->values.at[value].name));
	step_index(r, step->what);
	record_dim(r, "dim", why_expression(in, step->what));
	step_origin(r, m, step);
	step_notes(r, step);
	record_hide(r);
	record_text(r, "from", sv_of(source_name(in->sources[value])));
	record_count(r, "passed", step->passed);
	record_count(r, "depth", step->depth);
}

void step_print(struct str *out, const struct infer *in, const struct step *step)
{
	struct record r = {0};

	step_record(&r, in, step);
	str_repeat(out, ' ', (size_t)step->depth * 2);
	record_print_column(&r, 0, out);
	record_release(&r);
}

void step_paint(struct painted *out, struct paints *p, const struct infer *in,
		const struct step *step)
{
	struct record r = {.face = FACE_SHOWN};

	step_record(&r, in, step);
	str_repeat(&out->text, ' ', (size_t)step->depth * 2);
	paint_column(p, &r, 0, out);
	record_release(&r);
}

const char *explanation_no_axes(const struct infer *in, uint32_t value)
{
	if (!in->infos[value].ranked)
		return ": unknown shape";
	return in->infos[value].rank == 0 ? ": a scalar has no axes" : "";
}

const char *explanation_remark(const struct infer *in, uint32_t value)
{
	const struct info *info = &in->infos[value];

	return info->ranked && info->contents.at ? "" : explanation_no_axes(in, value);
}
