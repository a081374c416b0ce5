/*
 * memcpy and memmove for x86_64, instead of musl's: that one starts the processor's string
 * instruction for every few bytes, at thirty cycles each.  ./static puts them into the C library;
 * moves.c tries them.
 *
 * Up to 128 bytes are loaded before any is stored, so it does not matter whether the two places
 * overlap.
 */
#include <stddef.h>
#include <stdint.h>

/* Any address, any type. */
#define ANYWHERE __attribute__((packed, may_alias))

struct two {
	uint16_t at;
} ANYWHERE;

struct four {
	uint32_t at;
} ANYWHERE;

struct eight {
	uint64_t at;
} ANYWHERE;

struct wide {
	long long at __attribute__((vector_size(16)));
} ANYWHERE;

enum {
	WIDE = sizeof(struct wide),
	BLOCK = 4 * WIDE,
	LONG = 2048 /* from here on the string instruction is the fastest */
};

/* The first and the last of a few bytes, which may be the same ones. */
#define MOVE_ENDS(type)                                                                            \
	do {                                                                                       \
		type first = *(const type *)from, last = *(const type *)(from + n - sizeof(type)); \
		*(type *)to = first;                                                               \
		*(type *)(to + n - sizeof(type)) = last;                                           \
	} while (0)

static void move_short(char *to, const char *from, size_t n)
{
	if (n >= sizeof(struct eight))
		MOVE_ENDS(struct eight);
	else if (n >= sizeof(struct four))
		MOVE_ENDS(struct four);
	else if (n >= sizeof(struct two))
		MOVE_ENDS(struct two);
	else if (n)
		*to = *from;
}

/* `count` from the start, and as many up to the end. */
#define MOVE_WIDES(count)                                                            \
	do {                                                                         \
		struct wide first[count], last[count];                               \
		for (size_t i = 0; i < (count); i++) {                               \
			first[i] = *(const struct wide *)(from + i * WIDE);          \
			last[i] = *(const struct wide *)(from + n - (i + 1) * WIDE); \
		}                                                                    \
		for (size_t i = 0; i < (count); i++) {                               \
			*(struct wide *)(to + i * WIDE) = first[i];                  \
			*(struct wide *)(to + n - (i + 1) * WIDE) = last[i];         \
		}                                                                    \
	} while (0)

static void move_block(char *to, const char *from)
{
	const struct wide *in = (const struct wide *)from;
	struct wide *out = (struct wide *)to;
	struct wide a = in[0], b = in[1], c = in[2], d = in[3];

	out[0] = a;
	out[1] = b;
	out[2] = c;
	out[3] = d;
}

/* To a lower address, or elsewhere.  The last block is loaded first: the others may overwrite it.
 */
static void move_up(char *to, const char *from, size_t n)
{
	struct wide last[4];

	for (size_t i = 0; i < 4; i++)
		last[i] = *(const struct wide *)(from + n - BLOCK + i * WIDE);
	for (size_t at = 0; at < n - BLOCK; at += BLOCK)
		move_block(to + at, from + at);
	for (size_t i = 0; i < 4; i++)
		*(struct wide *)(to + n - BLOCK + i * WIDE) = last[i];
}

/* To a higher address that overlaps: from the end, and the first block is loaded first. */
static void move_down(char *to, const char *from, size_t n)
{
	struct wide first[4];

	for (size_t i = 0; i < 4; i++)
		first[i] = *(const struct wide *)(from + i * WIDE);
	for (size_t at = n - BLOCK; at > 0; at = at > BLOCK ? at - BLOCK : 0)
		move_block(to + at, from + at);
	for (size_t i = 0; i < 4; i++)
		*(struct wide *)(to + i * WIDE) = first[i];
}

void *memmove(void *out, const void *in, size_t n)
{
	char *to = out;
	const char *from = in;

	if (n <= WIDE) {
		move_short(to, from, n);
	} else if (n <= 2 * WIDE) {
		MOVE_WIDES(1);
	} else if (n <= 4 * WIDE) {
		MOVE_WIDES(2);
	} else if (n <= 8 * WIDE) {
		MOVE_WIDES(4);
	} else if ((uintptr_t)to - (uintptr_t)from < n) {
		if (to != from)
			move_down(to, from, n);
	} else if (n < LONG || (uintptr_t)from - (uintptr_t)to < n) {
		move_up(to, from, n);
	} else {
		struct eight last = *(const struct eight *)(from + n - sizeof(struct eight));
		size_t count = n / sizeof(struct eight);
		void *a = to;
		const void *b = from;

		/* Faster than bytes where the processor is old. */
		__asm__ volatile("rep movsq" : "+D"(a), "+S"(b), "+c"(count) : : "memory");
		*(struct eight *)(to + n - sizeof(struct eight)) = last;
	}
	return out;
}

void *memcpy(void *restrict out, const void *restrict in, size_t n)
{
	return memmove(out, in, n);
}
