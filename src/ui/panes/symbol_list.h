/*
 * All symbols used in dims: their number of uses, first use and constraints.
 *
 * They are counted when the subject changes, not when the selection does.  A symbol being
 * tried is a number in every dim, so it keeps its previous count.
 */
#ifndef UI_PANES_SYMBOL_LIST_H
#define UI_PANES_SYMBOL_LIST_H

#include "base/str.h"
#include "base/vec.h"
#include "ui/screen.h"

enum {
	SYMBOL_MAX_NOTES = 4 /* per symbol */
};

struct symbol_row {
	uint32_t symbol;
	bool made;      /* by a node, not declared */
	uint64_t order; /* see below */
	struct str name;
	struct str notes[SYMBOL_MAX_NOTES]; /* its constraints */
	uint32_t note_count;
	bool pinned; /* the first note says so */
	bool tried;
	int64_t size;   /* being tried */
	uint64_t uses;  /* dims that contain it */
	uint32_t value; /* the first one: preferably an input */
};

/* The counts by symbol.  The order is by place, not by symbol, so it survives a rename. */
struct symbol_known {
	uint64_t uses;
	uint32_t value;
	uint64_t order; /* of appearance: inputs first */
	uint32_t row;   /* in the list, plus 1 */
	bool kept;      /* counted before the try */
};

struct symbol_list {
	VEC(struct symbol_row) rows;
	VEC(struct symbol_known) known;
	int name_width, uses_width, note_width; /* maxima; 0 without a note */
	size_t age;                             /* of the subject that was counted */
};

/* False when nothing changed. */
bool symbol_list_renew(struct symbol_list *l, const struct screen *s);
void symbol_list_release(struct symbol_list *l);
/* NULL when no dim contains it. */
struct symbol_row *symbol_list_find(const struct symbol_list *l, uint32_t symbol);

#endif
