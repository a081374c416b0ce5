#include "base/str.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

static char *str_room(struct str *s, size_t more)
{
	BUG_ON(more > SIZE_MAX / 4 || s->len > SIZE_MAX / 4);
	if (s->len + more + 1 > s->cap) {
		s->cap = MAX(s->len + more + 1, s->cap + s->cap / 2 + 32);
		s->at = must_realloc(s->at, s->cap);
	}
	return s->at + s->len;
}

void str_add(struct str *s, struct sv text)
{
	char *end = str_room(s, text.len);

	if (text.len)
		memcpy(end, text.at, text.len);
	s->len += text.len;
	s->at[s->len] = '\0';
}

void str_text(struct str *s, const char *text)
{
	str_add(s, sv_of(text));
}

void str_char(struct str *s, char c)
{
	str_room(s, 1)[0] = c;
	s->at[++s->len] = '\0';
}

void str_repeat(struct str *s, char c, size_t count)
{
	memset(str_room(s, count), c, count);
	s->len += count;
	s->at[s->len] = '\0';
}

void str_format(struct str *s, const char *format, ...)
{
	size_t room = s->cap - s->len;
	va_list args;
	int needed;

	/* Most texts fit what is there. */
	va_start(args, format);
	needed = vsnprintf(s->at ? s->at + s->len : NULL, room, format, args);
	va_end(args);
	BUG_ON(needed < 0);
	if ((size_t)needed >= room) {
		va_start(args, format);
		vsnprintf(str_room(s, (size_t)needed), (size_t)needed + 1, format, args);
		va_end(args);
	}
	s->len += (size_t)needed;
}

void str_number(struct str *s, int64_t n)
{
	char digits[20]; /* of INT64_MIN, with its sign */
	uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (n < 0)
		digits[--at] = '-';
	str_add(s, (struct sv){digits + at, sizeof(digits) - at});
}

void str_count(struct str *s, uint64_t n)
{
	char digits[24];
	size_t len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, n);

	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			str_char(s, ',');
		str_char(s, digits[i]);
	}
}

void str_things(struct str *s, uint64_t n, const char *thing)
{
	str_count(s, n);
	str_format(s, " %s%s", thing, n == 1 ? "" : "s");
}

void str_size(struct str *s, uint64_t bytes)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	double size = (double)bytes / 1024;
	size_t unit = 0;

	if (bytes < 1024) {
		str_format(s, "%" PRIu64 " B", bytes);
		return;
	}
	for (; size >= 1023.95 && unit + 1 < ARRAY_LEN(units); unit++)
		size /= 1024;
	str_format(s, "%.1f %s", size, units[unit]);
}

struct sv str_sv(const struct str *s)
{
	return (struct sv){s->at, s->len};
}

const char *str_c(const struct str *s)
{
	return s->at ? s->at : "";
}

void str_clear(struct str *s)
{
	s->len = 0;
	if (s->at)
		s->at[0] = '\0';
}

void str_release(struct str *s)
{
	free(s->at);
	*s = (struct str){0};
}
