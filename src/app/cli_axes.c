#include <inttypes.h>
#include <stdio.h>

#include "app/app.h"
#include "app/cli_many.h"
#include "app/cli_models.h"
#include "app/table.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/args.h"
#include "infer/axes.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "report/json.h"
#include "wire/wire.h"

static const struct dim *declared_dim(const struct model *m, const struct axis *a)
{
	return &m->claims.at[m->values.at[a->input].first_claim].type.dims[a->axis];
}

static void put_axis(struct json *j, const struct model *m, const struct axis *a)
{
	const struct dim *d = declared_dim(m, a);

	json_object(j);
	json_key(j, "input");
	json_text(j, model_name(m, m->values.at[a->input].name));
	json_key(j, "axis");
	json_count(j, a->axis);
	json_key(j, "dim");
	if (d->kind == DIM_VALUE)
		json_int(j, d->value);
	else if (d->kind == DIM_PARAM && d->param)
		json_text(j, model_name(m, d->param));
	else
		json_null(j);
	json_key(j, "verdict");
	json_text(j, sv_of(verdict_name(a->verdict)));
	json_key(j, "value");
	if (a->verdict == VERDICT_PINNED || a->verdict == VERDICT_FIXED)
		json_int(j, a->size);
	else
		json_null(j);
	json_key(j, "by");
	json_object(j);
	json_key(j, "node");
	json_text(j, model_name(m, m->nodes.at[a->node].name));
	json_key(j, "op");
	json_text(j, model_name(m, m->nodes.at[a->node].op));
	json_key(j, "constant");
	json_text(j, model_name(m, m->values.at[a->constant].name));
	json_end_object(j);
	json_key(j, "equal");
	json_array(j);
	if (a->tied)
		json_text(j, sv_of(a->tied));
	json_end_array(j);
	json_key(j, "bounds");
	json_array(j);
	for (uint32_t i = 0; i < a->bound_count; i++)
		json_text(j, sv_of(a->bounds[i]));
	json_end_array(j);
	json_key(j, "dependents");
	json_count(j, a->dependents);
	json_end_object(j);
}

static void add_reason(struct str *s, const struct model *m, const struct axis *a)
{
	switch (a->verdict) {
	case VERDICT_PINNED:
		str_format(s, "pinned to %" PRId64, a->size);
		break;
	case VERDICT_FIXED:
		str_format(s, "fixed at %" PRId64, a->size);
		break;
	case VERDICT_TIED:
		str_text(s, a->tied ? "tied to " : "tied");
		str_add_shown(s, sv_of(a->tied ? a->tied : ""));
		break;
	case VERDICT_DATA:
		str_text(s, "data-dependent: must equal ");
		str_add_shown(s, sv_of(a->tied));
		break;
	case VERDICT_UNKNOWN:
		str_text(s, "unknown: it reaches an unsupported operator");
		return;
	case VERDICT_FREE:
	case VERDICT_COUNT:
		str_text(s, "free");
		return;
	}
	str_text(s, " by ");
	str_add_shown(s, model_name(m, m->nodes.at[a->node].op));
	str_char(s, ' ');
	str_add_shown(s, model_name(m, m->nodes.at[a->node].name));
	if (a->constant) {
		str_text(s, " with ");
		str_add_shown(s, model_name(m, m->values.at[a->constant].name));
	}
}

static void axes_cmd_add_row(struct table *t, const struct model *m, const struct axis *a)
{
	struct str *cell = table_cell(t);

	str_add_shown(cell, model_name(m, m->values.at[a->input].name));
	str_format(cell, ":%" PRIu32, a->axis);
	dim_print(table_cell(t), declared_dim(m, a), &m->names);
	add_reason(table_cell(t), m, a);
	str_format(table_cell(t), a->dependents == 1 ? "1 axis" : "%" PRIu32 " axes",
		   a->dependents);
	cell = table_cell(t);
	for (uint32_t i = 0; i < a->bound_count; i++) {
		str_text(cell, i ? ", " : "needs ");
		str_add_shown(cell, sv_of(a->bounds[i]));
	}
}

static void print_axes(const struct app *app, const struct wire *w, const struct axes *axes)
{
	struct table table = {.columns = 5, .hang = 2, .width = app->width};
	bool as_json = args_has(app->args, OPTION_JSON);
	struct json j;

	json_init(&j, stdout);
	if (as_json) {
		json_object(&j);
		json_key(&j, "model");
		json_text(&j, str_sv(&w->path));
		json_key(&j, "axes");
		json_array(&j);
	}
	for (size_t i = 0; i < axes->list.len; i++) {
		if (as_json)
			put_axis(&j, &w->model, &axes->list.at[i]);
		else
			axes_cmd_add_row(&table, &w->model, &axes->list.at[i]);
	}
	if (as_json) {
		json_end_array(&j);
		json_end_object(&j);
		json_line(&j);
	}
	table_print(&table);
}

static enum exit_code tell_axes(const struct app *app)
{
	struct axes axes;
	struct wire w;
	struct err err;

	if (!open_only(app, &w, &err))
		return complain(&err);
	axes_find(&axes, &w.model);
	print_axes(app, &w, &axes);
	axes_release(&axes);
	wire_release(&w);
	return EXIT_DONE;
}

enum exit_code run_axes(const struct app *app)
{
	return many_run(&(struct many){.app = app, .one = tell_axes, .models = model_count(app)});
}
