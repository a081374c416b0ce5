/*
 * A line of text as words, and words as a line.
 *
 *   set input:0=batch 'my tensor:1=seq' "a\x1b:0=N"   # the rest is a comment
 *
 * Words are separated by blanks.  'single quotes' keep everything; in "double quotes"
 * and outside of quotes a backslash escapes the next character, and \n, \t, \r and \xNN
 * have their usual meaning.  A name in `back-quotes` is part of its word, quotes and blanks
 * included: `my axis`=N is one word.  words_quote turns any bytes into one line of printable
 * ASCII or UTF-8 that parses to the same bytes.
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"

struct words {
	VEC(struct sv) at; /* views of `text`; each is followed by a NUL */
	struct str text;   /* their bytes */
};

/* Errors name the column.  An empty line has no words. */
bool words_split(struct words *w, struct sv line, struct err *err) MUST_USE;
void words_release(struct words *w);
/* Appends a word to a line, after a blank unless it is the first. */
void words_quote(struct str *line, struct sv word);
/*
 * Appends the name in `back-quotes`, which is how expressions print a name that is not an
 * identifier; a back-quote inside is doubled.  False when the text is not one such name.
 */
bool name_unquote(struct str *out, struct sv text);

#endif
