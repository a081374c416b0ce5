#include "infer/sentence.h"

#include <inttypes.h>

#include "base/bug.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "infer/condition.h"
#include "infer/internal.h"
#include "infer/sizes.h"
#include "infer/verdict.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/need.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	MAX_SENTENCE = 479,
	MAX_NAME = 100, /* bytes of a name in a sentence */
	MAX_PLACE = 200
};

static const char *const finding_sentences[FINDING_KIND_COUNT] = {
#define FINDING(id, sentence) sentence,
#include "infer/findings.def"
};

/* ---- placeholders ---- */

/* Bytes of a sentence that are a size or a condition. */
struct sentence_size {
	size_t from, end;
};

struct sentence_sizes {
	struct sentence_size *at; /* owned */
	size_t len;
	size_t cap;
};

/* The finding to print. */
struct wording {
	const struct infer *in;       /* borrowed */
	const struct finding *f;      /* borrowed */
	struct str *out;              /* borrowed */
	struct sentence_sizes *sizes; /* borrowed: where sizes are in it; NULL: nobody asks */
};

typedef void word_function(const struct wording *w);

static void word_a(const struct wording *w)
{
	sym_say(&w->in->pool, w->f->a, w->out);
}

static void word_b(const struct wording *w)
{
	sym_say(&w->in->pool, w->f->b, w->out);
}

static void word_n(const struct wording *w)
{
	str_format(w->out, "%" PRId64, w->f->n);
}

static void word_m(const struct wording *w)
{
	str_format(w->out, "%" PRId64, w->f->m);
}

static void word_axis(const struct wording *w)
{
	str_format(w->out, "%" PRId32, w->f->axis);
}

static void word_text(const struct wording *w)
{
	str_text(w->out, w->f->text);
}

static void print_sentence(const struct wording *w, struct sv sentence);

static const struct fact *word_fact(const struct wording *w)
{
	return w->f->fact ? &w->in->facts.at[w->f->fact - 1] : NULL;
}

/* A reader can count elements; what is left of the numbers after cancelling, they cannot. */
static void word_sizes(const struct wording *w)
{
	const struct fact *f = word_fact(w);
	bool counted = f && !sym_is_unknown(f->in) && !sym_is_unknown(f->out);

	print_sentence(w, sv_of(counted ? "{elements in} elements in, {elements out} out"
					: "{text}: {a} and {b}"));
}

static void word_elements_in(const struct wording *w)
{
	sym_say(&w->in->pool, word_fact(w)->in, w->out);
}

static void word_elements_out(const struct wording *w)
{
	sym_say(&w->in->pool, word_fact(w)->out, w->out);
}

static void word_condition(const struct wording *w)
{
	bound_print(w->in, w->f->a, w->out);
}

static void word_range(const struct wording *w)
{
	word_n(w);
	if (w->f->m != w->f->n) {
		str_text(w->out, " \u2026 ");
		word_m(w);
	}
}

static void add_cut(struct str *out, struct sv text, size_t most)
{
	struct sv kept = utf8_cut(text, most);

	str_add(out, kept);
	str_text(out, kept.len < text.len ? "\u2026" : "");
}

static void word_symbol(const struct wording *w)
{
	add_cut(w->out, sym_name(&w->in->pool, w->f->symbol), MAX_NAME);
}

/* "H", "H and W", "a, b and c" */
static void add_symbols(const struct wording *w, struct str *out)
{
	for (uint32_t i = 0; i < w->f->symbol_count; i++) {
		struct sv name = sym_name(&w->in->pool, w->f->symbols[i]);
		bool last = i + 1 == w->f->symbol_count;

		str_text(out, i == 0 ? "" : last ? " and " : ", ");
		add_cut(out, name, MAX_NAME);
	}
}

static void word_multiple(const struct wording *w)
{
	struct str names = {0};

	add_symbols(w, &names);
	sizes_print_multiple(w->f->sizes, str_sv(&names), w->f->symbol_count > 1, w->out);
	str_release(&names);
}

static void word_limits(const struct wording *w)
{
	struct str names = {0};

	add_symbols(w, &names);
	sizes_print_limits(w->f->sizes, str_sv(&names), w->out);
	str_release(&names);
}

static void word_unless(const struct wording *w)
{
	if (sym_is_unknown(w->f->unless))
		return;
	str_text(w->out, " unless ");
	sym_say(&w->in->pool, w->f->unless, w->out);
	str_text(w->out, " is 0");
}

static void word_need(const struct wording *w)
{
	need_print(w->in, (enum fact_kind)w->f->n, w->f->a, w->f->b, w->out);
}

static void word_branch(const struct wording *w)
{
	struct str place = {0};

	graph_in_words(&place, w->in->model, w->f->branch);
	add_cut(w->out, str_sv(&place), MAX_PLACE);
	str_release(&place);
}

static void word_constant(const struct wording *w)
{
	const struct model *m = w->in->model;
	const struct fact *f = word_fact(w);
	uint32_t constant = f ? fact_constant(w->in, f) : 0;

	if (!constant)
		return;
	str_text(w->out, fact_is_weight(w->in, f) ? "; the weight is " : "; the constant is ");
	add_cut(w->out, model_name(m, m->values.at[constant].name), MAX_NAME);
}

static void word_elem_n(const struct wording *w)
{
	elem_print(w->out, (int32_t)w->f->n);
}

static void word_elem_m(const struct wording *w)
{
	elem_print(w->out, (int32_t)w->f->m);
}

static void word_kind_n(const struct wording *w)
{
	str_text(w->out, type_kind_name((enum type_kind)w->f->n));
}

static void word_kind_m(const struct wording *w)
{
	str_text(w->out, type_kind_name((enum type_kind)w->f->m));
}

static void word_op(const struct wording *w)
{
	const struct model *m = w->in->model;

	str_add(w->out, model_name(m, m->nodes.at[w->f->node].op));
}

static void word_operator(const struct wording *w)
{
	const struct model *m = w->in->model;
	const struct node *n = &m->nodes.at[w->f->node];

	str_add_shown(w->out, model_name(m, n->domain));
	str_text(w->out, n->domain ? "." : "");
	str_add_shown(w->out, model_name(m, n->op));
}

static const struct {
	const char *name;
	word_function *print;
	bool is_size; /* or a condition */
} finding_words[] = {
	{"a", word_a, true},
	{"b", word_b, true},
	{"n", word_n, false},
	{"m", word_m, false},
	{"axis", word_axis, false},
	{"text", word_text, false},
	{"sizes", word_sizes, false},
	{"elements in", word_elements_in, true},
	{"elements out", word_elements_out, true},
	{"symbol", word_symbol, true},
	{"op", word_op, false},
	{"constant", word_constant, false},
	{"elem n", word_elem_n, false},
	{"elem m", word_elem_m, false},
	{"condition", word_condition, true},
	{"kind n", word_kind_n, false},
	{"kind m", word_kind_m, false},
	{"operator", word_operator, false},
	{"range", word_range, false},
	{"multiple", word_multiple, true},
	{"limits", word_limits, true},
	{"unless", word_unless, false},
	{"need", word_need, true},
	{"branch", word_branch, false},
};

/* ---- the sentence ---- */

static void print_word(const struct wording *w, struct sv name)
{
	for (size_t i = 0; i < ARRAY_LEN(finding_words); i++) {
		size_t from = w->out->len;

		if (!sv_is(name, finding_words[i].name))
			continue;
		finding_words[i].print(w);
		if (finding_words[i].is_size && w->sizes)
			vec_push(w->sizes, ((struct sentence_size){from, w->out->len}));
		return;
	}
	bug(__FILE__, __LINE__, "a placeholder of findings.def has no function");
}

static void print_sentence(const struct wording *w, struct sv sentence)
{
	while (sentence.len) {
		str_add(w->out, sv_cut(&sentence, '{'));
		if (sentence.len)
			print_word(w, sv_cut(&sentence, '}'));
	}
}

static void print_bounded(const struct infer *in, const struct finding *f, struct sv sentence,
			  struct str *out)
{
	struct str text = {0};

	print_sentence(&(struct wording){.in = in, .f = f, .out = &text}, sentence);
	add_cut(out, str_sv(&text), MAX_SENTENCE);
	str_release(&text);
}

void finding_walk(const struct infer *in, const struct finding *f, sentence_piece *piece,
		  void *context)
{
	struct sentence_sizes sizes = {0};
	struct str text = {0}, shown = {0};
	size_t at = 0, kept;

	print_sentence(&(struct wording){in, f, &text, &sizes}, sv_of(finding_sentences[f->kind]));
	kept = utf8_cut(str_sv(&text), MAX_SENTENCE).len;
	add_cut(&shown, str_sv(&text), MAX_SENTENCE);
	for (size_t i = 0; i < sizes.len; i++) {
		size_t from = MIN(sizes.at[i].from, kept), end = MIN(sizes.at[i].end, kept);

		piece(context, (struct sv){shown.at + at, from - at}, false);
		piece(context, (struct sv){shown.at + from, end - from}, true);
		at = end;
	}
	piece(context, sv_skip(str_sv(&shown), at), false);
	vec_release(&sizes);
	str_release(&text);
	str_release(&shown);
}

void finding_print(const struct infer *in, const struct finding *f, struct str *out)
{
	print_bounded(in, f, sv_of(finding_sentences[f->kind]), out);
}

void finding_print_condition(const struct infer *in, const struct finding *f, struct str *out)
{
	struct sv sentence = sv_of(finding_sentences[f->kind]);

	print_bounded(in, f, sv_cut(&sentence, ':'), out);
}
