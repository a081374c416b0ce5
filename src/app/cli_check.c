#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "app/app.h"
#include "app/cli_edit.h"
#include "app/cli_many.h"
#include "app/cli_models.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/args.h"
#include "edit/document.h"
#include "infer/explain.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/place.h"
#include "ops/info.h"
#include "report/annotations.h"
#include "report/explanation.h"
#include "report/findings.h"
#include "report/json.h"
#include "report/offers.h"
#include "report/paint.h"
#include "report/record.h"
#include "sym/sym.h"
#include "sym/text.h"
#include "sym/text.h"
#include "wire/wire.h"

static void check_print_json(struct infer *in, struct sv path, const struct findings_shown *shown)
{
	struct json j;

	json_begin(&j, stdout);
	json_key(&j, "model");
	json_text(&j, path);
	findings_json(&j, in, shown);
	json_end_object(&j);
	json_line(&j);
}

/* ---- text, the same on a terminal and in a pipe ---- */

/* Text output, and the remaining budget for reasons. */
struct page {
	const struct app *app;       /* borrowed */
	struct infer *in;            /* borrowed */
	const struct offers *offers; /* borrowed */
	struct paints paints;
	size_t width; /* of the terminal; 0 for none: no line is broken */
	size_t work;
	bool untried; /* a repair was printed that was not tried */
	struct record record;
};

/* For more there are --json and explain. */
static void print_reason(struct page *p, const struct finding *f)
{
	enum {
		INDENT = 17
	};
	struct explanation e = {.max = FINDING_SHOWN_STEPS, .work = p->work};

	explain_finding(p->in, f, &e);
	for (size_t i = 0; i < e.steps.len; i++) {
		struct painted s = {0};

		str_repeat(&s.text, ' ', INDENT - 2);
		step_paint(&s, &p->paints, p->in, &e.steps.at[i]);
		paint_line(&p->paints, &s, p->width, INDENT, 0);
		painted_release(&s);
	}
	p->work = e.work;
	explanation_release(&e);
}

/* To be pasted: never broken into lines. */
static void print_line_to_run(const struct page *p, const char *head, const struct str *line)
{
	enum {
		INDENT = 19
	};
	struct painted s = {0};
	struct str command = {0};

	str_repeat(&s.text, ' ', INDENT - strlen(head));
	painted_add(&s, PAINT_TONE + TONE_FAINT, sv_of(head));
	if (edit_print_command(p->app, str_sv(line), &command))
		painted_add(&s, PAINT_PLAIN, str_sv(&command));
	paint_line(&p->paints, &s, 0, 0, 0);
	painted_release(&s);
	str_release(&command);
}

static void print_offer(struct page *p, size_t finding)
{
	const struct offers *o = p->offers;

	if (finding >= o->lines.len)
		return;
	if (o->lines.at[finding].len)
		print_line_to_run(p, "do: ", &o->lines.at[finding]);
	if (!o->untried.at[finding].len)
		return;
	print_line_to_run(p, "try: ", &o->untried.at[finding]);
	p->untried = true;
}

static void print_finding(struct page *p, const struct finding_place *at)
{
	enum {
		INDENT = 13
	};
	/* A copy: explaining may add findings. */
	struct finding f = p->in->findings.at[at->finding];
	struct painted s = {0};

	finding_record(&p->record, p->in, &f);
	/* Consequences of an error are indented below it. */
	str_text(&s.text, at->root ? "  > " : "");
	paint_column(&p->paints, &p->record, FINDING_COLUMN_LEVEL, &s);
	str_repeat(&s.text, ' ', s.text.len < INDENT ? INDENT - s.text.len : 0);
	paint_column(&p->paints, &p->record, FINDING_COLUMN_PLACE, &s);
	paint_sizes(&p->paints, &p->record, FINDING_COLUMN_SENTENCE, &s);
	paint_line(&p->paints, &s, p->width, INDENT, 0);
	painted_release(&s);
	print_reason(p, &f);
	print_offer(p, at->finding);
}

static void check_print_text(const struct app *app, struct infer *in, const struct offers *offers,
			     bool known)
{
	struct page page = {
		.app = app, .in = in, .offers = offers, .width = app->width, .work = EXPLAIN_WORK};
	struct finding_list list = {0};

	paints_init(&page.paints, app->color, in);
	finding_list_fill(&list, in);
	for (size_t i = 0; i < MIN(list.at.len, (size_t)FINDINGS_MAX); i++)
		print_finding(&page, &list.at.at[i]);
	if (list.at.len > FINDINGS_MAX)
		printf("and %zu more\n", list.at.len - FINDINGS_MAX);
	if (page.untried)
		puts("lines after \"try:\" need many changes, and were not tried");
	if (!list.at.len && known)
		puts("no problems");
	finding_list_release(&list);
	record_release(&page.record);
	paints_release(&page.paints);
}

/* ---- expectations ---- */

/* A name that the model has lost is expected all the same: that is what to find. */
static bool expect_name(void *context, struct sv name, struct sym *out)
{
	if (!sym_is_identifier(name))
		*out = sym_find(context, name);
	else
		*out = sym_declare(context, name);
	return !sym_is_unknown(*out);
}

/* --expect input:0=batch: the axis must be that expression, or else there is a finding. */
static bool check_expect(struct infer *in, const char *text, struct err *err)
{
	const char *equals = strrchr(text, '=');
	struct sym_scope scope = {expect_name, &in->pool};
	struct finding f = {.level = LEVEL_EXPECT, .kind = FINDING_EXPECTED, .a = SYM_UNKNOWN};
	struct place place;
	const struct info *info;
	int64_t axis;

	if (!equals)
		return err_set(err, ERR_USAGE, "--expect takes TENSOR:AXIS=DIM, not '%s'", text);
	if (!place_find(in->model, (struct sv){text, (size_t)(equals - text)}, &place, err))
		return false;
	if (!place.has_axis)
		return err_set(err, ERR_USAGE, "--expect needs an axis: '%s'", text);
	if (!sym_parse(&in->pool, sv_of(equals + 1), &scope, &f.b, err))
		return err_prefix(err, "--expect %s", text);
	info = &in->infos[place.value];
	axis = place.axis < 0 ? place.axis + info->rank : place.axis;
	if (info->ranked && axis >= 0 && axis < (int64_t)info->rank)
		f.a = info->dims[axis];
	if (sym_same(f.a, f.b) && !sym_is_unknown(f.a))
		return true;
	if (info->ranked && (axis < 0 || axis >= (int64_t)info->rank)) {
		f.kind = FINDING_EXPECTED_RANK;
		f.n = place.axis;
		f.m = info->rank;
	}
	f.graph = in->model->values.at[place.value].graph;
	f.value = place.value;
	f.axis = (int32_t)MAX(MIN(axis, INT32_MAX), -1);
	vec_push(&in->findings, f);
	return true;
}

static bool check_expectations(const struct app *app, struct infer *in, struct err *err)
{
	for (size_t i = 0; i < app->args->all.len; i++) {
		const struct given *g = &app->args->all.at[i];

		if (g->option == OPTION_EXPECT && !check_expect(in, g->value, err))
			return false;
	}
	return true;
}

/* ---- formats ---- */

enum check_format {
	CHECK_TEXT,
	CHECK_JSON,
	CHECK_GITHUB,
	CHECK_SARIF,
	CHECK_FORMAT_COUNT
};

static const char *const check_formats[CHECK_FORMAT_COUNT] = {
	[CHECK_TEXT] = "text",
	[CHECK_JSON] = "json",
	[CHECK_GITHUB] = "github",
	[CHECK_SARIF] = "sarif",
};

static bool check_read_format(const struct app *app, enum check_format *out, struct err *err)
{
	const char *name = app->args->values[OPTION_FINDINGS];

	*out = args_has(app->args, OPTION_JSON) ? CHECK_JSON : CHECK_TEXT;
	if (!args_has(app->args, OPTION_FINDINGS))
		return true;
	for (enum check_format i = 0; i < CHECK_FORMAT_COUNT; i++) {
		if (strcmp(name, check_formats[i]) != 0)
			continue;
		if (args_has(app->args, OPTION_JSON) && i != CHECK_JSON)
			return err_set(err, ERR_USAGE, "use either --json or --format %s, not both",
				       name);
		*out = i;
		return true;
	}
	return err_set(err, ERR_USAGE, "--format must be text, json, github or sarif, not '%s'",
		       name);
}

/* `known`: whether the expectations could be looked at. */
static void check_print(const struct app *app, struct document *d, const struct offers *offers,
			enum check_format format, bool known)
{
	struct infer *in = &d->infer;
	struct findings_shown shown = {.repairs = offers->lines.at,
				       .repair_count = offers->lines.len,
				       .count_key = "count"};

	switch (format) {
	case CHECK_TEXT:
		if (!args_has(app->args, OPTION_QUIET))
			check_print_text(app, in, offers, known);
		break;
	case CHECK_JSON:
		check_print_json(in, str_sv(&d->wire.path), &shown);
		break;
	case CHECK_GITHUB:
		github_print(stdout, in, &shown, str_sv(&d->wire.path));
		break;
	case CHECK_SARIF:
		sarif_print(stdout, in, &shown, str_sv(&d->wire.path));
		break;
	case CHECK_FORMAT_COUNT:
		break;
	}
}

/* ---- what makes check fail ---- */

/* Lists them all: nobody knows them by heart. */
static bool no_such_level(struct sv name, struct err *err)
{
	struct str list = {0};

	for (enum level level = 0; level < LEVEL_COUNT; level++)
		str_format(&list, "%s%s", level ? ", " : "", level_info(level)->name);
	(void)err_set(err, ERR_USAGE, "--fail-on: there is no level '%.*s'; the levels are %s",
		      (int)MIN(name.len, 60), name.at, str_c(&list));
	str_release(&list);
	return false;
}

static bool read_levels(const char *text, unsigned *out, struct err *err)
{
	struct sv rest = sv_of(text);

	*out = 0;
	while (rest.len) {
		struct sv name = sv_cut(&rest, ',');
		enum level level;

		if (!level_find(name, &level))
			return no_such_level(name, err);
		*out |= 1u << level;
	}
	return true;
}

static bool failing_levels(const struct app *app, unsigned *out, struct err *err)
{
	*out = 0;
	for (enum level level = 0; level < LEVEL_COUNT; level++)
		*out |= (unsigned)level_info(level)->fails << level;
	return !args_has(app->args, OPTION_FAIL_ON) ||
	       read_levels(app->args->values[OPTION_FAIL_ON], out, err);
}

static enum exit_code check_code(const struct infer *in, unsigned failing)
{
	for (size_t i = 0; i < in->findings.len; i++) {
		if (failing >> in->findings.at[i].level & 1)
			return EXIT_FOUND;
	}
	return EXIT_DONE;
}

static enum exit_code check_one(const struct app *app)
{
	enum check_format format;
	unsigned failing;
	enum exit_code code;
	struct document d;
	struct offers offers = {0};
	struct err err;
	bool ok;

	if (!failing_levels(app, &failing, &err) || !check_read_format(app, &format, &err) ||
	    !edit_open(app, &d, &err))
		return complain(&err);
	if (format != CHECK_TEXT || !args_has(app->args, OPTION_QUIET))
		offers_find(&offers,
			    &d); /* tries edits, which infer anew: before findings are added */
	ok = check_expectations(app, &d.infer, &err);
	check_print(app, &d, &offers, format, ok);
	code = ok ? check_code(&d.infer, failing | 1u << LEVEL_EXPECT) : complain(&err);
	offers_release(&offers);
	document_release(&d);
	return code;
}

/* One document for all models: its head and tail are printed here, results by the models. */
static enum exit_code check_sarif(const struct many *many)
{
	struct json j;
	enum exit_code code;

	sarif_begin(&j, stdout, SV(AXED_VERSION));
	code = many_run(many);
	sarif_end(&j);
	return code;
}

/* ---- watching ---- */

static void wait_a_moment(void)
{
	const struct timespec moment = {.tv_nsec = 200000000};

	(void)nanosleep(&moment, NULL);
}

/* Until there is another file, whole as far as it can be told. */
static void wait_for_change(const char *path, const struct stat *seen)
{
	struct stat now, last = *seen;
	struct wire w;
	struct err ignored;

	for (;;) {
		wait_a_moment();
		if (stat(path, &now) != 0 || file_same_version(&now, seen))
			continue;
		/* While it is being written, it changes; half of it cannot be read. */
		if (file_same_version(&now, &last) && wire_open(&w, path, &ignored)) {
			wire_release(&w);
			return;
		}
		last = now;
	}
}

static enum exit_code check_watch(const struct app *app)
{
	const char *path = app->args->words.len ? app->args->words.at[0] : "";
	struct stat seen;
	struct err err;

	if (app->args->words.len != 1 || sv_is(sv_of(path), "-")) {
		err_set(&err, ERR_USAGE, "--watch needs one model, with a file name");
		return complain(&err);
	}
	for (;;) {
		if (stat(path, &seen) != 0)
			seen = (struct stat){0};
		if (check_one(app) == EXIT_BAD && seen.st_ino == 0)
			return EXIT_BAD;
		(void)fflush(stdout);
		wait_for_change(path, &seen);
		(void)printf("\n");
	}
}

enum exit_code run_check(const struct app *app)
{
	struct many many = {.app = app, .one = check_one, .models = model_count(app)};
	enum check_format format;
	unsigned failing;
	struct err err;

	/* Report bad options once, not once per model. */
	if (!failing_levels(app, &failing, &err) || !check_read_format(app, &format, &err))
		return complain(&err);
	if (args_has(app->args, OPTION_WATCH))
		return check_watch(app);
	many.bare = format != CHECK_TEXT || args_has(app->args, OPTION_QUIET);
	many.between = format == CHECK_SARIF ? ", " : NULL;
	return format == CHECK_SARIF && many.models ? check_sarif(&many) : many_run(&many);
}
