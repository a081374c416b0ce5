#include "app/cli_verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/app.h"
#include "app/cli_progress.h"
#include "app/verify/verify.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "cmd/args.h"
#include "report/json.h"
#include "report/paint.h"
#include "report/table.h"
#include "wire/wire.h"

enum {
	VERIFY_LONGEST = 1000000 /* seconds */
};

/* ---- options ---- */

struct wishes {
	struct verify_sizes *at; /* owned */
	size_t len;
	size_t cap;
};

static void wishes_release(struct wishes *w)
{
	for (size_t i = 0; i < w->len; i++)
		vec_release(&w->at[i].sizes);
	vec_release(w);
}

static bool bad_size(const char *text, struct err *err)
{
	return err_set(err, ERR_USAGE, "--size takes NAME=N,N with N >= 0, not '%s'", text);
}

static bool read_size(struct wishes *out, const char *text, struct err *err)
{
	struct verify_sizes *s = vec_add(out);
	struct sv rest;

	if (!sv_split_last(sv_of(text), '=', &s->name, &rest) || !s->name.len || !rest.len)
		return bad_size(text, err);
	while (rest.len) {
		bool last = !sv_has(rest, ',');
		int64_t size;

		if (!sv_int(sv_cut(&rest, ','), &size) || size < 0 || (!last && !rest.len))
			return bad_size(text, err);
		vec_push(&s->sizes, size);
	}
	return true;
}

static bool read_number(const struct app *app, enum option_id option, double least, double most,
			double *out, struct err *err)
{
	const char *text = app->args->values[option];
	char *end;

	if (!args_has(app->args, option))
		return true;
	*out = strtod(text, &end);
	return (end != text && !*end && *out >= least && *out <= most) ||
	       err_set(err, ERR_USAGE, "--%s takes a number from %g to %g, not '%s'",
		       app->grammar->options[option].name, least, most, text);
}

static bool read_request(const struct app *app, struct verify_request *r, struct wishes *wishes,
			 struct err *err)
{
	double seconds = VERIFY_LIMIT_S;
	int64_t seed = VERIFY_SEED;

	for (size_t i = 0; i < app->args->all.len; i++) {
		const struct given *g = &app->args->all.at[i];

		if (g->option == OPTION_SIZE && !read_size(wishes, g->value, err))
			return false;
	}
	if (args_has(app->args, OPTION_SEED) &&
	    (!sv_int(sv_of(app->args->values[OPTION_SEED]), &seed) || seed < 0))
		return err_set(err, ERR_USAGE, "--seed takes a number, not '%s'",
			       app->args->values[OPTION_SEED]);
	if (!read_number(app, OPTION_TIMEOUT, 0.001, VERIFY_LONGEST, &seconds, err) ||
	    !read_number(app, OPTION_TOLERANCE, 1e-15, 1, &r->tolerance, err))
		return false;
	r->sizes = wishes->at;
	r->size_count = wishes->len;
	r->seed = (uint64_t)seed;
	r->limit_ms = (int64_t)(seconds * 1000);
	r->all = args_has(app->args, OPTION_ALL);
	if (args_has(app->args, OPTION_ITEMS))
		r->items = sv_of(app->args->values[OPTION_ITEMS]);
	if (args_has(app->args, OPTION_PYTHON))
		r->python = app->args->values[OPTION_PYTHON];
	return true;
}

/* ---- text ---- */

static void verify_print_sizes(const struct verify_trial *t, struct str *out)
{
	for (size_t i = 0; i < t->sizes.len; i++) {
		str_text(out, i ? ", " : "");
		str_add_shown(out, t->sizes.at[i].name);
		str_format(out, "=%" PRId64, t->sizes.at[i].size);
	}
	if (!t->sizes.len)
		str_text(out, "as declared");
}

static void verify_print_detail(const struct verify_trial *t, struct str *out)
{
	size_t from = out->len;

	if (t->message.len) {
		str_add(out, str_sv(&t->message));
	} else if (t->verdict == VERIFY_RUNS) {
		str_text(out, "with the predicted shapes");
	} else if (t->verdict == VERIFY_EQUAL) {
		str_format(out, "worst difference %.2g", t->difference);
		if (t->difference > 0)
			str_format(out, " at %s", str_c(&t->place));
	} else if (t->verdict == VERIFY_DIFFERS) {
		str_format(out, "%s is %s, not %s; %" PRIu64 " of %" PRIu64 " %s %s",
			   str_c(&t->place), str_c(&t->values[1]), str_c(&t->values[0]), t->unequal,
			   t->total, PLURAL(t->total, "element", "elements"),
			   PLURAL(t->unequal, "differs", "differ"));
	}
	str_show_from(out, from);
}

static size_t count_good(const struct verify_result *r)
{
	size_t good = 0;

	for (size_t i = 0; i < r->trials.len; i++)
		good += verify_is_good(r->trials.at[i].verdict);
	return good;
}

static size_t count_verdicts(const struct verify_result *r, enum verify_verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < r->trials.len; i++)
		count += r->trials.at[i].verdict == verdict;
	return count;
}

/* A run without an answer to compare with says nothing about numbers. */
static void verify_print_equal(const struct verify_result *r, struct str *out)
{
	size_t ran = count_verdicts(r, VERIFY_RUNS);

	if (!ran)
		str_format(out, "equal: %zu run%s", r->trials.len, r->trials.len == 1 ? "" : "s");
	else
		str_format(out,
			   "equal: %zu of %zu runs; the other%s only ran, as predicted: --items "
			   "NAME compares",
			   r->trials.len - ran, r->trials.len, ran == 1 ? "" : "s");
}

static void verify_print_summary(const struct verify_result *r, struct str *out)
{
	size_t good = count_good(r);

	if (r->ok && r->two)
		verify_print_equal(r, out);
	else if (r->ok)
		str_format(out, "runs as predicted: %zu run%s", good, good == 1 ? "" : "s");
	else if (good == r->trials.len)
		str_format(out, "not verified: %s", r->missing);
	else
		str_format(out, "%s: %zu of %zu run%s",
			   r->two ? "not equal" : "does not run as predicted", r->trials.len - good,
			   r->trials.len, r->trials.len == 1 ? "" : "s");
}

static void verify_print_head(const struct verify_request *r, const struct verify_result *result,
			      struct str *out)
{
	size_t from = out->len;

	str_format(out, "ONNX Runtime %s, Python %s, seed %" PRIu64, str_c(&result->versions[1]),
		   str_c(&result->versions[0]), r->seed);
	if (result->two && r->tolerance > 0)
		str_format(out, ", tolerance %g", r->tolerance);
	else if (result->two)
		str_text(out, ", tolerance 0.001 (float16 0.02, float64 1e-06)");
	str_show_from(out, from);
}

static void verify_print_text(const struct app *app, const struct verify_request *r,
			      const struct verify_result *result)
{
	struct table table = {.columns = 4, .hang = 3, .width = app->width};
	struct str line = {0};

	verify_print_head(r, result, &line);
	puts(str_c(&line));
	for (size_t i = 0; i < result->trials.len; i++) {
		const struct verify_trial *t = &result->trials.at[i];

		str_text(table_cell(&table), verify_kind_name(t->kind));
		verify_print_sizes(t, table_cell(&table));
		str_text(table_cell(&table), verify_verdict_name(t->verdict));
		verify_print_detail(t, table_cell(&table));
	}
	table_print(&table);
	for (size_t i = 0; i < result->notes.len; i++) {
		struct painted note = {0};

		painted_add(&note, PAINT_PLAIN, str_sv(&result->notes.at[i]));
		paint_line(&(struct paints){0}, &note, app->width, 2, 0);
		painted_release(&note);
	}
	str_clear(&line);
	verify_print_summary(result, &line);
	puts(str_c(&line));
	str_release(&line);
}

void verify_print(const struct verify_request *r, const struct verify_result *result,
		  struct str *out)
{
	verify_print_summary(result, out);
	str_text(out, "\n\n");
	for (size_t i = 0; i < result->trials.len; i++) {
		const struct verify_trial *t = &result->trials.at[i];

		str_format(out, "%-6s ", verify_kind_name(t->kind));
		verify_print_sizes(t, out);
		str_format(out, "  %s  ", verify_verdict_name(t->verdict));
		verify_print_detail(t, out);
		str_char(out, '\n');
	}
	for (size_t i = 0; i < result->notes.len; i++) {
		str_add_shown(out, str_sv(&result->notes.at[i]));
		str_char(out, '\n');
	}
	str_char(out, '\n');
	verify_print_head(r, result, out);
	str_char(out, '\n');
}

/* ---- JSON ---- */

static void json_known(struct json *j, const char *key, const struct str *text)
{
	json_key(j, key);
	if (text->len)
		json_text(j, str_sv(text));
	else
		json_null(j);
}

static void trial_json(struct json *j, const struct verify_trial *t)
{
	bool compared = t->total > 0;

	json_object(j);
	json_key(j, "kind");
	json_text(j, sv_of(verify_kind_name(t->kind)));
	json_key(j, "sizes");
	json_object(j);
	for (size_t i = 0; i < t->sizes.len; i++) {
		json_key_sv(j, t->sizes.at[i].name);
		json_int(j, t->sizes.at[i].size);
	}
	json_end_object(j);
	json_key(j, "verdict");
	json_text(j, sv_of(verify_verdict_name(t->verdict)));
	json_key(j, "difference");
	if (compared)
		json_float(j, t->difference);
	else
		json_null(j);
	json_known(j, "place", &t->place);
	json_known(j, "before", &t->values[0]);
	json_known(j, "after", &t->values[1]);
	json_key(j, "unequal");
	json_count(j, t->unequal);
	json_key(j, "compared");
	json_count(j, t->total);
	json_key(j, "seconds");
	json_float(j, t->seconds);
	json_known(j, "message", &t->message);
	json_end_object(j);
}

static void verify_print_json(const struct verify_request *r, const struct verify_result *result)
{
	struct json j;

	json_begin(&j, stdout);
	json_known(&j, "original", r->original ? &r->original->path : &(struct str){0});
	json_known(&j, "model", &r->model->path);
	json_known(&j, "python", &result->versions[0]);
	json_known(&j, "onnxruntime", &result->versions[1]);
	json_key(&j, "seed");
	json_count(&j, r->seed);
	json_key(&j, "tolerance");
	if (r->tolerance > 0)
		json_float(&j, r->tolerance);
	else
		json_null(&j);
	json_key(&j, "runs");
	json_array(&j);
	for (size_t i = 0; i < result->trials.len; i++)
		trial_json(&j, &result->trials.at[i]);
	json_end_array(&j);
	json_key(&j, "notes");
	json_array(&j);
	for (size_t i = 0; i < result->notes.len; i++)
		json_text(&j, str_sv(&result->notes.at[i]));
	json_end_array(&j);
	json_key(&j, "missing");
	if (result->missing)
		json_text(&j, sv_of(result->missing));
	else
		json_null(&j);
	json_key(&j, "ok");
	json_bool(&j, result->ok);
	json_end_object(&j);
	json_line(&j);
}

/* ---- the command ---- */

static enum exit_code verify_models(const struct app *app, struct verify_request *r)
{
	struct verify_result result = {0};
	struct progress progress;
	enum exit_code code;
	struct err err;
	bool ok;

	progress_begin(&progress, args_has(app->args, OPTION_QUIET));
	r->step = progress_step;
	r->context = &progress;
	ok = verify_run(r, &result, &err);
	progress_end(&progress);
	if (!ok) {
		code = complain(&err);
		verify_result_release(&result);
		progress_raise();
		return code;
	}
	if (args_has(app->args, OPTION_JSON))
		verify_print_json(r, &result);
	else
		verify_print_text(app, r, &result);
	code = result.ok ? EXIT_DONE : EXIT_FOUND;
	verify_result_release(&result);
	return code;
}

bool verify_before_writing(const struct app *app, struct document *d, const char *original,
			   struct sv items, struct err *err)
{
	struct progress progress;
	struct verify_request request = {
		.python = app->args->values[OPTION_PYTHON],
		.items = items,
		.seed = VERIFY_SEED,
		.limit_ms = VERIFY_LIMIT_S * INT64_C(1000),
		.step = progress_step,
		.context = &progress,
	};
	struct verify_result result = {0};
	struct str text = {0};
	bool ok;

	progress_begin(&progress, args_has(app->args, OPTION_QUIET));
	ok = verify_document(&request, d, original, &result, err);
	progress_end(&progress);
	if (ok) {
		verify_print(&request, &result, &text);
		if (!result.ok || !args_has(app->args, OPTION_QUIET))
			fputs(str_c(&text), stderr);
		if (!result.ok)
			ok = err_set(err, ERR_REFUSED, "the result %s %s; nothing was written",
				     count_good(&result) == result.trials.len
					     ? "could not be compared with"
					     : "differs from",
				     original ? original : "the original");
	}
	str_release(&text);
	verify_result_release(&result);
	return ok;
}

enum exit_code run_verify(const struct app *app)
{
	struct wire models[2];
	struct verify_request r = {0};
	struct wishes wishes = {0};
	size_t count = app->args->words.len, open = 0;
	enum exit_code code;
	struct err err;
	bool ok = read_request(app, &r, &wishes, &err);

	while (ok && open < count) {
		ok = open_model(app, open, &models[open], &err);
		open += ok;
	}
	r.original = count > 1 ? &models[0] : NULL;
	r.model = &models[count - 1];
	code = ok ? verify_models(app, &r) : complain(&err);
	for (size_t i = 0; i < open; i++)
		wire_release(&models[i]);
	wishes_release(&wishes);
	return code;
}
