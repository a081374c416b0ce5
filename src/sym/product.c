/* Products of atoms: sorted by atom, powers of at least 1; a lone atom is its own product. */
#include "sym/node.h"
#include "sym/poly.h"
#include "sym/pool.h"
#include "sym/sym.h"

static uint64_t product_make(struct sym_pool *p, const struct sym_factor *f, size_t n)
{
	if (n == 0)
		return 0;
	if (n == 1 && f[0].power == 1)
		return f[0].atom;
	return sym_intern(p, SYM_KIND_PRODUCT, 0, f, n);
}

size_t sym_product_factors(const struct sym_pool *p, uint64_t m, struct sym_factor *one,
			   const struct sym_factor **out)
{
	if (m && p->nodes[m].kind == SYM_KIND_PRODUCT) {
		*out = sym_factors(&p->nodes[m]);
		return p->nodes[m].count;
	}
	*one = (struct sym_factor){(uint32_t)m, 1};
	*out = one;
	return m != 0;
}

/* 1 and 0 are their own powers. */
static bool is_truth(const struct sym_pool *p, uint32_t atom)
{
	return p->nodes[atom].kind == SYM_KIND_ZERO || p->nodes[atom].kind == SYM_KIND_NATURAL;
}

bool sym_product_mul(struct sym_pool *p, uint64_t a, uint64_t b, uint64_t *out)
{
	struct sym_factor f[SYM_DEGREE_MAX], one_a, one_b;
	const struct sym_factor *fa, *fb;
	size_t na, nb, n = 0, i = 0, k = 0;
	uint32_t degree = 0;

	if (a == 0 || b == 0) {
		*out = a + b;
		return true;
	}
	na = sym_product_factors(p, a, &one_a, &fa);
	nb = sym_product_factors(p, b, &one_b, &fb);
	while (i < na || k < nb) {
		struct sym_factor next;

		if (k == nb || (i < na && fa[i].atom < fb[k].atom)) {
			next = fa[i++];
		} else if (i == na || fb[k].atom < fa[i].atom) {
			next = fb[k++];
		} else {
			next = fa[i];
			next.power = is_truth(p, next.atom) ? 1 : fa[i].power + fb[k].power;
			i++, k++;
		}
		degree += next.power;
		if (degree > SYM_DEGREE_MAX)
			return false;
		f[n++] = next;
	}
	*out = product_make(p, f, n);
	return *out != 0;
}

bool sym_product_div(struct sym_pool *p, uint64_t a, uint64_t b, uint64_t *out)
{
	struct sym_factor f[SYM_DEGREE_MAX], one_a, one_b;
	const struct sym_factor *fa, *fb;
	size_t na, nb, n = 0, k = 0;

	na = sym_product_factors(p, a, &one_a, &fa);
	nb = sym_product_factors(p, b, &one_b, &fb);
	for (size_t i = 0; i < na; i++) {
		struct sym_factor next = fa[i];

		if (k < nb && fb[k].atom == next.atom) {
			if (fb[k].power > next.power)
				return false;
			next.power -= fb[k++].power;
		}
		if (next.power)
			f[n++] = next;
	}
	if (k < nb)
		return false;
	*out = product_make(p, f, n);
	return n == 0 || *out != 0;
}

uint64_t sym_product_gcd(struct sym_pool *p, uint64_t a, uint64_t b)
{
	struct sym_factor f[SYM_DEGREE_MAX], one_a, one_b;
	const struct sym_factor *fa, *fb;
	size_t na, nb, n = 0;

	na = sym_product_factors(p, a, &one_a, &fa);
	nb = sym_product_factors(p, b, &one_b, &fb);
	for (size_t i = 0, k = 0; i < na && k < nb;) {
		if (fa[i].atom == fb[k].atom) {
			f[n++] = (struct sym_factor){fa[i].atom, MIN(fa[i].power, fb[k].power)};
			i++, k++;
		} else if (fa[i].atom < fb[k].atom) {
			i++;
		} else {
			k++;
		}
	}
	return product_make(p, f, n);
}
