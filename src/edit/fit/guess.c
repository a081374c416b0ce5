/*
 * Explanations of numbers: expressions of sizes that have the right value in every export.
 *
 * They are tried in rounds, simpler ones first; the first round that explains the numbers
 * counts.  Two explanations of one round that are different functions make it ambiguous.
 */
#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "edit/fit/internal.h"
#include "sym/text.h"

enum {
	MAX_BASES = 2000,
	MAX_DIVISOR = 128,
	SAMPLES = 48
};

static bool fit_value_at(struct fitting *f, uint32_t side, struct sym s, int64_t *out)
{
	return sym_eval(&f->document->infer.pool, &f->envs[side], s, out) == SYM_OK;
}

bool fit_is_at(struct fitting *f, struct sym size, const struct fit_vector *v)
{
	for (uint32_t i = 0; i < f->count; i++) {
		int64_t value;

		if (!fit_value_at(f, i, size, &value) || value != v->at[i])
			return false;
	}
	return true;
}

bool fit_vector_constant(const struct fitting *f, const struct fit_vector *v)
{
	for (uint32_t i = 1; i < f->count; i++) {
		if (v->at[i] != v->at[0])
			return false;
	}
	return true;
}

void fit_know(struct fitting *f, struct sym size)
{
	struct fit_base b = {.size = size};

	if (sym_is_unknown(size) || sym_is_small(size) || f->bases.len >= MAX_BASES ||
	    map_find(&f->known, size.w))
		return;
	*map_at(&f->known, size.w) = 1;
	for (uint32_t i = 0; i < f->count; i++) {
		if (!fit_value_at(f, i, size, &b.values.at[i]))
			return;
	}
	if (!fit_vector_constant(f, &b.values))
		vec_push(&f->bases, b);
}

/* At many sizes; forms that the algebra cannot compare are often equal. */
bool fit_same_function(struct fitting *f, struct sym a, struct sym b)
{
	struct sym_pool *pool = &f->document->infer.pool;
	uint32_t state = 1;

	switch (sym_eq(pool, a, b)) {
	case SYM_YES:
		return true;
	case SYM_NO:
		return false;
	case SYM_MAYBE:
	case SYM_ANSWER_COUNT:
		break;
	}
	for (uint32_t n = 0; n < SAMPLES; n++) {
		int64_t x, y;
		struct err ignored;

		for (uint32_t i = 0; i < f->symbol_count; i++) {
			state = state * 1103515245u + 12345u;
			if (!sym_bind(&f->sample, pool, f->symbols[i].id,
				      1 + (state >> 16) % (n < SAMPLES / 2 ? 40 : 700), &ignored))
				return false;
		}
		if (sym_eval(pool, &f->sample, a, &x) != SYM_OK ||
		    sym_eval(pool, &f->sample, b, &y) != SYM_OK)
			return false;
		/* No tensor has such a size: max(0, n - 2) is n - 2. */
		if (x != y && x > 0 && y > 0)
			return false;
	}
	return true;
}

/* ---- sizes around a node ---- */

void fit_nearby_add(struct fitting *f, struct fit_nearby *n, struct sym s)
{
	struct fit_base b = {.size = s};

	if (n->count == FIT_MAX_NEAR || sym_is_unknown(s) || sym_is_small(s))
		return;
	for (uint32_t i = 0; i < n->count; i++) {
		if (sym_same(n->at[i].size, s))
			return;
	}
	for (uint32_t i = 0; i < f->count; i++) {
		if (!fit_value_at(f, i, s, &b.values.at[i]))
			return;
	}
	if (!fit_vector_constant(f, &b.values))
		n->at[n->count++] = b;
}

void fit_nearby(struct fitting *f, const struct sym *near, uint32_t count, struct fit_nearby *out)
{
	out->count = 0;
	for (uint32_t i = 0; i < f->symbol_count && !f->narrow; i++)
		fit_nearby_add(f, out, f->document->infer.pool.symbols.at[f->symbols[i].id].self);
	for (uint32_t i = 0; i < count; i++)
		fit_nearby_add(f, out, near[i]);
}

/* ---- integers ---- */

struct guessing {
	struct fitting *f;
	const struct fit_vector *v;
	struct fit_found *out;
};

static void guess_add(struct guessing *g, struct sym s)
{
	if (sym_is_unknown(s) || g->out->count == FIT_MAX_FOUND || !fit_is_at(g->f, s, g->v))
		return;
	for (uint32_t i = 0; i < g->out->count; i++) {
		if (fit_same_function(g->f, g->out->at[i], s))
			return;
	}
	g->out->at[g->out->count++] = s;
}

static void guess_known(struct guessing *g)
{
	for (size_t i = 0; i < g->f->bases.len; i++) {
		if (memcmp(&g->f->bases.at[i].values, g->v, g->f->count * sizeof(g->v->at[0])) == 0)
			guess_add(g, g->f->bases.at[i].size);
	}
}

/* c*e */
static void guess_multiple(struct guessing *g, const struct fit_base *b)
{
	int64_t v = g->v->at[0], e = b->values.at[0];

	if (e && v % e == 0 && v / e > 1)
		guess_add(g, sym_mul_int(&g->f->document->infer.pool, b->size, v / e));
}

/* e + k */
static void guess_sum(struct guessing *g, const struct fit_base *b)
{
	int64_t k = g->v->at[0] - b->values.at[0];

	if (k == g->v->at[1] - b->values.at[1])
		guess_add(g, sym_add_int(&g->f->document->infer.pool, b->size, k));
}

/* Divisors that people use; with three exports, any. */
static bool guess_is_plain(const struct fitting *f, int64_t q)
{
	return q <= 8 || (q & (q - 1)) == 0 || q % 10 == 0 || q == 12 || q == 14 || q == 28 ||
	       f->count > 2;
}

/* floor(e/q), ceil(e/q), and multiples that a size is padded to: q*ceil(e/q) */
static void guess_rounded(struct guessing *g, const struct fit_base *b)
{
	struct sym_pool *pool = &g->f->document->infer.pool;

	for (int64_t q = 2; q <= MAX_DIVISOR; q++) {
		struct sym divisor = sym_int(pool, q);
		bool low = guess_is_plain(g->f, q) && g->v->at[0] > 0, high = low, padded = low;

		for (uint32_t i = 0; i < g->f->count; i++) {
			int64_t v = g->v->at[i], up = (b->values.at[i] + q - 1) / q;

			low = low && b->values.at[i] / q == v;
			high = high && up == v;
			padded = padded && up * q == v;
		}
		if (low)
			guess_add(g, sym_floor_div(pool, b->size, divisor));
		if (high)
			guess_add(g, sym_ceil_div(pool, b->size, divisor));
		if (padded)
			guess_add(g, sym_mul_int(pool, sym_ceil_div(pool, b->size, divisor), q));
	}
}

/* e*f, e + f, e - f */
static void guess_pair(struct guessing *g, const struct fit_base *a, const struct fit_base *b)
{
	struct sym_pool *pool = &g->f->document->infer.pool;
	bool product = true, sum = true, difference = true;

	for (uint32_t i = 0; i < g->f->count; i++) {
		int64_t x = a->values.at[i], y = b->values.at[i], v = g->v->at[i], xy;

		product = product && num_imul(x, y, &xy) && xy == v;
		sum = sum && v - x == y;
		difference = difference && v + y == x;
	}
	if (product)
		guess_add(g, sym_mul(pool, a->size, b->size));
	if (sum)
		guess_add(g, sym_add(pool, a->size, b->size));
	if (difference && a != b)
		guess_add(g, sym_sub(pool, a->size, b->size));
}

/* c*e + k */
static void guess_affine(struct guessing *g, const struct fit_base *b)
{
	struct sym_pool *pool = &g->f->document->infer.pool;
	int64_t dv = g->v->at[1] - g->v->at[0], de = b->values.at[1] - b->values.at[0];
	int64_t c = de && dv % de == 0 ? dv / de : 0, low;

	if (c && num_imul(c, b->values.at[0], &low))
		guess_add(g, sym_add_int(pool, sym_mul_int(pool, b->size, c), g->v->at[0] - low));
}

/* c*floor(e/q), floor(e/q) + k, and the same rounded up */
static void guess_quotients(struct guessing *g, const struct fit_base *b)
{
	struct sym_pool *pool = &g->f->document->infer.pool;

	for (int64_t q = 2; q <= 32; q++) {
		struct sym low = sym_floor_div(pool, b->size, sym_int(pool, q));
		struct sym high = sym_ceil_div(pool, b->size, sym_int(pool, q));
		int64_t l = b->values.at[0] / q, h = (b->values.at[0] + q - 1) / q;

		if (l && g->v->at[0] % l == 0)
			guess_add(g, sym_mul_int(pool, low, g->v->at[0] / l));
		if (h && g->v->at[0] % h == 0)
			guess_add(g, sym_mul_int(pool, high, g->v->at[0] / h));
		guess_add(g, sym_add_int(pool, low, g->v->at[0] - l));
		guess_add(g, sym_add_int(pool, high, g->v->at[0] - h));
	}
}

/*
 * Two numbers fit any line: only a third export tells whether it is one.  With two, it must be
 * 2*n - 1 or 2*n + 1, and nothing else.
 */
static void guess_drop_lines(struct guessing *g)
{
	int64_t c = 0, k = 0;

	if (g->f->count > 2 || !g->out->count)
		return;
	if (g->out->count > 1 ||
	    !sym_is_linear(&g->f->document->infer.pool, g->out->at[0], NULL, &c, &k) || c != 2 ||
	    (k != 1 && k != -1))
		g->out->count = 0;
}

/* c*e*f, or e*f + k */
static void guess_product(struct guessing *g, const struct fit_base *a, const struct fit_base *b,
			  bool sum)
{
	struct sym_pool *pool = &g->f->document->infer.pool;
	int64_t v = g->v->at[0], p0, p1;

	if (!num_imul(a->values.at[0], b->values.at[0], &p0) ||
	    !num_imul(a->values.at[1], b->values.at[1], &p1) || p0 == 0)
		return;
	if (!sum && v % p0 == 0)
		guess_add(g, sym_mul_int(pool, sym_mul(pool, a->size, b->size), v / p0));
	if (sum && v - p0 == g->v->at[1] - p1)
		guess_add(g, sym_add_int(pool, sym_mul(pool, a->size, b->size), v - p0));
}

/* Sizes around the node, with one number. */
static void guess_near(struct guessing *g, const struct fit_nearby *n)
{
	for (uint32_t i = 0; i < n->count; i++) {
		guess_multiple(g, &n->at[i]);
		guess_sum(g, &n->at[i]);
		guess_rounded(g, &n->at[i]);
		for (uint32_t k = 0; k < n->count; k++)
			guess_pair(g, &n->at[i], &n->at[k]);
	}
}

/* With one number more. */
static void guess_far(struct guessing *g, const struct fit_nearby *n)
{
	for (uint32_t i = 0; i < n->count; i++) {
		guess_affine(g, &n->at[i]);
		guess_quotients(g, &n->at[i]);
		for (uint32_t k = i; k < n->count; k++)
			guess_product(g, &n->at[i], &n->at[k], true);
	}
	guess_drop_lines(g);
}

static void guess_products(struct guessing *g, const struct fit_nearby *n)
{
	for (uint32_t i = 0; i < n->count; i++) {
		for (uint32_t k = i; k < n->count; k++)
			guess_product(g, &n->at[i], &n->at[k], false);
	}
}

/* Is it the batch, and nothing else?  Nobody adds to it, but where an axis of that size is cut. */
static bool guess_is_batch(const struct fitting *f, struct sym s)
{
	const struct infer *in = &f->document->infer;
	const struct graph *g = &in->model->graphs.at[0];
	bool first = false;

	if (f->narrow)
		return false;
	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *info = &in->infos[g->inputs.at[i]];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			if (k && sym_same(info->dims[k], s))
				return false;
			first |= sym_same(info->dims[k], s);
		}
	}
	return first;
}

/*
 * What is one size may also be another one plus or times a number: the size of the axis, where one
 * is cut, or another symbol, where nothing around the node is that size.
 */
static void guess_alike(struct guessing *g, const struct fit_nearby *n, bool near)
{
	for (uint32_t i = 0; i < n->count; i++) {
		const struct fit_base *b = &n->at[i];
		uint32_t ignored;

		if (guess_is_batch(g->f, b->size) ||
		    (!g->f->narrow &&
		     (near || !sym_symbol_id(&g->f->document->infer.pool, b->size, &ignored))))
			continue;
		guess_multiple(g, b);
		guess_sum(g, b);
	}
}

static bool guess_is_near(const struct guessing *g, const struct sym *near, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (sym_same(near[i], g->out->at[0]))
			return true;
	}
	return false;
}

static void guess_rounds(struct guessing *g, const struct sym *near, uint32_t near_count)
{
	struct fit_nearby n;

	guess_known(g);
	fit_nearby(g->f, near, near_count, &n);
	if (g->out->count) {
		guess_alike(g, &n, guess_is_near(g, near, near_count));
		return;
	}
	guess_near(g, &n);
	for (size_t i = 0; !g->out->count && i < g->f->bases.len; i++) {
		guess_multiple(g, &g->f->bases.at[i]);
		if (g->f->count > 2)
			guess_sum(g, &g->f->bases.at[i]);
	}
	if (!g->out->count)
		guess_products(g, &n);
	if (!g->out->count)
		guess_far(g, &n);
}

/* Numbers from the end are the negative of a size. */
enum fit_guess fit_explain(struct fitting *f, const struct fit_vector *v, const struct sym *near,
			   uint32_t near_count, struct fit_found *out)
{
	struct fit_vector turned;
	struct guessing g = {f, v, out};
	bool negative = true;

	*out = (struct fit_found){0};
	if (!fit_work(f, FIT_WORK_EXPLAIN))
		return FIT_GUESS_NONE;
	for (uint32_t i = 0; i < f->count; i++) {
		negative = negative && v->at[i] < 0 && v->at[i] > -INT32_MAX;
		turned.at[i] = negative ? -v->at[i] : 0;
	}
	if (negative)
		g.v = &turned;
	guess_rounds(&g, near, near_count);
	for (uint32_t i = 0; negative && i < out->count; i++)
		out->at[i] = sym_neg(&f->document->infer.pool, out->at[i]);
	if (out->count == 0)
		return FIT_GUESS_NONE;
	return out->count == 1 ? FIT_GUESS_ONE : FIT_GUESS_MANY;
}

static void guess_print(const struct fitting *f, const struct fit_vector *v, struct str *out)
{
	for (uint32_t i = 0; i < f->count; i++)
		str_format(out, "%s%" PRId64, i ? ", " : "", v->at[i]);
}

bool fit_explain_one(struct fitting *f, uint32_t node, const struct fit_vector *v,
		     const struct sym *near, uint32_t near_count, struct sym *out)
{
	struct fit_found found;
	struct str numbers = {0}, a = {0}, b = {0};
	bool ok = true;

	guess_print(f, v, &numbers);
	switch (fit_explain(f, v, near, near_count, &found)) {
	case FIT_GUESS_ONE:
		*out = found.at[0];
		break;
	case FIT_GUESS_MANY:
		sym_print(&f->document->infer.pool, found.at[0], &a);
		sym_print(&f->document->infer.pool, found.at[1], &b);
		ok = fit_refuse(f, node,
				"%s may be %s or %s; add an export at a size where they differ",
				str_c(&numbers), str_c(&a), str_c(&b));
		break;
	case FIT_GUESS_NONE:
	case FIT_GUESS_COUNT:
		ok = f->work > FIT_MAX_WORK
			     ? fit_refuse(f, node, "too many numbers differ")
			     : fit_refuse(f, node, "no simple expression of the sizes gives %s",
					  str_c(&numbers));
		break;
	}
	str_release(&numbers);
	str_release(&a);
	str_release(&b);
	return ok;
}
