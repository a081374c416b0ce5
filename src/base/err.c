#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void err_say(struct err *err, enum err_kind kind, const char *format, ...)
{
	va_list args;

	err->kind = kind;
	err->way = NULL;
	va_start(args, format);
	text_print(err->text, sizeof(err->text), format, args);
	va_end(args);
}

void err_say_system(struct err *err, const char *format, ...)
{
	int reason = errno;
	va_list args;
	size_t used;

	err->kind = ERR_SYSTEM;
	err->way = NULL;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", strerror(reason));
}

void err_offer(struct err *err, const char *way, const char *format, ...)
{
	char told[sizeof(err->text)];
	va_list args;
	size_t len, room;

	va_start(args, format);
	vsnprintf(told, sizeof(told), format, args);
	va_end(args);
	room = sizeof(err->text) - 1 - strlen(told);
	len = strlen(err->text);
	err->way = way;
	err->way_at = len < room ? len : room;
	memcpy(err->text + err->way_at, told, strlen(told) + 1);
}

void err_say_before(struct err *err, const char *format, ...)
{
	char prefix[sizeof(err->text)];
	char whole[sizeof(err->text) * 2 + 2];
	va_list args;

	va_start(args, format);
	vsnprintf(prefix, sizeof(prefix), format, args);
	va_end(args);
	snprintf(whole, sizeof(whole), "%s: %s", prefix, err->text);
	/* A long prefix must not push the reason out: the tail matters more. */
	if (strlen(whole) >= sizeof(err->text))
		memmove(whole, whole + strlen(whole) - sizeof(err->text) + 1, sizeof(err->text));
	/* What tells of an option is still at the end. */
	if (err->way)
		err->way_at = strlen(whole) - MIN(strlen(err->text) - err->way_at, strlen(whole));
	memcpy(err->text, whole, strlen(whole) + 1);
}
