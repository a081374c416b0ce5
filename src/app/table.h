/*
 * Rows of cells: in columns for people, with tabs between for programs.
 */
#ifndef APP_TABLE_H
#define APP_TABLE_H

#include <stdio.h>

#include "base/str.h"
#include "base/vec.h"

enum {
	TABLE_MAX_COLUMNS = 6
};

struct table {
	VEC(struct str)
	cells;          /* owned; column by column, row after row */
	size_t columns; /* of every row */
	size_t width;   /* of the terminal that shows it in the end; 0 asks standard output */
	size_t hang;    /* a row too wide for the terminal goes on below this column */
};

/* The next cell; its text must be fit to be seen. */
struct str *table_cell(struct table *t);
/* In columns when it is standard output and a terminal; then forgets the rows. */
void table_print_to(struct table *t, FILE *out);
/* To standard output. */
void table_print(struct table *t);

#endif
