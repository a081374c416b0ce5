#include "edit/line.h"

#include "base/err.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "edit/repair/repair.h"
#include "edit/set.h"

typedef bool run_words(struct document *d, const struct sv *words, size_t count, struct err *err);

static const struct {
	const char *name;
	run_words *run;
	bool forces; /* takes --force */
} line_verbs[] = {
	{"set", set_words, true},
	{"repair", repair_words, false},
};

enum line_force {
	FORCE_NONE,
	FORCE_IF_TAKEN,
	FORCE_ONLY /* refuses an edit that does not take it */
};

static bool line_run_words(struct document *d, struct words *words, enum line_force force,
			   struct err *err)
{
	for (size_t i = 0; i < ARRAY_LEN(line_verbs); i++) {
		if (!sv_is(words->at.at[0], line_verbs[i].name))
			continue;
		if (force == FORCE_ONLY && !line_verbs[i].forces)
			return err_set(err, ERR_USAGE, "%s does not accept --force",
				       line_verbs[i].name);
		if (force != FORCE_NONE && line_verbs[i].forces)
			vec_push(&words->at, SV("--force"));
		return line_verbs[i].run(d, words->at.at + 1, words->at.len - 1, err);
	}
	return err_set(err, ERR_USAGE, "unknown edit '%.*s'; use set or repair",
		       (int)MIN(words->at.at[0].len, 100), words->at.at[0].at);
}

static bool line_run(struct document *d, struct sv line, enum line_force force, struct err *err)
{
	struct words words;
	bool ok;

	if (!words_split(&words, line, err))
		return false;
	ok = words.at.len == 0 || line_run_words(d, &words, force, err);
	words_release(&words);
	return ok;
}

bool document_run(struct document *d, struct sv line, struct err *err)
{
	return line_run(d, line, FORCE_NONE, err);
}

bool document_force(struct document *d, struct sv line, struct err *err)
{
	return line_run(d, line, FORCE_IF_TAKEN, err);
}

static bool line_preview(struct document *d, struct sv line, enum line_force force, struct err *err)
{
	bool ok;

	document_begin_preview(d);
	ok = line_run(d, line, force, err);
	document_show_preview(d);
	return ok;
}

bool document_preview(struct document *d, struct sv line, struct err *err)
{
	return line_preview(d, line, FORCE_NONE, err);
}

bool document_preview_refused(struct document *d, struct sv line, struct err *err)
{
	return line_preview(d, line, FORCE_ONLY, err);
}
