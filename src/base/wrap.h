/*
 * Where text breaks into lines.
 *
 * A line may end before a space, after a comma and before the slash of a path; it ends at a
 * newline.  Spaces at a break belong to neither line.  A character is never split, nor parted
 * from the combining ones that follow it.
 */
#ifndef BASE_WRAP_H
#define BASE_WRAP_H

#include "base/sv.h"

enum wrap_rule {
	WRAP_TEXT,    /* a longer word breaks between any two characters */
	WRAP_WORDS,   /* only before spaces; a longer word overflows, to be copied as one */
	WRAP_FACTORS, /* after a `*` if possible, to keep divisions together */
	WRAP_COUNT
};

/*
 * The bytes of the first line; *out_next is where the second one starts.  A width is that of the
 * escaped text, see utf8_width.  A line has at least one character.
 */
size_t wrap_line(struct sv text, size_t columns, enum wrap_rule rule, size_t *out_next);

#endif
