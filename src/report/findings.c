#include "report/findings.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/explain.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/sentence.h"
#include "ir/graph.h"
#include "report/explanation.h"
#include "report/json.h"
#include "report/record.h"
#include "sym/sym.h"

/* ---- the list ---- */

/* The consequences of each finding, linked: by finding, the next plus 1. */
struct finding_chains {
	uint32_t *first, *next; /* owned */
};

/* The finding it follows from, plus 1; 0 for none. */
static uint32_t finding_root(const struct infer *in, size_t finding)
{
	uint32_t root = in->findings.at[finding].root;

	return root <= in->findings.len && root != finding + 1 ? root : 0;
}

static void finding_chains_make(struct finding_chains *c, const struct infer *in)
{
	size_t bytes = (in->findings.len + 1) * sizeof(*c->first);

	c->first = calloc(1, bytes);
	c->next = calloc(1, bytes);
	BUG_ON(!c->first || !c->next);
	for (size_t i = in->findings.len; i-- > 0;) {
		uint32_t root = finding_root(in, i);

		if (!root)
			continue;
		c->next[i] = c->first[root - 1];
		c->first[root - 1] = (uint32_t)i + 1;
	}
}

static void finding_list_push(struct finding_list *l, const struct infer *in, uint32_t finding,
			      uint32_t root)
{
	const struct finding *f = &in->findings.at[finding];

	vec_push(&l->at, ((struct finding_place){finding, root, f->level, f->node, f->value}));
}

static void finding_list_add(struct finding_list *l, const struct infer *in,
			     const struct finding_chains *c, enum level level)
{
	for (uint32_t i = 0; i < in->findings.len; i++) {
		uint32_t root;

		if (in->findings.at[i].level != level)
			continue;
		l->counts[level]++;
		if (finding_root(in, i))
			continue;
		finding_list_push(l, in, i, 0);
		root = (uint32_t)l->at.len;
		for (uint32_t k = c->first[i]; k; k = c->next[k - 1])
			finding_list_push(l, in, k - 1, root);
	}
}

void finding_list_fill(struct finding_list *out, const struct infer *in)
{
	struct finding_chains chains;

	vec_clear(&out->at);
	finding_chains_make(&chains, in);
	for (enum level level = 0; level < LEVEL_COUNT; level++) {
		out->counts[level] = 0;
		finding_list_add(out, in, &chains, level);
	}
	free(chains.first);
	free(chains.next);
}

void finding_list_release(struct finding_list *l)
{
	vec_release(&l->at);
}

/* ---- one finding ---- */

static enum tone finding_tone(const struct finding *f)
{
	static const enum tone tones[GRAVITY_COUNT] = {
		[GRAVITY_PROBLEM] = TONE_ERROR,
		[GRAVITY_WARNING] = TONE_WARNING,
		[GRAVITY_NOTE] = TONE_NOTE,
	};

	return tones[level_info(f->level)->gravity];
}

/* A node without a name is called by its output, unless the sentence is about that. */
static void finding_node_name(struct record *r, const struct model *m, const struct finding *f)
{
	const struct node *n = &m->nodes.at[f->node];
	uint32_t label = node_called(m, n);

	if (!n->name && f->value && m->values.at[f->value].name == label)
		label = 0;
	record_say(r, label ? " " : "");
	record_name(r, "node", LINK_NODE, f->node, model_cut_name(m, n->name));
	if (!n->name)
		record_text(r, NULL, model_cut_name(m, label));
}

static void finding_place(struct record *r, const struct model *m, const struct finding *f)
{
	const struct node *n = &m->nodes.at[f->node];

	record_column(r);
	record_name(r, "op", LINK_NODE, f->node, model_cut_name(m, n->op));
	finding_node_name(r, m, f);
	record_say(r, f->node ? ": " : "");
	record_name(r, "tensor", LINK_VALUE, f->value,
		    model_cut_name(m, m->values.at[f->value].name));
	record_say(r, f->value ? ": " : "");
}

static void finding_say_tensor(struct record *r, const struct model *m, const struct finding *f)
{
	record_text(r, NULL, model_cut_name(m, m->values.at[f->value].name));
	if (f->axis >= 0)
		record_format(r, ":%d", (int)f->axis);
}

/* Where room is short, only the last part of a path is shown. */
static struct sv finding_last_part(struct sv name)
{
	size_t at = name.len;

	while (at && name.at[at - 1] != '/')
		at--;
	return at < name.len ? sv_skip(name, at) : name;
}

static void finding_brief(struct record *r, const struct model *m, const struct finding *f)
{
	const struct node *n = &m->nodes.at[f->node];

	record_column(r);
	if (f->node)
		record_text(r, NULL,
			    finding_last_part(model_cut_name(m, n->name ? n->name : n->op)));
	else if (f->value)
		finding_say_tensor(r, m, f);
}

static void finding_meaning(struct record *r, const struct model *m, const struct finding *f)
{
	const struct node *n = &m->nodes.at[f->node];

	record_column(r);
	record_format(r, "%s: %s", level_info(f->level)->name, level_info(f->level)->meaning);
	if (f->node) {
		record_say(r, "; ");
		record_text(r, NULL, model_cut_name(m, n->op));
		record_say(r, node_called(m, n) ? " " : "");
		record_text(r, NULL, model_cut_name(m, node_called(m, n)));
	}
	if (f->value) {
		record_say(r, f->node ? ", tensor " : "; tensor ");
		finding_say_tensor(r, m, f);
	}
}

static void finding_number(struct record *r, const char *key, bool there, int64_t number)
{
	if (there)
		record_number(r, key, number);
	else
		record_null(r, key);
}

/* The size of a pin, or the least and the largest. */
static void finding_sizes(struct record *r, const struct finding *f)
{
	bool pinned = f->kind == FINDING_PINNED;

	finding_number(r, "value", pinned && f->n == f->m, f->n);
	if (!pinned || f->n == f->m) {
		record_null(r, "range");
		return;
	}
	record_list(r, "range");
	record_number(r, "", f->n);
	record_number(r, "", f->m);
	record_end(r);
}

static void finding_branch(struct record *r, const struct model *m, const struct finding *f)
{
	struct str path = {0};

	graph_path(&path, m, f->branch);
	if (f->branch)
		record_text(r, "branch", str_sv(&path));
	else
		record_null(r, "branch");
	str_release(&path);
}

static void finding_say(void *context, struct sv text, bool is_size)
{
	if (is_size)
		record_condition(context, NULL, text);
	else
		record_text(context, NULL, text);
}

static void finding_message(struct record *r, const struct infer *in, const struct finding *f)
{
	struct str sentence = {0};

	record_column(r);
	record_tone(r, finding_tone(f));
	finding_walk(in, f, finding_say, r);
	if (r->face != FACE_SHOWN)
		finding_print(in, f, &sentence);
	record_hide(r);
	record_text(r, "message", str_sv(&sentence));
	str_release(&sentence);
}

void finding_record(struct record *r, const struct infer *in, const struct finding *f)
{
	struct str path = {0};

	graph_path(&path, in->model, f->graph);
	record_clear(r, &in->pool);
	record_tone(r, finding_tone(f));
	record_say(r, gravity_mark(level_info(f->level)->gravity));
	record_column(r);
	record_tone(r, finding_tone(f));
	record_text(r, "level", sv_of(level_info(f->level)->name));
	record_hide(r);
	record_text(r, "graph", str_sv(&path));
	finding_place(r, in->model, f);
	record_hide(r);
	finding_number(r, "axis", f->axis >= 0, f->axis);
	if (f->kind == FINDING_PINNED)
		record_text(r, "symbol", sym_name(&in->pool, f->symbol));
	else
		record_null(r, "symbol");
	finding_sizes(r, f);
	finding_branch(r, in->model, f);
	finding_message(r, in, f);
	finding_brief(r, in->model, f);
	finding_meaning(r, in->model, f);
	str_release(&path);
}

/* ---- as JSON ---- */

static void finding_why(struct record *r, struct infer *in, const struct finding *f, size_t *work)
{
	struct explanation e = {.max = FINDING_MAX_STEPS, .work = *work};

	explain_finding(in, f, &e);
	record_list(r, "why");
	for (size_t i = 0; i < e.steps.len; i++) {
		struct str line = {0};

		step_print(&line, in, &e.steps.at[i]);
		record_text(r, "", str_sv(&line));
		str_release(&line);
	}
	record_end(r);
	*work = e.work;
	explanation_release(&e);
}

static void finding_repairs(struct record *r, const struct findings_shown *s, uint32_t finding)
{
	record_list(r, "repairs");
	if (finding < s->repair_count && s->repairs[finding].len)
		record_text(r, "", str_sv(&s->repairs[finding]));
	record_end(r);
}

void findings_json(struct json *j, struct infer *in, const struct findings_shown *s)
{
	struct finding_list list = {0};
	struct map places = {0}; /* place in the list -> index of what is written, plus 1 */
	size_t work = EXPLAIN_WORK;
	struct record r = {.face = FACE_DATA};
	uint32_t count = 0;

	finding_list_fill(&list, in);
	json_key(j, "findings");
	json_array(j);
	for (uint32_t i = 0; i < list.at.len; i++) {
		const struct finding_place *at = &list.at.at[i];
		/* A copy: explaining may add findings. */
		struct finding f = in->findings.at[at->finding];
		const uint32_t *root = at->root ? map_find(&places, at->root - 1) : NULL;
		uint32_t root_index = root ? *root : 0;

		if (s->is_wanted && !s->is_wanted(s->context, &f))
			continue;
		*map_at(&places, i) = ++count;
		if (count > FINDINGS_MAX)
			continue;
		finding_record(&r, in, &f);
		finding_number(&r, "root", root_index, (int64_t)root_index - 1);
		finding_why(&r, in, &f, &work);
		finding_repairs(&r, s, at->finding);
		record_json(j, &r);
	}
	json_end_array(j);
	json_key(j, s->count_key);
	json_count(j, count);
	record_release(&r);
	map_release(&places);
	finding_list_release(&list);
}
