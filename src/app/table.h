/*
 * Rows of cells: in columns for people, with tabs between for programs.
 */
#ifndef APP_TABLE_H
#define APP_TABLE_H

#include <stdio.h>

#include "base/str.h"
#include "base/vec.h"

enum {
	TABLE_MOST_COLUMNS = 6
};

struct table {
	VEC(struct str)
	cells;          /* owned; column by column, row after row */
	size_t columns; /* of every row */
};

/* The next cell; its text must be fit to be seen. */
struct str *table_cell(struct table *t);
/* Prints in columns when the stream is a terminal; then forgets the rows. */
void table_print_to(struct table *t, FILE *out);
/* To standard output. */
void table_print(struct table *t);

#endif
