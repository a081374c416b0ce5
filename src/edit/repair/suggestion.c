#include "edit/repair/suggestion.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "edit/document.h"
#include "edit/repair/repair.h"

enum {
	SUGGESTION_MAX = 8 /* axes that are added */
};

struct axis_words {
	struct str *at; /* owned */
	size_t len;
	size_t cap;
};

/* x of x:0=batch. */
static struct sv word_input(struct sv word)
{
	struct sv axis, name, input, number;

	if (!sv_split_last(word, '=', &axis, &name))
		axis = word;
	return sv_split_last(axis, ':', &input, &number) ? input : axis;
}

/* An input has its items on one axis: the one that the flow asks for is the right one. */
static bool suggestion_add(struct axis_words *words, struct sv wanted)
{
	for (size_t i = 0; i < words->len; i++) {
		struct sv word = str_sv(&words->at[i]);

		if (sv_eq(word, wanted))
			return false;
		if (!sv_eq(word_input(word), word_input(wanted)) ||
		    !sv_eq(sv_after_last(word, '='), sv_after_last(wanted, '=')))
			continue;
		str_clear(&words->at[i]);
		str_add(&words->at[i], wanted);
		return true;
	}
	str_add(vec_add(words), wanted);
	return true;
}

/* Would these axes be freed together?  Else, in `wanted`, which one would be needed too. */
static bool suggestion_works(struct document *d, const struct axis_words *words,
			     const struct repair_options *options, struct str *wanted)
{
	struct repair_options alone = *options;
	struct repair_report report = {0};
	VEC(struct sv) axes = {0};
	size_t done = d->done, freed = 0;
	struct err ignored;
	bool ok;

	alone.batch = (struct sv){"", 0};
	for (size_t i = 0; i < words->len; i++)
		vec_push(&axes, str_sv(&words->at[i]));
	ok = document_repair(d, axes.at, axes.len, &alone, &report, &ignored);
	for (size_t i = 0; i < report.len; i++)
		freed += report.at[i].freed;
	if (d->done > done)
		document_forget(d);
	str_clear(wanted);
	str_add(wanted, str_sv(&report.wanted));
	ok = ok && freed && freed == report.len;
	vec_release(&axes);
	repair_report_release(&report);
	return ok;
}

void repair_suggest(struct document *d, const struct repair_options *options,
		    struct repair_report *report)
{
	struct axis_words words = {0};
	struct str wanted = {0};
	bool works = false;

	str_add(&wanted, str_sv(&report->wanted));
	for (size_t i = 0; i < report->len; i++) {
		if (report->at[i].followed)
			str_add(vec_add(&words), str_sv(&report->at[i].text));
	}
	for (unsigned i = 0; i < SUGGESTION_MAX && !works && wanted.len; i++) {
		if (!suggestion_add(&words, str_sv(&wanted)))
			break;
		works = suggestion_works(d, &words, options, &wanted);
	}
	for (size_t i = 0; i < words.len; i++) {
		if (works)
			vec_push(&report->suggested, words.at[i]);
		else
			str_release(&words.at[i]);
	}
	vec_release(&words);
	str_release(&wanted);
}

static void suggestion_make_line(const struct repair_report *report, struct str *line)
{
	str_clear(line);
	str_text(line, "repair");
	for (size_t i = 0; i < report->suggested.len; i++)
		words_quote(line, str_sv(&report->suggested.at[i]));
}

bool repair_complete(struct document *d, struct str *line)
{
	struct repair_options options = {.progress = d->working, .context = d->working_context};
	struct repair_report report = {0};
	VEC(struct sv) axes = {0};
	struct words words = {0};
	size_t done = d->done, freed = 0;
	struct err ignored;
	bool ok = words_split(&words, str_sv(line), &ignored);

	for (size_t i = 1; i < words.at.len; i++) {
		if (sv_starts(words.at.at[i], SV("--batch=")))
			options.batch = sv_skip(words.at.at[i], strlen("--batch="));
		else
			vec_push(&axes, words.at.at[i]);
	}
	ok = ok && document_repair(d, axes.at, axes.len, &options, &report, &ignored);
	for (size_t i = 0; i < report.len; i++)
		freed += report.at[i].freed;
	if (d->done > done)
		document_forget(d);
	if (ok && !freed && report.wanted.len)
		repair_suggest(d, &options, &report);
	if (report.suggested.len)
		suggestion_make_line(&report, line);
	ok = ok && (report.suggested.len || (report.len && freed == report.len));
	vec_release(&axes);
	words_release(&words);
	repair_report_release(&report);
	return ok;
}
