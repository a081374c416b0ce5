#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "base/err.h"
#include "base/nearest.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/args.h"
#include "export/snippet/snippet.h"
#include "infer/infer.h"
#include "wire/wire.h"

struct ranges {
	struct snippet_range *at; /* owned */
	size_t len;
	size_t cap;
};

/* MIN,OPT,MAX with MIN <= OPT <= MAX. */
static bool snippet_cmd_read_sizes(struct sv text, struct snippet_range *out)
{
	int64_t *const sizes[] = {&out->min, &out->best, &out->max};

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		bool more = sv_has(text, ',');

		if (!sv_int(sv_cut(&text, ','), sizes[i]) || more != (i + 1 < ARRAY_LEN(sizes)))
			return false;
	}
	return out->min >= 0 && out->min <= out->best && out->best <= out->max;
}

static bool read_ranges(const struct app *app, struct ranges *out, struct err *err)
{
	for (size_t i = 0; i < app->args->all.len; i++) {
		const struct given *g = &app->args->all.at[i];
		struct snippet_range *range;
		struct sv sizes;

		if (g->option != OPTION_RANGE)
			continue;
		range = vec_add(out);
		if (!sv_split_last(sv_of(g->value), '=', &range->name, &sizes) ||
		    !snippet_cmd_read_sizes(sizes, range))
			return err_set(err, ERR_USAGE,
				       "--range takes NAME=MIN,OPT,MAX with MIN <= OPT <= MAX, "
				       "not '%s'",
				       g->value);
	}
	return true;
}

static bool snippet_cmd_read_target(const struct app *app, enum snippet_target *out,
				    struct err *err)
{
	const char *given = args_has(app->args, OPTION_FOR) ? app->args->values[OPTION_FOR] : NULL;
	struct str names = {0};

	*out = given ? snippet_target(sv_of(given)) : SNIPPET_TARGET_COUNT;
	if (*out != SNIPPET_TARGET_COUNT)
		return true;
	snippet_target_names(&names);
	if (given) {
		err_set(err, ERR_USAGE, "--for must be %s, not '%s'", str_c(&names), given);
		nearest_suggest(err, snippet_target_nearest(sv_of(given)));
	} else {
		err_set(err, ERR_USAGE, "snippet needs --for %s", str_c(&names));
	}
	str_release(&names);
	return false;
}

/* A model from standard input or the demo has no file for other tools to open. */
static struct sv file_name(const struct app *app)
{
	if (args_has(app->args, OPTION_DEMO))
		return SV("demo.onnx");
	return strcmp(app->args->words.at[0], "-") == 0 ? SV("model.onnx")
							: sv_of(app->args->words.at[0]);
}

static bool print_snippet(const struct app *app, struct snippet_request *request, struct err *err)
{
	struct str text = {0};
	struct infer in;
	struct wire w;
	bool ok;

	if (!open_only(app, &w, err))
		return false;
	request->file = file_name(app);
	infer_run(&in, &w.model, (struct infer_options){0});
	ok = snippet_make(&text, &in, request, err);
	if (ok)
		fwrite(str_c(&text), 1, text.len, stdout);
	str_release(&text);
	infer_release(&in);
	wire_release(&w);
	return ok;
}

enum exit_code run_snippet(const struct app *app)
{
	struct snippet_request request = {0};
	struct ranges ranges = {0};
	struct err err;
	bool ok = snippet_cmd_read_target(app, &request.target, &err) &&
		  read_ranges(app, &ranges, &err);

	request.ranges = ranges.at;
	request.range_count = ranges.len;
	ok = ok && print_snippet(app, &request, &err);
	vec_release(&ranges);
	return ok ? EXIT_DONE : complain(&err);
}
