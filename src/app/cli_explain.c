#include <inttypes.h>
#include <stdio.h>

#include "app/app.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/args.h"
#include "infer/infer.h"
#include "infer/why.h"
#include "ir/graph.h"
#include "ir/place.h"
#include "ops/info.h"
#include "report/json.h"
#include "sym/sym.h"
#include "sym/text.h"
#include "wire/wire.h"

enum {
	MAX_REASONS = 8, /* of one dim */
	MAX_LINES = 200,
	DEEPEST = 60
};

struct telling {
	struct infer *in;  /* borrowed */
	struct json *json; /* borrowed; NULL for text */
	struct map seen;
	unsigned lines;
};

static void add_place(struct str *s, const struct infer *in, struct why what)
{
	const struct model *m = in->model;

	str_add_shown(s, model_name(m, m->values.at[what.value].name));
	str_format(s, what.element ? "{%" PRIu32 "}" : "[%" PRIu32 "]", what.index);
	str_text(s, " = ");
}

static void explain_add_expression(struct str *s, const struct infer *in, struct why what)
{
	struct str text = {0};

	sym_print(&in->pool, why_expression(in, what), &text);
	str_add_shown(s, str_sv(&text));
	str_release(&text);
}

static void explain_add_origin(struct str *s, const struct infer *in, struct why what)
{
	const struct model *m = in->model;
	const struct value *v = &m->values.at[what.value];
	const struct node *n = &m->nodes.at[v->producer];

	if (v->tensor) {
		str_text(s, "  a constant of the file");
	} else if (v->flags & VALUE_INPUT) {
		str_text(s, "  an input");
	} else if (v->producer) {
		str_text(s, "  by ");
		str_add_shown(s, model_name(m, n->op));
		str_char(s, ' ');
		str_add_shown(s, model_name(m, n->name));
	}
	if (in->sources[what.value] == SOURCE_CLAIM)
		str_text(s, " (as the file claims)");
}

/* Nodes that only pass the same expression on are skipped and counted. */
static void skip_copies(struct telling *t, struct why what, struct why *next, size_t *count,
			unsigned *skipped)
{
	struct sym expression = why_expression(t->in, what);

	*count = why_find(t->in, what, next, MAX_REASONS);
	while (*count == 1 && sym_same(why_expression(t->in, next[0]), expression) &&
	       *skipped < 100000) {
		struct why further[MAX_REASONS];
		size_t more = why_find(t->in, next[0], further, MAX_REASONS);

		if (more != 1 || !sym_same(why_expression(t->in, further[0]), expression))
			break;
		next[0] = further[0];
		(*skipped)++;
	}
}

/* One step as JSON: what, its expression, its origin, its depth. */
static void explain_put_step(const struct telling *t, struct why what, unsigned depth,
			     unsigned skipped)
{
	const struct model *m = t->in->model;
	const struct value *v = &m->values.at[what.value];
	struct str text = {0};

	explain_add_expression(&text, t->in, what);
	json_object(t->json);
	json_key(t->json, "tensor");
	json_text(t->json, model_name(m, v->name));
	json_key(t->json, what.element ? "element" : "axis");
	json_count(t->json, what.index);
	json_key(t->json, "dim");
	json_text(t->json, str_sv(&text));
	json_key(t->json, "node");
	json_text(t->json, model_name(m, m->nodes.at[v->producer].name));
	json_key(t->json, "op");
	json_text(t->json, model_name(m, m->nodes.at[v->producer].op));
	json_key(t->json, "from");
	json_text(t->json, sv_of(source_name(t->in->sources[what.value])));
	json_key(t->json, "passed");
	json_count(t->json, skipped);
	json_key(t->json, "depth");
	json_count(t->json, depth);
	json_end_object(t->json);
	str_release(&text);
}

static void print_step(const struct telling *t, struct why what, unsigned depth, unsigned skipped,
		       bool again)
{
	struct str s = {0};

	str_repeat(&s, ' ', (size_t)depth * 2);
	add_place(&s, t->in, what);
	explain_add_expression(&s, t->in, what);
	if (again)
		str_text(&s, "  (see above)");
	else
		explain_add_origin(&s, t->in, what);
	if (skipped)
		str_format(&s, ", unchanged through %u node%s before it", skipped,
			   skipped == 1 ? "" : "s");
	puts(str_c(&s));
	str_release(&s);
}

static void explain_tell(struct telling *t, struct why what, unsigned depth)
{
	struct why next[MAX_REASONS];
	size_t count = 0;
	unsigned skipped = 0;
	uint32_t *place = map_at(&t->seen,
				 (uint64_t)what.value << 32 | what.index << 1 | what.element);
	bool again = (*place)++;

	if (!again)
		skip_copies(t, what, next, &count, &skipped);
	if (t->json)
		explain_put_step(t, what, depth, skipped);
	else
		print_step(t, what, depth, skipped, again);
	for (size_t i = 0; i < count && depth < DEEPEST && ++t->lines < MAX_LINES; i++)
		explain_tell(t, next[i], depth + 1);
}

static bool explain_find(const struct infer *in, const char *text, struct place *out,
			 struct err *err)
{
	const struct info *info;

	if (!place_find(in->model, sv_of(text), out, err))
		return false;
	info = &in->infos[out->value];
	return !info->ranked || !out->has_axis ||
	       (out->axis >= -(int64_t)info->rank && out->axis < (int64_t)info->rank) ||
	       err_set(err, ERR_USAGE, "%s: the tensor has only %" PRIu32 " axes", text,
		       info->rank);
}

static void explain_print(struct infer *in, const struct place *place, struct json *json)
{
	struct telling t = {.in = in, .json = json};
	const struct info *info = &in->infos[place->value];

	for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
		int64_t wanted = place->axis < 0 ? place->axis + info->rank : place->axis;

		if (!place->has_axis || wanted == (int64_t)i)
			explain_tell(&t, (struct why){.value = place->value, .index = i}, 0);
	}
	map_release(&t.seen);
}

static void explain_json(struct infer *in, const struct place *place)
{
	struct json j;

	json_init(&j, stdout);
	json_object(&j);
	json_key(&j, "steps");
	json_array(&j);
	explain_print(in, place, &j);
	json_end_array(&j);
	json_end_object(&j);
	json_line(&j);
}

/* Prints everything or nothing. */
static bool explain_all(const struct app *app, struct infer *in, const char *text, struct err *err)
{
	struct str shown = {0};
	struct place place;

	if (!explain_find(in, text, &place, err))
		return false;
	if (args_has(app->args, OPTION_JSON)) {
		explain_json(in, &place);
	} else if (in->infos[place.value].ranked) {
		explain_print(in, &place, NULL);
	} else {
		str_add_shown(&shown, sv_of(text));
		printf("%s: unknown shape\n", str_c(&shown));
	}
	str_release(&shown);
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
