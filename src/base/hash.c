#include "base/hash.h"

#include <string.h>
#include <time.h>

#include "base/num.h"
#include "base/os.h"

/* Arbitrary odd constants with balanced bits. */
#define K0 0x9e6c63d0876a9a47u
#define K1 0xd1b54a32d192ed03u

/* Folding a 128-bit product mixes every input bit into every output bit. */
static uint64_t hash_fold(uint64_t a, uint64_t b)
{
	uint128 product = (uint128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t hash_u64(uint64_t value, uint64_t seed)
{
	return hash_fold(hash_fold(value ^ seed, K0) ^ seed, K1);
}

uint64_t hash_bytes(struct sv bytes, uint64_t seed)
{
	uint64_t h = seed ^ hash_fold(bytes.len ^ K1, K0);
	uint64_t word;

	for (; bytes.len > 8; bytes = sv_skip(bytes, 8)) {
		memcpy(&word, bytes.at, 8);
		h = hash_fold(h ^ word ^ seed, K0);
	}
	word = 0;
	if (bytes.len)
		memcpy(&word, bytes.at, bytes.len);
	return hash_u64(word ^ h, seed);
}

static uint64_t random_seed(void)
{
	uint64_t seed;
	struct timespec now;

	if (os_random(&seed, sizeof(seed)))
		return seed;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return hash_fold((uint64_t)now.tv_nsec ^ K0, (uint64_t)now.tv_sec ^ (uintptr_t)&now);
}

/* Asks the kernel once: small maps are made by the million, and a system call costs more. */
uint64_t hash_seed(void)
{
	static _Thread_local uint64_t secret, count;

	if (count++ == 0)
		secret = random_seed();
	return hash_u64(count, secret);
}
