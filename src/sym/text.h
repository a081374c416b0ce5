/*
 * Expressions as text, and text as expressions.
 *
 *   2*seq + 1   batch*(past + seq)   ceil(H/32)   7*ceil(H/7)   floor((a - b)/2)   H % 7
 *   max(a, b)   min(a, b)   broadcast(a, b)   trunc(d/2)   where(H == 1, a, b)
 *   int(floor(float32(w)*0.7))   `my axis` + 1   ?3 (a generated symbol without a name)   ?
 *
 * Printed text parses to the same expression, as long as the names are the same.  A name
 * that is not an identifier ([A-Za-z_][A-Za-z0-9_.]*) is back-quoted inside an expression
 * (a back-quote in it is doubled) and bare when alone, unless the bare text would parse as
 * something else.
 *
 * The parser also accepts sympy's and torch's notation: floor(H/2 - 1/2) + 1, ceiling(x/2),
 * a//2, a % 7, Mod(a, 7), Max(1, s0), Min(..), s0**2, FloorDiv(a, b), fractions as long as
 * the whole is an integer.  Length and nesting are limited; errors name the column.
 */
#ifndef SYM_TEXT_H
#define SYM_TEXT_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "sym/sym.h"

/* Looks up the expression that a name stands for; false when there is no such name. */
struct sym_scope {
	bool (*find)(void *context, struct sv name, struct sym *out);
	void *context; /* borrowed */
};

void sym_print(const struct sym_pool *p, struct sym s, struct str *out);
/* What to print for some expressions: appends it and returns true. */
struct sym_aliases {
	bool (*find)(const void *context, struct sym s, struct str *out);
	const void *context; /* borrowed */
};

/* For the whole, and for the atoms in it.  Without aliases: as sym_print. */
void sym_print_as(const struct sym_pool *p, struct sym s, const struct sym_aliases *aliases,
		  struct str *out);
/*
 * In a sentence: with the aliases that the pool has while a screen is filled.  What is run, saved
 * or read by a program is printed.
 */
void sym_say(const struct sym_pool *p, struct sym s, struct str *out);
/* How a generated symbol was computed, for display: "(a + b) * c"; empty when it was not. */
void sym_print_definition(const struct sym_pool *p, uint32_t id, struct str *out);

/*
 * Without a scope, names are the pool's symbols.  A text that does not parse but is
 * itself a known name stands for that.
 */
bool sym_parse(struct sym_pool *p, struct sv text, const struct sym_scope *scope, struct sym *out,
	       struct err *err) MUST_USE;
bool sym_is_identifier(struct sv name);
/* Is it a grammatical expression, whatever its names mean? */
bool sym_text_is_expression(struct sv text);
/* Is it an expression, and each name in it known? */
bool sym_text_is_known(const struct sym_pool *p, struct sv text, const struct sym_scope *scope);

/*
 * Iterates over the names in a text: start with *at = 0.  Functions are not names.
 * False at the end, and at an invalid token.  `scratch` holds an unescaped back-quoted
 * name.
 */
bool sym_text_next_name(struct sv text, size_t *at, struct str *scratch, struct sv *out_name);
/*
 * Appends the text to out with one name replaced and every other byte unchanged.  A
 * text that is the old name becomes the new name; one that is not an expression stays
 * unchanged.  True when something was replaced.
 */
bool sym_text_rename(struct sv text, struct sv old_name, struct sv new_name, struct str *out);

#endif
