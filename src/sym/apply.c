/* The public operations: memoised, they never fail. */
#include "base/bug.h"
#include "sym/node.h"
#include "sym/pool.h"
#include "sym/sym.h"

static sym_build *const apply_builders[SYM_OP_COUNT] = {
	[SYM_OP_ADD] = sym_build_add,     [SYM_OP_SUB] = sym_build_sub,
	[SYM_OP_MUL] = sym_build_mul,     [SYM_OP_FLOOR] = sym_build_floor,
	[SYM_OP_TRUNC] = sym_build_trunc, [SYM_OP_MAX] = sym_build_max,
	[SYM_OP_MIN] = sym_build_min,     [SYM_OP_BROADCAST] = sym_build_broadcast,
	[SYM_OP_EQ] = sym_build_eq,       [SYM_OP_LE] = sym_build_le,
	/* the rest takes one operand or three, and is built elsewhere */
};

static const bool apply_commutes[SYM_OP_COUNT] = {
#define OP(name, shown, apply_commutes) [SYM_OP_##name] = apply_commutes,
	SYM_OPS(OP)
#undef OP
};

static bool apply_usable(const struct sym_pool *p, struct sym s)
{
	return !sym_is_unknown(s) && !sym_is_float_kind(sym_kind(p, s));
}

struct sym sym_apply(struct sym_pool *p, enum sym_op op, struct sym a, struct sym b)
{
	struct sym out = SYM_UNKNOWN;

	BUG_ON(op >= SYM_OP_COUNT || !apply_builders[op]);
	if (apply_commutes[op] && b.w < a.w) {
		struct sym swap = a;

		a = b;
		b = swap;
	}
	if (sym_recall(p, op, a, b, &out))
		return out;
	if (!apply_usable(p, a) || !apply_usable(p, b) ||
	    p->node_count > SYM_NODES_MAX - SYM_NODES_SPARE || p->spent)
		return SYM_UNKNOWN;
	if (!apply_builders[op](p, a, b, &out))
		out = sym_complex(p, op, (struct sym[3]){a, b, SYM_UNKNOWN});
	sym_remember(p, op, a, b, out);
	return out;
}

struct sym sym_neg(struct sym_pool *p, struct sym a)
{
	return sym_sub(p, sym_int(p, 0), a);
}

struct sym sym_add_int(struct sym_pool *p, struct sym a, int64_t b)
{
	return sym_add(p, a, sym_int(p, b));
}

struct sym sym_mul_int(struct sym_pool *p, struct sym a, int64_t b)
{
	return sym_mul(p, a, sym_int(p, b));
}

struct sym sym_pow(struct sym_pool *p, struct sym a, uint32_t power)
{
	struct sym out = sym_int(p, 1);

	if (sym_is_unknown(a) || sym_is(a, 0) || sym_is(a, 1))
		return power || sym_is_unknown(a) ? a : out;
	/* Squaring keeps a hostile power cheap; 2^63 overflows every integer but 0 and +-1. */
	for (; power; power >>= 1) {
		if (power & 1)
			out = sym_mul(p, out, a);
		if (power > 1)
			a = sym_mul(p, a, a);
	}
	return out;
}

struct sym sym_abs(struct sym_pool *p, struct sym a)
{
	return sym_max(p, a, sym_neg(p, a));
}

struct sym sym_product(struct sym_pool *p, const struct sym *dims, size_t count)
{
	struct sym out = sym_int(p, 1);

	for (size_t i = 0; i < count; i++)
		out = sym_mul(p, out, dims[i]);
	return out;
}
