/*
 * Edges: from layer to layer along the places that the layout has kept free for their net,
 * straight through a layer, bent between two.
 */
#include <inttypes.h>

#include "export/doting.h"

struct point {
	int32_t x, y; /* points, y upwards */
};

struct route {
	struct str *out; /* borrowed */
	struct point at;
	VEC(uint32_t)
	spots; /* from the reader up to the producer */
};

static void put(struct route *r, struct point p)
{
	str_format(r->out, " %" PRId32 ",%" PRId32, p.x, p.y);
}

/* As Bézier curves, whose middle points say in which direction it leaves and arrives. */
static void straight_to(struct route *r, struct point to)
{
	if (to.x == r->at.x && to.y == r->at.y)
		return;
	put(r, r->at);
	put(r, to);
	put(r, to);
	r->at = to;
}

static void bend_to(struct route *r, struct point to)
{
	int32_t middle = r->at.y + (to.y - r->at.y) / 2;

	put(r, (struct point){r->at.x, middle});
	put(r, (struct point){to.x, middle});
	put(r, to);
	r->at = to;
}

static int32_t height_of(const struct dot *d, int32_t row)
{
	return (d->sheet->picture.height - row) * CELL_HEIGHT;
}

static int32_t middle_of(const struct spot *s)
{
	return s->x * CELL_WIDTH + CELL_WIDTH / 2;
}

/* The spots on the way; false where the line is cut: the drawing has two stubs there. */
static bool trace(const struct dot *d, struct route *r, uint32_t reader, uint32_t above)
{
	const struct picture *p = &d->sheet->picture;

	vec_clear(&r->spots);
	vec_push(&r->spots, reader);
	for (;;) {
		const struct spot *s = &p->spots[above];

		vec_push(&r->spots, above);
		if (s->kind == SPOT_ITEM)
			return true;
		if (s->kind != SPOT_LINE || !s->up_count)
			return false;
		above = p->up[s->first_up].spot;
	}
}

static void follow(const struct dot *d, struct route *r)
{
	const struct picture *p = &d->sheet->picture;

	for (size_t i = r->spots.len - 1; i > 0; i--) {
		const struct spot *from = &p->spots[r->spots.at[i]];
		const struct spot *to = &p->spots[r->spots.at[i - 1]];
		const struct layer *layer = &p->layers[from->layer];
		const struct layer *next = &p->layers[to->layer];
		int32_t end = to->kind == SPOT_ITEM ? height_of(d, to->y) - INSET + ARROW
						    : height_of(d, next->y);

		straight_to(
			r, (struct point){middle_of(from), height_of(d, layer->y + layer->height)});
		bend_to(r, (struct point){middle_of(to), end});
	}
}

static void add_edge(struct dot *d, struct route *r, const struct link *up, uint32_t reader)
{
	uint32_t from = d->sheet->view.sketch.nets.at[up->net].from;
	Agedge_t *edge = agedge(d->graph, d->nodes[from], d->nodes[reader], NULL, 1);
	struct bounds start = dot_rect(d, from), end = dot_rect(d, reader);
	struct point head = {(end.left + end.right) / 2, end.top};
	struct str name = {0};

	r->at = (struct point){(start.left + start.right) / 2, start.bottom};
	r->out = &d->text;
	str_clear(r->out);
	str_format(r->out, "e,%" PRId32 ",%" PRId32, head.x, head.y);
	put(r, r->at);
	if (trace(d, r, reader, up->spot)) {
		follow(d, r);
	} else {
		straight_to(r, (struct point){head.x, head.y + ARROW});
		dot_set(edge, "style", "dotted");
	}
	dot_set(edge, "pos", str_c(r->out));
	sheet_net(d->sheet, up->net, &name);
	str_clear(&d->text);
	dot_add_escaped(&d->text, str_sv(&name));
	dot_set(edge, "tooltip", str_c(&d->text));
	str_release(&name);
}

void dot_edges(struct dot *d)
{
	const struct picture *p = &d->sheet->picture;
	struct route r = {0};

	/* What enters an item from above is what it reads, each net once. */
	for (uint32_t i = 0; i < p->item_count; i++) {
		for (uint32_t k = 0; k < p->spots[i].up_count; k++)
			add_edge(d, &r, &p->up[p->spots[i].first_up + k], i);
	}
	vec_release(&r.spots);
}
