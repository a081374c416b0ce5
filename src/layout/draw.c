#include "layout/draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/utf8.h"
#include "layout/sketch.h"

/* The lines in a cell of the window, before they become a glyph. */
struct ink {
	unsigned directions;
	uint32_t join;
	uint32_t net;
};

struct canvas {
	const struct picture *p;   /* borrowed */
	const struct drawing *how; /* borrowed */
	struct rect window;
	struct cell *cells; /* borrowed */
	struct ink *ink;    /* owned */
};

static bool draw_inside(const struct canvas *c, int32_t x, int32_t y)
{
	return x >= c->window.x && y >= c->window.y && x - c->window.x < c->window.width &&
	       y - c->window.y < c->window.height;
}

static size_t index_of(const struct canvas *c, int32_t x, int32_t y)
{
	return (size_t)(y - c->window.y) * (size_t)c->window.width + (size_t)(x - c->window.x);
}

/*
 * Lines of one join, and lines inside a layer (join 0), merge.  Others only cross, with
 * the vertical one on top.
 */
static void add_ink(struct canvas *c, int32_t x, int32_t y, unsigned directions, uint32_t join,
		    uint32_t net)
{
	struct ink *ink;

	if (!draw_inside(c, x, y))
		return;
	ink = &c->ink[index_of(c, x, y)];
	if (ink->directions && ink->join && join && ink->join != join) {
		if (directions == (DIR_UP | DIR_DOWN))
			*ink = (struct ink){directions, join, net};
		return;
	}
	ink->directions |= directions;
	ink->join = join;
	ink->net = net;
}

static void ink_stroke(struct canvas *c, const struct stroke *s, int32_t top, int32_t bottom)
{
	const struct rect *w = &c->window;

	if (s->y0 == s->y1) {
		int32_t end = MIN(s->x1, w->x + w->width - 1);

		for (int32_t x = MAX(s->x0, w->x); x <= end; x++)
			add_ink(c, x, s->y0,
				(x > s->x0 ? DIR_LEFT : 0) | (x < s->x1 ? DIR_RIGHT : 0), s->join,
				s->net);
		return;
	}
	if (s->x0 < w->x || s->x0 >= w->x + w->width)
		return;
	for (int32_t y = MAX(s->y0, w->y); y <= MIN(s->y1, w->y + w->height - 1); y++)
		add_ink(c, s->x0, y, (y > s->y0 ? DIR_UP : 0) | (y < s->y1 ? DIR_DOWN : 0),
			y >= top && y < bottom ? s->join : 0, s->net);
}

static void ink_spot(struct canvas *c, const struct spot *s)
{
	switch (s->kind) {
	case SPOT_LINE:
		for (int32_t y = s->y; y < s->y + s->height; y++)
			add_ink(c, s->x, y, DIR_UP | DIR_DOWN, 0, s->id);
		break;
	case SPOT_LEAVE:
	case SPOT_ARRIVE:
		add_ink(c, s->x, s->y, DIR_RIGHT, 0, s->id);
		add_ink(c, s->x + 1, s->y, DIR_LEFT | DIR_RIGHT, 0, s->id);
		break;
	case SPOT_ITEM:
	case SPOT_KIND_COUNT:
		break;
	}
}

static void ink_to_cells(struct canvas *c)
{
	size_t count = (size_t)c->window.width * (size_t)c->window.height;

	for (size_t i = 0; i < count; i++) {
		const struct ink *ink = &c->ink[i];
		bool empty = !ink->directions;

		c->cells[i].glyph = line_glyph(ink->directions, c->how->ascii);
		c->cells[i].role = empty ? ROLE_NONE : ROLE_LINE;
		c->cells[i].item = SKETCH_NONE;
		c->cells[i].net = empty ? SKETCH_NONE : ink->net;
	}
}

/* ---- texts and frames ---- */

static void draw_put(struct canvas *c, int32_t x, int32_t y, uint32_t glyph, struct cell like)
{
	if (!draw_inside(c, x, y))
		return;
	like.glyph = glyph;
	c->cells[index_of(c, x, y)] = like;
}

/* Writes a text that may extend beyond the window: into a buffer first, then clipped. */
static void draw_put_text(struct canvas *c, int32_t x, int32_t y, int32_t columns,
			  const struct str *text, struct cell like)
{
	struct cell *row;

	if (columns <= 0 || y < c->window.y || y >= c->window.y + c->window.height)
		return;
	like.glyph = ' ';
	row = must_alloc((size_t)columns * sizeof(*row));
	for (int32_t i = 0; i < columns; i++)
		row[i] = like;
	cells_text(row, columns, str_sv(text), like, c->how->ascii);
	for (int32_t i = 0; i < columns; i++)
		draw_put(c, x + i, y, row[i].glyph, like);
	free(row);
}

static void draw_stub(struct canvas *c, const struct spot *s)
{
	static const uint32_t arrows[2][2] = {{0x25b8, 0x25c2}, {'>', '<'}};
	struct cell like = {.role = ROLE_STUB, .item = SKETCH_NONE, .net = s->id};
	struct str name = {0};

	draw_put(c, s->x + 2, s->y, arrows[c->how->ascii][s->kind == SPOT_ARRIVE], like);
	if (c->how->name)
		c->how->name(c->how->context, s->id, &name);
	draw_put_text(c, s->x + 4, s->y, s->right - 3, &name, like);
	str_release(&name);
}

enum frame_part {
	PART_ACROSS,
	PART_DOWN,
	PART_TOP_LEFT,
	PART_TOP_RIGHT,
	PART_BOTTOM_LEFT,
	PART_BOTTOM_RIGHT,
	PART_PORT,
	PART_COUNT
};

static const uint32_t draw_frames[3][PART_COUNT] = {
	{0x2500, 0x2502, 0x256d, 0x256e, 0x2570, 0x256f, 0x252c},
	{0x2501, 0x2503, 0x250f, 0x2513, 0x2517, 0x251b, 0x252f},
	{'-', '|', '+', '+', '+', '+', '+'},
};
/* Without box characters, a selected frame uses other characters. */
static const uint32_t selected_ascii[PART_COUNT] = {'=', '#', '#', '#', '#', '#', '+'};

static const uint32_t *frame_of(const struct canvas *c, uint32_t item)
{
	bool selected = item == c->how->selected;

	if (c->how->ascii)
		return selected ? selected_ascii : draw_frames[2];
	return draw_frames[selected];
}

static void draw_frame(struct canvas *c, const struct rect *r, uint32_t item)
{
	struct cell like = {.role = ROLE_FRAME, .item = item, .net = SKETCH_NONE};
	const uint32_t *part = frame_of(c, item);
	int32_t right = r->x + r->width - 1, bottom = r->y + r->height - 1;
	int32_t end = MIN(right, c->window.x + c->window.width);

	for (int32_t x = MAX(r->x + 1, c->window.x); x < end; x++) {
		bool port = draw_inside(c, x, bottom) &&
			    c->ink[index_of(c, x, bottom)].directions & DIR_DOWN;

		draw_put(c, x, r->y, part[PART_ACROSS], like);
		draw_put(c, x, bottom, part[port ? PART_PORT : PART_ACROSS], like);
	}
	for (int32_t y = r->y + 1; y < bottom; y++) {
		draw_put(c, r->x, y, part[PART_DOWN], like);
		draw_put(c, right, y, part[PART_DOWN], like);
	}
	draw_put(c, r->x, r->y, part[PART_TOP_LEFT], like);
	draw_put(c, right, r->y, part[PART_TOP_RIGHT], like);
	draw_put(c, r->x, bottom, part[PART_BOTTOM_LEFT], like);
	draw_put(c, right, bottom, part[PART_BOTTOM_RIGHT], like);
}

static void draw_box_title(struct canvas *c, const struct rect *r, uint32_t item, struct str *text)
{
	struct cell like = {.role = ROLE_TITLE, .item = item, .net = SKETCH_NONE};
	size_t width = utf8_width(str_sv(text));
	/* "╭─ title ─╮"; the blanks are dropped first when space is short. */
	int32_t margin = (int32_t)width + 4 <= r->width ? 2 : 1;
	int32_t columns = MIN((int32_t)width + 2 * (margin - 1), r->width - 2);

	if (margin == 2) {
		struct str framed = {0};

		str_format(&framed, " %s ", str_c(text));
		draw_put_text(c, r->x + (r->width >= columns + 4 ? 2 : 1), r->y, columns, &framed,
			      like);
		str_release(&framed);
		return;
	}
	draw_put_text(c, r->x + 1, r->y, columns, text, like);
}

static void draw_box(struct canvas *c, uint32_t item)
{
	struct rect r = picture_rect(c->p, item);
	struct cell like = {.role = ROLE_TEXT, .item = item, .net = SKETCH_NONE};
	struct str text = {0};

	if (r.height > 1)
		draw_frame(c, &r, item);
	for (int32_t line = 0; line < MAX(1, r.height - 1); line++) {
		if (r.y + line < c->window.y || r.y + line >= c->window.y + c->window.height)
			continue;
		str_clear(&text);
		if (c->how->label)
			c->how->label(c->how->context, item, (uint32_t)line, &text);
		if (r.height == 1)
			draw_put_text(c, r.x, r.y, r.width, &text, like);
		else if (line == 0 && text.len)
			draw_box_title(c, &r, item, &text);
		else if (line > 0) {
			draw_put(c, r.x + 1, r.y + line, ' ', like);
			draw_put(c, r.x + r.width - 2, r.y + line, ' ', like);
			draw_put_text(c, r.x + 2, r.y + line, r.width - 4, &text, like);
		}
	}
	str_release(&text);
}

static void each_spot(struct canvas *c, const struct layer *layer, bool lines)
{
	const struct picture *p = c->p;
	uint32_t at = picture_first_spot(p, layer, c->window.x);

	for (; at < layer->first + layer->count; at++) {
		uint32_t id = p->row[at];
		const struct spot *s = &p->spots[id];

		if (s->x - s->left >= c->window.x + c->window.width)
			break;
		if (lines)
			ink_spot(c, s);
		else if (s->kind == SPOT_ITEM)
			draw_box(c, id);
		else if (s->kind != SPOT_LINE)
			draw_stub(c, s);
	}
}

void picture_draw(const struct picture *p, struct rect window, const struct drawing *how,
		  struct cell *out)
{
	size_t count = (size_t)window.width * (size_t)window.height;
	struct canvas c = {.p = p, .how = how, .window = window, .cells = out};
	uint32_t first, end;

	c.ink = must_alloc((count + 1) * sizeof(*c.ink));
	memset(c.ink, 0, count * sizeof(*c.ink));
	picture_layers(p, window.y, window.height, &first, &end);
	/* Lines of the gap above the first layer end in the layer's first row. */
	for (uint32_t i = first ? first - 1 : 0; i < end; i++) {
		const struct layer *layer = &p->layers[i];
		int32_t top = layer->y + layer->height;

		for (uint32_t k = 0; k < layer->stroke_count; k++)
			ink_stroke(&c, &p->strokes[layer->first_stroke + k], top, top + layer->gap);
		each_spot(&c, layer, true);
	}
	ink_to_cells(&c);
	for (uint32_t i = first; i < end; i++)
		each_spot(&c, &p->layers[i], false);
	free(c.ink);
}
