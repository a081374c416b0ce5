/*
 * Regular expressions for searches typed by the user.
 *
 *   a . [a-z] [^a] [[:alpha:]] (a|b) a* a+ a? a{2,5} ^ $ \. \w \W \s \S \d \D \b \B \< \>
 *
 * The C library's regcomp needs unbounded time and memory for some patterns of a few bytes, such
 * as ((.*)*|(.*)+){20}.  Here a pattern compiles to a list of steps of limited length, an NFA
 * that reads a text once while tracking all active steps: the time is at most the product of
 * both lengths.  Invalid UTF-8 is read byte by byte.
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
	PATTERN_SET,   /* b ranges, from a on */
	PATTERN_SPLIT, /* to the next step, and a steps away */
	PATTERN_JUMP,  /* a steps away */
	PATTERN_START, /* from here on: assertions, which consume nothing */
	PATTERN_END,
	PATTERN_WORD_START,
	PATTERN_WORD_END,
	PATTERN_EDGE, /* a word boundary */
	PATTERN_NO_EDGE,
	PATTERN_FOUND,
	PATTERN_OP_COUNT
};

enum {
	PATTERN_NO_TEXT = 0x110000 /* added to a byte of invalid UTF-8 */
};

struct pattern_step {
	enum pattern_op op;
	bool negated; /* of a set */
	int32_t a, b; /* jumps are relative, so that steps can be moved and copied */
};

struct pattern_range {
	int32_t first, last;
	wctype_t kind; /* or all characters of a class; 0 for none */
};

struct pattern {
	bool fold; /* ignore case */
	VEC(struct pattern_step) steps;
	VEC(struct pattern_range) ranges;
};

/* On failure there is nothing to release. */
bool pattern_init(struct pattern *p, struct sv text, bool fold, struct err *err) MUST_USE;
void pattern_release(struct pattern *p);
/* Searches the whole text. */
bool pattern_fits(const struct pattern *p, struct sv text);
/* The first character of a text that is not empty. */
int32_t pattern_code(struct sv text, size_t *out_len);

#endif
