/*
 * Hashes seeded per process, so that no file can be built whose names all fall into one
 * bucket.  Never stored, never printed: for that see base/digest.h.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/sv.h"

uint64_t hash_bytes(struct sv bytes, uint64_t seed);
uint64_t hash_u64(uint64_t value, uint64_t seed);
/* A number that differs from run to run and from call to call. */
uint64_t hash_seed(void);

#endif
