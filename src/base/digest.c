#include "base/digest.h"

#include "base/num.h"

/* Arbitrary but fixed: files on disk depend on them. */
#define DIGEST_K0 0x9e6c63d0876a9a47u
#define DIGEST_K1 0xd1b54a32d192ed03u

static uint64_t digest_fold(uint64_t a, uint64_t b)
{
	uint128 product = (uint128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Up to eight bytes as a little-endian number. */
static uint64_t digest_word(struct sv bytes)
{
	uint64_t word = 0;

	for (size_t i = 0; i < bytes.len && i < 8; i++)
		word |= (uint64_t)(unsigned char)bytes.at[i] << (8 * i);
	return word;
}

uint64_t digest_u64(uint64_t value, uint64_t seed)
{
	return digest_fold(digest_fold(value ^ seed, DIGEST_K0) ^ seed, DIGEST_K1);
}

uint64_t digest_bytes(struct sv bytes, uint64_t seed)
{
	uint64_t h = seed ^ digest_fold(bytes.len ^ DIGEST_K1, DIGEST_K0);

	for (; bytes.len > 8; bytes = sv_skip(bytes, 8))
		h = digest_fold(h ^ digest_word(bytes) ^ seed, DIGEST_K0);
	return digest_u64(digest_word(bytes) ^ h, seed);
}
