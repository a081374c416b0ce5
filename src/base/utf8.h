/*
 * Text from strangers, made fit to be seen.
 *
 * What a file calls a thing may hold escape sequences, line breaks, marks that turn
 * the reading direction, or bytes that are no text at all.  Shown, each such
 * character becomes its number in ASCII: \n, \x1b, \u202e; a byte that is not UTF-8
 * becomes \xNN.  A backslash stays as it is: names with them are common.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/str.h"

/* The first character's code and length in bytes; code is -1 (length 1) for a bad byte. */
struct utf8_char {
	int32_t code;
	size_t len;
};

struct utf8_char utf8_next(struct sv text);
/* Would this character move the cursor, hide, or turn text around? */
bool utf8_is_hostile(int32_t code);
void str_add_shown(struct str *s, struct sv text);
/* Columns of a terminal that the text takes when shown by str_add_shown. */
size_t utf8_width(struct sv text);
/* How many bytes to insert, drop or change to turn a into b; for "did you mean". */
size_t utf8_distance(struct sv a, struct sv b);

#endif
