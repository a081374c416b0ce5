#include "sym/terms.h"

#include <string.h>

#include "base/bug.h"
#include "base/num.h"
#include "sym/sym.h"

void sym_view(const struct sym_pool *p, struct sym s, struct sym_view *out)
{
	int64_t value;

	out->t = &out->one;
	if (sym_value(p, s, &value)) {
		out->one = (struct sym_term){value, 0};
		out->n = value != 0;
		return;
	}
	BUG_ON(s.w == 0);
	if (sym_node(p, s)->kind == SYM_KIND_SUM) {
		out->t = sym_terms(sym_node(p, s));
		out->n = sym_node(p, s)->count;
		return;
	}
	out->one = (struct sym_term){1, sym_index(s)};
	out->n = 1;
}

void sym_poly_of(const struct sym_pool *p, struct sym s, struct sym_poly *out)
{
	struct sym_view v;

	sym_view(p, s, &v);
	out->n = v.n;
	memcpy(out->t, v.t, v.n * sizeof(*v.t));
}

bool sym_poly_add(struct sym_poly *poly, int64_t c, uint64_t m)
{
	size_t i = poly->n;

	if (c == 0)
		return true;
	while (i && poly->t[i - 1].m >= m)
		i--;
	if (i < poly->n && poly->t[i].m == m) {
		if (!num_iadd(poly->t[i].c, c, &poly->t[i].c))
			return false;
		if (poly->t[i].c == 0)
			memmove(&poly->t[i], &poly->t[i + 1], (--poly->n - i) * sizeof(poly->t[0]));
		return true;
	}
	if (poly->n == ARRAY_LEN(poly->t))
		return false;
	memmove(&poly->t[i + 1], &poly->t[i], (poly->n++ - i) * sizeof(poly->t[0]));
	poly->t[i] = (struct sym_term){c, m};
	return true;
}

bool sym_poly_add_scaled(const struct sym_pool *p, struct sym_poly *poly, struct sym s,
			 int64_t scale)
{
	struct sym_view v;
	int64_t c;

	sym_view(p, s, &v);
	for (size_t i = 0; i < v.n; i++) {
		if (!num_imul(v.t[i].c, scale, &c) || !sym_poly_add(poly, c, v.t[i].m))
			return false;
	}
	return true;
}

bool sym_poly_scale(struct sym_poly *poly, int64_t scale)
{
	BUG_ON(scale == 0);
	for (size_t i = 0; i < poly->n; i++) {
		if (!num_imul(poly->t[i].c, scale, &poly->t[i].c))
			return false;
	}
	return true;
}

void sym_poly_shrink(struct sym_poly *poly, int64_t divisor)
{
	for (size_t i = 0; i < poly->n; i++) {
		BUG_ON(poly->t[i].c % divisor);
		poly->t[i].c /= divisor;
	}
}

int64_t sym_poly_constant(const struct sym_poly *poly)
{
	return poly->n && poly->t[0].m == 0 ? poly->t[0].c : 0;
}

int64_t sym_poly_lead(const struct sym_poly *poly)
{
	size_t i = poly->n && poly->t[0].m == 0;

	return i < poly->n ? poly->t[i].c : 0;
}

uint64_t sym_poly_content(const struct sym_poly *poly, uint64_t g)
{
	for (size_t i = 0; i < poly->n; i++) {
		if (poly->t[i].m)
			g = num_gcd(g, sym_magnitude(poly->t[i].c));
	}
	return g;
}
