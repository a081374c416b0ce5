#include "ui/screen.h"

static void draw(struct screen *s, void *state, struct box inside, bool active)
{
	(void)state;
	(void)active;
	canvas_text(&s->canvas, inside.x, inside.y, inside.width, SV("map"), STYLE_DIM);
}

const struct pane_kind map_pane = {.title = "Map", .draw = draw};
