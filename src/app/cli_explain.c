#include <inttypes.h>
#include <stdio.h>

#include "app/app.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/args.h"
#include "flow/query.h"
#include "infer/explain.h"
#include "infer/infer.h"
#include "infer/why.h"
#include "ir/place.h"
#include "ops/info.h"
#include "report/explanation.h"
#include "report/json.h"
#include "report/origin.h"
#include "report/paint.h"
#include "report/record.h"
#include "wire/wire.h"

static bool explain_find(const struct infer *in, const char *text, struct place *out,
			 struct err *err)
{
	const struct info *info;

	if (!place_find(in->model, sv_of(text), out, err))
		return false;
	info = &in->infos[out->value];
	return !info->ranked || !out->has_axis ||
	       (out->axis >= -(int64_t)info->rank && out->axis < (int64_t)info->rank) ||
	       err_set(err, ERR_USAGE, "%s: the tensor has only %" PRIu32 " %s", text, info->rank,
		       PLURAL(info->rank, "axis", "axes"));
}

static void explain_fill(struct infer *in, const struct place *place, struct explanation *e)
{
	uint32_t rank = in->infos[place->value].rank;
	int64_t axis = place->axis < 0 ? place->axis + rank : place->axis;

	explanation_init(e);
	if (!place->has_axis)
		explain_value(in, place->value, e);
	else if (in->infos[place->value].ranked)
		explain_place(in, (struct why){.value = place->value, .index = (uint32_t)axis}, e);
}

static void explain_json(const struct infer *in, const struct explanation *e)
{
	struct record r = {0};
	struct json j;

	json_begin(&j, stdout);
	json_key(&j, "steps");
	json_array(&j);
	for (size_t i = 0; i < e->steps.len; i++) {
		step_record(&r, in, &e->steps.at[i]);
		record_json(&j, &r);
	}
	json_end_array(&j);
	json_key(&j, "truncated");
	json_bool(&j, e->cut);
	json_end_object(&j);
	json_line(&j);
	record_release(&r);
}

static void explain_remark(const char *name, const char *remark)
{
	struct str text = {0};

	if (remark[0]) {
		str_add_shown(&text, sv_of(name));
		printf("%s%s\n", str_c(&text), remark);
	}
	str_release(&text);
}

static void explain_text(const struct app *app, const struct infer *in, const char *name,
			 uint32_t value, const struct explanation *e)
{
	struct painted text = {0};
	struct paints paints;

	paints_init(&paints, app->color, in);
	explain_remark(name, explanation_remark(in, value));
	for (size_t i = 0; i < e->steps.len; i++) {
		painted_clear(&text);
		step_paint(&text, &paints, in, &e->steps.at[i]);
		paint_line(&paints, &text, 0, 0, 0);
	}
	if (e->cut)
		puts("... (truncated)");
	painted_release(&text);
	paints_release(&paints);
}

/* A line, and one for each of its paths. */
static void explain_print(struct paints *p, const struct record *r)
{
	struct painted text = {0};

	for (uint32_t column = 0; column == 0 || record_has(r, column); column++) {
		painted_clear(&text);
		str_text(&text.text, column ? "  " : "");
		paint_column(p, r, column, &text);
		paint_line(p, &text, 0, 0, 0);
	}
	painted_release(&text);
}

/* Which input axes each axis is made of. */
static void explain_flow(const struct app *app, struct infer *in, const char *name,
			 const struct place *place)
{
	const struct info *info = &in->infos[place->value];
	int64_t axis = place->axis < 0 ? place->axis + info->rank : place->axis;
	uint32_t first = place->has_axis ? (uint32_t)axis : 0;
	uint32_t end = place->has_axis ? first + 1 : info->rank;
	struct flow_query query;
	struct paints paints;
	struct record r = {0};
	struct json j;

	flow_query_init(&query, in);
	paints_init(&paints, app->color, in);
	if (!args_has(app->args, OPTION_JSON)) {
		explain_remark(name, explanation_no_axes(in, place->value));
	} else {
		json_begin(&j, stdout);
		json_key(&j, "axes");
		json_array(&j);
	}
	for (uint32_t k = first; info->ranked && k < end; k++) {
		origin_record(&r, in, &query, place->value, k);
		if (args_has(app->args, OPTION_JSON))
			record_json(&j, &r);
		else
			explain_print(&paints, &r);
	}
	if (args_has(app->args, OPTION_JSON)) {
		json_end_array(&j);
		json_end_object(&j);
		json_line(&j);
	}
	record_release(&r);
	paints_release(&paints);
	flow_query_release(&query);
}

/* Prints everything or nothing. */
static bool explain_all(const struct app *app, struct infer *in, const char *text, struct err *err)
{
	struct explanation e;
	struct place place;

	if (!explain_find(in, text, &place, err))
		return false;
	if (args_has(app->args, OPTION_FLOW)) {
		explain_flow(app, in, text, &place);
		return true;
	}
	explain_fill(in, &place, &e);
	if (args_has(app->args, OPTION_JSON))
		explain_json(in, &e);
	else
		explain_text(app, in, text, place.value, &e);
	explanation_release(&e);
	return true;
}

enum exit_code run_explain(const struct app *app)
{
	bool demo = args_has(app->args, OPTION_DEMO);
	struct infer in;
	struct wire w;
	struct err err;
	bool ok;

	if (app->args->words.len != (demo ? 1 : 2)) {
		err_set(&err, ERR_USAGE, "explain needs a MODEL and a TENSOR[:AXIS]");
		return complain(&err);
	}
	if (!open_model(app, 0, &w, &err))
		return complain(&err);
	infer_run(&in, &w.model, (struct infer_options){0});
	ok = explain_all(app, &in, app->args->words.at[demo ? 0 : 1], &err);
	infer_release(&in);
	wire_release(&w);
	return ok ? EXIT_DONE : complain(&err);
}
