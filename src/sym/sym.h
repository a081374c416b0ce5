/*
 * Exact symbolic integers: the sizes of tensors and the numbers computed from them.
 *
 * A `struct sym` is one word: an integer, or the number of a node in its pool.  Every
 * canonical form is stored once, so the same word means equal; different words may still
 * be equal (ask sym_eq).  The word 0 is "unknown": two unknowns need not be equal, and
 * every operation with one is unknown.
 *
 * Canonical form: an integer polynomial whose variables are atoms.  An atom is a symbol,
 * or something a polynomial cannot express: a rounded quotient, a maximum, a minimum, a
 * broadcast, a selection, a comparison (1 or 0), a float computation truncated to an
 * integer.  Forms are simplified when they are built and never again.
 *
 * Invariant: a form has the value of the original expression, for each binding of its
 * symbols (within their ranges) for which that expression has a value.  It may have a
 * value where the original has none: n*k/k is n, also for k = 0.
 *
 * A result that does not fit (a coefficient beyond 64 bits, more than 32 terms, nesting
 * beyond 12) becomes a generated symbol that remembers how it was computed: still exact
 * when it is evaluated or substituted, but opaque to the algebra.  When the definitions behind it
 * grow beyond 1024 leaves, it is unknown.
 *
 * Text is in sym/text.h, evaluation and substitution in sym/eval.h, floats in sym/float.h.
 */
#ifndef SYM_SYM_H
#define SYM_SYM_H

#include "base/arena.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/num.h"
#include "base/sv.h"
#include "base/vec.h"

struct sym {
	uint64_t w; /* 0 unknown; odd: a 63-bit integer; even: twice a node's number */
};

#define SYM_UNKNOWN ((struct sym){0})

enum sym_kind {
	SYM_KIND_UNKNOWN,
	SYM_KIND_INT,
	SYM_KIND_SYMBOL,
	SYM_KIND_PRODUCT,   /* atoms with powers */
	SYM_KIND_SUM,       /* products with coefficients */
	SYM_KIND_FLOOR,     /* floor(a / b) */
	SYM_KIND_TRUNC,     /* a / b, truncated */
	SYM_KIND_MAX,       /* of two or more */
	SYM_KIND_MIN,       /* of two or more */
	SYM_KIND_BROADCAST, /* the one that is not 1; all that are not 1 must be equal */
	SYM_KIND_ZERO,      /* 1 when a == 0, else 0 */
	SYM_KIND_NATURAL,   /* 1 when a >= 0, else 0 */
	SYM_KIND_SELECT,    /* a is not 0 ? b : c */
	SYM_KIND_CUT,       /* a truncated float */
	SYM_KIND_FCONST,    /* from here on: a float, see sym/float.h */
	SYM_KIND_FCAST,
	SYM_KIND_FOP,
	SYM_KIND_COUNT
};

/*  name       shown      commutative */
#define SYM_OPS(OP)                      \
	OP(ADD, "+", true)               \
	OP(SUB, "-", false)              \
	OP(MUL, "*", true)               \
	OP(FLOOR, "//", false)           \
	OP(TRUNC, "trunc", false)        \
	OP(MAX, "max", true)             \
	OP(MIN, "min", true)             \
	OP(BROADCAST, "broadcast", true) \
	OP(EQ, "==", true)               \
	OP(LE, "<=", false)              \
	OP(SELECT, "where", false)       \
	OP(CUT, "int", false)

enum sym_op {
	SYM_OP_NONE,
#define OP(name, shown, commutes) SYM_OP_##name,
	SYM_OPS(OP)
#undef OP
	SYM_OP_COUNT
};

enum sym_answer {
	SYM_MAYBE,
	SYM_YES,
	SYM_NO,
	SYM_ANSWER_COUNT
};

/* lo is INT64_MIN without a lower bound, hi is INT64_MAX without an upper bound. */
struct sym_range {
	int64_t lo;
	int64_t hi;
};

#define SYM_RANGE_ANY  ((struct sym_range){INT64_MIN, INT64_MAX})
#define SYM_RANGE_SIZE ((struct sym_range){0, INT64_MAX})
/* Sizes that a model declares: an expression promises nothing for empty tensors. */
#define SYM_RANGE_DECLARED ((struct sym_range){1, INT64_MAX})

/* The value is rem plus a multiple of mod.  mod 0: exactly rem.  mod 1: nothing is known. */
struct sym_modulus {
	int64_t mod;
	int64_t rem;
};

/* Origins that are no node: no model has that many. */
enum {
	SYM_NODE_LIMIT = 0x7ffffffd,   /* a multiple, divided by what it is a multiple of */
	SYM_NODE_ASSUMED = 0x7ffffffe, /* the same, within sym_assume */
	SYM_NODE_MARK = 0x7fffffff     /* stands for a size while a rule runs once more */
};

/* Where a generated symbol comes from; equal origins are the same symbol. */
struct sym_origin {
	uint32_t node; /* or SYM_NODE_… */
	uint32_t output;
	uint32_t axis;
	struct sym_range range;
	struct sym definition; /* what it is equal to, or unknown */
};

enum sym_source {
	SYM_DECLARED,  /* named from the start */
	SYM_GENERATED, /* stands for what a node computes */
	SYM_COMPLEX,   /* stands for an operation whose result did not fit */
	SYM_SOURCE_COUNT
};

struct sym_symbol {
	uint32_t name; /* in the pool's names; 0: none, printed as ?7 */
	enum sym_source source;
	struct sym self;
	struct sym_origin origin; /* its range is always set */
	enum sym_op op;           /* SYM_COMPLEX: the operation and its operands */
	struct sym args[3];
};

struct sym_node;
struct sym_memo;

struct sym_aliases;

struct sym_pool {
	struct arena arena;
	struct intern names;
	VEC(struct sym_symbol) symbols; /* read only; a symbol's number is its index */
	struct map by_name;             /* name number -> symbol number + 1 */
	struct sym_node *nodes;         /* owned; [0] is unknown */
	uint32_t
		*walked; /* owned; by node: the last walk that met it; [0] is the number of walks */
	size_t node_count;
	size_t node_cap;
	uint32_t *slots;       /* owned; hash table of node numbers, 0 is free */
	size_t slot_cap;       /* a power of two, or 0 */
	struct sym_memo *memo; /* owned; hash table of memoised operations */
	size_t memo_count;
	size_t memo_cap; /* a power of two, or 0 */
	uint64_t seed;
	const struct sym_aliases *spoken; /* borrowed: for sym_say; NULL while nobody reads */
	bool ordinary;                    /* the caller's choice, see sym/float.h */
	uint64_t steps;                   /* so far; a form of n parts takes n*n */
	uint64_t most_steps, most_bytes;  /* the caller's choice; 0: no limit */
	bool spent; /* one was reached: new operations are unknown from now on */
};

/* An all-zero pool is ready for use. */
void sym_pool_release(struct sym_pool *p);
size_t sym_pool_bytes(const struct sym_pool *p);
/* How much looking through it may take: its leaves, with those of definitions. */
uint32_t sym_reach(const struct sym_pool *p, struct sym s);
/* Is one of its symbols, or of those in definitions, a generated one? */
bool sym_has_generated(const struct sym_pool *p, struct sym s);

/* ---- integers and kinds ---- */

struct sym sym_big(struct sym_pool *p, int64_t value);
bool sym_big_value(const struct sym_pool *p, struct sym s, int64_t *out);
enum sym_kind sym_kind(const struct sym_pool *p, struct sym s);

static inline bool sym_same(struct sym a, struct sym b)
{
	return a.w == b.w;
}

static inline bool sym_is_unknown(struct sym s)
{
	return s.w == 0;
}

static inline bool sym_is_small(struct sym s)
{
	return s.w & 1;
}

/* Only if sym_is_small; use sym_value where an integer may be big. */
static inline int64_t sym_small(struct sym s)
{
	return (int64_t)s.w >> 1;
}

static inline bool sym_fits_small(int64_t value)
{
	return value >= INT64_MIN / 2 && value <= INT64_MAX / 2;
}

static inline struct sym sym_int(struct sym_pool *p, int64_t value)
{
	if (!sym_fits_small(value))
		return sym_big(p, value);
	return (struct sym){(uint64_t)value << 1 | 1};
}

/* Is it an integer, and which? */
static inline bool sym_value(const struct sym_pool *p, struct sym s, int64_t *out)
{
	if (!sym_is_small(s))
		return sym_big_value(p, s, out);
	*out = sym_small(s);
	return true;
}

static inline bool sym_is(struct sym s, int32_t value)
{
	return s.w == ((uint64_t)(int64_t)value << 1 | 1);
}

/* ---- symbols ---- */

/* The symbol of that name; a new one is a size of 1 or more.  The name must not be empty. */
struct sym sym_declare(struct sym_pool *p, struct sv name);
/* As sym_declare; the range is used only when the symbol is new. */
struct sym sym_declare_range(struct sym_pool *p, struct sv name, struct sym_range range);
/* Unknown when there is no such symbol. */
struct sym sym_find(const struct sym_pool *p, struct sv name);
struct sym sym_generate(struct sym_pool *p, const struct sym_origin *origin);
/* False when s is not a bare symbol. */
bool sym_symbol_id(const struct sym_pool *p, struct sym s, uint32_t *out);
/* Empty for a generated symbol without a name. */
struct sv sym_name(const struct sym_pool *p, uint32_t id);
/* Handles stay valid.  Fails when another symbol has the name, or it is empty. */
bool sym_rename(struct sym_pool *p, uint32_t id, struct sv name, struct err *err) MUST_USE;
/* Takes its name away: another symbol may have it. */
void sym_unname(struct sym_pool *p, uint32_t id);
/* Takes the names of generated symbols away. */
void sym_forget_names(struct sym_pool *p);

/* ---- arithmetic ---- */

/* The general case of the operations below; not for SELECT and CUT. */
struct sym sym_apply(struct sym_pool *p, enum sym_op op, struct sym a, struct sym b);

static inline struct sym sym_add(struct sym_pool *p, struct sym a, struct sym b)
{
	int64_t sum;

	if (sym_is_small(a) && sym_is_small(b) && num_iadd(sym_small(a), sym_small(b), &sum))
		return sym_int(p, sum);
	if (sym_is(a, 0))
		return b;
	return sym_is(b, 0) ? a : sym_apply(p, SYM_OP_ADD, a, b);
}

static inline struct sym sym_sub(struct sym_pool *p, struct sym a, struct sym b)
{
	int64_t difference;

	if (sym_is_small(a) && sym_is_small(b) && num_isub(sym_small(a), sym_small(b), &difference))
		return sym_int(p, difference);
	return sym_is(b, 0) ? a : sym_apply(p, SYM_OP_SUB, a, b);
}

static inline struct sym sym_mul(struct sym_pool *p, struct sym a, struct sym b)
{
	int64_t product;

	if (sym_is_small(a) && sym_is_small(b) && num_imul(sym_small(a), sym_small(b), &product))
		return sym_int(p, product);
	if (sym_is(a, 1))
		return b;
	return sym_is(b, 1) ? a : sym_apply(p, SYM_OP_MUL, a, b);
}

struct sym sym_neg(struct sym_pool *p, struct sym a);
struct sym sym_add_int(struct sym_pool *p, struct sym a, int64_t b);
struct sym sym_mul_int(struct sym_pool *p, struct sym a, int64_t b);
/* a^0 is 1, also for a = 0. */
struct sym sym_pow(struct sym_pool *p, struct sym a, uint32_t power);
struct sym sym_abs(struct sym_pool *p, struct sym a);

/* Quotients: unknown when b is the integer 0. */
struct sym sym_floor_div(struct sym_pool *p, struct sym a, struct sym b);
struct sym sym_ceil_div(struct sym_pool *p, struct sym a, struct sym b);
struct sym sym_trunc_div(struct sym_pool *p, struct sym a, struct sym b);
/* a - b*floor(a/b): has the sign of b. */
struct sym sym_mod(struct sym_pool *p, struct sym a, struct sym b);
/* a - b*trunc(a/b): has the sign of a, like % in C. */
struct sym sym_rem(struct sym_pool *p, struct sym a, struct sym b);
/* a/b when that is a polynomial with integer coefficients, else false. */
bool sym_divide(struct sym_pool *p, struct sym a, struct sym b, struct sym *out) MUST_USE;
struct sym sym_product(struct sym_pool *p, const struct sym *dims, size_t count);
/*
 * The product of `up` over the product of `down`, as Reshape needs it for -1: equal
 * factors are cancelled before multiplying.  When *out_exact is false the result is
 * rounded down, and correct only if the division has no remainder.
 */
struct sym sym_quotient(struct sym_pool *p, const struct sym *up, size_t up_count,
			const struct sym *down, size_t down_count, bool *out_exact);

struct sym sym_max(struct sym_pool *p, struct sym a, struct sym b);
struct sym sym_min(struct sym_pool *p, struct sym a, struct sym b);
/* Unknown when the two are different integers and neither is 1. */
struct sym sym_broadcast(struct sym_pool *p, struct sym a, struct sym b);

/* Comparisons as values: 1, 0, or an expression that is one of them. */
struct sym sym_test_eq(struct sym_pool *p, struct sym a, struct sym b);
struct sym sym_test_le(struct sym_pool *p, struct sym a, struct sym b);
struct sym sym_test_lt(struct sym_pool *p, struct sym a, struct sym b);
/* Logic: anything but 0 is true. */
struct sym sym_truth(struct sym_pool *p, struct sym a);
struct sym sym_not(struct sym_pool *p, struct sym a);
struct sym sym_and(struct sym_pool *p, struct sym a, struct sym b);
struct sym sym_or(struct sym_pool *p, struct sym a, struct sym b);
/* condition is not 0 ? a : b. */
struct sym sym_select(struct sym_pool *p, struct sym condition, struct sym a, struct sym b);

/* ---- parts of an expression ---- */

/*
 * The parts of a node.  SUM: number is the coefficient, s the product (1 for the constant).
 * PRODUCT: number is the power, s the atom.  Everything else: s is an operand, in the order
 * that enum sym_kind gives.  Integers, symbols and float constants have no parts.
 */
struct sym_part {
	int64_t number;
	struct sym s;
};

size_t sym_part_count(const struct sym_pool *p, struct sym s);
struct sym_part sym_part(const struct sym_pool *p, struct sym s, size_t i);
/*
 * The largest factor of all terms: an integer times atoms that are never below `min`.
 * 16*b*s - 112*b is 16*b times s - 7.  False, and nothing is set, when that is 1.
 */
bool sym_common_factor(struct sym_pool *p, struct sym s, int64_t min, struct sym *out_factor,
		       struct sym *out_rest) MUST_USE;
/* Is it a*symbol + b with a not 0?  Each output may be NULL. */
bool sym_is_linear(const struct sym_pool *p, struct sym s, uint32_t *out_symbol, int64_t *out_a,
		   int64_t *out_b);

/* ---- what is known ---- */

struct sym_range sym_range(const struct sym_pool *p, struct sym s);
struct sym_modulus sym_modulus(const struct sym_pool *p, struct sym s);
/* YES and NO hold for every binding within range. */
enum sym_answer sym_eq(struct sym_pool *p, struct sym a, struct sym b);
enum sym_answer sym_le(struct sym_pool *p, struct sym a, struct sym b);
enum sym_answer sym_lt(struct sym_pool *p, struct sym a, struct sym b);

#endif
