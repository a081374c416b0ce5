/*
 * A view of bytes owned elsewhere: names from a file, parts of a line.  May
 * contain any byte, NUL included; not terminated.
 */
#ifndef BASE_SV_H
#define BASE_SV_H

#include "base/base.h"

struct sv {
	const char *at; /* borrowed; may be NULL when len is 0 */
	size_t len;
};

#define SV(literal) ((struct sv){literal, sizeof(literal) - 1})

struct sv sv_of(const char *text);
bool sv_eq(struct sv a, struct sv b);
bool sv_is(struct sv a, const char *text);
bool sv_starts(struct sv a, struct sv prefix);
/* Ignoring the case of ASCII letters. */
bool sv_same_letters(struct sv a, struct sv b);
bool sv_ends(struct sv a, struct sv suffix);
bool sv_has(struct sv a, char c);
/* The length of what both names begin with, without splitting a number or a character. */
size_t sv_same_start(struct sv a, struct sv b);
/* Bytes compared as unsigned; a prefix comes first. */
int sv_compare(struct sv a, struct sv b);
struct sv sv_skip(struct sv a, size_t n);
/* The part before the first c, with *rest set to what follows it; everything when there is none. */
struct sv sv_cut(struct sv *rest, char c);
/* The parts before and after the first or the last c; false when there is none. */
bool sv_split(struct sv a, char c, struct sv *out_before, struct sv *out_after);
bool sv_split_last(struct sv a, char c, struct sv *out_before, struct sv *out_after);
/* The part up to and including the last c, such as the folder in a path; else empty. */
struct sv sv_through_last(struct sv a, char c);
/* The part after the last c, such as the name of a file; everything when there is none. */
struct sv sv_after_last(struct sv a, char c);
/* The folder of a path; "." for a bare name. */
struct sv sv_folder(struct sv path);
struct sv sv_trim(struct sv a);
/* A decimal integer with an optional minus and nothing around it, within int64_t. */
bool sv_int(struct sv a, int64_t *out) MUST_USE;

#endif
