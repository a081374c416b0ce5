/*
 * Records on standard output: a table for people and shells, or a JSON object with one list.
 *
 * A table is aligned on a terminal and separated by tabs elsewhere.  The JSON is written record
 * by record; a table is kept until its end, since every row matters for its columns.
 */
#ifndef REPORT_PRINTOUT_H
#define REPORT_PRINTOUT_H

#include "base/sv.h"
#include "report/json.h"
#include "report/record.h"
#include "report/table.h"

/* All-zero but for what the caller sets is ready to begin. */
struct printout {
	bool as_json;
	struct table table; /* set columns, hang, width and paints */
	struct json json;
	struct record record; /* for the caller to fill, one after the other */
	bool listed;          /* the list is over */
};

/* `model` is the first key of the object, unless it is empty; `list` has the records. */
void printout_begin(struct printout *p, struct sv model, const char *list);
/* Makes the row of a list. */
typedef void printout_row(void *context, struct record *r, size_t row);
/* Adds the rows of a list; like-named ones as one, unless `whole` or in JSON: see fold.h. */
void printout_rows(struct printout *p, size_t count, bool whole, printout_row *row, void *context);
/* Adds p->record. */
void printout_add(struct printout *p);
/* A key after the list; only for JSON. */
void printout_count(struct printout *p, const char *key, uint64_t count);
void printout_end(struct printout *p);

#endif
