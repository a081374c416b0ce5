#include "export/json/finding.h"

#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "infer/explain.h"
#include "infer/finding.h"
#include "infer/sentence.h"
#include "ir/graph.h"
#include "report/explanation.h"

static void put_reason(struct json *j, struct infer *in, const struct finding *f, size_t *work)
{
	struct explanation e = {.max = FINDING_MAX_STEPS, .work = *work};

	explain_finding(in, f, &e);
	json_array(j);
	for (size_t i = 0; i < e.steps.len; i++) {
		struct str line = {0};

		step_print(&line, in, &e.steps.at[i]);
		json_text(j, str_sv(&line));
		str_release(&line);
	}
	json_end_array(j);
	*work = e.work;
	explanation_release(&e);
}

static void put_number(struct json *j, const char *key, bool there, int64_t number)
{
	json_key(j, key);
	if (there)
		json_int(j, number);
	else
		json_null(j);
}

/* What the list adds to a finding. */
struct finding_place {
	size_t *work;         /* borrowed: budget left for reasons */
	const uint32_t *root; /* index of its root, plus 1; NULL for none */
	struct sv repair;
};

static void put_finding(struct json *j, struct infer *in, const struct finding *f,
			const struct finding_place *place)
{
	const struct model *m = in->model;
	const struct node *n = &m->nodes.at[f->node];
	struct str path = {0}, sentence = {0};

	graph_path(&path, m, f->graph);
	finding_print(in, f, &sentence);
	json_object(j);
	json_key(j, "level");
	json_text(j, sv_of(level_info(f->level)->name));
	json_key(j, "graph");
	json_text(j, str_sv(&path));
	json_key(j, "node");
	json_text(j, model_cut_name(m, n->name));
	json_key(j, "op");
	json_text(j, model_cut_name(m, n->op));
	json_key(j, "tensor");
	json_text(j, model_cut_name(m, m->values.at[f->value].name));
	put_number(j, "axis", f->axis >= 0, f->axis);
	put_number(j, "value", f->kind == FINDING_PINNED, f->n);
	json_key(j, "message");
	json_text(j, str_sv(&sentence));
	put_number(j, "root", place->root != NULL, place->root ? *place->root - 1 : 0);
	json_key(j, "why");
	put_reason(j, in, f, place->work);
	json_key(j, "repairs");
	json_array(j);
	if (place->repair.len)
		json_text(j, place->repair);
	json_end_array(j);
	json_end_object(j);
	str_release(&sentence);
	str_release(&path);
}

void findings_json(struct json *j, struct infer *in, const struct findings_shown *s)
{
	size_t work = EXPLAIN_WORK;
	struct map places = {0}; /* finding -> index in the list, plus 1 */

	json_key(j, "findings");
	json_array(j);
	for (uint32_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];

		if (s->is_wanted && !s->is_wanted(s->context, f))
			continue;
		*map_at(&places, i) = (uint32_t)places.count;
		if (places.count > FINDINGS_MAX)
			continue;
		put_finding(
			j, in, f,
			&(struct finding_place){
				.work = &work,
				.root = f->root ? map_find(&places, f->root - 1) : NULL,
				.repair = i < s->repair_count ? str_sv(&s->repairs[i]) : SV("")});
	}
	json_end_array(j);
	json_key(j, s->count_key);
	json_count(j, places.count);
	map_release(&places);
}
