/*
 * Why something failed: one sentence for the user.  An all-zero err is "no error".
 *
 * The text may contain names from a file; whoever prints it escapes them
 * (str_add_shown), so err never has to.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/base.h"

enum err_kind {
	ERR_NONE,
	ERR_USAGE,   /* the user asked for something that makes no sense */
	ERR_SYSTEM,  /* the operating system said no */
	ERR_FORMAT,  /* the file is not what it claims to be */
	ERR_LIMIT,   /* larger than we are willing to handle */
	ERR_REFUSED, /* possible, but it would lose something or leave the folder */
	ERR_STOPPED, /* the user cancelled */
	ERR_COUNT
};

struct err {
	enum err_kind kind;
	char text[480];
};

void err_say(struct err *err, enum err_kind kind, const char *format, ...) PRINTF_LIKE(3, 4);
void err_say_system(struct err *err, const char *format, ...) PRINTF_LIKE(2, 3);
void err_say_before(struct err *err, const char *format, ...) PRINTF_LIKE(2, 3);

static inline bool err_false(int ignored)
{
	(void)ignored;
	return false;
}

/*
 * All are false, so that `return err_set(...)` ends a failing function; macros, so that whoever
 * compiles or analyses a caller knows it too.
 */
#define err_set(...) err_false((err_say(__VA_ARGS__), 0))
/* As err_set, with ": " and the system's reason for errno behind it. */
#define err_system(...) err_false((err_say_system(__VA_ARGS__), 0))
/* Puts "prefix: " before the sentence. */
#define err_prefix(...) err_false((err_say_before(__VA_ARGS__), 0))

#endif
