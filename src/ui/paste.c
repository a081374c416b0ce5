#include "ui/paste.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

enum {
	DELETE = 127,
	REPLACEMENT = 0xfffd
};

struct sv paste_rest(const struct paste *p)
{
	return (struct sv){p->bytes + p->at, p->len - p->at};
}

void paste_skip(struct paste *p, size_t bytes)
{
	p->at += bytes;
}

bool paste_fill(struct paste *p, int fd)
{
	struct pollfd waiting = {.fd = fd, .events = POLLIN};
	ssize_t got;

	p->len -= p->at;
	memmove(p->bytes, p->bytes + p->at, p->len);
	p->at = 0;
	if (p->len == sizeof(p->bytes) || poll(&waiting, 1, 0) <= 0)
		return false;
	got = read(fd, p->bytes + p->len, sizeof(p->bytes) - p->len);
	p->len += got > 0 ? (size_t)got : 0;
	return got > 0;
}

/* May the rest begin a mark or a character whose end was not read yet? */
static bool paste_is_torn(struct sv rest)
{
	unsigned char first;

	if (rest.len == 0 || sv_starts(SV(PASTE_END), rest))
		return true;
	first = (unsigned char)rest.at[0];
	return rest.len < (first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1);
}

uint32_t paste_next(struct paste *p, int fd)
{
	struct sv rest = paste_rest(p);
	struct utf8_char c;

	while (!sv_starts(rest, SV(PASTE_END)) && paste_is_torn(rest)) {
		if (!paste_fill(p, fd))
			return 0;
		rest = paste_rest(p);
	}
	if (sv_starts(rest, SV(PASTE_END))) {
		paste_skip(p, strlen(PASTE_END));
		p->open = false;
		return 0;
	}
	c = utf8_next(rest);
	paste_skip(p, c.len);
	if (c.code < 0)
		return REPLACEMENT;
	return c.code < ' ' || c.code == DELETE ? ' ' : (uint32_t)c.code;
}
