#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "infer/sizes.h"
#include "sym/function.h"
#include "sym/sym.h"

enum {
	MAX_TRIED = 1 << 17 /* sizes at which a condition is evaluated */
};

/* ---- from a condition ---- */

/* The sizes from 1 to `last` at which a condition holds. */
struct tried {
	bool *holds; /* owned; by size */
	int64_t last;
	int64_t period; /* of the sizes from `start` on */
	int64_t start;
};

/* Where the condition has no value, another one already excludes the size. */
static bool sizes_try(struct sym_function *f, struct tried *t, size_t *work)
{
	if (!sym_function_period(f, &t->period, &t->start))
		return false;
	t->start = MAX(t->start, 1);
	if (t->period > MAX_TRIED / 2 || t->start > MAX_TRIED - 2 * t->period)
		return false; /* a limit of the model's may be anywhere in 64 bits */
	t->last = t->start + 2 * t->period;
	if ((size_t)t->last * f->steps.len > *work)
		return false;
	*work -= (size_t)t->last * f->steps.len;
	t->holds = must_alloc((size_t)t->last + 1);
	for (int64_t size = 1; size <= t->last; size++) {
		int64_t value = 1;

		t->holds[size] = !sym_function_run(f, size, &value) || value != 0;
	}
	return memcmp(t->holds + t->start, t->holds + t->start + t->period, (size_t)t->period) == 0;
}

static int64_t tried_first(const struct tried *t, int64_t from)
{
	while (from <= t->last && !t->holds[from])
		from++;
	return from;
}

/* The last one that holds. */
static int64_t tried_last(const struct tried *t)
{
	int64_t last = t->last;

	while (last && !t->holds[last])
		last--;
	return last;
}

static void few_sizes(const struct tried *t, struct size_set *out)
{
	int64_t lo = tried_first(t, 1), hi = tried_last(t);

	*out = (struct size_set){.lo = lo, .hi = hi, .mod = 1};
	if (hi == 0) { /* none */
		out->lo = 1;
		return;
	}
	if (lo == 1 && hi > 1 && !t->holds[2]) {
		out->lo = tried_first(t, 2);
		out->or_one = true;
	}
	for (int64_t size = out->lo; size <= hi; size++)
		out->has_gaps |= !t->holds[size];
}

static void many_sizes(struct arena *a, const struct tried *t, struct size_set *out)
{
	uint64_t *rem = sizes_remainders(a, (uint32_t)t->period);
	int64_t from = t->start;

	for (int64_t size = t->start; size < t->start + t->period; size++) {
		uint64_t r = (uint64_t)size % (uint64_t)t->period;

		if (t->holds[size])
			rem[r / 64] |= (uint64_t)1 << (r % 64);
	}
	*out = (struct size_set){.lo = 1, .hi = INT64_MAX, .mod = (uint32_t)t->period, .rem = rem};
	while (from > 1 && t->holds[from - 1] == sizes_have_remainder(out, (uint64_t)(from - 1)))
		from--;
	out->lo = from;
	for (int64_t size = 2; size < from; size++)
		out->leaves_out_small |= t->holds[size];
	out->or_one = from > 1 && t->holds[1];
	sizes_reduce(out);
}

bool sizes_find(struct sym_pool *p, struct arena *a, struct sym condition, uint32_t symbol,
		size_t *work, struct size_set *out)
{
	struct sym_function f = {0};
	struct tried t = {0};
	bool ok = sym_function_init(&f, p, condition, symbol) && sizes_try(&f, &t, work);

	if (ok && tried_last(&t) < t.start)
		few_sizes(&t, out);
	else if (ok)
		many_sizes(a, &t, out);
	sym_function_release(&f);
	free(t.holds);
	return ok;
}

/* ---- from an expression that rises ---- */

/* Which way an expression may go when sizes in it grow; a number goes both ways. */
enum {
	NEVER_FALLS = 1 << 0,
	NEVER_RISES = 1 << 1,
	TREND_ANY = NEVER_FALLS | NEVER_RISES
};

static unsigned trend_of(const struct sym_pool *p, struct sym s);

static unsigned trend_turned(unsigned trend)
{
	return (trend & NEVER_FALLS ? NEVER_RISES : 0) | (trend & NEVER_RISES ? NEVER_FALLS : 0);
}

/* A symbol that stands for an expression may fall. */
static unsigned trend_symbol(const struct sym_pool *p, struct sym s)
{
	uint32_t id = 0;
	bool plain = sym_symbol_id(p, s, &id) && p->symbols.at[id].source != SYM_COMPLEX &&
		     sym_is_unknown(p->symbols.at[id].origin.definition);

	return plain ? NEVER_FALLS : 0;
}

static unsigned trend_parts(const struct sym_pool *p, struct sym s)
{
	unsigned trend = TREND_ANY;

	for (size_t i = 0; trend && i < sym_part_count(p, s); i++)
		trend &= trend_of(p, sym_part(p, s, i).s);
	return trend;
}

static unsigned trend_sum(const struct sym_pool *p, struct sym s)
{
	unsigned trend = TREND_ANY;

	for (size_t i = 0; trend && i < sym_part_count(p, s); i++) {
		struct sym_part part = sym_part(p, s, i);
		unsigned one = trend_of(p, part.s);

		trend &= part.number < 0 ? trend_turned(one) : one;
	}
	return trend;
}

static unsigned trend_product(const struct sym_pool *p, struct sym s)
{
	for (size_t i = 0; i < sym_part_count(p, s); i++) {
		if (sym_range(p, sym_part(p, s, i).s).lo < 0)
			return 0;
	}
	return trend_parts(p, s);
}

/* 100/n falls: only what is not negative, divided by what is positive. */
static unsigned trend_quotient(const struct sym_pool *p, struct sym s)
{
	struct sym whole = sym_part(p, s, 0).s, divisor = sym_part(p, s, 1).s;
	int64_t ignored;

	if (sym_range(p, divisor).lo < 1)
		return 0;
	if (sym_value(p, divisor, &ignored))
		return trend_of(p, whole);
	if (sym_range(p, whole).lo < 0)
		return 0;
	return trend_of(p, whole) & trend_turned(trend_of(p, divisor));
}

static unsigned trend_of(const struct sym_pool *p, struct sym s)
{
	switch (sym_kind(p, s)) {
	case SYM_KIND_INT:
		return TREND_ANY;
	case SYM_KIND_SYMBOL:
		return trend_symbol(p, s);
	case SYM_KIND_SUM:
		return trend_sum(p, s);
	case SYM_KIND_PRODUCT:
		return trend_product(p, s);
	case SYM_KIND_FLOOR:
	case SYM_KIND_TRUNC:
		return trend_quotient(p, s);
	case SYM_KIND_MAX:
	case SYM_KIND_MIN:
		return trend_parts(p, s);
	case SYM_KIND_UNKNOWN:
	case SYM_KIND_BROADCAST:
	case SYM_KIND_ZERO:
	case SYM_KIND_NATURAL:
	case SYM_KIND_SELECT:
	case SYM_KIND_CUT:
	case SYM_KIND_FCONST:
	case SYM_KIND_FCAST:
	case SYM_KIND_FOP:
	case SYM_KIND_COUNT:
		break;
	}
	return 0;
}

bool sizes_rises(const struct sym_pool *p, struct sym s)
{
	return trend_of(p, s) & NEVER_FALLS;
}

/* The last size from `from` on, and before `to`, at which it has a value: then 64 bits end. */
static int64_t last_with_value(struct sym_function *f, int64_t from, int64_t to)
{
	while (to - from > 1) {
		int64_t mid = from + (to - from) / 2, ignored;

		if (sym_function_run(f, mid, &ignored))
			from = mid;
		else
			to = mid;
	}
	return from;
}

/* The first size from 1 on at which it is at least `value`; INT64_MAX for none. */
static bool first_at_least(struct sym_function *f, int64_t value, int64_t *out)
{
	enum {
		ORDINARY = 1 << 20 /* where values end before, nobody knows what the runtime does */
	};
	int64_t lo = 0, hi = 1, end = INT64_MAX / 4, now = 0;

	for (;; hi = hi < end / 2 ? hi * 2 : end) {
		if (!sym_function_run(f, hi, &now)) {
			if (lo == 0)
				return false;
			end = hi = last_with_value(f, lo, hi);
			if (!sym_function_run(f, hi, &now))
				return false;
		}
		if (now >= value)
			break;
		if (hi == end) {
			*out = INT64_MAX;
			return end > ORDINARY;
		}
		lo = hi;
	}
	while (hi - lo > 1) {
		int64_t mid = lo + (hi - lo) / 2;

		if (!sym_function_run(f, mid, &now))
			return false;
		if (now >= value)
			hi = mid;
		else
			lo = mid;
	}
	*out = hi;
	return true;
}

bool sizes_between(struct sym_pool *p, struct sym rising, uint32_t symbol, int64_t lo, int64_t hi,
		   struct size_set *out)
{
	struct sym_function f = {0};
	struct size_set found = sizes_all();
	int64_t beyond = INT64_MAX;
	bool ok = sym_function_init(&f, p, rising, symbol) && first_at_least(&f, lo, &found.lo) &&
		  (hi == INT64_MAX || first_at_least(&f, hi + 1, &beyond));

	sym_function_release(&f);
	if (!ok)
		return false;
	found.hi = beyond == INT64_MAX ? INT64_MAX : beyond - 1;
	if (found.lo == INT64_MAX) { /* never */
		found.lo = 1;
		found.hi = 0;
	}
	*out = found;
	return true;
}
