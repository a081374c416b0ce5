#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/binding.h"
#include "app/many.h"
#include "ir/place.h"
#include "app/table.h"
#include "app/type_json.h"
#include "base/utf8.h"
#include "export/json.h"
#include "infer/infer.h"
#include "sym/text.h"

/* ---- printing ---- */

struct printing {
	const struct infer *in; /* borrowed */
	struct sym_env *env;    /* borrowed */
	bool bound;
};

/* A number where the bindings give one. */
static struct sym evaluated(const struct printing *p, struct sym s)
{
	int64_t value;

	if (p->bound && sym_eval(&p->in->pool, p->env, s, &value) == SYM_OK &&
	    sym_fits_small(value))
		return (struct sym){(uint64_t)value << 1 | 1};
	return s;
}

static void put_dim(struct json *j, const struct printing *p, struct sym s)
{
	struct str text = {0};
	int64_t value;

	s = evaluated(p, s);
	if (sym_is_unknown(s)) {
		json_null(j);
	} else if (sym_value(&p->in->pool, s, &value)) {
		json_int(j, value);
	} else {
		sym_print(&p->in->pool, s, &text);
		json_text(j, str_sv(&text));
	}
	str_release(&text);
}

static void put_shape(struct json *j, const struct printing *p, const struct info *info)
{
	if (!info->ranked) {
		json_null(j);
		return;
	}
	json_array(j);
	for (uint32_t i = 0; i < info->rank; i++)
		put_dim(j, p, info->dims[i]);
	json_end_array(j);
}

static void put_type(struct json *j, const struct printing *p, const struct info *info)
{
	if (!put_type_start(j, info->kind, info->elem))
		return;
	if (put_type_elem(j, info->kind, info->elem, info->inner != NULL))
		put_type(j, p, info->inner);
	/* A nested tensor has a shape of its own. */
	if (j->depth > 4 && (info->kind == TYPE_TENSOR || info->kind == TYPE_SPARSE)) {
		json_key(j, "shape");
		put_shape(j, p, info);
	}
	json_end_object(j);
}

static void put_value(struct json *j, const struct printing *p, uint32_t value, struct sv path)
{
	const struct model *m = p->in->model;
	const struct info *info = &p->in->infos[value];

	json_object(j);
	json_key(j, "name");
	json_text(j, model_name(m, m->values.at[value].name));
	json_key(j, "graph");
	json_text(j, path);
	json_key(j, "type");
	put_type(j, p, info);
	json_key(j, "shape");
	put_shape(j, p, info);
	json_key(j, "from");
	json_text(j, sv_of(source_name(p->in->sources[value])));
	json_end_object(j);
}

static void add_shape(struct str *s, const struct printing *p, const struct info *info)
{
	if (!info->ranked)
		return;
	str_text(s, " [");
	for (uint32_t i = 0; i < info->rank; i++) {
		struct str dim = {0};

		str_text(s, i ? ", " : "");
		sym_print(&p->in->pool, evaluated(p, info->dims[i]), &dim);
		str_add_shown(s, str_sv(&dim));
		str_release(&dim);
	}
	str_char(s, ']');
}

static void add_type(struct str *s, const struct printing *p, const struct info *info)
{
	for (; info && info->kind != TYPE_TENSOR && info->kind != TYPE_SPARSE; info = info->inner) {
		str_text(s, info->kind == TYPE_NONE ? "?" : type_kind_name(info->kind));
		str_text(s, info->inner ? " of " : "");
	}
	if (!info)
		return;
	str_text(s, info->kind == TYPE_SPARSE ? "sparse " : "");
	if (info->elem)
		elem_print(s, info->elem);
	else
		str_char(s, '?');
	add_shape(s, p, info);
}

static void add_row(struct table *t, const struct printing *p, uint32_t value, struct sv path)
{
	const struct model *m = p->in->model;
	struct str *cell = table_cell(t);

	if (path.len) {
		str_add(cell, path); /* made fit to be seen once for the whole graph */
		str_char(cell, '/');
	}
	str_add_shown(cell, model_name(m, m->values.at[value].name));
	add_type(table_cell(t), p, &p->in->infos[value]);
	str_text(table_cell(t), source_name(p->in->sources[value]));
}

/* The words behind the model: tensors, each of which must be there. */
struct choice {
	bool all;
	struct map values;
};

static bool choose(const struct app *app, const struct model *m, struct choice *out,
		   struct err *err)
{
	size_t first = args_has(app->args, OPTION_DEMO) ? 0 : 1;

	*out = (struct choice){.all = app->args->words.len <= first};
	for (size_t i = first; i < app->args->words.len; i++) {
		struct place place;

		if (!place_find(m, sv_of(app->args->words.at[i]), &place, err))
			return false;
		*map_at(&out->values, place.value) = 1;
	}
	return true;
}

static void print_all(const struct app *app, struct sv name, const struct printing *p,
		      const struct choice *choice)
{
	const struct model *m = p->in->model;
	bool as_json = args_has(app->args, OPTION_JSON);
	struct json j;
	struct str path = {0}, shown = {0};
	uint32_t graph = UINT32_MAX;
	struct table table = {.columns = 3, .hang = 1, .width = app->width};

	json_init(&j, stdout);
	if (as_json) {
		json_object(&j);
		json_key(&j, "model");
		json_text(&j, name);
		json_key(&j, "tensors");
		json_array(&j);
	}
	for (uint32_t v = 1; v < m->values.len; v++) {
		if (!choice->all && !map_find(&choice->values, v))
			continue;
		if (m->values.at[v].graph != graph) {
			graph = m->values.at[v].graph;
			str_clear(&path);
			str_clear(&shown);
			graph_path(&path, m, graph);
			str_add_shown(&shown, str_sv(&path));
		}
		if (as_json)
			put_value(&j, p, v, str_sv(&path));
		else
			add_row(&table, p, v, str_sv(&shown));
	}
	if (as_json) {
		json_end_array(&j);
		json_end_object(&j);
		json_line(&j);
	}
	table_print(&table);
	str_release(&path);
	str_release(&shown);
}

/* Does a binding contradict something that a result rests on? */
static bool assumptions_hold(const struct infer *in, struct sym_env *env)
{
	for (size_t i = 0; i < in->assumptions.len; i++) {
		int64_t value;

		if (sym_eval(&in->pool, env, in->assumptions.at[i].condition, &value) == SYM_OK &&
		    value == 0)
			return false;
	}
	return true;
}

static bool print_bound(const struct app *app, const struct wire *w, struct infer *in,
			const struct choice *choice, struct err *err)
{
	struct sym_env env = {0};
	struct bindings bindings = {0};
	struct printing p = {.in = in, .env = &env, .bound = args_has(app->args, OPTION_BIND)};
	bool ok = bind_all(app, in, &env, &bindings, err);

	if (ok && p.bound && !assumptions_hold(in, &env)) {
		struct infer again;

		infer_run(&again, &w->model,
			  (struct infer_options){.bindings = bindings.at,
						 .binding_count = bindings.len});
		p = (struct printing){.in = &again, .env = &env};
		print_all(app, str_sv(&w->path), &p, choice);
		infer_release(&again);
	} else if (ok) {
		print_all(app, str_sv(&w->path), &p, choice);
	}
	vec_release(&bindings);
	sym_env_release(&env);
	return ok;
}

static enum exit_code tell_shapes(const struct app *app)
{
	struct choice choice;
	struct infer in;
	struct wire w;
	struct err err;
	bool ok;

	if (!open_only(app, &w, &err))
		return complain(&err);
	infer_run(&in, &w.model, (struct infer_options){0});
	ok = choose(app, &w.model, &choice, &err) && print_bound(app, &w, &in, &choice, &err);
	map_release(&choice.values);
	infer_release(&in);
	wire_release(&w);
	return ok ? EXIT_DONE : complain(&err);
}

/* ---- which words are models ---- */

static bool is_file(const char *word)
{
	struct stat st;

	return strcmp(word, "-") == 0 || (stat(word, &st) == 0 && !S_ISDIR(st.st_mode));
}

/* A folder may well hold a file that is called like a tensor: then the user has to say. */
static bool could_be_both(const char *word)
{
	size_t len = strlen(word);

	return strcmp(word, "-") != 0 && !strchr(word, '/') &&
	       (len < 5 || strcmp(word + len - 5, ".onnx") != 0);
}

/* The words again, models first: the first word, and of the others those that are files. */
static bool models_first(const struct args *a, struct args *out, size_t *models, struct err *err)
{
	for (size_t i = 0; i < a->words.len; i++) {
		const char *word = a->words.at[i];

		if (i && !is_file(word))
			continue;
		if (i && could_be_both(word))
			return err_set(err, ERR_USAGE,
				       "'%s' may be a file or a tensor; write ./%s for the file, "
				       "%s:0 for the tensor",
				       word, word, word);
		vec_push(&out->words, word);
	}
	*models = out->words.len;
	for (size_t i = 1; i < a->words.len; i++) {
		if (!is_file(a->words.at[i]))
			vec_push(&out->words, a->words.at[i]);
	}
	return true;
}

enum exit_code run_shapes(const struct app *app)
{
	struct args args = *app->args;
	struct app sorted = *app;
	struct many many = {.app = &sorted, .one = tell_shapes, .models = 1};
	struct err err;
	enum exit_code code;

	if (args_has(app->args, OPTION_DEMO)) {
		many.app = app;
		return many_run(&many);
	}
	args.words.at = NULL;
	args.words.len = args.words.cap = 0;
	sorted.args = &args;
	code = models_first(app->args, &args, &many.models, &err) ? many_run(&many)
								  : complain(&err);
	vec_release(&args.words);
	return code;
}
