/*
 * Sizes that are rounded, though no export has a remainder there.
 *
 * Many programs pad what is no multiple of a patch or a window.  If all exports are multiples,
 * they have no Pad, and the result would round down instead.  Nobody can see that in them, so it
 * is said: the result is vouched for at such multiples.
 */
#include "base/str.h"
#include "base/vec.h"
#include "edit/fit/internal.h"
#include "infer/limits.h"
#include "infer/sizes.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	MAX_DEPTH = 12,
	MAX_NOTED = 64,
	MAX_MODULUS = 4096
};

/* Is a a multiple of b in every export?  Of a sum, perhaps without its constant. */
static bool rounding_is_exact(struct fitting *f, struct sym a, struct sym b, bool steps)
{
	struct sym_pool *pool = &f->document->infer.pool;
	int64_t divisor, constant = 0;

	if (!sym_value(pool, b, &divisor) || divisor < 2)
		return false;
	for (size_t i = 0;
	     steps && sym_kind(pool, a) == SYM_KIND_SUM && i < sym_part_count(pool, a); i++) {
		if (sym_is(sym_part(pool, a, i).s, 1))
			constant = sym_part(pool, a, i).number;
	}
	for (uint32_t i = 0; i < f->count; i++) {
		int64_t value;

		if (sym_eval(pool, &f->envs[i], a, &value) != SYM_OK ||
		    (value - constant) % divisor != 0)
			return false;
	}
	return true;
}

static void rounding_walk(struct fitting *f, struct sym s, bool steps, unsigned depth)
{
	struct sym_pool *pool = &f->document->infer.pool;

	if (depth == MAX_DEPTH || f->rounded.len == MAX_NOTED)
		return;
	if (sym_kind(pool, s) == SYM_KIND_FLOOR &&
	    rounding_is_exact(f, sym_part(pool, s, 0).s, sym_part(pool, s, 1).s, steps)) {
		for (size_t i = 0; i < f->rounded.len; i++) {
			if (sym_same(f->rounded.at[i], s))
				return;
		}
		vec_push(&f->rounded, s);
	}
	for (size_t i = 0; i < sym_part_count(pool, s); i++)
		rounding_walk(f, sym_part(pool, s, i).s, steps, depth + 1);
}

void fit_note_rounding(struct fitting *f, struct sym size, bool steps)
{
	if (!sym_is_small(size) && !sym_is_unknown(size))
		rounding_walk(f, size, steps, 0);
}

/* A multiple of 8 is a multiple of 4. */
static bool rounding_is_implied(const struct fitting *f, uint32_t symbol, int64_t multiple,
				size_t except)
{
	const struct sym_pool *pool = &f->document->infer.pool;

	for (size_t i = 0; i < f->rounded.len; i++) {
		struct sym a = sym_part(pool, f->rounded.at[i], 0).s;
		uint32_t other;
		int64_t c, k, divisor;

		if (sym_is_linear(pool, a, &other, &c, &k) && other == symbol && c == 1 &&
		    sym_value(pool, sym_part(pool, f->rounded.at[i], 1).s, &divisor) &&
		    divisor % multiple == 0 && (divisor > multiple || i < except))
			return true;
	}
	return false;
}

/* Do the nodes require it anyway? */
static bool rounding_is_required(const struct limits *limits, uint32_t symbol, int64_t divisor)
{
	const struct limit *l = limit_of(limits, symbol);
	bool required = l && l->sizes.mod > 1 && l->sizes.mod < MAX_MODULUS &&
			divisor < MAX_MODULUS && l->sizes.mod % divisor == 0;

	for (uint32_t n = 1; required && n < l->sizes.mod; n++)
		required = n % divisor == 0 || !sizes_have_remainder(&l->sizes, n);
	return required;
}

void fit_tell_rounding(struct fitting *f, const struct limits *limits)
{
	struct sym_pool *pool = &f->document->infer.pool;

	for (size_t i = 0; i < f->rounded.len; i++) {
		struct sym a = sym_part(pool, f->rounded.at[i], 0).s;
		struct sym b = sym_part(pool, f->rounded.at[i], 1).s;
		struct str text = {0};
		uint32_t symbol;
		int64_t c, k, divisor, value;
		bool linear = sym_is_linear(pool, a, &symbol, &c, &k) && c == 1;

		if (!sym_value(pool, b, &divisor) ||
		    sym_eval(pool, &f->envs[0], a, &value) != SYM_OK ||
		    (linear &&
		     (rounding_is_implied(f, symbol, divisor, i) ||
		      (k % divisor == 0 && rounding_is_required(limits, symbol, divisor)))))
			continue;
		sym_print(pool, sym_mod(pool, sym_add_int(pool, a, -(value % divisor)), b), &text);
		str_text(&text, " = 0");
		vec_push(&f->report->assumes, text);
	}
}
