/*
 * Rows of cells: aligned in columns for people, separated by tabs for programs.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdio.h>

#include "base/str.h"
#include "base/vec.h"
#include "report/paint.h"
#include "report/record.h"

enum {
	TABLE_MAX_COLUMNS = 6
};

struct table {
	VEC(struct painted) cells; /* owned; column by column, row after row */
	size_t columns;            /* of every row */
	size_t width;              /* of the terminal that shows it; 0 asks standard output */
	size_t hang;               /* a row too wide for the terminal continues below this column */
	struct paints paints;      /* owned; set it for colours */
};

/* Adds a plain cell; its text must already be escaped. */
struct str *table_cell(struct table *t);
/* Adds a row: the columns of a record. */
void table_add(struct table *t, const struct record *r);
/* Aligned if `out` is standard output and a terminal; releases the table. */
void table_print_to(struct table *t, FILE *out);
/* To standard output. */
void table_print(struct table *t);

#endif
