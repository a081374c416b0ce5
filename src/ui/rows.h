/*
 * Rows of text in pieces, each with its style, for panes that tell about one thing.
 *
 * Rows are made for one width when what they tell changes, and drawn as far as they are
 * seen.  A dim is a piece that knows its symbol's colour; a row may lead somewhere.
 */
#ifndef UI_ROWS_H
#define UI_ROWS_H

#include "ui/screen.h"

enum link {
	LINK_NONE,
	LINK_NODE,
	LINK_VALUE,
	LINK_TENSOR,
	LINK_GRAPH,
	LINK_COUNT
};

struct piece {
	uint32_t at, len; /* in the text */
	int width;
	enum style style;
	bool is_dim; /* drawn in its own colours */
	uint32_t axis;
	struct sym dim;
};

struct row {
	uint32_t first, count; /* pieces */
	uint32_t right;        /* how many of them, the last, stand at the right edge */
	enum link link;
	uint32_t id;    /* of what it leads to */
	uint32_t value; /* whose dims are in it; 0 for none */
	uint32_t first_axis, axis_count;
};

struct rows {
	VEC(struct row)
	at;
	VEC(struct piece)
	pieces;
	struct str text;
	int width;
};

void rows_clear(struct rows *r, int width);
void rows_release(struct rows *r);
/* A new last row; what is added from now on stands in it. */
struct row *rows_add(struct rows *r);
struct row *rows_link(struct rows *r, enum link link, uint32_t id);
/* An empty row, unless there is one or nothing is before it. */
void rows_gap(struct rows *r);
/* An empty last row goes. */
void rows_trim(struct rows *r);
/* The rows of a thing begin with its label, or with as many blanks. */
void rows_label(struct rows *r, const char *label);
void rows_put(struct rows *r, enum style style, struct sv text);
/* A long name loses its beginning. */
void rows_name(struct rows *r, enum style style, struct sv name, int room);
void rows_format(struct rows *r, enum style style, const char *format, ...) PRINTF_LIKE(3, 4);
/* At the right edge; what does not fit there is left out when drawn. */
void rows_right(struct rows *r, enum style style, struct sv text);
void rows_dim(struct rows *r, const struct sym_pool *pool, struct sym dim, uint32_t axis);
/* The same with `behind` columns behind it; what is too wide goes on in further rows, plain. */
void rows_size(struct rows *r, const struct sym_pool *pool, struct sym size, uint32_t axis,
	       int after);
/* Columns of the last row that are taken. */
int rows_used(const struct rows *r);
/* From here on, in further rows where it needs them, at most `most`. */
void rows_wrap(struct rows *r, enum style style, struct sv text, int max);
/* `[batch, 3]`, in further rows where it needs them. */
void rows_shape(struct rows *r, const struct sym_pool *pool, const struct info *info);
/* `{batch, 3}`: the numbers inside, as far as they are known. */
void rows_contents(struct rows *r, const struct sym_pool *pool, const struct info *info);
int shape_width(const struct screen *s, const struct info *info);

/* Targets of clicks are rows plus 1.  The axis is that of the selected row. */
void rows_draw(struct screen *s, const struct rows *r, struct list *l, struct box inside,
	       bool active, uint32_t axis);

/* How many rows are hidden below, in the frame's lower border. */
void draw_more(struct screen *s, struct box inside, const struct list *l, int rows);

#endif
