/*
 * The problem that a preview makes: its box comes into sight, and what is wrong is said beside it.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "layout/picture/picture.h"
#include "layout/sketch.h"
#include "ui/canvas.h"
#include "ui/graph/internal.h"
#include "ui/paragraph.h"
#include "ui/screen.h"

enum {
	BESIDE_MIN = 18, /* columns */
	BESIDE_MAX = 44,
	BESIDE_ROWS = 4
};

uint32_t conflict_item(const struct screen *s, const struct stage *st)
{
	if (!s->subject.preview || !s->conflict.node ||
	    s->conflict.node >= s->subject.model->nodes.len)
		return SKETCH_NONE;
	return stage_around(s, st, s->conflict.node);
}

/* The blank columns right of x, in all of these rows. */
static int conflict_room(struct canvas *c, int x, int y, int rows)
{
	int room = 0;

	for (; room < BESIDE_MAX; room++) {
		for (int i = 0; i < rows; i++) {
			const struct glyph *g = canvas_at(c, x + room, y + i);

			if (!g || g->code != ' ')
				return room;
		}
	}
	return room;
}

void conflict_tell(struct screen *s, const struct graph_state *g, uint32_t item)
{
	struct rect r = stage_rect(g->now, item);
	int x = r.x + r.width + 1 - g->now->x, y = r.y - g->now->y;
	int columns = conflict_room(&s->canvas, x, y, BESIDE_ROWS) - 2;
	struct str text = {0};

	if (columns < BESIDE_MIN || y < 0)
		return;
	str_add_shown(&text, str_sv(&s->conflict.text));
	canvas_put(&s->canvas, x, y, 0x2717, STYLE_CONFLICT);
	(void)draw_flow(&s->canvas, (struct box){x + 2, y, columns, BESIDE_ROWS}, str_sv(&text),
			STYLE_CONFLICT);
	str_release(&text);
}
