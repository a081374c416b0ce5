/*
 * Einsum: "bij,bjk->bik".
 *
 * A letter has the same size in every term (1 is broadcast); "..." stands for the same number of
 * axes everywhere.  Without "->" the result has the axes of "..." and then the letters that occur
 * once, in ASCII order.
 */
#include <inttypes.h>

#include "base/sv.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum {
	LETTERS = 128,
	DOTS = '.', /* in a term: "..." */
	SPAN_UNKNOWN = -1
};

struct label {
	uint32_t uses; /* on the left side */
	struct sym size;
};

/* One side of a comma, without its spaces. */
struct term {
	unsigned char at[RULE_MAX_RANK + 1]; /* letters, or DOTS once */
	uint32_t count;
	bool dotted;
};

struct einsum {
	struct rule *r;
	struct sv left; /* not parsed yet */
	struct sv right;
	bool explicit_result;
	struct label labels[LETTERS];
	bool dotted;      /* "..." is on the left side */
	int32_t span;     /* axes that "..." stands for */
	bool span_merged; /* the axes have been seen once */
	struct sym dots[RULE_MAX_RANK];
};

static bool einsum_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Splits at "->". */
static void einsum_split(struct einsum *e, struct sv text)
{
	e->left = text;
	for (size_t i = 0; i + 1 < text.len; i++) {
		if (text.at[i] == '-' && text.at[i + 1] == '>') {
			e->left.len = i;
			e->right = sv_skip(text, i + 2);
			e->explicit_result = true;
			return;
		}
	}
}

/* Parses one letter or "..."; returns its length, 0 on an error. */
static size_t einsum_take(struct rule *r, struct term *t, struct sv text)
{
	bool dots = text.len >= 3 && text.at[0] == '.' && text.at[1] == '.' && text.at[2] == '.';

	if (text.at[0] == ' ')
		return 1;
	if (!dots && !einsum_is_letter(text.at[0])) {
		rule_error(r, "the equation has an unexpected character");
		return 0;
	}
	if ((dots && t->dotted) || t->count == ARRAY_LEN(t->at)) {
		rule_error(r, dots && t->dotted ? "a term of the equation has two ellipses"
						: "a term of the equation is too long");
		return 0;
	}
	t->at[t->count++] = dots ? DOTS : (unsigned char)text.at[0];
	t->dotted = t->dotted || dots;
	return dots ? 3 : 1;
}

/* Parses a term up to a comma or the end; *more: a comma followed. */
static bool read_term(struct rule *r, struct sv *text, struct term *out, bool *more)
{
	size_t all = text->len;
	struct sv part = sv_cut(text, ',');

	*out = (struct term){0};
	*more = part.len < all;
	while (part.len) {
		size_t taken = einsum_take(r, out, part);

		if (taken == 0)
			return false;
		part = sv_skip(part, taken);
	}
	return true;
}

static void merge_label(struct einsum *e, unsigned char letter, struct sym size)
{
	struct label *l = &e->labels[letter];

	l->size = l->uses ? rule_broadcast_dim(e->r, l->size, size) : size;
	l->uses++;
}

/* The rank of an operand must match its term; returns the number of axes of "...". */
static bool match_rank(struct einsum *e, const struct term *t, uint32_t input, int32_t *span)
{
	uint32_t letters = t->count - (t->dotted ? 1 : 0);
	uint32_t rank;

	*span = SPAN_UNKNOWN;
	if (!rule_check_rank(e->r, input, 0, RULE_MAX_RANK))
		return false;
	if (!rule_ranked(e->r, input))
		return true;
	rank = e->r->in[input].rank;
	if (rank < letters || (rank > letters && !t->dotted)) {
		rule_error(e->r,
			   "input %" PRIu32 " has rank %" PRIu32 ", but its term has %" PRIu32
			   " letters",
			   input, rank, letters);
		return false;
	}
	*span = (int32_t)(rank - letters);
	if (t->dotted && e->span != SPAN_UNKNOWN && e->span != *span) {
		rule_error(e->r, "the ellipsis stands for %" PRId32 " %s, and for %" PRId32,
			   e->span, PLURAL(e->span, "axis", "axes"), *span);
		return false;
	}
	if (t->dotted)
		e->span = *span;
	return true;
}

static void merge_dots(struct einsum *e, uint32_t input, uint32_t from, int32_t span)
{
	for (int32_t i = 0; i < span && i < RULE_MAX_RANK; i++) {
		struct sym size = rule_dim(e->r, input, from + (uint32_t)i);

		e->dots[i] = e->span_merged ? rule_broadcast_dim(e->r, e->dots[i], size) : size;
	}
	e->span_merged = true;
}

/* An operand of unknown rank may broadcast the others to larger sizes. */
static void blur_dots(struct einsum *e)
{
	for (uint32_t i = 0; i < RULE_MAX_RANK; i++)
		e->dots[i] = e->span_merged ? rule_broadcast_dim(e->r, e->dots[i], SYM_UNKNOWN)
					    : SYM_UNKNOWN;
	e->span_merged = true;
}

static bool add_operand(struct einsum *e, const struct term *t, uint32_t input)
{
	uint32_t axis = 0;
	int32_t span;

	e->dotted = e->dotted || t->dotted;
	if (!match_rank(e, t, input, &span))
		return false;
	for (uint32_t i = 0; i < t->count; i++) {
		if (t->at[i] != DOTS) {
			merge_label(e, t->at[i], rule_dim(e->r, input, axis++));
		} else if (span == SPAN_UNKNOWN) {
			blur_dots(e);
		} else {
			merge_dots(e, input, axis, span);
			axis += (uint32_t)span;
		}
	}
	return true;
}

static bool add_operands(struct einsum *e)
{
	uint32_t count = 0;
	bool more = true;

	while (more) {
		struct term t;

		if (!read_term(e->r, &e->left, &t, &more))
			return false;
		if (count < e->r->in_count && !add_operand(e, &t, count))
			return false;
		count++;
		if (count > e->r->in_count)
			break;
	}
	if (count == e->r->in_count)
		return true;
	rule_error(e->r, "the equation does not have one term for each of %" PRIu32 " %s",
		   e->r->in_count, PLURAL(e->r->in_count, "input", "inputs"));
	return false;
}

/* The result's term: given, or made of the letters that occur once. */
static bool result_term(struct einsum *e, struct term *out)
{
	bool seen[LETTERS] = {false}, more;

	*out = (struct term){0};
	if (!e->explicit_result) {
		out->dotted = e->dotted;
		if (e->dotted)
			out->at[out->count++] = DOTS;
		for (uint32_t i = 0; i < LETTERS; i++) {
			if (e->labels[i].uses == 1)
				out->at[out->count++] = (unsigned char)i;
		}
		return true;
	}
	if (!read_term(e->r, &e->right, out, &more))
		return false;
	for (uint32_t i = 0; i < out->count; i++) {
		unsigned char letter = out->at[i];

		if (letter != DOTS && (seen[letter] || !e->labels[letter].uses)) {
			rule_error(e->r, "letter %c of the result %s", letter,
				   seen[letter] ? "occurs twice" : "is in no term");
			return false;
		}
		seen[letter] = true;
	}
	if (more)
		rule_error(e->r, "the equation has two results");
	return !more;
}

static void give_result(struct einsum *e, const struct term *t)
{
	int32_t span = e->dotted ? e->span : 0;
	uint32_t rank = 0, all;
	struct sym *dims;

	if (t->dotted && span == SPAN_UNKNOWN)
		return;
	all = t->count + (t->dotted ? (uint32_t)span : 0);
	dims = rule_dims(e->r, all);
	for (uint32_t i = 0; i < t->count; i++) {
		if (t->at[i] != DOTS) {
			dims[rank++] = e->labels[t->at[i]].size;
			continue;
		}
		for (int32_t k = 0; k < span; k++)
			dims[rank++] = e->dots[k];
	}
	rule_out(e->r, 0, rule_elem(e->r, 0), rank, dims);
}

void rule_einsum(struct rule *r)
{
	const struct attr *a = rule_attr(r, "equation");
	struct einsum e = {.r = r, .span = SPAN_UNKNOWN};
	struct term result;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!a) {
		rule_error(r, "the equation is missing");
		return;
	}
	if (a->kind != ATTR_STRING || a->text_len != a->text.len)
		return;
	einsum_split(&e, a->text);
	if (add_operands(&e) && result_term(&e, &result))
		give_result(&e, &result);
}
