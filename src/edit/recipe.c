#include "edit/recipe.h"

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/line.h"
#include "wire/atomic.h"
#include "wire/destination.h"

enum {
	LARGEST_RECIPE = 64 << 20
};

bool recipe_write(struct document *d, const char *path, struct err *err)
{
	const struct destination_rules rules = {.kind = DESTINATION_TEXT, .source = &d->wire};
	struct str text = {0};
	bool ok;

	str_text(&text, "# axed recipe\n");
	for (size_t i = 0; i < d->done; i++) {
		str_add(&text, str_sv(&d->actions.at[i].line));
		str_char(&text, '\n');
	}
	ok = atomic_write(path, &rules, str_sv(&text), err);
	str_release(&text);
	return ok;
}

static bool read_recipe(const char *path, struct str *out, struct err *err)
{
	struct file f = {0};
	bool ok;

	if (!file_open(&f, path, err))
		return err_prefix(err, "%s", path);
	ok = f.size <= LARGEST_RECIPE ||
	     err_set(err, ERR_LIMIT, "%s: too large for a recipe", path);
	if (ok && f.size) {
		str_repeat(out, ' ', f.size);
		ok = file_read(&f, 0, out->at, f.size, err) || err_prefix(err, "%s", path);
	}
	file_release(&f);
	return ok;
}

static bool has_words(struct sv line)
{
	line = sv_trim(line);
	return line.len && line.at[0] != '#';
}

bool recipe_apply(struct document *d, const char *path, bool force, struct recipe_result *out,
		  struct err *err)
{
	struct str text = {0};
	struct sv rest;

	if (!read_recipe(path, &text, err)) {
		str_release(&text);
		return false;
	}
	rest = str_sv(&text);
	for (size_t number = 1; rest.len; number++) {
		struct sv line = sv_cut(&rest, '\n');
		struct err failure;

		if (force ? document_force(d, line, &failure) : document_run(d, line, &failure)) {
			out->done += has_words(line);
		} else {
			out->failed++;
			str_format(&out->failures, "line %zu: %s\n", number, failure.text);
		}
	}
	str_release(&text);
	return true;
}

void recipe_result_release(struct recipe_result *r)
{
	str_release(&r->failures);
}
