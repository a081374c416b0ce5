/*
 * Sums as people write them: higher powers first, then by name, the constant last and
 * a positive term first; remainders as %, a common factor in front when shorter.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/num.h"
#include "base/str.h"
#include "base/sv.h"
#include "sym/node.h"
#include "sym/poly.h"
#include "sym/print.h"
#include "sym/sym.h"
#include "sym/terms.h"

/* A term to print: its coefficient, and its atoms or a text. */
struct item {
	int64_t c;
	struct str text; /* without the coefficient; empty for the constant */
	struct sym_factor f[SYM_DEGREE_MAX];
	size_t n;
	uint32_t degree;
	bool remainder; /* text is "a % b" */
	bool ready;     /* text is set and not made from f */
};

struct items {
	struct item at[SYM_TERMS_MAX * 2];
	size_t n;
};

static int symbols_first(const struct sym_pool *p, uint32_t a, uint32_t b)
{
	return (p->nodes[a].kind != SYM_KIND_SYMBOL) - (p->nodes[b].kind != SYM_KIND_SYMBOL);
}

static void sort_factors(struct sym_printer *pr, struct item *item)
{
	for (size_t i = 1; i < item->n; i++) {
		struct sym_factor f = item->f[i];
		size_t k = i;

		for (; k; k--) {
			uint32_t before = item->f[k - 1].atom;
			int order = symbols_first(pr->p, before, f.atom);

			if (order == 0)
				order = sv_compare(sym_print_atom(pr, before),
						   sym_print_atom(pr, f.atom));
			if (order <= 0)
				break;
			item->f[k] = item->f[k - 1];
		}
		item->f[k] = f;
	}
}

static void make_text(struct sym_printer *pr, struct item *item)
{
	if (item->ready)
		return;
	str_clear(&item->text);
	item->degree = 0;
	for (size_t i = 0; i < item->n; i++) {
		if (i)
			str_char(&item->text, '*');
		str_add(&item->text, sym_print_atom(pr, item->f[i].atom));
		if (item->f[i].power > 1)
			str_format(&item->text, "**%u", item->f[i].power);
		item->degree += item->f[i].power;
	}
}

static int item_order(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	bool call_x = x->text.len && x->text.at[x->text.len - 1] == ')';
	bool call_y = y->text.len && y->text.at[y->text.len - 1] == ')';

	if (x->degree != y->degree)
		return x->degree > y->degree ? -1 : 1;
	if (call_x != call_y)
		return call_x - call_y;
	return sv_compare(str_sv(&x->text), str_sv(&y->text));
}

static void sort_items(struct items *items)
{
	qsort(items->at, items->n, sizeof(items->at[0]), item_order);
	for (size_t i = 0; i < items->n; i++) {
		struct item first = items->at[i];

		if (first.c < 0)
			continue;
		memmove(&items->at[1], &items->at[0], i * sizeof(first));
		items->at[0] = first;
		return;
	}
}

static void sum_print_text(const struct str *text, bool parentheses, struct str *out)
{
	if (parentheses)
		str_char(out, '(');
	str_add(out, str_sv(text));
	if (parentheses)
		str_char(out, ')');
}

static void print_item(const struct item *item, bool first, struct str *out)
{
	/* -INT64_MIN overflows. */
	bool minus = item->c < 0 && item->c != INT64_MIN;
	bool number = sym_magnitude(item->c) != 1 || item->text.len == 0;

	if (!first)
		str_text(out, minus ? " - " : " + ");
	else if (minus)
		str_char(out, '-');
	if (item->c == INT64_MIN)
		str_number(out, item->c);
	else if (number)
		str_number(out, (int64_t)sym_magnitude(item->c));
	if (item->text.len == 0)
		return;
	if (number)
		str_char(out, '*');
	/* -a % b would be (-a) % b */
	sum_print_text(&item->text, item->remainder && (number || (minus && first)), out);
}

static void sum_print_plain(struct sym_printer *pr, struct items *items, struct str *out)
{
	for (size_t i = 0; i < items->n; i++)
		make_text(pr, &items->at[i]);
	sort_items(items);
	for (size_t i = 0; i < items->n; i++)
		print_item(&items->at[i], i == 0, out);
}

static uint32_t power_of(const struct item *item, uint32_t atom)
{
	for (size_t i = 0; i < item->n; i++) {
		if (item->f[i].atom == atom)
			return item->f[i].power;
	}
	return 0;
}

/* Takes the common factor out of all items. */
static bool take_common(struct items *items, struct item *common)
{
	uint64_t g = 0;

	*common = (struct item){.c = 1};
	for (size_t i = 0; i < items->n; i++) {
		if (items->at[i].ready || items->at[i].c == INT64_MIN)
			return false;
		g = num_gcd(g, sym_magnitude(items->at[i].c));
	}
	common->c = (int64_t)g;
	for (size_t i = 0; i < items->at[0].n; i++) {
		struct sym_factor f = items->at[0].f[i];

		for (size_t k = 1; k < items->n; k++)
			f.power = MIN(f.power, power_of(&items->at[k], f.atom));
		if (f.power)
			common->f[common->n++] = f;
	}
	for (size_t i = 0; i < items->n; i++) {
		struct item *item = &items->at[i];
		size_t n = 0;

		item->c /= common->c;
		for (size_t k = 0; k < item->n; k++) {
			item->f[k].power -= power_of(common, item->f[k].atom);
			if (item->f[k].power)
				item->f[n++] = item->f[k];
		}
		item->n = n;
	}
	return common->c > 1 || common->n;
}

/* Prints with the common factor in front; false when there is none. */
static bool print_factored(struct sym_printer *pr, struct items *items, struct str *out)
{
	struct item common;

	if (items->n < 2 || !take_common(items, &common))
		return false;
	make_text(pr, &common);
	print_item(&common, true, out);
	str_text(out, "*(");
	sum_print_plain(pr, items, out);
	str_char(out, ')');
	str_release(&common.text);
	return true;
}

/* k*p - k*m*floor(p/m) is k*(p % m): does `terms` contain k*p besides term i? */
static bool is_remainder(const struct sym_pool *p, const struct sym_poly *terms, size_t i,
			 int64_t *out_k)
{
	const struct sym_node *n = &p->nodes[terms->t[i].m];
	struct sym_poly rest = *terms;
	struct sym_view num;
	int64_t m;

	if (terms->t[i].m == 0 || n->kind != SYM_KIND_FLOOR || !sym_value(p, sym_args(n)[1], &m) ||
	    m <= 0 || terms->t[i].c % m || terms->t[i].c == INT64_MIN)
		return false;
	*out_k = -terms->t[i].c / m;
	sym_view(p, sym_args(n)[0], &num);
	/* 7*ceil(a/7) - a stays as it is. */
	if (*out_k < 0 && num.t[0].m == 0 && num.t[0].c == m - 1)
		return false;
	if (!sym_poly_add_scaled(p, &rest, sym_args(n)[0], -*out_k))
		return false;
	for (size_t k = 0; k < num.n; k++) {
		for (size_t r = 0; num.t[k].m && r < rest.n; r++) {
			if (rest.t[r].m == num.t[k].m)
				return false;
		}
	}
	return true;
}

static void take_remainders(struct sym_printer *pr, struct sym_poly *terms, struct items *items)
{
	for (size_t i = 0; i < terms->n; i++) {
		const struct sym_node *n = &pr->p->nodes[terms->t[i].m];
		struct item *item = &items->at[items->n];
		struct sym_poly rest = *terms;
		int64_t k, m = 1;

		if (!is_remainder(pr->p, terms, i, &k) || !sym_value(pr->p, sym_args(n)[1], &m))
			continue;
		if (!sym_poly_add(&rest, -terms->t[i].c, terms->t[i].m) ||
		    !sym_poly_add_scaled(pr->p, &rest, sym_args(n)[0], -k))
			continue;
		*item = (struct item){.c = k, .ready = true, .remainder = true, .degree = 1};
		sym_print_any(pr, sym_args(n)[0], LEVEL_TERM, &item->text);
		str_format(&item->text, " %% %lld", (long long)m);
		items->n++;
		*terms = rest;
		i = (size_t)-1;
	}
}

/* -floor((b - a)/m) reads better as ceil((a - b)/m). */
static bool flip_floor(struct sym_printer *pr, struct sym_term t, struct item *item)
{
	const struct sym_node *n = &pr->p->nodes[t.m];
	struct sym_poly num;
	bool mixed = false;
	int64_t m;

	if (t.m == 0 || t.c >= 0 || t.c == INT64_MIN || n->kind != SYM_KIND_FLOOR ||
	    !sym_value(pr->p, sym_args(n)[1], &m) || m <= 0)
		return false;
	sym_poly_of(pr->p, sym_args(n)[0], &num);
	for (size_t i = 0; i < num.n; i++)
		mixed |= num.t[i].m && num.t[i].c < 0;
	if (!mixed || !sym_poly_scale(&num, -1) || !sym_poly_add(&num, m - 1, 0))
		return false;
	*item = (struct item){.c = -t.c, .ready = true, .degree = 1};
	sym_print_floor(pr, num.t, num.n, m, &item->text);
	return true;
}

static void make_items(struct sym_printer *pr, struct sym_poly *terms, struct items *items)
{
	items->n = 0;
	take_remainders(pr, terms, items);
	for (size_t i = 0; i < terms->n; i++) {
		struct item *item = &items->at[items->n++];
		struct sym_factor one;
		const struct sym_factor *f;

		if (flip_floor(pr, terms->t[i], item))
			continue;
		*item = (struct item){.c = terms->t[i].c};
		item->n = sym_product_factors(pr->p, terms->t[i].m, &one, &f);
		memcpy(item->f, f, item->n * sizeof(*f));
		sort_factors(pr, item);
	}
}

static void release_items(struct items *items)
{
	for (size_t i = 0; i < items->n; i++)
		str_release(&items->at[i].text);
}

/* Does the item need parentheses at this level? */
static bool is_loose(const struct item *item, enum sym_level level)
{
	if (level <= LEVEL_SUM)
		return false;
	if (item->c < 0 || item->remainder)
		return true;
	return level == LEVEL_ATOM && (item->c != 1 || item->n > 1 || item->degree > 1);
}

/* 1 - (a == b) is a != b. */
static bool print_opposite(struct sym_printer *pr, const struct sym_term *t, size_t n,
			   enum sym_level level, struct str *out)
{
	enum sym_kind kind;

	if (n == 1 && t[0].c == 1 && level == LEVEL_COMPARE) {
		kind = (enum sym_kind)pr->p->nodes[t[0].m].kind;
		if (kind != SYM_KIND_ZERO && kind != SYM_KIND_NATURAL)
			return false;
		sym_print_test(pr, (uint32_t)t[0].m, false, out);
		return true;
	}
	if (n != 2 || t[0].m || t[0].c != 1 || t[1].c != -1)
		return false;
	kind = (enum sym_kind)pr->p->nodes[t[1].m].kind;
	if (kind != SYM_KIND_ZERO && kind != SYM_KIND_NATURAL)
		return false;
	if (level != LEVEL_COMPARE)
		str_char(out, '(');
	sym_print_test(pr, (uint32_t)t[1].m, true, out);
	if (level != LEVEL_COMPARE)
		str_char(out, ')');
	return true;
}

void sym_print_terms(struct sym_printer *pr, const struct sym_term *t, size_t n,
		     enum sym_level level, struct str *out)
{
	struct items *items; /* too large for the stack of a recursion */
	struct sym_poly terms = {.n = n};
	struct str plain = {0}, factored = {0};
	bool loose, shorter;

	if (n == 0)
		str_char(out, '0');
	if (n == 0 || print_opposite(pr, t, n, level, out))
		return;
	memcpy(terms.t, t, n * sizeof(*t));
	items = must_alloc(sizeof(*items));
	make_items(pr, &terms, items);
	sum_print_plain(pr, items, &plain);
	loose = items->n > 1 ? level >= LEVEL_TERM : is_loose(&items->at[0], level);
	shorter = print_factored(pr, items, &factored) &&
		  factored.len < plain.len + (loose && level != LEVEL_ATOM ? 2 : 0);
	sum_print_text(shorter ? &factored : &plain, shorter ? level == LEVEL_ATOM : loose, out);
	release_items(items);
	free(items);
	str_release(&plain);
	str_release(&factored);
}
