#include "flow/axis.h"

#include "base/arena.h"
#include "base/num.h"
#include "sym/eval.h"
#include "sym/sym.h"

struct symbol_bits {
	const struct factory *factory;
	uint64_t bits;
};

static void note_symbol(void *context, uint32_t id)
{
	struct symbol_bits *b = context;

	for (uint32_t i = 0; i < b->factory->symbol_count; i++) {
		if (b->factory->symbols[i] == id)
			b->bits |= UINT64_C(1) << i;
	}
	if (b->factory->first_unknown && id >= b->factory->first_unknown)
		b->bits |= FLOW_UNKNOWN;
}

uint64_t flow_symbols(const struct factory *f, struct sym s)
{
	struct symbol_bits b = {.factory = f};

	if (!sym_is_small(s))
		sym_each_symbol(f->pool, s, note_symbol, &b);
	return b.bits;
}

struct factor factor_number(struct factory *f, int64_t number)
{
	return (struct factor){.size = sym_int(f->pool, number), .old = number};
}

struct factor factor_make(struct factory *f, struct sym size, int64_t old)
{
	return (struct factor){.size = size, .old = old, .symbols = flow_symbols(f, size)};
}

static bool is_one(const struct factor *f)
{
	return !f->symbols && f->old == 1;
}

struct flow_axis axis_make(struct factory *f, const struct factor *factors, uint32_t count)
{
	struct factor *out = arena_array(f->arena, count, struct factor);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (!is_one(&factors[i]))
			out[kept++] = factors[i];
	}
	return (struct flow_axis){out, kept};
}

struct flow_axis axis_number(struct factory *f, int64_t number)
{
	struct factor one = factor_number(f, number);

	return axis_make(f, &one, 1);
}

struct flow_axis axis_of(struct factory *f, struct sym size, int64_t old)
{
	struct factor one = factor_make(f, size, old);

	return axis_make(f, &one, 1);
}

struct flow_axis axis_some(struct factory *f, struct sym size, int64_t old, uint64_t symbols)
{
	struct factor one = {.size = size, .old = old, .symbols = symbols, .step = FACTOR_SOME};

	return axis_make(f, &one, 1);
}

struct flow_axis axis_made_of(struct factory *f, struct flow_axis a, uint64_t symbols)
{
	if (axis_symbols(a) || !symbols)
		return a;
	return axis_some(f, axis_size(f, a), axis_old(a), symbols);
}

struct flow_axis axis_joined(struct factory *f, struct flow_axis a, struct flow_axis b)
{
	struct factor *out = arena_array(f->arena, a.count + b.count, struct factor);

	for (uint32_t i = 0; i < a.count; i++)
		out[i] = a.at[i];
	for (uint32_t i = 0; i < b.count; i++)
		out[a.count + i] = b.at[i];
	return (struct flow_axis){out, a.count + b.count};
}

static unsigned axis_says(struct flow_axis a)
{
	uint64_t symbols = axis_symbols(a);

	return (axis_old(a) != 1 ? 4u : 0u) + (symbols ? 1u : 0u) +
	       (symbols && !(symbols & FLOW_UNKNOWN) ? 1u : 0u);
}

struct flow_axis axis_known(struct flow_axis a, struct flow_axis b)
{
	return axis_says(b) > axis_says(a) ? b : a;
}

struct sym axis_size(struct factory *f, struct flow_axis a)
{
	struct sym size = sym_int(f->pool, 1);

	for (uint32_t i = 0; i < a.count; i++)
		size = sym_mul(f->pool, size, a.at[i].size);
	return size;
}

int64_t axis_old(struct flow_axis a)
{
	int64_t old = 1;

	for (uint32_t i = 0; i < a.count; i++) {
		if (!num_imul(old, a.at[i].old, &old))
			return -1;
	}
	return old;
}

uint64_t axis_symbols(struct flow_axis a)
{
	uint64_t symbols = 0;

	for (uint32_t i = 0; i < a.count; i++)
		symbols |= a.at[i].symbols;
	return symbols;
}

uint64_t axes_symbols(const struct flow_axis *axes, uint32_t count)
{
	uint64_t symbols = 0;

	for (uint32_t i = 0; i < count; i++)
		symbols |= axis_symbols(axes[i]);
	return symbols;
}

bool axis_same_size(struct factory *f, struct flow_axis a, struct flow_axis b)
{
	return sym_eq(f->pool, axis_size(f, a), axis_size(f, b)) == SYM_YES;
}

/* The product of the numbers from *i on, up to the next origin. */
static int64_t next_number(struct flow_axis a, uint32_t *i)
{
	int64_t number = 1;

	for (; *i < a.count && !factor_is_origin(&a.at[*i]); (*i)++) {
		if (!num_imul(number, a.at[*i].old, &number))
			return -1;
	}
	return number;
}

bool axis_same(struct factory *f, struct flow_axis a, struct flow_axis b)
{
	uint32_t i = 0, j = 0;

	for (;;) {
		if (next_number(a, &i) != next_number(b, &j))
			return false;
		if (i == a.count || j == b.count)
			return i == a.count && j == b.count;
		if (sym_eq(f->pool, a.at[i].size, b.at[j].size) != SYM_YES)
			return false;
		i++;
		j++;
	}
}

/* The size of a run: an origin, and the numbers after it. */
static struct sym next_run(struct factory *f, struct flow_axis a, uint32_t *i)
{
	struct sym size = a.at[(*i)++].size;

	for (; *i < a.count && !factor_is_origin(&a.at[*i]); (*i)++)
		size = sym_mul(f->pool, size, a.at[*i].size);
	return size;
}

bool axis_same_order(struct factory *f, struct flow_axis a, struct flow_axis b)
{
	uint32_t i = 0, j = 0;

	if (next_number(a, &i) != next_number(b, &j))
		return false;
	while (i < a.count && j < b.count) {
		if (sym_eq(f->pool, next_run(f, a, &i), next_run(f, b, &j)) != SYM_YES)
			return false;
	}
	return i == a.count && j == b.count;
}
