/*
 * Inside the room: the state of a printer.
 *
 * The text of each atom is made once, so that printing takes time linear in the output,
 * however often an atom occurs.
 */
#ifndef SYM_PRINT_H
#define SYM_PRINT_H

#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "sym/node.h"
#include "sym/sym.h"
#include "sym/text.h"

/* How tightly the printed text must bind. */
enum sym_level {
	LEVEL_COMPARE, /* a == b is fine */
	LEVEL_SUM,     /* a + b is fine */
	LEVEL_TERM,    /* 2*a is fine */
	LEVEL_ATOM,
	LEVEL_COUNT
};

struct sym_printer {
	const struct sym_pool *p;
	VEC(struct str) texts;             /* of atoms */
	const struct sym_aliases *aliases; /* NULL for none */
	struct map known;                  /* atom -> index in texts, plus 1 */
};

void sym_print_any(struct sym_printer *pr, struct sym s, enum sym_level level, struct str *out);
void sym_print_terms(struct sym_printer *pr, const struct sym_term *t, size_t n,
		     enum sym_level level, struct str *out);
/* The text of an atom; valid as long as the printer. */
struct sv sym_print_atom(struct sym_printer *pr, uint32_t atom);
/* floor((terms)/m), or ceil when the constant is m - 1; m > 0. */
void sym_print_floor(struct sym_printer *pr, const struct sym_term *t, size_t n, int64_t m,
		     struct str *out);
/* The comparison that a ZERO or NATURAL atom stands for, or its opposite. */
void sym_print_test(struct sym_printer *pr, uint32_t atom, bool opposite, struct str *out);
void sym_print_float(struct sym_printer *pr, struct sym s, bool alone, struct str *out);

#endif
