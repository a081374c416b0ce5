/*
 * Where an export goes: a file by its ending, standard output, or a folder for many models.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app.h"
#include "app/cli_export.h"
#include "base/err.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "cmd/args.h"
#include "export/formats.h"
#include "wire/atomic.h"
#include "wire/destination.h"
#include "wire/wire.h"

/* ---- targets ---- */

static bool is_folder(const char *path)
{
	struct stat st;
	size_t len = strlen(path);

	return (len && path[len - 1] == '/') || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static bool choose_format(const struct app *app, const char *output, struct wish *w,
			  struct err *err)
{
	const char *name = args_has(app->args, OPTION_FORMAT) ? app->args->values[OPTION_FORMAT]
							      : NULL;

	w->format = name ? format_named(sv_of(name)) : format_of_file(sv_of(output));
	if (w->format)
		return true;
	if (name)
		return err_set(err, ERR_USAGE, "--format must be " FORMAT_NAMES ", not '%s'", name);
	if (sv_is(sv_of(output), "-") || is_folder(output))
		return err_set(err, ERR_USAGE,
			       "'%s' has no ending to tell the format; use "
			       "--format " FORMAT_NAMES,
			       output);
	return err_set(err, ERR_USAGE,
		       "%s: the ending must be " FORMAT_ENDING_CHOICE ", or use --format", output);
}

void export_file_name(struct str *out, const char *model, const struct format *format)
{
	struct sv name = sv_after_last(sv_of(model), '/');

	if (sv_is(name, "-"))
		name = SV("stdin");
	if (sv_ends(name, SV(".onnx")) && name.len > 5)
		name.len -= 5;
	str_add(out, name);
	str_add(out, format_ending(format));
}

static const char *model_word(const struct app *app, size_t model)
{
	return args_has(app->args, OPTION_DEMO) ? "demo" : app->args->words.at[model];
}

bool export_target(const struct app *app, size_t model, struct wish *w, struct err *err)
{
	const char *output = app->args->values[OPTION_OUTPUT];

	if (!args_has(app->args, OPTION_OUTPUT))
		return err_set(err, ERR_USAGE,
			       "export needs -o FILE, or -o DIR/ --format NAME, or -o -");
	if (!choose_format(app, output, w, err))
		return false;
	str_text(&w->target, output);
	if (is_folder(output) && model < model_count(app)) {
		str_text(&w->target, w->target.at[w->target.len - 1] == '/' ? "" : "/");
		export_file_name(&w->target, model_word(app, model), w->format);
	}
	if (sv_is(sv_of(output), "-") && w->format->flags & FORMAT_BINARY && isatty(STDOUT_FILENO))
		return err_set(err, ERR_USAGE, "standard output is a terminal, but %s is binary",
			       w->format->name);
	return true;
}

/* ---- many ---- */

/* Hard links and other spellings of a path included. */
static bool is_a_model(const struct app *app, const char *target)
{
	struct stat there, st;

	if (args_has(app->args, OPTION_DEMO) || stat(target, &there) != 0)
		return false;
	for (size_t i = 0; i < app->args->words.len; i++) {
		if (stat(app->args->words.at[i], &st) == 0 && st.st_dev == there.st_dev &&
		    st.st_ino == there.st_ino)
			return true;
	}
	return false;
}

static bool can_be_stream(const struct format *f, struct err *err)
{
	struct str labels = {0};

	if (f->flags & FORMAT_STREAM)
		return true;
	format_labels(&labels, FORMAT_STREAM);
	err_set(err, ERR_USAGE, "several models can only go to standard output as %s; use -o DIR/",
		str_c(&labels));
	str_release(&labels);
	return false;
}

static bool can_be_many(const struct app *app, const struct wish *w, struct err *err)
{
	const char *output = app->args->values[OPTION_OUTPUT];

	if (model_count(app) < 2 || is_folder(output))
		return true;
	if (sv_is(sv_of(output), "-"))
		return can_be_stream(w->format, err);
	return err_set(err, ERR_USAGE, "several models need a folder: -o DIR/ --format %s",
		       w->format->name);
}

static bool folder_is_there(const char *output, struct err *err)
{
	struct stat st;

	return !is_folder(output) || (stat(output, &st) == 0 && S_ISDIR(st.st_mode)) ||
	       err_set(err, ERR_USAGE, "there is no folder '%s'", output);
}

bool export_targets_ok(const struct app *app, struct err *err)
{
	struct intern names = {0};
	struct map firsts = {0}; /* name -> model + 1 */
	bool ok = true;

	for (size_t i = 0; ok && i < MAX(model_count(app), 1); i++) {
		struct wish w = {0};
		uint32_t *first;

		ok = export_target(app, i, &w, err) && can_be_many(app, &w, err) &&
		     folder_is_there(app->args->values[OPTION_OUTPUT], err);
		first = map_at(&firsts, ok ? intern_add(&names, str_sv(&w.target)) : 0);
		if (ok && *first && !sv_is(str_sv(&w.target), "-"))
			ok = err_set(err, ERR_USAGE, "%s and %s would both be written to %s",
				     model_word(app, *first - 1), model_word(app, i),
				     str_c(&w.target));
		if (ok && is_a_model(app, str_c(&w.target)))
			ok = err_set(err, ERR_USAGE, "%s is one of the input models",
				     str_c(&w.target));
		*first = (uint32_t)i + 1;
		str_release(&w.target);
	}
	intern_release(&names);
	map_release(&firsts);
	return ok;
}

/* ---- writing ---- */

static bool is_stream(const struct wish *w)
{
	return sv_is(str_sv(&w->target), "-");
}

static bool resolve_target(const struct wish *w, struct wire *source, struct destination *out,
			   struct err *err)
{
	const struct destination_rules rules = {
		.kind = DESTINATION_TEXT, .fresh = w->fresh, .source = source};

	return destination_resolve(out, str_c(&w->target), &rules, err);
}

bool export_may_write(const struct wish *w, struct wire *source, struct err *err)
{
	struct destination t;

	if (is_stream(w))
		return true;
	if (!resolve_target(w, source, &t, err))
		return err_prefix(err, "%s", str_c(&w->target));
	destination_release(&t);
	return true;
}

static bool copy_to_file(FILE *from, const struct destination *target, struct err *err)
{
	char block[65536];
	struct atomic_file a;
	bool ok = true;
	size_t got;

	if (!atomic_begin(&a, target, err))
		return false;
	while (ok && (got = fread(block, 1, sizeof(block), from)) > 0)
		ok = file_write_all(a.fd, block, got) || err_system(err, "cannot be written");
	ok = ok && (!ferror(from) || err_system(err, "cannot read the result back"));
	ok = ok && atomic_commit(&a, err);
	atomic_cancel(&a);
	return ok;
}

static bool copy_to_stream(FILE *from, struct err *err)
{
	char block[65536];
	size_t got;

	while ((got = fread(block, 1, sizeof(block), from)) > 0)
		(void)fwrite(block, 1, got, stdout); /* failures are reported once, at exit */
	return !ferror(from) || err_system(err, "cannot read the result back");
}

bool export_deliver(FILE *from, const struct wish *w, struct wire *source, struct err *err)
{
	struct destination t;
	bool ok;

	if (is_stream(w))
		return copy_to_stream(from, err);
	ok = resolve_target(w, source, &t, err);
	if (ok) {
		ok = copy_to_file(from, &t, err);
		destination_release(&t);
	}
	return ok || err_prefix(err, "%s", str_c(&w->target));
}
