/*
 * Random numbers for tests, the same in every run: xorshift.  RANDOM_SEED is defined before this
 * is included.
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdint.h>

static uint64_t random_state = RANDOM_SEED;

static inline uint64_t random_u64(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static inline int random_below(int n)
{
	return (int)(random_u64() % (uint64_t)n);
}

#endif
