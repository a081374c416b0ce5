#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/app.h"
#include "app/cli_bind.h"
#include "app/cli_many.h"
#include "app/cli_models.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "cmd/args.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/place.h"
#include "report/paint.h"
#include "report/printout.h"
#include "report/shapes.h"
#include "wire/wire.h"

/* ---- printing ---- */

/* The words after the models are tensors, which must exist. */
struct choice {
	bool all;
	struct map values;
};

static bool shapes_choose(const struct app *app, const struct model *m, struct choice *out,
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

static void print_all(const struct app *app, struct sv name, const struct infer *in,
		      const struct choice *choice)
{
	const struct model *m = in->model;
	struct printout p = {
		.as_json = args_has(app->args, OPTION_JSON),
		.table = {.columns = SHAPE_COLUMN_COUNT, .hang = SHAPE_TYPE, .width = app->width},
	};
	struct str path = {0};
	uint32_t graph = UINT32_MAX;

	paints_init(&p.table.paints, app->color, in);
	printout_begin(&p, name, "tensors");
	for (uint32_t v = 1; v < m->values.len; v++) {
		if (!choice->all && !map_find(&choice->values, v))
			continue;
		if (m->values.at[v].graph != graph) {
			graph = m->values.at[v].graph;
			str_clear(&path);
			graph_path(&path, m, graph);
		}
		shape_record(&p.record, in, v, str_sv(&path));
		printout_add(&p);
	}
	printout_end(&p);
	str_release(&path);
}

/* With sizes bound, infers everything again: numbers decide what names could not. */
static bool print_bound(const struct app *app, const struct wire *w, const struct infer *plain,
			const struct choice *choice, bool *out_holds, struct err *err)
{
	struct bindings bindings = {0};
	struct infer bound;

	*out_holds = true;
	if (!args_has(app->args, OPTION_BIND)) {
		print_all(app, str_sv(&w->path), plain, choice);
		return true;
	}
	if (!bind_all(app, plain, &bindings, err)) {
		vec_release(&bindings);
		return false;
	}
	infer_run(&bound, &w->model,
		  (struct infer_options){.bindings = bindings.at, .binding_count = bindings.len});
	print_all(app, str_sv(&w->path), &bound, choice);
	*out_holds = !bind_complain(&bound, plain, str_sv(&w->path));
	infer_release(&bound);
	vec_release(&bindings);
	return true;
}

/*
 * git gives up a whole diff when this command fails for one model.  The name is that of a copy,
 * another one each time.
 */
static enum exit_code tell_unreadable(const struct app *app, const struct err *err)
{
	struct sv text = sv_of(err->text), path = sv_of(app->args->words.at[0]);
	struct str shown = {0};

	if (!args_has(app->args, OPTION_TEXTCONV))
		return complain(err);
	if (sv_starts(text, path) && sv_starts(sv_skip(text, path.len), SV(": ")))
		text = sv_skip(text, path.len + 2);
	str_add_shown(&shown, text);
	printf("axed: %s\n", str_c(&shown));
	str_release(&shown);
	return EXIT_DONE;
}

static enum exit_code tell_shapes(const struct app *app)
{
	struct choice choice;
	struct infer in;
	struct wire w;
	struct err err;
	bool ok, holds;

	if (!open_only(app, &w, &err))
		return tell_unreadable(app, &err);
	infer_run(&in, &w.model, (struct infer_options){0});
	ok = shapes_choose(app, &w.model, &choice, &err) &&
	     print_bound(app, &w, &in, &choice, &holds, &err);
	map_release(&choice.values);
	infer_release(&in);
	wire_release(&w);
	if (!ok)
		return complain(&err);
	return holds ? EXIT_DONE : EXIT_FOUND;
}

/* ---- which words are models ---- */

static bool is_file(const char *word)
{
	struct stat st;

	return strcmp(word, "-") == 0 || (stat(word, &st) == 0 && !S_ISDIR(st.st_mode));
}

/* A file may have the same name as a tensor: then the user must say which is meant. */
static bool could_be_both(const char *word)
{
	size_t len = strlen(word);

	return strcmp(word, "-") != 0 && !strchr(word, '/') &&
	       (len < 5 || strcmp(word + len - 5, ".onnx") != 0);
}

/* Reorders the words, models first: the first word, and all others that are files. */
static bool models_first(const struct args *a, struct args *out, size_t *models, struct err *err)
{
	for (size_t i = 0; i < a->words.len; i++) {
		const char *word = a->words.at[i];

		if (i && !is_file(word))
			continue;
		if (i && could_be_both(word))
			return err_set(err, ERR_USAGE,
				       "'%s' may be a file or a tensor; use ./%s for the file, "
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
