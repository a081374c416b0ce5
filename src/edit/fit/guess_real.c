/*
 * Explanations of real numbers: 1/n, sqrt(n), n/m, with a plain factor.
 */
#include <math.h>

#include "edit/fit/internal.h"
#include "sym/sym.h"

/* A whole number or one over it; of a root, the same of its square. */
static bool is_plain_factor(double c, bool root)
{
	double x = root ? c * c : c;

	x = fabs(x);
	if (x < 1)
		x = 1 / x;
	return x < 1e7 && fabs(x - round(x)) <= 4e-6 * x;
}

struct reals {
	struct fit_real at[FIT_MAX_FOUND];
	uint32_t count;
};

static bool reals_same(struct fitting *f, const struct fit_real *a, const struct fit_real *b)
{
	return a->power == b->power && sym_is_unknown(a->over) == sym_is_unknown(b->over) &&
	       fit_same_function(f, a->size, b->size) &&
	       (sym_is_unknown(a->over) || fit_same_function(f, a->over, b->over));
}

static void reals_add(struct fitting *f, struct reals *r, struct fit_real real)
{
	for (uint32_t i = 0; i < r->count; i++) {
		if (reals_same(f, &r->at[i], &real))
			return;
	}
	if (r->count < FIT_MAX_FOUND)
		r->at[r->count++] = real;
}

/* v = c * n^p / m with one c for all exports? */
static bool real_factor(const struct fitting *f, const double *v, const struct fit_base *n,
			const struct fit_base *m, double power, double *out)
{
	for (uint32_t i = 0; i < f->count; i++) {
		double x = pow((double)n->values.at[i], power), c;

		if (n->values.at[i] <= 0 || (m && m->values.at[i] <= 0))
			return false;
		c = v[i] / (m ? x / (double)m->values.at[i] : x);
		if (i && fabs(c - *out) > 4e-6 * fabs(*out))
			return false;
		*out = i ? *out : c;
	}
	return true;
}

static void reals_try(struct fitting *f, struct reals *r, const double *v, const struct fit_base *n,
		      const struct fit_base *m, bool one)
{
	static const double powers[] = {1, -1, 0.5, -0.5, 0.25, -0.25};
	double c = 0;

	for (size_t i = 0; i < (m ? 1 : ARRAY_LEN(powers)); i++) {
		if (real_factor(f, v, n, m, powers[i], &c) &&
		    (one ? fabs(c - 1) <= 4e-6 : is_plain_factor(c, fabs(powers[i]) < 1)))
			reals_add(f, r,
				  (struct fit_real){n->size, m ? m->size : SYM_UNKNOWN, powers[i],
						    one ? 1 : c});
	}
}

static void reals_round(struct fitting *f, struct reals *r, const double *v,
			const struct fit_nearby *n, bool one)
{
	for (uint32_t i = 0; i < n->count; i++) {
		reals_try(f, r, v, &n->at[i], NULL, one);
		for (uint32_t j = 0; j < n->count; j++) {
			if (i != j)
				reals_try(f, r, v, &n->at[i], &n->at[j], one);
		}
	}
}

enum fit_guess fit_explain_real(struct fitting *f, const double *v, const struct sym *near,
				uint32_t near_count, struct fit_real *out)
{
	struct sym_pool *pool = &f->document->infer.pool;
	struct fit_nearby n;
	struct reals r = {0};
	uint32_t count;

	fit_nearby(f, near, near_count, &n);
	reals_round(f, &r, v, &n, true);
	count = n.count;
	for (uint32_t i = 0; !r.count && i < count; i++) {
		fit_nearby_add(f, &n, sym_add_int(pool, n.at[i].size, -1));
		fit_nearby_add(f, &n, sym_add_int(pool, n.at[i].size, 1));
	}
	if (!r.count)
		reals_round(f, &r, v, &n, true);
	if (!r.count)
		reals_round(f, &r, v, &n, false);
	if (!r.count)
		return FIT_GUESS_NONE;
	*out = r.at[0];
	return r.count == 1 ? FIT_GUESS_ONE : FIT_GUESS_MANY;
}
