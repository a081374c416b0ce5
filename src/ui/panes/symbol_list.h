/*
 * Every symbol that some dim mentions: how often, where first, what it must be.
 *
 * Counted anew only when the subject changed, not when the selection did.  A symbol that is
 * tried is a number in every dim, so what was counted before stays.
 */
#ifndef UI_PANES_SYMBOL_LIST_H
#define UI_PANES_SYMBOL_LIST_H

#include "ui/screen.h"

enum {
	SYMBOL_MAX_NOTES = 4 /* about one symbol */
};

struct symbol_row {
	uint32_t symbol;
	bool made;      /* by a node, not declared */
	uint64_t order; /* as below */
	struct str name;
	struct str notes[SYMBOL_MAX_NOTES]; /* what it must be */
	uint32_t note_count;
	bool pinned; /* then the first note says so */
	bool tried;
	int64_t size;   /* that is tried */
	uint64_t uses;  /* dims that mention it */
	uint32_t value; /* the first that does: an input when there is one */
};

/* What was counted, by symbol.  An order by places, not by symbols, outlives a rename. */
struct symbol_known {
	uint64_t uses;
	uint32_t value;
	uint64_t order; /* of appearance: inputs first */
	uint32_t row;   /* in the list, plus 1 */
	bool kept;      /* counted before it was tried */
};

struct symbol_list {
	VEC(struct symbol_row)
	rows;
	VEC(struct symbol_known)
	known;
	int name_width, uses_width, note_width; /* the widest; no note: 0 */
	size_t age;                             /* of the subject that was counted */
};

/* False when nothing changed since the last time. */
bool symbol_list_renew(struct symbol_list *l, const struct screen *s);
void symbol_list_release(struct symbol_list *l);
/* NULL when no dim mentions it. */
struct symbol_row *symbol_list_find(const struct symbol_list *l, uint32_t symbol);

#endif
