#include <stdio.h>

#include "app/app.h"
#include "base/utf8.h"
#include "export/json.h"
#include "infer/infer.h"

static const unsigned failing = 1u << LEVEL_ERROR | 1u << LEVEL_PIN | 1u << LEVEL_STALE |
				1u << LEVEL_LOSS;

static void put_finding(struct json *j, const struct model *m, const struct finding *f)
{
	const struct node *n = &m->nodes.at[f->node];
	struct str path = {0};

	graph_path(&path, m, f->graph);
	json_object(j);
	json_key(j, "level");
	json_text(j, sv_of(level_name(f->level)));
	json_key(j, "graph");
	json_text(j, str_sv(&path));
	json_key(j, "node");
	json_text(j, model_name(m, n->name));
	json_key(j, "op");
	json_text(j, model_name(m, n->op));
	json_key(j, "tensor");
	json_text(j, model_name(m, m->values.at[f->value].name));
	json_key(j, "axis");
	if (f->axis >= 0)
		json_int(j, f->axis);
	else
		json_null(j);
	json_key(j, "value");
	if (f->has_number)
		json_int(j, f->number);
	else
		json_null(j);
	json_key(j, "message");
	json_text(j, sv_of(f->message));
	json_end_object(j);
	str_release(&path);
}

static void print_json(const struct infer *in)
{
	struct json j;

	json_init(&j, stdout);
	json_object(&j);
	json_key(&j, "findings");
	json_array(&j);
	for (size_t i = 0; i < in->findings.len; i++)
		put_finding(&j, in->model, &in->findings.at[i]);
	json_end_array(&j);
	json_end_object(&j);
	json_line(&j);
}

static void print_finding(const struct model *m, const struct finding *f)
{
	const struct node *n = &m->nodes.at[f->node];
	struct str s = {0};

	str_format(&s, "%-12s", level_name(f->level));
	if (f->node) {
		str_add_shown(&s, model_name(m, n->op));
		str_char(&s, ' ');
		str_add_shown(&s, model_name(m, n->name));
		str_text(&s, ": ");
	}
	if (f->value) {
		str_add_shown(&s, model_name(m, m->values.at[f->value].name));
		str_text(&s, ": ");
	}
	str_add_shown(&s, sv_of(f->message));
	puts(str_c(&s));
	str_release(&s);
}

enum exit_code run_check(const struct app *app)
{
	enum exit_code code = EXIT_DONE;
	struct infer in;
	struct wire w;
	struct err err;

	if (model_count(app) == 0) {
		err_set(&err, ERR_USAGE, "check needs a MODEL, or --demo");
		return complain(&err);
	}
	if (!open_model(app, 0, &w, &err))
		return complain(&err);
	infer_run(&in, &w.model, (struct infer_options){0});
	if (args_has(app->args, OPTION_JSON))
		print_json(&in);
	for (size_t i = 0; i < in.findings.len; i++) {
		if (!args_has(app->args, OPTION_JSON))
			print_finding(&w.model, &in.findings.at[i]);
		if (failing >> in.findings.at[i].level & 1)
			code = EXIT_FOUND;
	}
	infer_release(&in);
	wire_release(&w);
	return code;
}
