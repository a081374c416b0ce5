/*
 * Rows of styled pieces of text, for panes that describe one thing.
 *
 * Rows are built for one width when their contents change; only visible ones are drawn.  A dim
 * is a piece that has its symbol's colour; a row may be a link.
 */
#ifndef UI_ROWS_H
#define UI_ROWS_H

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/nicknames.h"
#include "ops/info.h"
#include "report/record.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/screen.h"

struct piece {
	uint32_t at, len; /* in the text */
	int width;
	enum style style;
	bool is_dim; /* in its symbols' colours */
	uint32_t axis;
	struct sym dim;
};

struct row {
	uint32_t first, count; /* pieces */
	uint32_t right;        /* the number of last pieces that are right-aligned */
	enum link link;
	uint32_t id;    /* of the link's target */
	uint32_t value; /* whose dims it contains; 0 for none */
	uint32_t first_axis, axis_count;
};

struct rows {
	VEC(struct row) at;
	VEC(struct piece) pieces;
	struct str text;
	int width;
	const struct nicknames *names; /* borrowed; NULL for none */
};

void rows_clear(struct rows *r, int width);
void rows_release(struct rows *r);
/* Adds a row; later pieces go into it. */
struct row *rows_add(struct rows *r);
struct row *rows_link(struct rows *r, enum link link, uint32_t id);
/* An empty row, unless the last is empty or there is none. */
void rows_gap(struct rows *r);
/* Removes an empty last row. */
void rows_trim(struct rows *r);
/* Starts a row with a label, or the same number of spaces. */
void rows_label(struct rows *r, const char *label);
void rows_put(struct rows *r, enum style style, struct sv text);
/* Adds a row that leads where the record's column does. */
struct row *rows_lead(struct rows *r, const struct record *from, uint32_t column);
/* How a column of a record fits into the width; a greater number: texts wrap into so many rows. */
enum {
	ROWS_SIZES = -1, /* wraps its sizes */
	ROWS_EDGE = 0,   /* ends at the edge */
	ROWS_NAMES = 1   /* names that lead somewhere are cut at their start */
};

void rows_record(struct rows *r, const struct record *from, uint32_t column, int max);
/* A long name is cut at its start. */
void rows_name(struct rows *r, enum style style, struct sv name, int room);
void rows_format(struct rows *r, enum style style, const char *format, ...) LIKE_PRINTF(3, 4);
/* Right-aligned; omitted when drawn if it does not fit. */
void rows_right(struct rows *r, enum style style, struct sv text);
void rows_dim(struct rows *r, const struct sym_pool *pool, struct sym dim, uint32_t axis);
/* The same, leaving `after` columns free; a wider size continues in further rows, plain. */
void rows_size(struct rows *r, const struct sym_pool *pool, struct sym size, uint32_t axis,
	       int after);
/* Columns used in the last row. */
int rows_used(const struct rows *r);
/* Wraps from here on, into at most `max` rows. */
void rows_wrap(struct rows *r, enum style style, struct sv text, int max);
/* The same with all columns of a record. */
void rows_wrap_record(struct rows *r, const struct record *from, int max);
/* A column in the colours of its sizes; if it is wider than the row, wrapped and plain. */
void rows_sentence(struct rows *r, const struct record *from, uint32_t column, int max);
/* Its mark and sentence, in at most `max` new rows. */
void rows_finding(struct rows *r, const struct infer *in, const struct finding *f, int max);
/* `[batch, 3]`, wrapped if necessary. */
void rows_shape(struct rows *r, const struct sym_pool *pool, const struct info *info);
/* `[batch, 3]`, of a scalar `3`: the known elements. */
void rows_contents(struct rows *r, const struct sym_pool *pool, const struct info *info);
int shape_width(const struct screen *s, const struct info *info);

/* `axis` is highlighted; -1 for none. */
void rows_draw_row(struct screen *s, const struct rows *r, size_t i, struct box line, int axis);
/* Selects or shows what a link leads to; false if that is nothing. */
bool link_follow(struct screen *s, enum link link, uint32_t id);
/* The selected row of a pane that fills rows; NULL for none. */
const struct row *rows_selected(const struct pane *p);

#endif
