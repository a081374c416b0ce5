#include "ui/screen.h"

static void draw(struct screen *s, void *state, struct box inside)
{
	(void)state;
	canvas_text(&s->canvas, inside.x, inside.y, inside.width, SV("why"), STYLE_DIM);
}

const struct overlay_kind why_overlay = {.title = "Why", .draw = draw};
