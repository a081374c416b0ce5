#include "report/origin.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "flow/axis.h"
#include "flow/query.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "report/record.h"
#include "sym/text.h"

enum {
	MAX_SHOWN = 4,  /* nodes of a path */
	MAX_PATH = 1000 /* of one factor */
};

static const char *how_name(enum flow_how how)
{
	static const char *const names[FLOW_HOW_COUNT] = {
		[FLOW_NUMBER] = "fixed",      [FLOW_WHOLE] = "whole",  [FLOW_PART] = "part",
		[FLOW_COMPUTED] = "computed", [FLOW_LOST] = "unknown",
	};

	return names[how];
}

/* The words between a factor's size and its input axis. */
static const char *how_words(enum flow_how how)
{
	static const char *const words[FLOW_HOW_COUNT] = {
		[FLOW_NUMBER] = " is fixed",    [FLOW_WHOLE] = " is ",
		[FLOW_PART] = " is a part of ", [FLOW_COMPUTED] = " is made of ",
		[FLOW_LOST] = " is not known",
	};

	return words[how];
}

/* A number of the model, an expression of its names, or unknown. */
static void put_size(struct record *r, const char *key, const struct flow_query *q,
		     const struct flow_digit *d)
{
	struct str text = {0};

	if (d->how == FLOW_LOST && key) {
		record_null(r, key);
	} else if (d->how == FLOW_LOST) {
		record_say(r, "?");
	} else if (d->number) {
		record_number(r, key, d->number);
	} else {
		sym_print(&q->bound.pool, d->size, &text);
		record_condition(r, key, str_sv(&text));
	}
	str_release(&text);
}

/* ---- one input axis ---- */

struct path {
	uint32_t input; /* value; 0 when the walk does not end at one */
	uint32_t axis;
	VEC(uint32_t) nodes;
};

static const struct flow_source *source_at(const struct flow_query *q, uint32_t value, uint32_t bit)
{
	for (size_t i = 0; i < q->sources.len; i++) {
		if (q->sources.at[i].bit == bit && (!value || q->sources.at[i].input == value))
			return &q->sources.at[i];
	}
	return NULL;
}

/* Walks back to the input; sizes that come another way than the axis end before. */
static void path_find(struct path *p, struct flow_query *q, uint32_t value, uint32_t axis,
		      uint32_t bit)
{
	const struct flow_source *s = NULL;

	while (value && !s && p->nodes.len < MAX_PATH) {
		uint32_t node;

		s = source_at(q, value, bit);
		node = s ? 0 : flow_query_back(q, UINT64_C(1) << bit, &value, &axis);
		if (node)
			vec_push(&p->nodes, node);
	}
	s = s ? s : source_at(q, 0, bit);
	p->input = s ? s->input : 0;
	p->axis = s ? s->axis : 0;
}

static void put_node(struct record *r, const struct model *m, uint32_t node)
{
	const struct node *n = &m->nodes.at[node];

	record_tone(r, TONE_STRONG);
	record_name(r, NULL, LINK_NODE, node, model_cut_name(m, n->op));
	record_tone(r, TONE_FAINT);
	record_say(r, " ");
	record_name(r, NULL, LINK_NODE, node, model_cut_name(m, node_called(m, n)));
}

/* In a column of its own. */
static void put_path(struct record *r, const struct flow_query *q, const struct flow_digit *d,
		     const struct path *p)
{
	const struct model *m = q->bound.model;

	if (!p->nodes.len)
		return;
	record_column(r);
	record_tone(r, TONE_FAINT);
	put_size(r, NULL, q, d);
	record_say(r, " through ");
	for (size_t i = 0; i < p->nodes.len && i < MAX_SHOWN; i++) {
		record_say(r, i ? ", " : "");
		put_node(r, m, p->nodes.at[i]);
	}
	if (p->nodes.len > MAX_SHOWN)
		record_format(r, ", ... %zu nodes", p->nodes.len);
}

/* ---- one factor ---- */

static struct sv input_name(const struct flow_query *q, const struct path *p)
{
	return model_cut_name(q->bound.model, q->bound.model->values.at[p->input].name);
}

/* Calls back for each input axis that the factor has. */
struct factor_walk {
	struct record *record;
	struct flow_query *query;
	const struct flow_digit *digit;
	uint32_t value;
	uint32_t axis;
	void (*put)(const struct factor_walk *w, const struct path *p, uint32_t number);
};

static void each_source(const struct factor_walk *w)
{
	uint32_t number = 0;

	for (uint32_t bit = 0; bit < FLOW_MAX_SYMBOLS - 1; bit++) {
		struct path p = {0};

		if (!(w->digit->from >> bit & 1))
			continue;
		path_find(&p, w->query, w->value, w->axis, bit);
		w->put(w, &p, number++);
		vec_release(&p.nodes);
	}
}

static void say_source(const struct factor_walk *w, const struct path *p, uint32_t number)
{
	record_say(w->record, number ? " and " : "");
	record_name(w->record, NULL, LINK_VALUE, p->input, input_name(w->query, p));
	record_format(w->record, ":%" PRIu32, p->axis);
}

static void say_path(const struct factor_walk *w, const struct path *p, uint32_t number)
{
	(void)number;
	put_path(w->record, w->query, w->digit, p);
}

static void source_data(const struct factor_walk *w, const struct path *p, uint32_t number)
{
	const struct model *m = w->query->bound.model;
	struct record *r = w->record;

	(void)number;
	record_group(r, "");
	record_text(r, "input", input_name(w->query, p));
	record_count(r, "axis", p->axis);
	record_list(r, "path");
	for (size_t i = 0; i < p->nodes.len; i++)
		record_text(r, "", model_cut_name(m, node_called(m, &m->nodes.at[p->nodes.at[i]])));
	record_end(r);
	record_end(r);
}

static void factor_data(const struct factor_walk *w)
{
	struct record *r = w->record;
	struct factor_walk data = *w;

	data.put = source_data;
	record_group(r, "");
	put_size(r, "size", w->query, w->digit);
	record_text(r, "how", sv_of(how_name(w->digit->how)));
	record_list(r, "from");
	each_source(&data);
	record_end(r);
	record_end(r);
}

static void say_factor(const struct factor_walk *w)
{
	struct factor_walk said = *w;

	said.put = say_source;
	put_size(w->record, NULL, w->query, w->digit);
	record_say(w->record, how_words(w->digit->how));
	each_source(&said);
}

/* ---- one axis ---- */

static void put_why(struct record *r, struct flow_query *q, uint32_t value)
{
	const struct model *m = q->bound.model;
	uint32_t node = 0;
	const char *why = flow_query_why(q, value, &node);

	if (!why)
		return;
	record_say(r, "; lost at ");
	put_node(r, m, node);
	record_say(r, ": ");
	record_group(r, "why");
	record_text(r, "reason", sv_of(why));
	record_hide(r);
	record_text(r, "op", model_cut_name(m, m->nodes.at[node].op));
	record_text(r, "node", model_cut_name(m, node_called(m, &m->nodes.at[node])));
	record_end(r);
	record_show(r);
}

static void put_factors(struct record *r, struct flow_query *q, uint32_t value, uint32_t axis,
			const struct flow_digit *digits, uint32_t count)
{
	struct factor_walk w = {.record = r, .query = q, .value = value, .axis = axis};
	bool lost = false;

	record_say(r, count ? ": " : ": 1 is fixed");
	for (uint32_t i = 0; i < count; i++) {
		w.digit = &digits[i];
		record_say(r, i ? ", " : "");
		say_factor(&w);
		lost |= digits[i].how == FLOW_LOST;
	}
	if (lost)
		put_why(r, q, value);
	w.put = say_path;
	for (uint32_t i = 0; i < count; i++) {
		w.digit = &digits[i];
		each_source(&w);
	}
	record_hide(r);
	record_list(r, "factors");
	for (uint32_t i = 0; i < count; i++) {
		w.digit = &digits[i];
		factor_data(&w);
	}
	record_end(r);
}

void origin_record(struct record *r, const struct infer *in, struct flow_query *q, uint32_t value,
		   uint32_t axis)
{
	const struct model *m = in->model;
	struct flow_digit digits[FLOW_MAX_DIGITS];
	uint32_t count = 0;

	record_clear(r, &in->pool);
	record_name(r, "tensor", LINK_VALUE, value, model_cut_name(m, m->values.at[value].name));
	record_say(r, ":");
	record_count(r, "axis", axis);
	record_say(r, " = ");
	record_dim(r, "dim", in->infos[value].dims[axis]);
	if (flow_query_axis(q, value, axis, digits, &count)) {
		put_factors(r, q, value, axis, digits, count);
		return;
	}
	record_say(r, ": not followed");
	put_why(r, q, value);
	record_hide(r);
	record_null(r, "factors");
}
