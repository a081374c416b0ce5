/*
 * The symbols that dims contain: their uses, origin and constraints.
 *
 *   seq  declared  704 axes  past + seq <= 512  declared by ids:1
 */
#ifndef REPORT_SYMBOLS_H
#define REPORT_SYMBOLS_H

#include "base/str.h"
#include "base/vec.h"
#include "infer/infer.h"
#include "report/json.h"
#include "report/record.h"

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
	int64_t size;      /* being tried */
	uint64_t uses;     /* dims that contain it */
	uint32_t value;    /* the first one: preferably an input */
	uint32_t identity; /* what it must equal: its place in the infer, plus 1; 0 for none */
};

/* The counts by symbol.  The order is by place, not by symbol, so it survives a rename. */
struct symbol_known {
	uint64_t uses;
	uint32_t value;
	uint64_t order; /* of appearance: inputs first */
	uint32_t row;   /* in the list, plus 1 */
	bool kept;      /* counted before the try */
};

/* All-zero is empty. */
struct symbol_list {
	VEC(struct symbol_row) rows; /* those of inputs first, those made by nodes last */
	VEC(struct symbol_known) known;
};

/*
 * A symbol that is being tried is a number in every dim, so it keeps its count of the last
 * filling.
 */
void symbol_list_fill(struct symbol_list *l, const struct infer *in,
		      const struct infer_binding *tried, size_t tried_count);
void symbol_list_release(struct symbol_list *l);
/* NULL when no dim contains it. */
struct symbol_row *symbol_list_find(const struct symbol_list *l, uint32_t symbol);

enum symbol_column {
	SYMBOL_NAME,
	SYMBOL_KIND,
	SYMBOL_USES,
	SYMBOL_NOTES,
	SYMBOL_ORIGIN, /* "declared by ids:1"; of one made by a node its first use */
	SYMBOL_OFFER,  /* "do: set total=past+seq" */
	SYMBOL_COLUMN_COUNT
};

/* The line that writes what it must equal in its place; false for none. */
bool symbol_offer(const struct infer *in, const struct symbol_row *row, struct str *out);
/* Keys: name, kind, uses, equal, notes, node, do. */
void symbol_record(struct record *r, const struct infer *in, const struct symbol_row *row);
/* A list of all symbols. */
void symbols_json(struct json *j, const struct infer *in);

#endif
