#include "ui/rows.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/wrap.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/nicknames.h"
#include "infer/text.h"
#include "ir/type.h"
#include "ops/info.h"
#include "report/findings.h"
#include "report/record.h"
#include "sym/sym.h"
#include "sym/text.h"
#include "ui/canvas.h"

enum {
	LABEL = 8,         /* columns of a label */
	LONGEST_DIM = 400, /* bytes of an expression; the rest is ignored */
	MAX_DIMS = 64,
	MAX_NUMBERS = 24,
	MAX_SIZE_ROWS = 4
};

void rows_clear(struct rows *r, int width)
{
	vec_clear(&r->at);
	vec_clear(&r->pieces);
	str_clear(&r->text);
	r->width = width;
}

void rows_release(struct rows *r)
{
	vec_release(&r->at);
	vec_release(&r->pieces);
	str_release(&r->text);
}

/* ---- one row ---- */

struct row *rows_add(struct rows *r)
{
	struct row *row = vec_add(&r->at);

	row->first = (uint32_t)r->pieces.len;
	return row;
}

struct row *rows_link(struct rows *r, enum link link, uint32_t id)
{
	struct row *row = rows_add(r);

	row->link = link;
	row->id = id;
	return row;
}

void rows_gap(struct rows *r)
{
	if (r->at.len && vec_last(&r->at)->count)
		(void)rows_add(r);
}

void rows_trim(struct rows *r)
{
	while (r->at.len && vec_last(&r->at)->count == 0)
		vec_pop(&r->at);
}

static struct piece *rows_add_piece(struct rows *r, enum style style, struct sv text)
{
	struct piece *p = vec_add(&r->pieces);

	p->at = (uint32_t)r->text.len;
	str_add_shown(&r->text, text);
	p->len = (uint32_t)(r->text.len - p->at);
	p->style = style;
	p->width = (int)utf8_width((struct sv){str_c(&r->text) + p->at, p->len});
	vec_last(&r->at)->count++;
	return p;
}

void rows_put(struct rows *r, enum style style, struct sv text)
{
	/* No more than fits into a row. */
	text.len = MIN(text.len, (size_t)MAX(r->width, 1) * 8);
	(void)rows_add_piece(r, style, text);
}

void rows_name(struct rows *r, enum style style, struct sv name, int room)
{
	struct str shown = {0};
	struct sv rest;

	/* The end is kept: /encoder/layer.0/…/MatMul. */
	if (name.len > 4096)
		name = sv_skip(name, name.len - 4096);
	str_add_shown(&shown, name);
	rest = str_sv(&shown);
	if ((int)utf8_width(rest) > room) {
		rows_put(r, STYLE_DIM, SV("\u2026"));
		while (rest.len && (int)utf8_width(rest) > MAX(room - 1, 1))
			rest = sv_skip(rest, utf8_next(rest).len);
	}
	rows_put(r, style, rest);
	str_release(&shown);
}

void rows_format(struct rows *r, enum style style, const char *format, ...)
{
	char text[500];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	rows_put(r, style, sv_of(text));
}

void rows_label(struct rows *r, const char *label)
{
	rows_format(r, STYLE_DIM, "%-*s", LABEL, label);
}

void rows_right(struct rows *r, enum style style, struct sv text)
{
	rows_put(r, style, text);
	vec_last(&r->at)->right++;
}

int rows_used(const struct rows *r)
{
	const struct row *row = vec_last(&r->at);
	int used = 0;

	for (uint32_t i = 0; i < row->count; i++)
		used += r->pieces.at[row->first + i].width;
	return used;
}

/* Continues in a new row with the same link. */
static void continue_row(struct rows *r, int indent)
{
	struct row last = *vec_last(&r->at);
	struct row *next = rows_link(r, last.link, last.id);

	next->value = last.value;
	next->first_axis = last.first_axis + last.axis_count;
	rows_format(r, STYLE_DIM, "%*s", MIN(indent, MAX(r->width / 2, 0)), "");
}

/* ---- wrapped text ---- */

/* A part of a text, up to where it ends. */
struct run {
	size_t end;
	enum style style;
};

/* As far as the row has room: a hostile file can have very many runs. */
static void rows_put_runs(struct rows *r, const struct run *runs, struct sv text, size_t from,
			  size_t to)
{
	for (; from < to && rows_used(r) < r->width; runs++) {
		size_t end = MIN(runs->end, to);

		if (end > from)
			rows_put(r, runs->style, (struct sv){text.at + from, end - from});
		from = MAX(from, end);
	}
}

/* The last run ends where the text does. */
static void rows_wrap_runs(struct rows *r, const struct run *runs, struct sv text, int max)
{
	int indent = rows_used(r);
	size_t at = 0;

	if (r->width - indent < 8)
		indent = MIN(2, r->width / 2);
	for (int line = 0; at < text.len; line++) {
		int room = MAX(r->width - (line ? indent : rows_used(r)), 1);
		struct sv rest = sv_skip(text, at);
		size_t next, len = wrap_line(rest, (size_t)room, WRAP_TEXT, &next);

		if (line)
			continue_row(r, indent);
		if (line + 1 >= max)
			len = next = rest.len;
		rows_put_runs(r, runs, text, at, at + len);
		at += next;
	}
}

void rows_wrap(struct rows *r, enum style style, struct sv text, int max)
{
	rows_wrap_runs(r, &(struct run){text.len, style}, text, max);
}

/* ---- sizes ---- */

static void rows_print(const struct rows *r, const struct sym_pool *pool, struct sym dim,
		       struct str *out)
{
	if (r->names)
		nicknames_print(r->names, pool, dim, out);
	else
		sym_print(pool, dim, out);
}

void rows_dim(struct rows *r, const struct sym_pool *pool, struct sym dim, uint32_t axis)
{
	struct str text = {0};
	struct piece *p;

	rows_print(r, pool, dim, &text);
	p = rows_add_piece(r, STYLE_NUMBER, (struct sv){str_c(&text), MIN(text.len, LONGEST_DIM)});
	p->is_dim = true;
	p->dim = dim;
	p->axis = axis;
	str_release(&text);
}

static enum style tone_style(enum tone tone)
{
	static const enum style styles[TONE_COUNT] = {
		[TONE_PLAIN] = STYLE_TEXT,       [TONE_FAINT] = STYLE_DIM,
		[TONE_STRONG] = STYLE_BRIGHT,    [TONE_NUMBER] = STYLE_NUMBER,
		[TONE_ADDED] = STYLE_CHANGED,    [TONE_CHANGED] = STYLE_CHANGED,
		[TONE_REMOVED] = STYLE_CONFLICT, [TONE_NOTE] = STYLE_INFO,
		[TONE_WARNING] = STYLE_WARNING,  [TONE_ERROR] = STYLE_CONFLICT,
	};

	return styles[tone];
}

void rows_wrap_record(struct rows *r, const struct record *from, int max)
{
	VEC(struct run) runs = {0};
	struct str text = {0};
	uint32_t column = 0;

	for (size_t i = 0; i < from->cells.len; i++) {
		const struct cell *c = &from->cells.at[i];

		if (!c->shown || c->len == 0)
			continue;
		str_text(&text, c->column != column && text.len ? "  " : "");
		str_add(&text, cell_text(from, c));
		vec_push(&runs, ((struct run){text.len, tone_style(c->tone)}));
		column = c->column;
	}
	rows_wrap_runs(r, runs.at, str_sv(&text), max);
	vec_release(&runs);
	str_release(&text);
}

void rows_size(struct rows *r, const struct sym_pool *pool, struct sym size, uint32_t axis,
	       int after)
{
	int indent = MIN(rows_used(r), r->width / 2);
	struct str text = {0};
	struct sv rest;

	rows_print(r, pool, size, &text);
	rest = (struct sv){str_c(&text), MIN(text.len, (size_t)LONGEST_DIM)};
	if (rows_used(r) + (int)utf8_width(rest) + after <= r->width) {
		rows_dim(r, pool, size, axis);
		rest.len = 0;
	}
	for (int line = 0; rest.len; line++) {
		int room = MAX(r->width - rows_used(r) - after, 1);
		size_t next, len = wrap_line(rest, (size_t)room, WRAP_FACTORS, &next);

		if (line + 1 == MAX_SIZE_ROWS)
			len = next = rest.len;
		rows_put(r, STYLE_NUMBER, (struct sv){rest.at, len});
		rest = sv_skip(rest, next);
		if (rest.len)
			continue_row(r, indent);
	}
	str_release(&text);
}

/* Writes dims into rows that continue below where the first one began. */
struct rows_pen {
	struct rows *r;              /* borrowed */
	const struct sym_pool *pool; /* borrowed */
	int indent;
	uint32_t max; /* dims */
};

static void rows_pen_text(void *context, struct sv text, bool known)
{
	const struct rows_pen *p = context;

	rows_put(p->r, known ? STYLE_DIM : STYLE_UNKNOWN, text);
}

/* In a new row if it does not fit. */
static bool rows_pen_dim(void *context, struct sym dim, uint32_t axis)
{
	const struct rows_pen *p = context;
	struct rows *r = p->r;
	struct row *row;

	if (axis == p->max)
		return false;
	rows_dim(r, p->pool, dim, axis);
	if (axis && rows_used(r) >= r->width) {
		vec_pop(&r->pieces);
		vec_last(&r->at)->count--;
		continue_row(r, p->indent);
		rows_dim(r, p->pool, dim, axis);
	}
	row = vec_last(&r->at);
	row->axis_count++;
	/* A dim wider than the pane continues in the next rows. */
	if (rows_used(r) >= r->width) {
		vec_pop(&r->pieces);
		row->count--;
		rows_size(r, p->pool, dim, axis, 1);
	}
	return true;
}

void rows_finding(struct rows *r, const struct infer *in, const struct finding *f, int max)
{
	struct record record = {.face = FACE_SHOWN};

	finding_record(&record, in, f);
	(void)rows_add(r);
	rows_record(r, &record, FINDING_COLUMN_MARK, ROWS_EDGE);
	rows_put(r, level_style(f->level), SV(" "));
	rows_record(r, &record, FINDING_COLUMN_SENTENCE, max);
	record_release(&record);
}

void rows_shape(struct rows *r, const struct sym_pool *pool, const struct info *info)
{
	struct rows_pen p = {r, pool, rows_used(r) + 1, MAX_DIMS};
	bool tensor = info->kind == TYPE_TENSOR || info->kind == TYPE_SPARSE;

	info_walk(info, tensor ? INFO_SHAPE : INFO_SHORT_TYPE,
		  &(struct info_pen){rows_pen_text, rows_pen_dim, &p});
	if (!tensor) /* the dims are not its own */
		vec_last(&r->at)->axis_count = 0;
}

void rows_contents(struct rows *r, const struct sym_pool *pool, const struct info *info)
{
	struct rows_pen p = {r, pool, rows_used(r) + 1, MAX_NUMBERS};

	rows_put(r, STYLE_DIM, info->contents.rank ? SV("[") : SV(""));
	dims_walk(info->contents.at, info->contents.count,
		  &(struct info_pen){rows_pen_text, rows_pen_dim, &p});
	vec_last(&r->at)->axis_count = 0;
	rows_put(r, STYLE_DIM, info->contents.rank ? SV("]") : SV(""));
}

int shape_width(const struct screen *s, const struct info *info)
{
	struct str text = {0};
	int width;

	shape_text(s, info, &text);
	width = (int)utf8_width(str_sv(&text));
	str_release(&text);
	return width;
}

/* ---- records ---- */

struct row *rows_lead(struct rows *r, const struct record *from, uint32_t column)
{
	for (size_t i = 0; i < from->cells.len; i++) {
		const struct cell *c = &from->cells.at[i];

		if (c->column == column && c->link)
			return rows_link(r, c->link, c->id);
	}
	return rows_add(r);
}

static void rows_cell(struct rows *r, const struct record *from, const struct cell *c, int max)
{
	enum style style = c->link == LINK_GRAPH ? STYLE_SCOPE : tone_style(c->tone);

	if (c->kind == CELL_DIM && max == ROWS_SIZES)
		rows_size(r, from->pool, c->dim, 0, 0);
	else if (c->kind == CELL_DIM)
		rows_dim(r, from->pool, c->dim, 0);
	else if (c->kind == CELL_SHAPE)
		rows_shape(r, from->pool, c->info);
	else if (c->kind == CELL_CONTENTS)
		rows_contents(r, from->pool, c->info);
	else if (c->link && max == ROWS_NAMES)
		rows_name(r, style, cell_text(from, c), r->width - rows_used(r));
	else
		rows_put(r, style, cell_text(from, c));
}

void rows_record(struct rows *r, const struct record *from, uint32_t column, int max)
{
	for (size_t i = 0; i < from->cells.len;) {
		const struct cell *c = &from->cells.at[i];
		bool shown = c->shown && c->column == column;

		/* A sentence wraps as one, whatever cells it has. */
		if (shown && c->kind == CELL_TEXT && max > 1) {
			rows_wrap(r, tone_style(c->tone), record_run(from, &i), max);
			continue;
		}
		if (shown)
			rows_cell(r, from, c, max);
		i++;
	}
}

void rows_sentence(struct rows *r, const struct record *from, uint32_t column, int max)
{
	uint32_t before = vec_last(&r->at)->count;
	struct str text = {0};

	rows_record(r, from, column, ROWS_EDGE);
	if (rows_used(r) <= r->width)
		return;
	while (vec_last(&r->at)->count > before) {
		vec_pop(&r->pieces);
		vec_last(&r->at)->count--;
	}
	for (size_t i = 0; i < from->cells.len; i++) {
		const struct cell *c = &from->cells.at[i];

		if (c->shown && c->column == column && c->kind == CELL_DIM)
			rows_print(r, from->pool, c->dim, &text);
		else if (c->shown && c->column == column)
			str_add(&text, cell_text(from, c));
	}
	str_show_from(&text, 0); /* a line break in a name is none here */
	rows_wrap(r, STYLE_DIM, str_sv(&text), max);
	str_release(&text);
}

/* ---- drawing ---- */

static int draw_piece(struct screen *s, const struct rows *r, const struct piece *p, int x, int y,
		      int columns)
{
	if (columns <= 0)
		return 0;
	if (p->is_dim)
		return draw_dim(s, x, y, columns, p->dim);
	return canvas_text(&s->canvas, x, y, columns, (struct sv){str_c(&r->text) + p->at, p->len},
			   p->style);
}

/* Symbol colours are unreadable on the background of a match, so it uses its own. */
static void draw_match(struct canvas *c, int x, int y, int columns)
{
	for (int i = x; i < x + columns; i++) {
		struct glyph *g = canvas_at(c, i, y);

		if (g)
			g->style = g->ground = STYLE_MATCH;
	}
}

void rows_draw_row(struct screen *s, const struct rows *r, size_t i, struct box line, int axis)
{
	const struct row *row = &r->at.at[i];
	uint32_t left = row->count - row->right;
	int used = 0, right = 0;

	for (uint32_t k = left; k < row->count; k++)
		right += r->pieces.at[row->first + k].width;
	/* The right part is short and important, so the left is cut. */
	right = right > line.width / 2 ? 0 : right;
	for (uint32_t k = 0; k < left; k++) {
		const struct piece *p = &r->pieces.at[row->first + k];
		int x = line.x + used;

		used += draw_piece(s, r, p, x, line.y, line.width - right - used);
		if (p->is_dim && row->value && axis == (int)p->axis)
			draw_match(&s->canvas, x, line.y, line.x + used - x);
	}
	for (uint32_t k = left; k < row->count && right > 0; k++)
		right -= draw_piece(s, r, &r->pieces.at[row->first + k],
				    line.x + line.width - right, line.y, right);
}

const struct row *rows_selected(const struct pane *p)
{
	return p->list.at < p->rows->at.len ? &p->rows->at.at[p->list.at] : NULL;
}
