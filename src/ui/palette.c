#include "ui/screen.h"

static void draw(struct screen *s, void *state, struct box inside)
{
	(void)state;
	canvas_text(&s->canvas, inside.x, inside.y, inside.width, SV("palette"), STYLE_DIM);
}

const struct overlay_kind palette_overlay = {.title = "Palette", .draw = draw};
