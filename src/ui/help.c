#include "ui/screen.h"

static void draw(struct screen *s, void *state, struct box inside)
{
	(void)state;
	canvas_text(&s->canvas, inside.x, inside.y, inside.width, SV("help"), STYLE_DIM);
}

const struct overlay_kind help_overlay = {.title = "Help", .draw = draw};
