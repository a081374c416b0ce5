/*
 * Pasted text, read by the block: key by key, a megabyte takes seconds.
 *
 * A terminal brackets it by two marks.  A block may reach beyond the second: what was read of the
 * keys after it stays in `bytes`, for whoever reads keys.
 */
#ifndef UI_PASTE_H
#define UI_PASTE_H

#include "base/base.h"
#include "base/sv.h"

#define PASTE_MARK "\033[200~"
#define PASTE_END  "\033[201~"

struct paste {
	bool open; /* between the marks */
	size_t at, len;
	char bytes[4096];
};

/* What was read and not taken. */
struct sv paste_rest(const struct paste *p);
/* Reads what waits, after the rest; false when nothing does. */
bool paste_fill(struct paste *p, int fd);
void paste_skip(struct paste *p, size_t bytes);
/* The next character of an open paste, a blank for a control character; 0 when none waits, or after
 * the last. */
uint32_t paste_next(struct paste *p, int fd);

#endif
