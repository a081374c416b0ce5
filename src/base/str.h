/*
 * A growable text.  All-zero is empty; `at` is NUL-terminated whenever it is not NULL.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdint.h>

#include "base/sv.h"

struct str {
	char *at; /* owned */
	size_t len;
	size_t cap;
};

void str_add(struct str *s, struct sv text);
void str_text(struct str *s, const char *text);
void str_char(struct str *s, char c);
void str_repeat(struct str *s, char c, size_t count);
void str_format(struct str *s, const char *format, ...) LIKE_PRINTF(2, 3);
/* As "%lld", without the cost of printf: shapes and drawings are full of numbers. */
void str_number(struct str *s, int64_t n);
/* 1234567 as 1,234,567. */
void str_count(struct str *s, uint64_t n);
/* "1 node", "1,234 nodes". */
void str_things(struct str *s, uint64_t n, const char *thing);
/* Human-readable sizes: 512 B, 1.5 KiB, 1.9 GiB. */
void str_size(struct str *s, uint64_t bytes);
struct sv str_sv(const struct str *s);
/* "" when empty, never NULL. */
const char *str_c(const struct str *s);
void str_clear(struct str *s);
void str_release(struct str *s);

#endif
