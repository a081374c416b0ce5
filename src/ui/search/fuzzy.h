/*
 * Fuzzy matching: the letters of a query, in order, anywhere in a text.
 *
 * What starts a word counts most, then what follows the letter before, then what is short.
 * Upper and lower case are the same.  A text is looked at up to FUZZY_LONGEST bytes, so a
 * match takes a bounded time.
 */
#ifndef UI_SEARCH_FUZZY_H
#define UI_SEARCH_FUZZY_H

#include "base/sv.h"

enum {
	FUZZY_LONGEST = 256, /* bytes of a text: its end, which tells more than its beginning */
	FUZZY_QUERY = 64     /* bytes of a query */
};

struct fuzzy {
	char text[FUZZY_QUERY]; /* in lower case, without blanks */
	size_t len;
	uint64_t letters; /* that a text must have; see fuzzy_letters */
};

void fuzzy_init(struct fuzzy *f, struct sv query);
/* A bit for each letter or digit in a text: what lacks one of the query's cannot match. */
uint64_t fuzzy_letters(struct sv text);
/* False when it does not match; the higher the score, the better. */
bool fuzzy_match(const struct fuzzy *f, struct sv text, int *out_score);
/* Where the letters of the query are: bytes of the text; as many as the query has. */
bool fuzzy_places(const struct fuzzy *f, struct sv text, size_t places[FUZZY_QUERY]);

#endif
