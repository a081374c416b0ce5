#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/app.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "cmd/args.h"
#include "edit/diff/compare.h"
#include "infer/infer.h"
#include "report/difference.h"
#include "report/paint.h"
#include "report/printout.h"
#include "report/record.h"
#include "report/table.h"
#include "wire/wire.h"

static void diff_print_json(const struct differences *d)
{
	struct printout p = {.as_json = true};

	printout_begin(&p, (struct sv){0}, "differences");
	for (enum difference_kind kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++) {
		for (size_t i = 0; i < d->lists[kind].len; i++) {
			difference_record(&p.record, &d->lists[kind].at[i]);
			printout_add(&p);
		}
	}
	printout_count(&p, "count", d->count);
	printout_end(&p);
}

static void diff_print_text(const struct differences *d, bool color)
{
	struct record r = {0};

	for (enum difference_kind kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++) {
		struct table table = {.columns = DIFFERENCE_COLUMN_COUNT};

		if (!d->counts[kind])
			continue;
		paints_init(&table.paints, color, NULL);
		printf(color ? "\033[1m%s\033[0m\n" : "%s\n", difference_kind_heading(kind));
		for (size_t i = 0; i < d->lists[kind].len; i++) {
			difference_record(&r, &d->lists[kind].at[i]);
			table_add(&table, &r);
		}
		table_print(&table);
		if (d->counts[kind] > d->lists[kind].len)
			printf("and %" PRIu64 " more\n", d->counts[kind] - d->lists[kind].len);
	}
	record_release(&r);
}

/* External data is relative to the model: is it the same folder? */
static bool same_folder(const struct wire *a, const struct wire *b)
{
	struct stat stamps[2];
	const struct wire *both[] = {a, b};

	for (size_t i = 0; i < ARRAY_LEN(both); i++) {
		struct str folder = {0};
		bool found;

		str_add(&folder, sv_folder(str_sv(&both[i]->path)));
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
