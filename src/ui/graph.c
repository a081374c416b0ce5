#include "ui/screen.h"

static void draw(struct screen *s, void *state, struct box inside, bool active)
{
	(void)state;
	(void)active;
	canvas_text(&s->canvas, inside.x, inside.y, inside.width, SV("graph"), STYLE_DIM);
}

const struct pane_kind graph_pane = {.title = "Graph", .draw = draw};

#include "ui/graph.h"

void graph_zoom(struct screen *s, enum zoom zoom)
{
	(void)s;
	(void)zoom;
}

enum zoom graph_zoom_now(const struct screen *s)
{
	(void)s;
	return ZOOM_BOXES;
}

void graph_zoom_default(struct screen *s)
{
	(void)s;
}

void graph_fold(struct screen *s, enum fold fold)
{
	(void)s;
	(void)fold;
}

bool graph_follow(struct screen *s, bool out, char letter)
{
	(void)s;
	(void)out;
	(void)letter;
	return true;
}

bool graph_back(struct screen *s)
{
	(void)s;
	return false;
}

bool graph_forward(struct screen *s)
{
	(void)s;
	return false;
}

void graph_mark(struct screen *s, char letter)
{
	(void)s;
	(void)letter;
}

bool graph_jump(struct screen *s, char letter)
{
	(void)s;
	(void)letter;
	return false;
}

void graph_focus(struct screen *s, uint32_t hops)
{
	(void)s;
	(void)hops;
}

bool graph_path_to_mark(struct screen *s)
{
	(void)s;
	return false;
}

bool graph_enter(struct screen *s)
{
	(void)s;
	return false;
}

bool graph_exit(struct screen *s)
{
	(void)s;
	return false;
}
