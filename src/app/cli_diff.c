#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/app.h"
#include "app/table.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/args.h"
#include "edit/diff/compare.h"
#include "infer/infer.h"
#include "report/json.h"
#include "wire/wire.h"

/* - for removed, + for added, ~ for changed. */
enum mark {
	MARK_GONE,
	MARK_NEW,
	MARK_CHANGED,
	MARK_COUNT
};

static const struct {
	const char *plain, *colored; /* all equally long, so that columns align */
} diff_marks[MARK_COUNT] = {
	[MARK_GONE] = {"-", "\033[31m-\033[0m"},
	[MARK_NEW] = {"+", "\033[32m+\033[0m"},
	[MARK_CHANGED] = {"~", "\033[33m~\033[0m"},
};

/* A part that was added or removed changes the whole. */
static enum mark diff_mark_of(const struct difference *d)
{
	if (d->what.len || d->has_before == d->has_after)
		return MARK_CHANGED;
	return d->has_before ? MARK_GONE : MARK_NEW;
}

static void put_side(struct json *j, const char *key, bool has, struct sv text)
{
	json_key(j, key);
	if (has)
		json_text(j, text);
	else
		json_null(j);
}

static void diff_print_json(const struct differences *d)
{
	struct json j;

	json_init(&j, stdout);
	json_object(&j);
	json_key(&j, "differences");
	json_array(&j);
	for (enum difference_kind kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++) {
		for (size_t i = 0; i < d->lists[kind].len; i++) {
			const struct difference *one = &d->lists[kind].at[i];

			json_object(&j);
			json_key(&j, "kind");
			json_text(&j, sv_of(difference_kind_name(kind)));
			json_key(&j, "graph");
			json_text(&j, one->graph);
			json_key(&j, "name");
			json_text(&j, one->name);
			json_key(&j, "what");
			json_text(&j, one->what);
			put_side(&j, "before", one->has_before, one->before);
			put_side(&j, "after", one->has_after, one->after);
			json_end_object(&j);
		}
	}
	json_end_array(&j);
	json_key(&j, "count");
	json_count(&j, d->count);
	json_end_object(&j);
	json_line(&j);
}

/* "mark  name  what  before -> after" */
static void diff_add_row(struct table *t, const struct difference *d, bool color)
{
	enum mark mark = diff_mark_of(d);
	struct str *cell = table_cell(t);

	str_text(cell, color ? diff_marks[mark].colored : diff_marks[mark].plain);
	cell = table_cell(t);
	if (d->graph.len) {
		str_add_shown(cell, d->graph);
		str_char(cell, '/');
	}
	str_add_shown(cell, d->name);
	str_add_shown(table_cell(t), d->what);
	cell = table_cell(t);
	if (mark == MARK_CHANGED && !d->has_before)
		str_text(cell, "nothing");
	str_add_shown(cell, d->before);
	if (mark == MARK_CHANGED)
		str_text(cell, " -> ");
	if (mark == MARK_CHANGED && !d->has_after)
		str_text(cell, "nothing");
	str_add_shown(cell, d->after);
}

static void diff_print_text(const struct differences *d, bool color)
{
	for (enum difference_kind kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++) {
		struct table table = {.columns = 4};

		if (!d->counts[kind])
			continue;
		printf(color ? "\033[1m%s\033[0m\n" : "%s\n", difference_kind_heading(kind));
		for (size_t i = 0; i < d->lists[kind].len; i++)
			diff_add_row(&table, &d->lists[kind].at[i], color);
		table_print(&table);
		if (d->counts[kind] > d->lists[kind].len)
			printf("and %" PRIu64 " more\n", d->counts[kind] - d->lists[kind].len);
	}
}

/* External data is relative to the model: is it the same folder? */
static bool same_folder(const struct wire *a, const struct wire *b)
{
	struct stat stamps[2];
	const struct wire *both[] = {a, b};

	for (size_t i = 0; i < ARRAY_LEN(both); i++) {
		struct str folder = {0};
		const char *path = str_c(&both[i]->path);
		const char *slash = strrchr(path, '/');
		bool found;

		if (slash)
			str_add(&folder, (struct sv){path, (size_t)(slash - path) + 1});
		else
			str_char(&folder, '.');
		found = !both[i]->file.piped && stat(str_c(&folder), &stamps[i]) == 0;
		str_release(&folder);
		if (!found)
			return false;
	}
	return stamps[0].st_dev == stamps[1].st_dev && stamps[0].st_ino == stamps[1].st_ino;
}

static enum exit_code diff_compare(const struct app *app, const struct wire *a,
				   const struct wire *b)
{
	struct compare_options options = {
		.same_file = a->file.stamp.st_dev == b->file.stamp.st_dev &&
			     a->file.stamp.st_ino == b->file.stamp.st_ino && !a->file.piped &&
			     !b->file.piped,
		.same_folder = same_folder(a, b),
	};
	struct infer before, after;
	struct differences d;
	bool differ;

	infer_run(&before, &a->model, (struct infer_options){0});
	infer_run(&after, &b->model, (struct infer_options){0});
	compare_models(&d, &before, &after, options);
	if (args_has(app->args, OPTION_JSON))
		diff_print_json(&d);
	else
		diff_print_text(&d, app->color);
	differ = d.count != 0;
	differences_release(&d);
	infer_release(&before);
	infer_release(&after);
	return differ ? EXIT_FOUND : EXIT_DONE;
}

enum exit_code run_diff(const struct app *app)
{
	const char *const *words = app->args->words.at;
	enum exit_code code;
	struct wire a, b;
	struct err err;

	if (strcmp(words[0], "-") == 0 && strcmp(words[1], "-") == 0) {
		err_set(&err, ERR_USAGE, "only one model can be standard input");
		return complain(&err);
	}
	if (!open_model(app, 0, &a, &err))
		return complain(&err);
	if (!open_model(app, 1, &b, &err)) {
		wire_release(&a);
		return complain(&err);
	}
	code = diff_compare(app, &a, &b);
	wire_release(&a);
	wire_release(&b);
	return code;
}
