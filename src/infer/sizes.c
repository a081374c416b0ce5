#include "infer/sizes.h"

#include <string.h>

#include "base/num.h"

struct size_set sizes_all(void)
{
	return (struct size_set){.lo = 1, .hi = INT64_MAX, .mod = 1};
}

bool sizes_are_all(const struct size_set *s)
{
	return s->lo <= 1 && s->hi == INT64_MAX && s->mod == 1 && !s->leaves_out_small;
}

bool sizes_are_none(const struct size_set *s)
{
	return s->lo > s->hi && !s->or_one;
}

bool sizes_have(const struct size_set *s, int64_t size)
{
	if (size == 1 && s->or_one)
		return true;
	return size >= s->lo && size <= s->hi && sizes_have_remainder(s, (uint64_t)size);
}

bool sizes_are_few(const struct size_set *s)
{
	return s->hi < INT64_MAX && (s->lo > 1 || s->has_gaps || s->lo >= s->hi);
}

bool sizes_equal(const struct size_set *a, const struct size_set *b)
{
	if (a->lo != b->lo || a->hi != b->hi || a->mod != b->mod || a->or_one != b->or_one ||
	    !a->rem != !b->rem)
		return false;
	return !a->rem || memcmp(a->rem, b->rem, (a->mod + 63) / 64 * sizeof(*a->rem)) == 0;
}

/* ---- remainders ---- */

uint64_t *sizes_remainders(struct arena *a, uint32_t mod)
{
	uint64_t *rem = arena_array(a, (mod + 63) / 64, uint64_t);

	memset(rem, 0, (mod + 63) / 64 * sizeof(*rem));
	return rem;
}

static bool rem_repeats(const struct size_set *s, uint32_t mod)
{
	for (uint32_t r = mod; r < s->mod; r++) {
		if (sizes_have_remainder(s, r) != sizes_have_remainder(s, r % mod))
			return false;
	}
	return true;
}

static void rem_reduce(struct size_set *s)
{
	for (uint32_t mod = 1; s->rem && mod < s->mod; mod++) {
		if (s->mod % mod == 0 && rem_repeats(s, mod)) {
			s->mod = mod;
			break;
		}
	}
	if (s->mod == 1 && s->rem && !sizes_have_remainder(s, 0))
		s->hi = 0; /* none */
	if (s->mod == 1)
		s->rem = NULL;
}

static void sizes_trim(struct size_set *s)
{
	for (uint32_t i = 0; s->rem && i <= s->mod && s->lo <= s->hi && !sizes_have(s, s->lo); i++)
		s->lo++;
	for (uint32_t i = 0;
	     s->rem && i <= s->mod && s->hi < INT64_MAX && s->lo <= s->hi && !sizes_have(s, s->hi);
	     i++)
		s->hi--;
	if (s->rem && s->lo <= s->hi && !sizes_have_remainder(s, (uint64_t)s->lo))
		s->hi = s->lo - 1;
	if (s->lo == 1 && s->lo <= s->hi)
		s->or_one = false;
	if (s->lo > s->hi) {
		s->mod = 1;
		s->rem = NULL;
	}
}

void sizes_reduce(struct size_set *s)
{
	rem_reduce(s);
	sizes_trim(s);
}

bool sizes_meet(struct arena *arena, const struct size_set *a, const struct size_set *b,
		struct size_set *out)
{
	uint64_t mod = (uint64_t)a->mod / num_gcd(a->mod, b->mod) * b->mod;
	struct size_set both = {
		.lo = MAX(a->lo, b->lo),
		.hi = MIN(a->hi, b->hi),
		.or_one = (a->or_one && sizes_have(b, 1)) || (b->or_one && sizes_have(a, 1)),
		.leaves_out_small = a->leaves_out_small || b->leaves_out_small,
		.has_gaps = a->has_gaps || b->has_gaps,
		.mod = 1,
	};

	if (mod > SIZES_MAX_MOD) {
		*out = *a;
		return false;
	}
	both.mod = (uint32_t)mod;
	if (a->mod == mod && (!b->rem || sizes_equal(a, b))) {
		both.rem = a->rem;
	} else if (b->mod == mod && !a->rem) {
		both.rem = b->rem;
	} else if (mod > 1) {
		uint64_t *rem = sizes_remainders(arena, both.mod);

		for (uint32_t r = 0; r < both.mod; r++) {
			if (sizes_have_remainder(a, r) && sizes_have_remainder(b, r))
				rem[r / 64] |= (uint64_t)1 << (r % 64);
		}
		both.rem = rem;
	}
	sizes_reduce(&both);
	*out = both;
	return true;
}
