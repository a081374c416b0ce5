#include "ui/search/query.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/str.h"
#include "base/sv.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "sym/sym.h"
#include "ui/search/hit.h"
#include "ui/search/pattern.h"
#include "ui/search/term.h"

enum {
	LONGEST_PATTERN = 200,
	MAX_TERMS = 16
};

static bool has_upper(struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] >= 'A' && text.at[i] <= 'Z')
			return true;
	}
	return false;
}

/* ~attn.*MatMul or /attn.*MatMul/: takes the marks away. */
static bool query_take_pattern(struct sv *word)
{
	if (sv_starts(*word, SV("~"))) {
		*word = sv_skip(*word, 1);
		return true;
	}
	if (word->len < 3 || word->at[0] != '/' || word->at[word->len - 1] != '/')
		return false;
	*word = (struct sv){word->at + 1, word->len - 2};
	return true;
}

static bool read_names(struct term *t, const struct query *q, struct err *err)
{
	struct sv text = str_sv(&t->text);
	bool is_pattern = query_take_pattern(&text);
	size_t names = intern_count(&q->in.screen->subject.model->names);

	t->fits = fits_names;
	if (text.len > LONGEST_PATTERN)
		return err_set(err, ERR_USAGE, "pattern exceeds %d bytes", LONGEST_PATTERN);
	if (is_pattern) {
		if (!pattern_init(&t->pattern, text, !t->exact, err))
			return false;
		t->has_pattern = true;
	}
	t->known = calloc(names + 1, 1);
	BUG_ON(!t->known);
	return true;
}

static bool read_dim(struct term *t, struct query *q, struct err *err)
{
	const struct sym_pool *pool = &q->in.screen->subject.infer->pool;

	if (sv_is(str_sv(&t->text), "?"))
		t->dim = DIM_IS_UNKNOWN;
	else if (sv_int(str_sv(&t->text), &t->number))
		t->dim = DIM_IS_NUMBER;
	else if (sym_symbol_id(pool, sym_find(pool, str_sv(&t->text)), &t->symbol))
		t->dim = DIM_HAS_SYMBOL;
	else
		return err_set(err, ERR_USAGE, "no such symbol '%s' (see pane %d)", str_c(&t->text),
			       PANE_SYMBOLS + 1);
	return true;
}

static bool read_is(struct term *t, struct query *q, struct err *err)
{
	static const struct {
		const char *name;
		fit_node *fits;
	} states[] = {
		{"unknown", fits_unknown},
		{"changed", fits_changed},
		{"problem", fits_problem},
	};

	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		if (sv_is(str_sv(&t->text), states[i].name)) {
			t->fits = states[i].fits;
			return true;
		}
	}
	for (int i = 0; i < HIT_KIND_COUNT; i++) {
		if (sv_is(str_sv(&t->text), hit_row((enum hit_kind)i)->one)) {
			t->fits = NULL;
			q->only = (enum hit_kind)i;
			return true;
		}
	}
	return err_set(err, ERR_USAGE,
		       "use is:unknown, is:changed, is:problem, or a kind such as is:weight");
}

typedef bool read_term(struct term *t, struct query *q, struct err *err);

static const struct {
	const char *prefix;
	fit_node *fits;
	read_term *read;
} query_filters[] = {
	{"op:", fits_op, NULL},    {"dim:", fits_dim, read_dim}, {"shape:", fits_shape, NULL},
	{"in:", fits_scope, NULL}, {"is:", NULL, read_is},
};

/* Its row; their number for a name. */
static size_t query_filter(struct sv word)
{
	size_t i = 0;

	while (i < ARRAY_LEN(query_filters) && !sv_starts(word, sv_of(query_filters[i].prefix)))
		i++;
	return i;
}

bool query_has_unmarked_pattern(struct sv text)
{
	while (text.len) {
		struct sv word = sv_cut(&text, ' ');

		/* In a shape a star is a size. */
		if (query_filter(word) < ARRAY_LEN(query_filters) || sv_starts(word, SV("~")))
			continue;
		for (size_t i = 0; i < word.len; i++) {
			if (word.at[i] && strchr("\\^$*[]|()+?{}", word.at[i]))
				return true;
		}
	}
	return false;
}

static bool add_term(struct query *q, struct sv word, struct err *err)
{
	struct term *t = must_alloc(sizeof(*t));
	size_t i = query_filter(word);

	*t = (struct term){0};
	vec_push(&q->terms, t);
	if (i < ARRAY_LEN(query_filters))
		word = sv_skip(word, strlen(query_filters[i].prefix));
	str_add(&t->text, word);
	t->exact = has_upper(word);
	if (i == ARRAY_LEN(query_filters))
		return read_names(t, q, err);
	if (word.len == 0 || word.len > LONGEST_PATTERN)
		return err_set(err, ERR_USAGE, "%s needs a value", query_filters[i].prefix);
	t->fits = query_filters[i].fits;
	if (query_filters[i].read && !query_filters[i].read(t, q, err))
		return false;
	q->filters |= t->fits != NULL;
	return true;
}

static void note_problems(struct query *q)
{
	const struct infer *in = q->in.screen->subject.infer;
	size_t nodes = q->in.screen->subject.model->nodes.len;

	q->in.has_problem = calloc(nodes + 1, 1);
	BUG_ON(!q->in.has_problem);
	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];
		/* What is wrong with a weight is found where it is read. */
		uint32_t node = f->node || !f->value ? f->node : scope_reader(in->model, f->value);

		if (node && node < nodes)
			q->in.has_problem[node] = 1;
	}
}

bool query_init(struct query *q, const struct screen *s, struct sv text, struct err *err)
{
	bool ok = true;

	*q = (struct query){.in = {.screen = s}, .only = HIT_KIND_COUNT};
	for (text = sv_trim(text); ok && text.len; text = sv_trim(text)) {
		struct sv word = sv_cut(&text, ' ');

		ok = q->terms.len < MAX_TERMS ? add_term(q, word, err)
					      : err_set(err, ERR_USAGE, "too many words");
	}
	if (ok && q->terms.len == 0)
		ok = err_set(err, ERR_USAGE, "empty search");
	if (ok)
		note_problems(q);
	else
		query_release(q);
	return ok;
}

void query_release(struct query *q)
{
	for (size_t i = 0; i < q->terms.len; i++) {
		struct term *t = q->terms.at[i];

		if (t->has_pattern)
			pattern_release(&t->pattern);
		str_release(&t->text);
		free(t->known);
		free(t);
	}
	vec_release(&q->terms);
	free(q->in.has_problem);
	q->in.has_problem = NULL;
}

/* Filters about kinds have no function. */
bool query_fits(const struct query *q, uint32_t node)
{
	for (size_t i = 0; i < q->terms.len; i++) {
		struct term *t = q->terms.at[i];

		if (t->fits && !t->fits(t, &q->in, node))
			return false;
	}
	return true;
}

bool query_fits_called(const struct query *q, uint32_t node)
{
	for (size_t i = 0; i < q->terms.len; i++) {
		if (q->terms.at[i]->known && !fits_called(q->terms.at[i], &q->in, node))
			return false;
	}
	return true;
}

bool query_fits_text(const struct query *q, struct sv text)
{
	for (size_t i = 0; i < q->terms.len; i++) {
		if (q->terms.at[i]->known && !term_fits_text(q->terms.at[i], text))
			return false;
	}
	return true;
}

bool query_fits_value(const struct query *q, uint32_t value)
{
	const struct model *m = q->in.screen->subject.model;

	for (size_t i = 0; i < q->terms.len; i++) {
		if (q->terms.at[i]->known &&
		    !term_fits_name(q->terms.at[i], m, m->values.at[value].name))
			return false;
	}
	return true;
}

bool query_fits_end(const struct query *q, struct sv path)
{
	struct sv end = sv_after_last(path, '/');

	for (size_t i = 0; i < q->terms.len; i++) {
		if (q->terms.at[i]->known && term_fits_text(q->terms.at[i], end))
			return true;
	}
	return false;
}
