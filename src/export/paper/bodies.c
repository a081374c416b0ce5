/*
 * Where the bodies of a node are inside its box, in points; see the picture in paper.h.
 */
#include "base/utf8.h"
#include "export/paper/internal.h"
#include "export/paper/paper.h"
#include "export/sheet/sheet.h"

enum {
	TITLE_HEIGHT = 3 * CELL_HEIGHT - 2 * INSET, /* of a box without bodies */
	TITLE_BELOW = 14,                           /* between it and the bodies */
	FRAME_INSIDE = 10,                          /* around the frames of bodies */
	FRAMES_APART = 8,
	CAPTION_MAX = 40 /* columns that make a frame wider */
};

/* The bodies of a node, without its title. */
struct body_row {
	uint32_t first, count;
	int32_t width, height;
};

/* A frame is as wide as its caption, too. */
static int32_t body_width(const struct sheet *s, uint32_t body)
{
	const struct sheet_body *b = &s->bodies.at[body];
	size_t columns = MIN(utf8_width(sheet_caption(b->sheet)), (size_t)CAPTION_MAX);
	int32_t caption = (int32_t)columns * NAME_SIZE * 6 / 10;

	return MAX(b->width, caption + 2 * CAPTION_SIDE);
}

static struct body_row body_row(const struct sheet *s, uint32_t item)
{
	struct body_row r = {.first = s->body_of[item] - 1, .count = sheet_bodies(s, item)};

	for (uint32_t i = r.first; i < r.first + r.count; i++) {
		r.width += body_width(s, i) + (i > r.first ? FRAMES_APART : 0);
		r.height = MAX(r.height, s->bodies.at[i].height);
	}
	r.height += r.count > 1 ? CAPTION : 0;
	return r;
}

void paper_size_node(const struct sheet *s, uint32_t item, uint32_t *out_width,
		     uint32_t *out_height)
{
	struct body_row r = body_row(s, item);
	int32_t title = (int32_t)s->bodies.at[r.first].columns * CELL_WIDTH;
	int32_t width = MAX(r.width, title) + 2 * (FRAME_INSIDE + SIDE_INSET);
	int32_t height = CAPTION + TITLE_HEIGHT + TITLE_BELOW + r.height + FRAME_INSIDE + 2 * INSET;

	*out_width = (uint32_t)((width + CELL_WIDTH - 1) / CELL_WIDTH);
	*out_height = (uint32_t)((height + CELL_HEIGHT - 1) / CELL_HEIGHT);
}

/* ---- on paper ---- */

struct bounds paper_item(const struct paper *p, uint32_t item)
{
	struct bounds b = paper_outline(p, item);
	const struct sheet *s = p->sheet;
	int32_t middle = (b.left + b.right) / 2, half;

	if (!s->body_of || !s->body_of[item])
		return b;
	half = (int32_t)s->bodies.at[s->body_of[item] - 1].columns * CELL_WIDTH / 2 - SIDE_INSET;
	return (struct bounds){middle - half, b.top - CAPTION - TITLE_HEIGHT, middle + half,
			       b.top - CAPTION};
}

struct bounds paper_body(const struct paper *p, uint32_t body)
{
	uint32_t item = p->sheet->bodies.at[body].item;
	struct bounds b = paper_outline(p, item);
	struct body_row r = body_row(p->sheet, item);

	if (r.count == 1)
		return b;
	b.left = (b.left + b.right) / 2 - r.width / 2;
	b.top -= CAPTION + TITLE_HEIGHT + TITLE_BELOW;
	b.bottom = b.top - r.height;
	for (uint32_t i = r.first; i < body; i++)
		b.left += body_width(p->sheet, i) + FRAMES_APART;
	b.right = b.left + body_width(p->sheet, body);
	return b;
}

/* A few levels deep: a sheet bounds how far its bodies go. */
void paper_place_bodies(struct paper *p)
{
	for (uint32_t i = 0; i < p->sheet->bodies.len; i++) {
		struct paper *body = &p->bodies[i];
		struct bounds b = paper_body(p, i);
		bool alone = sheet_bodies(p->sheet, p->sheet->bodies.at[i].item) == 1;
		int32_t above = CAPTION + (alone ? TITLE_HEIGHT + TITLE_BELOW : 0);

		body->tall = p->tall;
		body->x = (b.left + b.right) / 2 - body->width / 2;
		body->y = p->tall - b.top + above;
		paper_place_bodies(body);
	}
}
