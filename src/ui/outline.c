#include "ui/screen.h"

static void draw(struct screen *s, void *state, struct box inside, bool active)
{
	(void)state;
	(void)active;
	canvas_text(&s->canvas, inside.x, inside.y, inside.width, SV("outline"), STYLE_DIM);
}

const struct pane_kind outline_pane = {.title = "Outline", .draw = draw};
