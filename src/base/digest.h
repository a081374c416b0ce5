/*
 * Hashes that are stored: journals are named and recognised by them.  Their values are the same
 * on every machine and in every release, so this function never changes; a better one would be
 * a second function.  They are not seeded: see base/hash.h for tables in memory.
 */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include "base/sv.h"

uint64_t digest_bytes(struct sv bytes, uint64_t seed);
uint64_t digest_u64(uint64_t value, uint64_t seed);

#endif
