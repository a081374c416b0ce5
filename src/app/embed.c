/*
 * A build tool, not part of the program: writes files as C arrays declared in a header.  With
 * --digest also their SHA-256 in base64, for a page's Content-Security-Policy.
 * usage: embed [--digest] HEADER OUT.c NAME FILE [NAME FILE...]
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
	BLOCK = 64,
	WORDS = 8,
	MAX_BYTES = 16 << 20
};

/* ---- SHA-256: FIPS 180-4 ---- */

/* The first bits of the fractions of the cube roots of the first primes. */
static const uint32_t embed_rounds[BLOCK] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2};

static uint32_t embed_turned(uint32_t x, unsigned by)
{
	return x >> by | x << (32 - by);
}

static void embed_spread(const unsigned char *block, uint32_t *w)
{
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (int i = 16; i < BLOCK; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (embed_turned(a, 7) ^ embed_turned(a, 18) ^ a >> 3) + w[i - 7] +
		       (embed_turned(b, 17) ^ embed_turned(b, 19) ^ b >> 10);
	}
}

static void embed_mix(uint32_t *h, const unsigned char *block)
{
	uint32_t w[BLOCK], s[WORDS];

	embed_spread(block, w);
	memcpy(s, h, sizeof(s));
	for (int i = 0; i < BLOCK; i++) {
		uint32_t e = s[4], a = s[0];
		uint32_t t = s[7] +
			     (embed_turned(e, 6) ^ embed_turned(e, 11) ^ embed_turned(e, 25)) +
			     ((e & s[5]) ^ (~e & s[6])) + embed_rounds[i] + w[i];
		uint32_t u = (embed_turned(a, 2) ^ embed_turned(a, 13) ^ embed_turned(a, 22)) +
			     ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += t;
		s[0] = t + u;
	}
	for (int i = 0; i < WORDS; i++)
		h[i] += s[i];
}

/* There must be room for a block and a half after the bytes. */
static void embed_digest(unsigned char *bytes, size_t len, unsigned char *out)
{
	uint32_t h[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	size_t whole = (len + 8) / BLOCK * BLOCK + BLOCK;

	memset(bytes + len, 0, whole - len);
	bytes[len] = 0x80;
	for (int i = 0; i < 8; i++)
		bytes[whole - 1 - (size_t)i] = (unsigned char)((uint64_t)len * 8 >> 8 * i);
	for (size_t at = 0; at < whole; at += BLOCK)
		embed_mix(h, bytes + at);
	for (int i = 0; i < WORDS * 4; i++)
		out[i] = (unsigned char)(h[i / 4] >> (24 - i % 4 * 8));
}

static void print_digest(FILE *out, const char *name, unsigned char *bytes, size_t len)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char sum[33] = {0}; /* one more makes it a multiple of 3 */

	embed_digest(bytes, len, sum);
	fprintf(out, "const char %s_digest[] = \"", name);
	for (int i = 0; i < 43; i++) {
		int at = i * 6 / 8, shift = 10 - i * 6 % 8;

		fputc(digits[(sum[at] << 8 | sum[at + 1]) >> shift & 63], out);
	}
	fprintf(out, "=\";\n");
}

/* ---- arrays ---- */

static int embed_file(FILE *out, const char *name, const char *path, int with_digest)
{
	static unsigned char bytes[MAX_BYTES + 2 * BLOCK];
	FILE *in = fopen(path, "rb");
	size_t size;

	if (!in)
		return 1;
	size = fread(bytes, 1, MAX_BYTES, in);
	fprintf(out, "\nconst unsigned char %s[] = {", name);
	for (size_t i = 0; i < size; i++)
		fprintf(out, "%s%d,", i % 24 ? "" : "\n", bytes[i]);
	fprintf(out, "\n};\nconst size_t %s_size = %zu;\n", name, size);
	if (with_digest)
		print_digest(out, name, bytes, size);
	return fclose(in) != 0 || size == MAX_BYTES;
}

int main(int count, char **words)
{
	int with_digest = count > 1 && strcmp(words[1], "--digest") == 0;
	int first = 1 + with_digest, bad = 0;
	FILE *out = count >= first + 4 ? fopen(words[first + 1], "w") : NULL;

	if (!out) {
		fprintf(stderr, "usage: embed [--digest] HEADER OUT.c NAME FILE...\n");
		return 1;
	}
	fprintf(out, "#include \"%s\"\n", words[first]);
	for (int i = first + 2; i + 1 < count; i += 2)
		bad |= embed_file(out, words[i], words[i + 1], with_digest);
	return fclose(out) != 0 || bad;
}
