/*
 * Printing untrusted text safely.
 *
 * A name in a file may contain escape sequences, line breaks, marks that change the
 * text direction, or bytes that are not text.  Each such character is printed as an
 * escape in ASCII: \n, \x1b, \u202e; a byte that is not UTF-8 as \xNN.  A backslash
 * is not escaped: it is common in names.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdarg.h>

#include "base/base.h"
#include "base/str.h"
#include "base/sv.h"

enum {
	SENTENCE_BYTES = 480 /* of one that is kept in a buffer */
};

/* The code point and length in bytes of the first character; -1 (length 1) for an invalid byte. */
struct utf8_char {
	int32_t code;
	size_t len;
};

struct utf8_char utf8_next(struct sv text);
/* At most that many bytes from the start of the text, and no part of a character. */
struct sv utf8_cut(struct sv text, size_t most);
/* Appends the text; one of more than that many bytes is cut between words, and ends with "…". */
void str_cut_words(struct str *out, struct sv text, size_t most);
/* Prints into a buffer of `size` bytes; what does not fit is cut in the same way. */
void text_print(char *out, size_t size, const char *format, va_list args) LIKE_PRINTF(3, 0);
/* The end of the text that is at most so many columns wide, and no part of a character. */
struct sv utf8_tail(struct sv text, size_t columns);
/* Would this character move the cursor, be invisible, or change the text direction? */
bool utf8_is_hostile(int32_t code);
/* Any code point, in UTF-8. */
void str_code(struct str *s, uint32_t code);
void str_add_shown(struct str *s, struct sv text);
/* Escapes what was added after the first `from` bytes. */
void str_show_from(struct str *s, size_t from);
/* The width in terminal columns of the text as escaped by str_add_shown. */
size_t utf8_width(struct sv text);
/* The edit distance of a and b in bytes; for "did you mean". */
size_t utf8_distance(struct sv a, struct sv b);

#endif
