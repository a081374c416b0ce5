#include "base/str.h"
#include "export/dot/internal.h"
#include "export/paper/ink.h"
#include "export/paper/routes.h"
#include "layout/picture/picture.h"

struct edge_pen {
	struct dot *d; /* borrowed */
	struct routes routes;
	struct line line;
	struct str name; /* scratch */
};

static void add_points(struct str *out, const struct line *l, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		if (i > from)
			str_char(out, ' ');
		ink_point(out, l->points.at[i].x, l->points.at[i].y);
	}
}

static void write_line(struct edge_pen *p, Agedge_t *edge)
{
	const struct line *l = &p->line;
	struct str *text = &p->d->text;

	str_clear(text);
	add_points(text, l, 0, l->second);
	str_text(text, l->second ? ";e," : "e,");
	ink_point(text, l->head.x, l->head.y);
	str_char(text, ' ');
	add_points(text, l, l->second, l->points.len);
	dot_set(p->d, edge, DOT_EDGE_POS, str_c(text));
}

/* Beside the cut end, as on the screen. */
static void write_name(struct edge_pen *p, Agedge_t *edge, const struct line_end *end, bool head)
{
	struct str *text = &p->d->text;
	int32_t width;

	if (end->named)
		return;
	str_clear(&p->name);
	width = routes_add_name(p->d->sheet, p->routes.net, head, &p->name);
	str_clear(text);
	dot_add_escaped(text, str_sv(&p->name));
	dot_set(p->d, edge, head ? DOT_EDGE_HEAD : DOT_EDGE_TAIL, str_c(text));
	str_clear(text);
	ink_point(text, end->at.x + NAME_BESIDE + width / 2, end->at.y);
	dot_set(p->d, edge, head ? DOT_EDGE_HEAD_POS : DOT_EDGE_TAIL_POS, str_c(text));
}

static void dot_add_edge(struct edge_pen *p, const struct picture_link *up, uint32_t reader)
{
	struct dot *d = p->d;
	uint32_t from = d->sheet->view.sketch.nets.at[up->net].from;
	Agedge_t *edge = agedge(d->graph, *dot_node(d, from), *dot_node(d, reader), NULL, 1);

	if (d->placed) {
		routes_line(&p->routes, up, reader, &p->line);
		write_line(p, edge);
		write_name(p, edge, &p->line.left, false);
		write_name(p, edge, &p->line.back, true);
	}
	str_clear(&p->name);
	sheet_net(d->sheet, up->net, &p->name);
	str_clear(&d->text);
	dot_add_escaped(&d->text, str_sv(&p->name));
	dot_set(d, edge, DOT_EDGE_TOOLTIP, str_c(&d->text));
}

void dot_edges(struct dot *d)
{
	const struct picture *picture = &d->sheet->picture;
	struct edge_pen p = {.d = d};

	routes_begin(&p.routes, d->paper);
	/* The upward links of an item are its inputs, each net once. */
	for (uint32_t i = 0; i < picture->item_count; i++) {
		for (uint32_t k = 0; k < picture->spots[i].up_count; k++)
			dot_add_edge(&p, &picture->up[picture->spots[i].first_up + k], i);
	}
	routes_release(&p.routes);
	line_release(&p.line);
	str_release(&p.name);
}
