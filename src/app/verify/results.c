#include <stdlib.h>

#include "app/verify/internal.h"
#include "app/verify/verify.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/words.h"

static bool bad_answer(struct sv line, struct err *err)
{
	return err_set(err, ERR_FORMAT, "Python answered something else: %.*s",
		       (int)MIN(line.len, 120), line.at);
}

static void set_text(struct str *out, struct sv text)
{
	str_clear(out);
	str_add(out, text);
}

/* The words are followed by a NUL. */
static double word_float(struct sv word)
{
	return strtod(word.at, NULL);
}

static uint64_t word_count(struct sv word)
{
	int64_t n;

	return sv_int(word, &n) && n > 0 ? (uint64_t)n : 0;
}

/* The run that a line is about; NULL when it cannot be. */
static struct verify_trial *answers_trial(struct answers *a, struct sv word)
{
	int64_t n;

	if (!a->open || !sv_int(word, &n) || n < 0 || (uint64_t)n >= a->result->trials.len)
		return NULL;
	return &a->result->trials.at[n];
}

static void take_numbers(struct verify_trial *t, const struct sv *w, bool differs)
{
	t->verdict = differs ? VERIFY_DIFFERS : VERIFY_RUNS;
	t->seconds = word_float(w[2]);
	t->difference = word_float(w[3]);
	set_text(&t->place, w[4]);
	set_text(&t->values[0], w[5]);
	set_text(&t->values[1], w[6]);
	t->unequal = word_count(w[7]);
	t->total = word_count(w[8]);
	if (!differs && t->total)
		t->verdict = VERIFY_EQUAL;
}

static bool trial_line(struct answers *a, const struct sv *w, size_t count, bool *out)
{
	struct verify_trial *t = answers_trial(a, w[1]);
	bool differs = sv_is(w[0], "differs");

	if (!t)
		return false;
	if (sv_is(w[0], "begin")) {
		a->current = (size_t)(t - a->result->trials.at) + 1;
		*out = true;
		return true;
	}
	*out = count == 9 && (differs || sv_is(w[0], "done"));
	if (*out) {
		take_numbers(t, w, differs);
	} else if (count == 3) {
		*out = true;
		set_text(&t->message, w[2]);
		t->verdict = sv_is(w[0], "shape")     ? VERIFY_SHAPE
			     : sv_is(w[0], "unequal") ? VERIFY_DIFFERS
						      : VERIFY_FAILED;
	}
	a->done += *out;
	a->current = *out ? 0 : a->current;
	return true;
}

static bool tell_missing(const struct answers *a, struct sv package, struct sv why, struct err *err)
{
	const char *python = str_c(&a->result->python);

	if (why.len)
		return err_set(err, ERR_SYSTEM, "%s cannot import %.*s: %.*s", python,
			       (int)package.len, package.at, (int)MIN(why.len, 200), why.at);
	return err_set(err, ERR_SYSTEM,
		       "%s has no %.*s; install it with %s -m pip install %.*s, or name another "
		       "Python in $AXED_PYTHON",
		       python, (int)package.len, package.at, python, (int)package.len, package.at);
}

/* Lines before the first run. */
static bool start_line(struct answers *a, const struct sv *w, size_t count, struct sv line,
		       struct err *err)
{
	if (sv_is(w[0], "hello") && count == 4) {
		for (size_t i = 0; i < 3; i++)
			set_text(&a->result->versions[i], w[i + 1]);
		a->hello = true;
		return true;
	}
	if (sv_is(w[0], "missing") && count == 3)
		return tell_missing(a, w[1], w[2], err);
	if (sv_is(w[0], "old") && count == 2)
		return err_set(err, ERR_SYSTEM, "%s is Python %.*s; verify needs 3.7 or newer",
			       str_c(&a->result->python), (int)w[1].len, w[1].at);
	if (sv_is(w[0], "unloadable") && count == 3 && a->hello) {
		if (sv_is(w[1], "0") && !a->alone)
			return err_set(err, ERR_FORMAT,
				       "ONNX Runtime cannot load the first model: %.*s",
				       (int)MIN(w[2].len, 300), w[2].at);
		set_text(&a->unloadable, w[2]);
		a->end = true;
		return true;
	}
	return bad_answer(line, err);
}

bool answers_line(struct answers *a, struct sv line, struct err *err)
{
	struct words words = {0};
	const struct sv *w;
	bool ok, good = false;

	if (!words_split(&words, line, err))
		return bad_answer(line, err);
	w = words.at.at;
	if (words.at.len && a->hello && words.at.len == 1 &&
	    (sv_is(w[0], "open") || sv_is(w[0], "end"))) {
		a->open |= sv_is(w[0], "open");
		a->end |= sv_is(w[0], "end");
		ok = true;
	} else if (words.at.len >= 2 && a->open && trial_line(a, w, words.at.len, &good)) {
		ok = good || bad_answer(line, err);
	} else {
		ok = words.at.len ? start_line(a, w, words.at.len, line, err)
				  : bad_answer(line, err);
	}
	words_release(&words);
	return ok;
}
