/* Reshape's -1: one list of sizes over another, cancelled before multiplying. */
#include "base/num.h"
#include "sym/node.h"
#include "sym/sym.h"
#include "sym/terms.h"

/* Sizes still to be multiplied; those beyond the list's capacity are multiplied into the last. */
struct factors {
	struct sym at[64];
	size_t n;
	int64_t number; /* the integers among them, while they fit */
};

static bool factors_add(struct sym_pool *p, struct factors *f, struct sym s)
{
	int64_t value, product;

	if (sym_is_unknown(s) || sym_is_float_kind(sym_kind(p, s)))
		return false;
	if (sym_value(p, s, &value) && num_imul(f->number, value, &product)) {
		f->number = product;
		return true;
	}
	if (f->n < ARRAY_LEN(f->at))
		f->at[f->n++] = s;
	else
		f->at[f->n - 1] = sym_mul(p, f->at[f->n - 1], s);
	return true;
}

static void cancel_same(struct factors *up, struct factors *down)
{
	for (size_t k = 0; k < down->n;) {
		size_t i = 0;

		while (i < up->n && !sym_same(up->at[i], down->at[k]))
			i++;
		if (i == up->n) {
			k++;
			continue;
		}
		up->at[i] = up->at[--up->n];
		down->at[k] = down->at[--down->n];
	}
}

/* Cancels one of `down` with a multiple or a divisor of it, which shortens a list. */
static bool cancel_one(struct sym_pool *p, struct factors *up, struct factors *down, size_t k)
{
	struct sym q;

	for (size_t i = 0; i < up->n; i++) {
		if (sym_divide(p, up->at[i], down->at[k], &q)) {
			up->at[i] = q;
			down->at[k] = down->at[--down->n];
			return true;
		}
		if (sym_divide(p, down->at[k], up->at[i], &q)) {
			up->at[i] = up->at[--up->n];
			down->at[k] = q;
			return true;
		}
	}
	return false;
}

static void cancel_multiples(struct sym_pool *p, struct factors *up, struct factors *down)
{
	for (size_t k = 0; k < down->n;)
		k += !cancel_one(p, up, down, k);
}

static void cancel_numbers(struct factors *up, struct factors *down)
{
	uint64_t g = num_gcd(sym_magnitude(up->number), sym_magnitude(down->number));

	if (g > 1 && g <= INT64_MAX) {
		up->number /= (int64_t)g;
		down->number /= (int64_t)g;
	}
}

struct sym sym_quotient(struct sym_pool *p, const struct sym *up, size_t up_count,
			const struct sym *down, size_t down_count, bool *out_exact)
{
	struct factors u = {.number = 1}, d = {.number = 1};
	struct sym num, den, out;

	*out_exact = false;
	for (size_t i = 0; i < up_count; i++) {
		if (!factors_add(p, &u, up[i]))
			return SYM_UNKNOWN;
	}
	for (size_t i = 0; i < down_count; i++) {
		if (!factors_add(p, &d, down[i]))
			return SYM_UNKNOWN;
	}
	if (d.number == 0)
		return SYM_UNKNOWN;
	cancel_numbers(&u, &d);
	cancel_same(&u, &d);
	cancel_multiples(p, &u, &d);
	num = sym_mul_int(p, sym_product(p, u.at, u.n), u.number);
	den = sym_mul_int(p, sym_product(p, d.at, d.n), d.number);
	if (sym_divide(p, num, den, &out)) {
		*out_exact = true;
		return out;
	}
	return sym_floor_div(p, num, den);
}
