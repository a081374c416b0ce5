/*
 * Regular expressions that somebody types who searches.
 *
 *   a . [a-z] [^a] [[:alpha:]] (a|b) a* a+ a? a{2,5} ^ $ \. \w \W \s \S \d \D \b \B \< \>
 *
 * The C library's own need time and memory without bound for some patterns of a few bytes, such
 * as ((.*)*|(.*)+){20}.  Here a pattern becomes a list of steps, of limited length, and a text is
 * read once, with the set of steps that are possible so far: the time is at most the length of
 * the one times that of the other.  What is not UTF-8 is read byte by byte.
 */
#ifndef UI_SEARCH_PATTERN_H
#define UI_SEARCH_PATTERN_H

#include <wctype.h>

#include "base/err.h"
#include "base/sv.h"
#include "base/vec.h"

enum pattern_op {
	PATTERN_CODE, /* the character a */
	PATTERN_ANY,
	PATTERN_SET,   /* b ranges from a on */
	PATTERN_SPLIT, /* goes on behind itself, and a steps away */
	PATTERN_JUMP,  /* a steps away */
	PATTERN_START, /* from here on: true of a place, and takes no character */
	PATTERN_END,
	PATTERN_WORD_START,
	PATTERN_WORD_END,
	PATTERN_EDGE, /* of a word */
	PATTERN_NO_EDGE,
	PATTERN_FOUND,
	PATTERN_OP_COUNT
};

enum {
	PATTERN_NO_TEXT = 0x110000 /* plus a byte that is not UTF-8: its code */
};

struct pattern_step {
	enum pattern_op op;
	bool negated; /* a set's */
	int32_t a, b; /* distances are relative, so that steps can be moved and repeated */
};

struct pattern_range {
	int32_t first, last;
	wctype_t kind; /* or all characters of a kind; 0 for none */
};

struct pattern {
	bool fold; /* upper and lower case are the same */
	VEC(struct pattern_step)
	steps;
	VEC(struct pattern_range)
	ranges;
};

/* A pattern that makes no sense is told; then nothing is left to release. */
bool pattern_init(struct pattern *p, struct sv text, bool fold, struct err *err) MUST_USE;
void pattern_release(struct pattern *p);
/* Is it somewhere in the text? */
bool pattern_fits(const struct pattern *p, struct sv text);
/* The first character of a text that is not empty. */
int32_t pattern_code(struct sv text, size_t *out_len);

#endif
