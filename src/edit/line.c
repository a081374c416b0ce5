#include "edit/line.h"

#include "base/err.h"
#include "base/sv.h"
#include "base/words.h"
#include "edit/repair/repair.h"
#include "edit/set.h"

typedef bool run_words(struct document *d, const struct sv *words, size_t count, struct err *err);

static const struct {
	const char *name;
	run_words *run;
} line_verbs[] = {
	{"set", set_words},
	{"repair", repair_words},
};

bool document_run(struct document *d, struct sv line, struct err *err)
{
	struct words words;
	bool ok, known = false;

	if (!words_split(&words, line, err))
		return false;
	ok = words.at.len == 0;
	for (size_t i = 0; !ok && !known && i < ARRAY_LEN(line_verbs); i++) {
		known = sv_is(words.at.at[0], line_verbs[i].name);
		if (known)
			ok = line_verbs[i].run(d, words.at.at + 1, words.at.len - 1, err);
	}
	if (!ok && !known)
		err_set(err, ERR_USAGE, "unknown edit '%.*s'; use set or repair",
			(int)MIN(words.at.at[0].len, 100), words.at.at[0].at);
	words_release(&words);
	return ok;
}

bool document_preview(struct document *d, struct sv line, struct err *err)
{
	bool ok;

	document_begin_preview(d);
	ok = document_run(d, line, err);
	document_show_preview(d);
	return ok;
}
