/*
 * Why something failed: one sentence for the user.  An all-zero err is "no error".
 *
 * The text may contain names from a file; the code that prints it escapes them
 * (str_add_shown), so err never has to.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/base.h"

enum err_kind {
	ERR_NONE,
	ERR_USAGE,   /* an invalid request of the user */
	ERR_SYSTEM,  /* a system call failed */
	ERR_FORMAT,  /* the file is malformed */
	ERR_LIMIT,   /* larger than a limit of ours */
	ERR_REFUSED, /* possible, but it would lose something or leave the folder */
	ERR_STOPPED, /* the user cancelled */
	ERR_COUNT
};

struct err {
	enum err_kind kind;
	const char *way; /* borrowed, static: an option that does it all the same; or NULL */
	size_t way_at;   /* byte of the text from which on it tells of that option */
	char text[480];  /* a sentence that is longer is cut between words */
};

void err_say(struct err *err, enum err_kind kind, const char *format, ...) LIKE_PRINTF(3, 4);
void err_say_system(struct err *err, const char *format, ...) LIKE_PRINTF(2, 3);
/* Appends what tells of an option; it is kept, whatever of the text has to go. */
void err_offer(struct err *err, const char *way, const char *format, ...) LIKE_PRINTF(3, 4);
void err_say_before(struct err *err, const char *format, ...) LIKE_PRINTF(2, 3);

static inline bool err_false(int ignored)
{
	(void)ignored;
	return false;
}

/*
 * All are false, so that `return err_set(...)` ends a failing function; macros, so that
 * compilers and analysers of a caller know it too.
 */
#define err_set(...) err_false((err_say(__VA_ARGS__), 0))
/* As err_set, followed by ": " and strerror(errno). */
#define err_system(...) err_false((err_say_system(__VA_ARGS__), 0))
/* Prepends "prefix: ". */
#define err_prefix(...) err_false((err_say_before(__VA_ARGS__), 0))

#endif
