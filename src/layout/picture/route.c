/*
 * Rows, and the lines between adjacent layers.
 *
 * In a gap every net has one wire from above and goes to any number of places below.  A
 * wire that is not straight runs along one row, its track:
 *
 *      │       │           top ends, in even columns
 *      │   ╭───╯           the track of the second
 *      ╰───│───────╮       the track of the first; they cross
 *          │       │       bottom ends
 *
 * Where one net ends in the column in which another begins, the one that begins must have
 * the higher track.  Tracks are stacked from the bottom, each net as low as those below it
 * allow, in an order that keeps parallel lines from crossing.  When these constraints form
 * a cycle, one wire steps aside into the odd column next to it, in a separate row on top.
 */
#include "layout/picture/route.h"

#include "base/arena.h"
#include "base/vec.h"
#include "layout/picture/internal.h"
#include "layout/sketch.h"

/* ---- the ends of wires ---- */

static void route_join(struct gap *g, uint32_t a, uint32_t b)
{
	a = gap_root(g, a);
	b = gap_root(g, b);
	if (a == b)
		return;
	/* The leftmost wire is the root, so that roots do not depend on the order of joins. */
	g->wires.at[MAX(a, b)].join = MIN(a, b);
	g->wires.at[MIN(a, b)].size += g->wires.at[MAX(a, b)].size;
}

static void add_wire(struct gap *g, const struct spot *spot, uint32_t net)
{
	uint32_t id = (uint32_t)g->wires.len;

	vec_push(&g->wires, ((struct wire){.net = net,
					   .x = spot->x,
					   .join = id,
					   .size = 1,
					   .y = spot->y + spot->height - 1}));
	g->of_net[net] = id;
}

/* Even columns inside the frame: the leftmost one and how many. */
static int32_t first_slot(const struct spot *spot)
{
	return spot->x - (spot->left - 1) / 2 * 2;
}

static uint32_t route_slots(const struct spot *spot)
{
	return (uint32_t)((spot->left - 1) / 2 * 2 + 1);
}

/* Places the ports in order, each as near to its target as the frame and the others allow. */
static void route_spread(const struct spot *spot, struct port *ports, uint32_t count)
{
	int32_t low = first_slot(spot), high = low + 2 * ((int32_t)route_slots(spot) - 1);

	for (uint32_t i = 0; i < count; i++) {
		ports[i].x = MAX(ports[i].wish, low);
		low = ports[i].x + 2;
	}
	for (uint32_t i = count; i-- > 0; high -= 2) {
		ports[i].x = MIN(ports[i].x, high);
		high = ports[i].x;
	}
}

static void insert_port(struct port *ports, uint32_t count, struct port port)
{
	for (; count && ports[count - 1].wish > port.wish; count--)
		ports[count] = ports[count - 1];
	ports[count] = port;
}

/* An item's only wire, with one end, leaves right above that end if that makes it straight. */
static void route_lean(struct gap *g, const struct spot *spot, const struct spot *to)
{
	int32_t low = first_slot(spot), high = low + 2 * ((int32_t)route_slots(spot) - 1);

	if (spot->down_count > 1 || to->x < low || to->x > high)
		return;
	/* An item accepts a line anywhere on its upper border. */
	if (to->kind == SPOT_ITEM && spot->x > to->x - to->left && spot->x < to->x + to->right)
		return;
	vec_last(&g->wires)->x = to->x;
}

/* The wires of one item, the one that goes furthest left first. */
static void leave_item(struct gap *g, const struct picture *p, const struct spot *spot)
{
	const struct picture_link *down = p->down + spot->first_down;
	struct port ports[MAX_PORTS];
	uint32_t first = (uint32_t)g->wires.len, count = 0;

	for (uint32_t i = 0, end; i < spot->down_count; i = end) {
		int64_t sum = 0;

		for (end = i; end < spot->down_count && down[end].net == down[i].net; end++)
			sum += p->spots[down[end].spot].x;
		if (count < MAX_PORTS)
			insert_port(ports, count,
				    (struct port){.net = down[i].net,
						  .wish = (int32_t)(sum / (end - i)) & ~1});
		count++;
		add_wire(g, spot, down[i].net);
	}
	if (count == 1) {
		route_lean(g, spot, &p->spots[down[0].spot]);
		return;
	}
	if (count > MAX_PORTS) {
		for (uint32_t i = 1; i < count; i++)
			route_join(g, first, first + i);
		return;
	}
	route_spread(spot, ports, count);
	g->wires.len = first;
	for (uint32_t i = 0; i < count; i++) {
		add_wire(g, spot, ports[i].net);
		vec_last(&g->wires)->x = ports[i].x;
	}
}

static void collect_wires(struct gap *g, const struct picture *p, const struct layer *layer)
{
	vec_clear(&g->wires);
	for (uint32_t i = 0; i < layer->count; i++) {
		const struct spot *spot = &p->spots[p->row[layer->first + i]];

		if (spot->kind == SPOT_ITEM)
			leave_item(g, p, spot);
		else if (spot->down_count)
			add_wire(g, spot, spot->id);
	}
}

/* Distinct joins that enter an item, at most MAX_PORTS + 1. */
static uint32_t collect_ports(struct gap *g, const struct picture *p, const struct spot *spot,
			      struct port *ports)
{
	const struct picture_link *up = p->up + spot->first_up;
	uint32_t count = 0;

	for (uint32_t i = 0; i < spot->up_count && count <= MAX_PORTS; i++) {
		uint32_t root = gap_root(g, g->of_net[up[i].net]), k = 0;
		const struct wire *w = &g->wires.at[root];

		while (k < count && ports[k].wire != root)
			k++;
		if (k == count)
			insert_port(ports, count++,
				    (struct port){.net = up[i].net,
						  .wire = root,
						  .wish = w->size > 1 ? spot->x : w->x});
	}
	return count;
}

static void join_wires(struct gap *g, const struct picture *p, const struct spot *spot)
{
	const struct picture_link *up = p->up + spot->first_up;
	struct port ports[MAX_PORTS + 1];
	uint32_t bus = SKETCH_NONE, count;

	for (uint32_t i = 0; i < spot->up_count && spot->up_count >= BUS_FROM; i++) {
		uint32_t wire = g->of_net[up[i].net];

		if (!up[i].alone)
			continue;
		if (bus != SKETCH_NONE)
			route_join(g, bus, wire);
		bus = wire;
	}
	count = collect_ports(g, p, spot, ports);
	if (count <= MIN(route_slots(spot), MAX_PORTS))
		return;
	for (uint32_t i = 1; i < spot->up_count; i++)
		route_join(g, g->of_net[up[0].net], g->of_net[up[i].net]);
}

static void enter_item(struct gap *g, const struct picture *p, const struct spot *spot)
{
	struct port ports[MAX_PORTS + 1];
	uint32_t count = collect_ports(g, p, spot, ports);

	/* A single line enters in the middle, unless it can be straight. */
	if (count == 1 &&
	    (ports[0].wish <= spot->x - spot->left || ports[0].wish >= spot->x + spot->right))
		ports[0].wish = spot->x;
	route_spread(spot, ports, count);
	for (uint32_t i = 0; i < count; i++)
		vec_push(&g->ends, ((struct end){ports[i].x, ports[i].wire, ports[i].net}));
}

/* Joins first: joined wires share a port, wherever they were joined. */
static void collect_ends(struct gap *g, const struct picture *p, const struct layer *layer)
{
	const uint32_t *row = p->row + layer->first;

	vec_clear(&g->ends);
	for (uint32_t i = 0; i < layer->count; i++) {
		if (p->spots[row[i]].kind == SPOT_ITEM && p->spots[row[i]].up_count > 1)
			join_wires(g, p, &p->spots[row[i]]);
	}
	for (uint32_t i = 0; i < layer->count; i++) {
		const struct spot *spot = &p->spots[row[i]];

		if (spot->kind == SPOT_ITEM)
			enter_item(g, p, spot);
		else if (spot->up_count)
			vec_push(&g->ends, ((struct end){spot->x, gap_root(g, g->of_net[spot->id]),
							 spot->id}));
	}
}

/* ---- rows ---- */

static void add_stroke(struct gap *g, struct stroke stroke)
{
	vec_push(&g->strokes, stroke);
}

/* From a wire's spot to its track, stepping aside first if needed. */
static void draw_wire(struct gap *g, const struct wire *w, uint32_t mark, int32_t top, int32_t row)
{
	int32_t x = w->x, y = w->y;

	if (w->aside) {
		add_stroke(g, (struct stroke){x, y, x, top, w->net, mark});
		add_stroke(g, (struct stroke){x, top, x + 1, top, w->net, mark});
		x++;
		y = top;
	}
	add_stroke(g, (struct stroke){x, y, x, row, w->net, mark});
}

/* Ends first, wires last: a shared cell of a join belongs to the wire. */
static void draw_gap(struct gap *g, int32_t top, int32_t bottom)
{
	int32_t first = top + (g->has_aside ? 1 : 0) + (int32_t)g->tracks;
	uint32_t mark = g->marks;

	for (uint32_t i = 0; i < g->ends.len; i++) {
		const struct end *e = &g->ends.at[i];
		const struct wire *root = &g->wires.at[e->wire];
		int32_t row = first - (int32_t)root->track;

		if (root->low != root->high)
			add_stroke(g, (struct stroke){e->x, row, e->x, bottom, e->net,
						      mark + e->wire});
	}
	for (uint32_t i = 0; i < g->wires.len; i++) {
		uint32_t id = gap_root(g, i);
		const struct wire *w = &g->wires.at[i], *root = &g->wires.at[id];
		int32_t row = root->low == root->high ? bottom : first - (int32_t)root->track;

		if (i == id && root->low != root->high)
			add_stroke(g, (struct stroke){root->low, row, root->high, row, w->net,
						      mark + id});
		if (i == id || w->x != g->wires.at[i - 1].x)
			draw_wire(g, w, mark + id, top, row);
	}
	g->marks += (uint32_t)g->wires.len;
}

static void set_rows(struct picture *p, struct layer *layer, int32_t y)
{
	int32_t height = 1;

	for (uint32_t i = 0; i < layer->count; i++)
		height = MAX(height, p->spots[p->row[layer->first + i]].height);
	layer->y = y;
	layer->height = height;
	for (uint32_t i = 0; i < layer->count; i++) {
		struct spot *spot = &p->spots[p->row[layer->first + i]];

		if (spot->kind == SPOT_LINE)
			spot->height = height;
		spot->y = spot->kind == SPOT_ARRIVE ? y + height - 1 : y;
	}
}

static void route_gap(struct gap *g, struct picture *p, uint32_t at)
{
	struct layer *upper = &p->layers[at], *lower = upper + 1;
	int32_t top = upper->y + upper->height;

	collect_wires(g, p, upper);
	collect_ends(g, p, lower);
	gap_stack(g);
	/* Without lines nothing else would part the layers. */
	upper->gap = g->wires.len ? (int32_t)g->tracks + (g->has_aside ? 1 : 0) : 1;
	set_rows(p, lower, top + upper->gap);
	upper->first_stroke = (uint32_t)g->strokes.len;
	draw_gap(g, top, lower->y);
	upper->stroke_count = (uint32_t)g->strokes.len - upper->first_stroke;
}

void layout_route(struct layout *l)
{
	struct picture *p = l->picture;
	struct gap g = {.marks = 1,
			.of_net = arena_array(&l->scratch, l->sketch->nets.len + 1, uint32_t)};

	if (!p->layer_count)
		return;
	set_rows(p, &p->layers[0], 0);
	for (uint32_t i = 0; i + 1 < p->layer_count; i++)
		route_gap(&g, p, i);
	p->height = p->layers[p->layer_count - 1].y + p->layers[p->layer_count - 1].height;
	p->stroke_count = (uint32_t)g.strokes.len;
	p->strokes = arena_array(&p->arena, g.strokes.len + 1, struct stroke);
	for (uint32_t i = 0; i < p->stroke_count; i++)
		p->strokes[i] = g.strokes.at[i];
	gap_release(&g);
}
