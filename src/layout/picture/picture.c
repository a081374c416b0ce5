#include "layout/picture/picture.h"

#include "layout/picture/internal.h"

void picture_make(struct picture *p, const struct sketch *s, uint32_t longest)
{
	struct layout l = {.sketch = s, .picture = p};

	*p = (struct picture){0};
	l.longest = longest && longest < LONGEST_LINE ? longest : LONGEST_LINE;
	layout_rank(&l);
	layout_connect(&l);
	layout_spine(&l);
	layout_order(&l);
	layout_place(&l);
	layout_route(&l);
	arena_release(&l.scratch);
}

void picture_release(struct picture *p)
{
	arena_release(&p->arena);
	*p = (struct picture){0};
}

void picture_part(struct picture *p, const uint8_t *rows)
{
	int32_t above = 0;

	for (uint32_t i = 0; i < p->layer_count; i++) {
		struct layer *layer = &p->layers[i];
		int32_t below = i + 1 < p->layer_count ? rows[i + 1] : 0;
		int32_t end = layer->y + layer->height + layer->gap;

		above += rows[i];
		for (uint32_t k = 0; k < layer->count; k++)
			p->spots[p->row[layer->first + k]].y += above;
		for (uint32_t k = 0; k < layer->stroke_count; k++) {
			struct stroke *s = &p->strokes[layer->first_stroke + k];

			s->y0 += above + (s->y0 >= end ? below : 0);
			s->y1 += above + (s->y1 >= end ? below : 0);
		}
		layer->y += above;
		layer->gap += below;
	}
	p->height += above;
}

struct rect picture_rect(const struct picture *p, uint32_t item)
{
	const struct spot *s = &p->spots[item];

	return (struct rect){s->x - s->left, s->y, s->left + 1 + s->right, s->height};
}

void picture_layers(const struct picture *p, int32_t y, int32_t height, uint32_t *out_first,
		    uint32_t *out_end)
{
	uint32_t low = 0, high = p->layer_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct layer *layer = &p->layers[middle];

		if (layer->y + layer->height + layer->gap <= y)
			low = middle + 1;
		else
			high = middle;
	}
	*out_first = low;
	while (high < p->layer_count && p->layers[high].y < y + height)
		high++;
	*out_end = high;
}

uint32_t picture_first_spot(const struct picture *p, const struct layer *layer, int32_t x)
{
	uint32_t low = layer->first, high = layer->first + layer->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct spot *s = &p->spots[p->row[middle]];

		if (s->x + s->right < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t picture_item_at(const struct picture *p, int32_t x, int32_t y)
{
	uint32_t first, end;

	picture_layers(p, y, 1, &first, &end);
	for (; first < end; first++) {
		const struct layer *layer = &p->layers[first];
		uint32_t at = picture_first_spot(p, layer, x);
		const struct spot *s;

		if (at == layer->first + layer->count)
			continue;
		s = &p->spots[p->row[at]];
		if (s->kind == SPOT_ITEM && x >= s->x - s->left && y >= s->y &&
		    y < s->y + s->height)
			return s->id;
	}
	return SKETCH_NONE;
}

static uint32_t step_in_layer(const struct picture *p, uint32_t item, int32_t by)
{
	const struct layer *layer = &p->layers[p->spots[item].layer];
	int64_t at = (int64_t)p->spots[item].pos + by;

	for (; at >= 0 && at < layer->count; at += by) {
		uint32_t spot = p->row[layer->first + (size_t)at];

		if (p->spots[spot].kind == SPOT_ITEM)
			return spot;
	}
	return item;
}

/* A reader or producer that a cursor key may lead to. */
struct step_end {
	uint32_t item; /* or SKETCH_NONE */
	uint32_t far;  /* layers */
};

static uint32_t picture_distance(const struct picture *p, uint32_t a, uint32_t b)
{
	int32_t d = p->spots[a].x - p->spots[b].x;

	return (uint32_t)(d < 0 ? -d : d);
}

/* The straight line first, then what is not secondary, then by layers, then by columns. */
static bool step_is_better(const struct picture *p, uint32_t item, struct step_end a,
			   struct step_end b)
{
	const struct spot *x = &p->spots[a.item], *y;

	if (b.item == SKETCH_NONE)
		return true;
	y = &p->spots[b.item];
	if (p->spots[item].spine && x->spine != y->spine)
		return x->spine;
	if (x->aside != y->aside && !(p->spots[item].spine && x->spine))
		return y->aside;
	if (a.far != b.far)
		return a.far < b.far;
	if (x->spine != y->spine)
		return x->spine;
	return picture_distance(p, item, a.item) < picture_distance(p, item, b.item);
}

static void step_consider(const struct picture *p, uint32_t item, struct step_end end,
			  struct step_end *best)
{
	if (p->spots[end.item].kind == SPOT_ITEM && step_is_better(p, item, end, *best))
		*best = end;
}

/* All that a line branches off to, through the layers that it crosses; a stub leads nowhere. */
static void step_follow(const struct picture *p, uint32_t item, uint32_t spot, bool up,
			struct step_end *best)
{
	step_consider(p, item, (struct step_end){spot, 1}, best);
	for (uint32_t far = 2; spot != SKETCH_NONE && p->spots[spot].kind == SPOT_LINE; far++) {
		const struct spot *s = &p->spots[spot];
		const struct picture_link *links = up ? p->up + s->first_up
						      : p->down + s->first_down;
		uint32_t count = up ? s->up_count : s->down_count;

		spot = SKETCH_NONE;
		for (uint32_t i = 0; i < count; i++) {
			step_consider(p, item, (struct step_end){links[i].spot, far}, best);
			if (p->spots[links[i].spot].kind == SPOT_LINE)
				spot = links[i].spot;
		}
	}
}

static uint32_t step_along_line(const struct picture *p, uint32_t item, bool up)
{
	const struct spot *s = &p->spots[item];
	const struct picture_link *links = up ? p->up + s->first_up : p->down + s->first_down;
	uint32_t count = up ? s->up_count : s->down_count;
	struct step_end best = {.item = SKETCH_NONE};

	for (uint32_t i = 0; i < count; i++)
		step_follow(p, item, links[i].spot, up, &best);
	return best.item;
}

/* Without a line: the nearest item of the next layer with items. */
static uint32_t step_across(const struct picture *p, uint32_t item, bool up)
{
	uint32_t best = SKETCH_NONE;
	int64_t at = p->spots[item].layer;

	for (at += up ? -1 : 1; at >= 0 && at < p->layer_count; at += up ? -1 : 1) {
		const struct layer *layer = &p->layers[at];

		for (uint32_t i = 0; i < layer->count; i++) {
			uint32_t other = p->row[layer->first + i];

			if (p->spots[other].kind == SPOT_ITEM &&
			    (best == SKETCH_NONE ||
			     picture_distance(p, item, other) < picture_distance(p, item, best)))
				best = other;
		}
		if (best != SKETCH_NONE)
			return best;
	}
	return item;
}

uint32_t picture_step(const struct picture *p, uint32_t item, enum picture_move step)
{
	uint32_t other;

	if (step == STEP_LEFT || step == STEP_RIGHT)
		return step_in_layer(p, item, step == STEP_LEFT ? -1 : 1);
	other = step_along_line(p, item, step == STEP_UP);
	return other != SKETCH_NONE ? other : step_across(p, item, step == STEP_UP);
}
