#include "export/svg/svg.h"

#include <stdio.h>

#include "base/base.h"
#include "base/str.h"
#include "base/sv.h"
#include "export/paper/ink.h"
#include "export/paper/paper.h"
#include "export/paper/routes.h"
#include "layout/frames.h"
#include "layout/picture/picture.h"
#include "layout/view/view.h"
#include "ops/property.h"

enum {
	MARGIN = 4,      /* points around the drawing */
	ROUND = 5,       /* radius of the corners of a box */
	CORNER = 12,     /* of a box with corners cut off by a line */
	FOLD = 6,        /* of a sheet with a folded corner */
	TAB = 4,         /* height of the tab of a folder */
	TAB_NEAR = 3,    /* from its right edge: where the tab begins ... */
	TAB_FAR = 24,    /* ... and ends */
	TITLE_UP = 2,    /* from the middle of a box up to the base line of its title */
	SHAPE_DOWN = 10, /* and down to that of its shape */
	NAME_DOWN = 3,   /* from the middle of a row to the base line of a name */
	BUFFER = 1 << 16
};

struct svg {
	struct sheet *sheet; /* borrowed; being drawn: the whole, or a body in it */
	struct paper *at;    /* borrowed; its paper */
	struct paper paper;  /* the whole */
	FILE *file;          /* borrowed */
	struct str text;     /* not yet written */
	struct str name;     /* scratch */
};

/* ---- pieces ---- */

static void flush_text(struct svg *d, size_t most)
{
	if (d->text.len <= most)
		return;
	(void)fwrite(str_c(&d->text), 1, d->text.len, d->file);
	str_clear(&d->text);
}

static void svg_put(struct svg *d, const char *text)
{
	str_text(&d->text, text);
}

/* x="12" */
static void put_number(struct svg *d, const char *name, int32_t number)
{
	svg_put(d, name);
	svg_put(d, "=\"");
	str_number(&d->text, number);
	svg_put(d, "\"");
}

static void put_point(struct svg *d, const char *before, int32_t x, int32_t y)
{
	svg_put(d, before);
	ink_point(&d->text, x, paper_y(&d->paper, y));
}

/* In a text, blanks beside one another would become one; librsvg drops even these at its ends. */
static void put_text(struct svg *d, struct sv text)
{
	static const char *const quotes[128] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", [' '] = "\u00a0"};

	ink_quoted(&d->text, text, quotes);
}

static void put_title(struct svg *d, struct sv name)
{
	static const char *const quotes[128] = {['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;"};

	if (!name.len)
		return;
	svg_put(d, "<title>");
	ink_quoted(&d->text, name, quotes);
	svg_put(d, "</title>");
}

/* Small, beside a line or in a frame. */
static void put_name(struct svg *d, int32_t x, int32_t middle)
{
	svg_put(d, "<text text-anchor=\"start\" ");
	put_number(d, "x", x);
	put_number(d, " y", paper_y(&d->paper, middle) + NAME_DOWN);
	put_number(d, " font-size", NAME_SIZE);
	svg_put(d, " fill=\"" INK_NAME "\" stroke=\"none\">");
	put_text(d, str_sv(&d->name));
	svg_put(d, "</text>");
}

/* ---- frames ---- */

static void draw_frame(struct svg *d, struct bounds b, struct sv name)
{
	svg_put(d, "<g class=\"cluster\"><rect ");
	put_number(d, "x", b.left);
	put_number(d, " y", paper_y(&d->paper, b.top));
	put_number(d, " width", b.right - b.left);
	put_number(d, " height", b.top - b.bottom);
	svg_put(d, " fill=\"none\" stroke=\"" INK_FRAME "\"/>");
	str_clear(&d->name);
	(void)ink_name(&d->name, name, b.right - b.left - 2 * CAPTION_SIDE);
	if (d->name.len)
		put_name(d, b.left + CAPTION_SIDE, b.top - CAPTION / 2);
	svg_put(d, "</g>\n");
	flush_text(d, BUFFER);
}

/* Of scopes; then of nodes that show their bodies, and of these. */
static void draw_frames(struct svg *d)
{
	const struct frames *f = &d->at->frames;

	for (uint32_t i = 1; i < f->at.len; i++) {
		if (f->at.at[i].scope)
			draw_frame(d, paper_frame(d->at, i),
				   d->sheet->scopes.at[f->at.at[i].scope].name);
	}
	for (uint32_t i = 0; i < d->sheet->bodies.len; i++) {
		const struct sheet_body *b = &d->sheet->bodies.at[i];

		if (i == d->sheet->body_of[b->item] - 1 && sheet_bodies(d->sheet, b->item) > 1)
			draw_frame(d, paper_outline(d->at, b->item), (struct sv){0});
		draw_frame(d, paper_body(d->at, i), sheet_caption(b->sheet));
	}
}

/* ---- lines ---- */

static bool is_straight(const struct point *p)
{
	return p[0].x == p[1].x && p[0].y == p[1].y && p[2].x == p[3].x && p[2].y == p[3].y;
}

static void draw_piece(struct svg *d, const struct line *l, size_t from, size_t end)
{
	put_point(d, "<path d=\"M", l->points.at[from].x, l->points.at[from].y);
	for (size_t i = from; i + 3 < end; i += 3) {
		const struct point *p = &l->points.at[i];

		if (is_straight(p)) {
			put_point(d, "L", p[3].x, p[3].y);
			continue;
		}
		put_point(d, "C", p[1].x, p[1].y);
		put_point(d, " ", p[2].x, p[2].y);
		put_point(d, " ", p[3].x, p[3].y);
	}
	svg_put(d, "\"/>");
}

static void draw_arrow(struct svg *d, struct point head)
{
	svg_put(d, "<path fill=\"" INK_LINE "\" d=\"M");
	ink_point(&d->text, head.x, paper_y(&d->paper, head.y));
	put_point(d, "L", head.x - ARROW / 3, head.y + ARROW - 1);
	put_point(d, "L", head.x + ARROW / 3, head.y + ARROW - 1);
	svg_put(d, "Z\"/>");
}

static void draw_end(struct svg *d, uint32_t net, const struct line_end *end, bool head)
{
	if (end->named)
		return;
	str_clear(&d->name);
	(void)routes_add_name(d->sheet, net, head, &d->name);
	put_name(d, end->at.x + NAME_BESIDE, end->at.y);
}

static void draw_line(struct svg *d, const struct line *l, uint32_t net, uint32_t reader)
{
	svg_put(d, "<g class=\"edge\" data-ends=\"");
	str_number(&d->text, d->sheet->first_item + d->sheet->view.sketch.nets.at[net].from);
	svg_put(d, " ");
	str_number(&d->text, d->sheet->first_item + reader);
	svg_put(d, "\" fill=\"none\" stroke=\"" INK_LINE "\">");
	str_clear(&d->name);
	sheet_net(d->sheet, net, &d->name);
	put_title(d, str_sv(&d->name));
	if (l->second)
		draw_piece(d, l, 0, l->second);
	draw_piece(d, l, l->second, l->points.len);
	draw_arrow(d, l->head);
	draw_end(d, net, &l->left, false);
	draw_end(d, net, &l->back, true);
	svg_put(d, "</g>\n");
}

static void draw_lines(struct svg *d)
{
	const struct picture *p = &d->sheet->picture;
	struct routes routes;
	struct line line = {0};

	routes_begin(&routes, d->at);
	for (uint32_t i = 0; i < p->item_count; i++) {
		for (uint32_t k = 0; k < p->spots[i].up_count; k++) {
			const struct picture_link *up = &p->up[p->spots[i].first_up + k];

			routes_line(&routes, up, i, &line);
			draw_line(d, &line, up->net, i);
		}
		flush_text(d, BUFFER);
	}
	line_release(&line);
	routes_release(&routes);
}

/* ---- boxes ---- */

static void draw_rectangle(struct svg *d, const struct bounds *b, int32_t radius)
{
	svg_put(d, "<rect ");
	put_number(d, "x", b->left);
	put_number(d, " y", paper_y(&d->paper, b->top));
	put_number(d, " width", b->right - b->left);
	put_number(d, " height", b->top - b->bottom);
	if (radius)
		put_number(d, " rx", radius);
	svg_put(d, "/>");
}

/* Each corner cut off by a line. */
static void draw_corners(struct svg *d, const struct bounds *b)
{
	put_point(d, "<path fill=\"none\" d=\"M", b->left + CORNER, b->top);
	put_point(d, "L", b->left, b->top - CORNER);
	put_point(d, "M", b->left, b->bottom + CORNER);
	put_point(d, "L", b->left + CORNER, b->bottom);
	put_point(d, "M", b->right - CORNER, b->bottom);
	put_point(d, "L", b->right, b->bottom + CORNER);
	put_point(d, "M", b->right, b->top - CORNER);
	put_point(d, "L", b->right - CORNER, b->top);
	svg_put(d, "\"/>");
}

static void draw_note(struct svg *d, const struct bounds *b)
{
	put_point(d, "<path d=\"M", b->left, b->top);
	put_point(d, "L", b->right - FOLD, b->top);
	put_point(d, "L", b->right, b->top - FOLD);
	put_point(d, "L", b->right, b->bottom);
	put_point(d, "L", b->left, b->bottom);
	put_point(d, "ZM", b->right - FOLD, b->top);
	put_point(d, "L", b->right - FOLD, b->top - FOLD);
	put_point(d, "L", b->right, b->top - FOLD);
	svg_put(d, "\"/>");
}

static void draw_folder(struct svg *d, const struct bounds *b)
{
	put_point(d, "<path d=\"M", b->left, b->top);
	put_point(d, "L", b->right - TAB_FAR - TAB_NEAR, b->top);
	put_point(d, "L", b->right - TAB_FAR, b->top + TAB);
	put_point(d, "L", b->right - TAB_NEAR, b->top + TAB);
	put_point(d, "L", b->right, b->top);
	put_point(d, "L", b->right, b->bottom);
	put_point(d, "L", b->left, b->bottom);
	svg_put(d, "Z\"/>");
}

static void draw_outline(struct svg *d, enum view_kind kind, const struct bounds *b)
{
	switch (kind) {
	case VIEW_INPUT:
	case VIEW_OUTPUT:
		draw_rectangle(d, b, 0);
		draw_corners(d, b);
		break;
	case VIEW_OUTER:
		draw_note(d, b);
		break;
	case VIEW_SCOPE:
		draw_folder(d, b);
		break;
	case VIEW_NODE:
	case VIEW_KIND_COUNT:
		draw_rectangle(d, b, ROUND);
		break;
	}
}

static void begin_text(struct svg *d, const struct bounds *b, int32_t down, const char *more)
{
	svg_put(d, "<text ");
	svg_put(d, more);
	put_number(d, "x", (b->left + b->right) / 2);
	put_number(d, " y", paper_y(&d->paper, (b->bottom + b->top) / 2) + down);
	svg_put(d, ">");
}

/* The title, beside it the constant inputs in small type. */
static void draw_heading(struct svg *d, uint32_t item, const struct bounds *b)
{
	enum op_kind kind = sheet_kind(d->sheet, item);

	begin_text(d, b, -TITLE_UP, "font-weight=\"bold\" ");
	if (kind != OP_KIND_NONE) {
		svg_put(d, "<tspan fill=\"");
		svg_put(d, ink_kind(kind));
		svg_put(d, "\">");
	}
	str_clear(&d->name);
	sheet_title(d->sheet, item, &d->name);
	put_text(d, str_sv(&d->name));
	svg_put(d, kind != OP_KIND_NONE ? "</tspan>" : "");
	str_clear(&d->name);
	sheet_constants(d->sheet, item, &d->name);
	if (d->name.len) {
		svg_put(d, "<tspan");
		put_number(d, " font-size", NAME_SIZE);
		svg_put(d, " font-weight=\"normal\" fill=\"" INK_BOX "\">\u00a0");
		put_text(d, str_sv(&d->name));
		svg_put(d, "</tspan>");
	}
	svg_put(d, "</text>");
}

/* What is between two offsets of a text. */
static void put_part(struct svg *d, const struct label *l, size_t from, size_t to)
{
	for (size_t i = 0; i < l->runs.len && from < to; i++) {
		const struct label_run *run = &l->runs.at[i];

		if (run->end <= from)
			continue;

		if (run->colour) {
			svg_put(d, "<tspan fill=\"");
			svg_put(d, ink_symbol(run->colour));
			svg_put(d, "\">");
		}
		put_text(d, (struct sv){l->text.at + from, MIN(run->end, to) - from});
		svg_put(d, run->colour ? "</tspan>" : "");
		from = run->end;
	}
}

static void put_runs(struct svg *d, const struct label *l)
{
	put_part(d, l, 0, l->text.len);
}

static void draw_shape(struct svg *d, uint32_t item, const struct bounds *b)
{
	struct label shape = {0};

	sheet_shape(d->sheet, item, &shape);
	if (shape.text.len)
		begin_text(d, b, SHAPE_DOWN, "");
	put_runs(d, &shape);
	if (shape.text.len)
		svg_put(d, "</text>");
	label_release(&shape);
}

static void draw_box(struct svg *d, uint32_t item)
{
	enum view_kind kind = d->sheet->view.items.at[item].kind;
	struct bounds b = paper_item(d->at, item);

	svg_put(d, "<g class=\"node\"");
	put_number(d, " data-item", (int32_t)(d->sheet->first_item + item));
	svg_put(d, ">");
	str_clear(&d->name);
	sheet_name(d->sheet, item, &d->name);
	put_title(d, str_sv(&d->name));
	svg_put(d, "<g stroke=\"" INK_BOX "\" fill=\"");
	svg_put(d, ink_fill(kind, sheet_kind(d->sheet, item)));
	svg_put(d, "\">");
	draw_outline(d, kind, &b);
	svg_put(d, "</g>");
	draw_heading(d, item, &b);
	draw_shape(d, item, &b);
	svg_put(d, "</g>\n");
	flush_text(d, BUFFER);
}

/* ---- short names ---- */

/* Lines after the first one are indented. */
static void draw_meaning(struct svg *d, const struct label *meaning, int32_t x, int32_t y)
{
	for (size_t from = 0; from < meaning->text.len;) {
		size_t to = from +
			    sheet_line(sv_skip(str_sv(&meaning->text), from), LEGEND_COLUMNS);

		svg_put(d, "<text class=\"legend\" text-anchor=\"start\" ");
		put_number(d, "x", x + (from ? NAME_SIZE : 0));
		put_number(d, " y", y);
		put_number(d, " font-size", NAME_SIZE);
		svg_put(d, ">");
		put_part(d, meaning, from, to);
		svg_put(d, "</text>\n");
		from = to;
		y += LEGEND_ROW;
	}
}

static void draw_legend(struct svg *d)
{
	const struct paper *p = &d->paper;
	int32_t y = p->height - p->legend + LEGEND_ROW;
	struct label meaning = {0};

	for (uint32_t i = 0; i < d->sheet->legend.len; i++) {
		int32_t column = (int32_t)(i % p->legend_columns);

		if (i && column == 0)
			y += (int32_t)paper_legend_lines(p, i - p->legend_columns) * LEGEND_ROW;
		label_clear(&meaning);
		sheet_meaning(d->sheet, i, &meaning);
		draw_meaning(d, &meaning, MARGIN + column * p->legend_width, y);
	}
	label_release(&meaning);
}

/* ---- the whole ---- */

static void draw_paper(struct svg *d)
{
	int32_t width = d->paper.width + 2 * MARGIN, height = d->paper.height + 2 * MARGIN;

	svg_put(d, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg width=\"");
	str_number(&d->text, width);
	svg_put(d, "pt\" height=\"");
	str_number(&d->text, height);
	svg_put(d, "pt\" viewBox=\"");
	str_format(&d->text, "%d %d %d %d\" xmlns=\"http://www.w3.org/2000/svg\">\n", -MARGIN,
		   -MARGIN, width, height);
	str_format(&d->text,
		   "<g class=\"graph\" font-family=\"Courier,monospace\" font-size=\"12\" "
		   "text-anchor=\"middle\" xml:space=\"preserve\">\n<rect x=\"%d\" y=\"%d\" "
		   "width=\"%d\" height=\"%d\" "
		   "fill=\"white\"/>\n",
		   -MARGIN, -MARGIN, width, height);
}

/* A few levels deep: a sheet bounds how far its bodies go. */
static void draw_sheet(struct svg *d, struct paper *p)
{
	d->at = p;
	d->sheet = p->sheet;
	draw_frames(d);
	draw_lines(d);
	for (uint32_t i = 0; i < p->sheet->view.items.len; i++)
		draw_box(d, i);
	for (size_t i = 0; i < p->sheet->bodies.len; i++)
		draw_sheet(d, &p->bodies[i]);
}

void svg_write(struct sheet *s, FILE *out)
{
	struct svg d = {.file = out};

	paper_make(&d.paper, s, MAX(s->strips, 1));
	draw_paper(&d);
	draw_sheet(&d, &d.paper);
	d.sheet = s;
	draw_legend(&d);
	svg_put(&d, "</g>\n</svg>\n");
	flush_text(&d, 0);
	paper_release(&d.paper);
	str_release(&d.text);
	str_release(&d.name);
}
