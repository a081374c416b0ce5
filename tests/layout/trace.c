#include "tests/layout/trace.h"

#include <stdio.h>
#include <string.h>

#include "base/bug.h"

struct step_to {
	int32_t x, y;
	unsigned way;
};

void trace_init(struct trace *t, const struct cell *cells, int32_t width, int32_t height)
{
	size_t count = (size_t)width * (size_t)height + 1;

	*t = (struct trace){.cells = cells, .width = width, .height = height};
	t->seen = must_alloc(count * sizeof(*t->seen));
	memset(t->seen, 0, count * sizeof(*t->seen));
}

void trace_release(struct trace *t)
{
	free(t->seen);
	vec_release(&t->items);
}

static unsigned directions_of(uint32_t glyph)
{
	static const struct {
		uint32_t glyph;
		unsigned directions;
	} table[] = {
		{0x2502, DIR_UP | DIR_DOWN},
		{0x2500, DIR_LEFT | DIR_RIGHT},
		{0x256f, DIR_UP | DIR_LEFT},
		{0x256e, DIR_DOWN | DIR_LEFT},
		{0x2570, DIR_UP | DIR_RIGHT},
		{0x256d, DIR_DOWN | DIR_RIGHT},
		{0x251c, 15 & ~DIR_LEFT},
		{0x2524, 15 & ~DIR_RIGHT},
		{0x252c, 15 & ~DIR_UP},
		{0x2534, 15 & ~DIR_DOWN},
		{0x253c, 15},
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		if (table[i].glyph == glyph)
			return table[i].directions;
	}
	return 0;
}

static unsigned opposite(unsigned way)
{
	return way & (DIR_UP | DIR_LEFT) ? way << 1 : way >> 1;
}

/* Enters a cell, which ends the walk, breaks it, or gives the ways to go on. */
static unsigned enter(struct trace *t, const struct step_to *s)
{
	size_t at = (size_t)s->y * (size_t)t->width + (size_t)s->x;
	const struct cell *cell;
	unsigned directions;

	if (s->x < 0 || s->y < 0 || s->x >= t->width || s->y >= t->height) {
		t->broken = true;
		return 0;
	}
	cell = &t->cells[at];
	if (t->seen[at] >> 4 != t->walk)
		t->seen[at] = t->walk << 4;
	if (t->seen[at] & s->way)
		return 0;
	t->seen[at] |= s->way;
	if (cell->item != SKETCH_NONE) {
		t->joined |= s->way == DIR_UP;
		t->broken |= s->way & (DIR_LEFT | DIR_RIGHT);
		if (s->way == DIR_DOWN)
			vec_push(&t->items, cell->item);
		return 0;
	}
	if (cell->role == ROLE_STUB) {
		t->leaves |= cell->glyph == 0x25b8;
		t->joined |= cell->glyph == 0x25c2;
		return 0;
	}
	directions = directions_of(cell->glyph);
	/* A vertical line bridges a horizontal one. */
	if (cell->glyph == 0x2502 && s->way & (DIR_LEFT | DIR_RIGHT))
		return s->way;
	if (!(directions & opposite(s->way)))
		t->broken = true;
	return directions & ~opposite(s->way);
}

void trace_walk(struct trace *t, int32_t x, int32_t y, enum direction way)
{
	VEC(struct step_to) todo = {0};

	t->walk++;
	vec_clear(&t->items);
	t->leaves = t->joined = t->broken = false;
	vec_push(&todo, ((struct step_to){x, y, way}));
	while (todo.len) {
		struct step_to s = *vec_last(&todo);
		unsigned ways;

		vec_pop(&todo);
		ways = enter(t, &s);
		for (unsigned w = 1; w < 16; w <<= 1) {
			int32_t dx = w == DIR_LEFT ? -1 : w == DIR_RIGHT;
			int32_t dy = w == DIR_UP ? -1 : w == DIR_DOWN;

			if (ways & w)
				vec_push(&todo, ((struct step_to){s.x + dx, s.y + dy, w}));
		}
	}
	vec_release(&todo);
}

bool trace_reached(const struct trace *t, uint32_t item)
{
	for (size_t i = 0; i < t->items.len; i++) {
		if (t->items.at[i] == item)
			return true;
	}
	return false;
}

/* ---- checking a picture ---- */

static bool complain(const char *what, uint32_t which)
{
	printf("# %s (%u)\n", what, which);
	return false;
}

static bool check_spots(const struct picture *p)
{
	for (uint32_t i = 0; i < p->layer_count; i++) {
		const struct layer *layer = &p->layers[i];

		for (uint32_t k = 0; k < layer->count; k++) {
			const struct spot *s = &p->spots[p->row[layer->first + k]];
			const struct spot *before = k ? &p->spots[p->row[layer->first + k - 1]]
						      : NULL;

			if (before && before->x + before->right + 1 >= s->x - s->left)
				return complain("spots touch", p->row[layer->first + k]);
			if (s->x < s->left || s->x + s->right >= p->width || s->y < layer->y ||
			    s->y + s->height > layer->y + layer->height)
				return complain("a spot sticks out", p->row[layer->first + k]);
		}
		if (i && layer->y < p->layers[i - 1].y + p->layers[i - 1].height)
			return complain("layers overlap", i);
		if (layer->y + layer->height > p->height)
			return complain("a layer is outside", i);
	}
	for (uint32_t i = 0; i < p->item_count; i++) {
		struct rect r = picture_rect(p, i);

		if (picture_item_at(p, r.x, r.y) != i ||
		    picture_item_at(p, r.x + r.width - 1, r.y + r.height - 1) != i ||
		    picture_item_at(p, r.x - 1, r.y) == i)
			return complain("an item is not found where it is", i);
	}
	return true;
}

/* Does a net go straight down into the next layer, which is right below? */
static bool is_straight(const struct picture *p, uint32_t item, uint32_t net, int32_t x)
{
	const struct layer *layer = &p->layers[p->spots[item].layer];

	for (uint32_t i = 0; layer->gap == 0 && i < layer->stroke_count; i++) {
		const struct stroke *s = &p->strokes[layer->first_stroke + i];

		if (s->net == net && s->x0 == x && s->x1 == x)
			return true;
	}
	return false;
}

/* Where a net leaves its producer: below the frame, in a cell of the net. */
static bool find_port(const struct trace *t, const struct picture *p, uint32_t item, uint32_t net,
		      int32_t *out_x)
{
	struct rect r = picture_rect(p, item);
	const struct cell *row = t->cells + (size_t)(r.y + r.height) * (size_t)t->width;

	for (int32_t x = r.x; x < r.x + r.width && r.y + r.height < t->height; x++) {
		uint32_t border = row[x - t->width].glyph;

		if (((row[x].net == net && directions_of(row[x].glyph) & DIR_UP) ||
		     is_straight(p, item, net, x)) &&
		    (r.height == 1 || border == 0x252c)) {
			*out_x = x;
			return true;
		}
	}
	return false;
}

/* What the lines and stubs of one net reach. */
struct walked {
	VEC(uint32_t) items;
	bool joined, broken, leaves, arrives;
};

static void add_walk(struct walked *w, const struct trace *t)
{
	w->joined |= t->joined;
	w->broken |= t->broken;
	w->leaves |= t->leaves;
	for (size_t i = 0; i < t->items.len; i++)
		vec_push(&w->items, t->items.at[i]);
}

static bool is_in(const uint32_t *list, size_t count, uint32_t item)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i] == item)
			return true;
	}
	return false;
}

/* It must reach all its readers and, unless joined, no others. */
static bool judge(const struct walked *w, const uint32_t *readers, uint32_t count, uint32_t net)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!is_in(w->items.at, w->items.len, readers[i]))
			return complain("a reader is not reached", readers[i]);
	}
	for (size_t i = 0; i < w->items.len && !w->joined; i++) {
		if (!is_in(readers, count, w->items.at[i]))
			return complain("a line leads to a stranger", w->items.at[i]);
	}
	if (w->arrives != w->leaves && !w->joined)
		return complain("half a pair of stubs", net);
	return !w->broken || complain("a line ends in nothing", net);
}

static bool check_net(struct trace *t, const struct sketch *s, const struct picture *p, uint32_t n)
{
	const struct sketch_net *net = &s->nets.at[n];
	struct rect r = picture_rect(p, net->from);
	struct walked w = {0};
	int32_t x;
	bool ok;

	if (!net->count)
		return true;
	/* Too many outputs share one port. */
	if (!find_port(t, p, net->from, n, &x))
		return s->out_at[net->from + 1] - s->out_at[net->from] > 16 ||
		       complain("a net does not leave", n);
	trace_walk(t, x, r.y + r.height, DIR_DOWN);
	add_walk(&w, t);
	for (uint32_t i = p->item_count; i < p->spot_count; i++) {
		const struct spot *stub = &p->spots[i];

		if (stub->kind != SPOT_ARRIVE || stub->id != n)
			continue;
		trace_walk(t, stub->x + 1, stub->y, DIR_LEFT);
		add_walk(&w, t);
		w.arrives = true;
	}
	ok = judge(&w, s->readers.at + net->first, net->count, n);
	vec_release(&w.items);
	return ok;
}

static void show(const struct cell *cells, const struct picture *p)
{
	struct str text = {0};

	if (p->width > 300 || p->height > 300)
		return;
	cells_print(&text, cells, p->width, p->height);
	puts(str_c(&text));
	str_release(&text);
}

bool trace_check(const struct sketch *s, const struct picture *p)
{
	struct drawing how = {.selected = SKETCH_NONE};
	struct cell *cells = must_alloc(((size_t)p->width * (size_t)p->height + 1) *
					sizeof(*cells));
	struct trace t;
	bool ok = check_spots(p);

	picture_draw(p, (struct rect){0, 0, p->width, p->height}, &how, cells);
	trace_init(&t, cells, p->width, p->height);
	for (uint32_t n = 0; n < s->nets.len && ok; n++)
		ok = check_net(&t, s, p, n);
	if (!ok)
		show(cells, p);
	trace_release(&t);
	free(cells);
	return ok;
}

/* ---- lanes ---- */

static bool is_across(const struct cell *row, uint32_t from, uint32_t to)
{
	for (uint32_t x = 2 * MIN(from, to) + 1; x < 2 * MAX(from, to); x++) {
		unsigned directions = directions_of(row[x].glyph);

		/* A vertical line is a bridge. */
		if (!(directions & (DIR_LEFT | DIR_RIGHT)) && row[x].glyph != 0x2502)
			return false;
	}
	return true;
}

static bool walk_lane(const struct lanes *l, const struct cell *cells, uint32_t columns,
		      const struct lane_span *span, uint32_t from, uint32_t reader)
{
	uint32_t row = l->row[reader];
	const struct cell *first = cells + (size_t)span->first * columns;
	const struct cell *last = cells + (size_t)row * columns;
	unsigned turn;

	if (!is_across(first, l->lane[from], span->lane))
		return false;
	for (uint32_t y = span->first + 1; y < row; y++) {
		unsigned directions = directions_of(
			cells[(size_t)y * columns + 2 * span->lane].glyph);

		if ((directions & (DIR_UP | DIR_DOWN)) != (DIR_UP | DIR_DOWN))
			return false;
	}
	if (l->lane[reader] == span->lane)
		return true;
	turn = l->lane[reader] < span->lane ? DIR_LEFT : DIR_RIGHT;
	return directions_of(last[2 * span->lane].glyph) & turn &&
	       is_across(last, l->lane[reader], span->lane);
}

bool trace_lanes(const struct sketch *s, const struct lanes *l)
{
	uint32_t columns = 2 * l->width + 2;
	struct cell *cells = must_alloc(((size_t)columns * l->rows + 1) * sizeof(*cells));
	struct drawing how = {.selected = SKETCH_NONE};
	bool ok = l->rows == s->items.len;

	lanes_draw(l, s, 0, l->rows, (int32_t)columns, &how, cells);
	for (uint32_t n = 0; n < s->nets.len && ok; n++) {
		const struct sketch_net *net = &s->nets.at[n];

		for (uint32_t i = 0; i < net->count && ok; i++) {
			uint32_t reader = s->readers.at[net->first + i];

			if (!lanes_is_stub(l, n, reader))
				ok = walk_lane(l, cells, columns, &l->spans[l->span_of_net[n] - 1],
					       net->from, reader) ||
				     complain("a lane cannot be walked", n);
		}
	}
	free(cells);
	return ok;
}
