/* memcpy and memmove of the wheel: every short length, and long ones, at distances that overlap and
 * that do not. */
#define memcpy  wheel_memcpy
#define memmove wheel_memmove
void *wheel_memmove(void *out, const void *in, unsigned long n);
void *wheel_memcpy(void *restrict out, const void *restrict in, unsigned long n);
#include "tests/wheel/move.c"
#undef memcpy
#undef memmove

#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "tests/tap.h"

enum {
	SIDE = 64, /* what lies around must not change */
	LONGEST = 9000
};

static unsigned char bytes[SIDE + 3 * LONGEST + SIDE], wanted[sizeof(bytes)];

static void moves_fill(void)
{
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = wanted[i] = (unsigned char)(i * 167 + (i >> 8) * 31);
}

/* One byte after the other, in the direction that keeps what is still to be read. */
static void moves_slowly(size_t to, size_t from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t at = to < from ? i : n - 1 - i;

		wanted[to + at] = wanted[from + at];
	}
}

static bool moves_as_it_should(size_t to, size_t from, size_t n, bool copy)
{
	moves_fill();
	moves_slowly(to, from, n);
	if (copy ? wheel_memcpy(bytes + to, bytes + from, n) != bytes + to
		 : wheel_memmove(bytes + to, bytes + from, n) != bytes + to)
		return false;
	return memcmp(bytes, wanted, sizeof(bytes)) == 0;
}

TEST(short_lengths_at_all_distances)
{
	for (size_t n = 0; n <= 300; n += n < 140 ? 1 : 13) {
		bool good = true;

		for (size_t to = LONGEST - 150; to <= LONGEST + 150; to += n > 20 ? 7 : 1)
			good &= moves_as_it_should(to, LONGEST, n, false);
		CHECK(good);
	}
}

TEST(long_lengths)
{
	static const size_t lengths[] = {511, 512, 2047, 2048, 2049, 2055, 4096, 8191, LONGEST};
	static const size_t apart[] = {1,  7,   8,   15,   16,   63,   64,
				       65, 128, 500, 2040, 2048, 4100, LONGEST};

	for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
		bool good = true;

		for (size_t k = 0; k < ARRAY_LEN(apart); k++) {
			good &= moves_as_it_should(SIDE + LONGEST, SIDE + LONGEST - apart[k],
						   lengths[i], false);
			good &= moves_as_it_should(SIDE + LONGEST - apart[k], SIDE + LONGEST,
						   lengths[i], false);
		}
		CHECK(good);
	}
}

TEST(copies_at_all_alignments)
{
	for (size_t n = 0; n <= 200; n++) {
		bool good = true;

		for (size_t shift = 0; shift < 17; shift++)
			good &= moves_as_it_should(SIDE + shift, SIDE + LONGEST + shift * 3, n,
						   true);
		CHECK(good);
	}
	CHECK(moves_as_it_should(SIDE + 3, SIDE + LONGEST + 4, LONGEST - 5, true));
}

TESTS(T(short_lengths_at_all_distances), T(long_lengths), T(copies_at_all_alignments))
