/*
 * Which sizes a symbol may have.
 *
 * A condition on one symbol is the set of its sizes, from 1 on: an interval, and in it the sizes
 * with certain remainders; perhaps also 1, which is broadcast.  Sets of several conditions are
 * intersected, so that what ten nodes require together is said once: a multiple of 16, at
 * least 17.
 */
#ifndef INFER_SIZES_H
#define INFER_SIZES_H

#include "base/arena.h"
#include "base/str.h"
#include "base/sv.h"
#include "sym/sym.h"

enum {
	SIZES_MAX_MOD = 1 << 16,
	SIZES_ORDINARY = 1 << 20 /* a limit from here on is no news: element types have one, too */
};

struct size_set {
	int64_t lo, hi;      /* hi: INT64_MAX for no limit; both are in the set, if anything is */
	uint32_t mod;        /* 1: all of the interval */
	const uint64_t *rem; /* bit r: sizes with remainder r; in an arena; NULL when mod is 1 */
	bool or_one;         /* and 1, which is below lo */
	/* Where the form cannot say it all, the set has fewer or more sizes than there are. */
	bool leaves_out_small; /* some below lo are possible as well */
	bool has_gaps;         /* finite, and not all from lo to hi are possible */
};

/* Is the remainder of this number one of the set's? */
static inline bool sizes_have_remainder(const struct size_set *s, uint64_t number)
{
	uint64_t r = number % MAX(s->mod, 1);

	return !s->rem || (s->rem[r / 64] >> (r % 64) & 1);
}

/* Every size. */
struct size_set sizes_all(void);
bool sizes_are_all(const struct size_set *s);
/* Nothing: no size will do. */
bool sizes_are_none(const struct size_set *s);
bool sizes_have(const struct size_set *s, int64_t size);
/* Only some sizes up to a limit, and not all below it. */
bool sizes_are_few(const struct size_set *s);
/* Is there a smaller size than lo with a remainder that will do? */
bool sizes_have_least(const struct size_set *s);
bool sizes_equal(const struct size_set *a, const struct size_set *b);

/*
 * The sizes at which the condition (an expression of this symbol alone, 1 or 0) is 1.  False
 * when that cannot be told, or takes more than *work steps; those taken are subtracted.
 */
bool sizes_find(struct sym_pool *p, struct arena *a, struct sym condition, uint32_t symbol,
		size_t *work, struct size_set *out) MUST_USE;
/* The sizes at which `rising` (see sizes_rises) is in [lo, hi]. */
bool sizes_between(struct sym_pool *p, struct sym rising, uint32_t symbol, int64_t lo, int64_t hi,
		   struct size_set *out) MUST_USE;
/* Does the expression never fall when a size in it grows? */
bool sizes_rises(const struct sym_pool *p, struct sym s);
/* The sizes in both.  False when that set is beyond this form; *out is then `a`. */
bool sizes_meet(struct arena *arena, const struct size_set *a, const struct size_set *b,
		struct size_set *out);

/* No remainders yet: bits to set for a set that sizes_reduce finishes. */
uint64_t *sizes_remainders(struct arena *a, uint32_t mod);
/* The smallest modulus that tells the same, and limits that are in the set. */
void sizes_reduce(struct size_set *s);

/* "H a multiple of 16", "H and W multiples of 16"; nothing when every remainder will do. */
void sizes_print_multiple(const struct size_set *s, struct sv name, bool plural, struct str *out);
/* "H >= 17", "seq <= 512"; nothing without limits.  Both: "H is 64 … 67". */
void sizes_print_limits(const struct size_set *s, struct sv name, struct str *out);

#endif
