#include "ui/screen.h"

static void draw(struct screen *s, void *state, struct box inside)
{
	(void)state;
	canvas_text(&s->canvas, inside.x, inside.y, inside.width, SV("start"), STYLE_DIM);
}

const struct overlay_kind start_overlay = {.title = "Start", .draw = draw};
