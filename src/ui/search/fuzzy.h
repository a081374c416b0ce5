/*
 * Fuzzy matching: the letters of a query, in order, anywhere in a text.
 *
 * Starts of words score highest, then consecutive letters, then short texts.  Case is
 * ignored.  Only FUZZY_LONGEST bytes of a text are read, so a match takes bounded time.
 */
#ifndef UI_SEARCH_FUZZY_H
#define UI_SEARCH_FUZZY_H

#include "base/sv.h"

enum {
	FUZZY_LONGEST = 256, /* bytes of a text: its end, which says more than its start */
	FUZZY_QUERY = 64     /* bytes of a query */
};

struct fuzzy {
	char text[FUZZY_QUERY]; /* lower case, no spaces */
	size_t len;
	uint64_t letters; /* required in a text; see fuzzy_letters */
};

void fuzzy_init(struct fuzzy *f, struct sv query);
/* A bit per letter or digit in a text: a text that lacks one of the query's cannot match. */
uint64_t fuzzy_letters(struct sv text);
/* False when it does not match; a higher score is better. */
bool fuzzy_match(const struct fuzzy *f, struct sv text, int *out_score);
/* The positions of the query's letters: byte offsets in the text, one per letter. */
bool fuzzy_places(const struct fuzzy *f, struct sv text, size_t places[FUZZY_QUERY]);

#endif
