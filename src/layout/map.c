#include "layout/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "layout/picture/picture.h"
#include "layout/sketch.h"

enum {
	ACROSS = 2,
	DOWN = 4
};

static int32_t map_scale(int32_t at, int32_t from, int32_t to)
{
	return from > 0 ? (int32_t)((int64_t)at * to / from) : 0;
}

/* Scales a range of cells to a range of dots; never empty, never outside. */
static void scale_range(int32_t *at, int32_t *length, int32_t from, int32_t to)
{
	int32_t first = map_scale(*at, from, to), last = map_scale(*at + *length - 1, from, to);

	first = MAX(0, MIN(first, to - 1));
	last = MAX(first, MIN(last, to - 1));
	*at = first;
	*length = last - first + 1;
}

/* A picture smaller than its map is not enlarged. */
static struct map_size dots_of(const struct picture *p, struct map_size size)
{
	return (struct map_size){MIN(ACROSS * size.columns, p->width),
				 MIN(DOWN * size.rows, p->height)};
}

static struct rect in_dots(const struct picture *p, struct map_size dots, struct rect part)
{
	scale_range(&part.x, &part.width, p->width, dots.columns);
	scale_range(&part.y, &part.height, p->height, dots.rows);
	return part;
}

struct rect map_rect(const struct picture *p, struct map_size size, struct rect part)
{
	struct rect r = in_dots(p, dots_of(p, size), part);
	int32_t x = r.x / ACROSS, y = r.y / DOWN;

	return (struct rect){x, y, (r.x + r.width - 1) / ACROSS - x + 1,
			     (r.y + r.height - 1) / DOWN - y + 1};
}

static uint32_t glyph_of(unsigned dots, bool ascii)
{
	static const char shades[] = " .::+++##";
	unsigned count = 0;

	if (!ascii)
		return dots ? 0x2800 + dots : ' ';
	for (; dots; dots &= dots - 1)
		count++;
	return (uint32_t)shades[count];
}

void map_draw(const struct picture *p, struct map_size size, bool ascii, struct cell *out)
{
	/* Bits of braille: the upper six dots column by column, then the lowest two. */
	static const uint8_t bits[DOWN][ACROSS] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
	struct map_size dots = dots_of(p, size);
	size_t count = (size_t)size.columns * (size_t)size.rows;
	uint8_t *set = must_alloc(count + 1);

	memset(set, 0, count + 1);
	for (size_t i = 0; i < count; i++)
		out[i] = (struct cell){' ', ROLE_NONE, SKETCH_NONE, SKETCH_NONE};
	for (uint32_t i = 0; i < p->item_count && count; i++) {
		struct rect r = in_dots(p, dots, picture_rect(p, i));

		for (int32_t y = r.y; y < r.y + r.height; y++) {
			for (int32_t x = r.x; x < r.x + r.width; x++) {
				int32_t at = y / DOWN * size.columns + x / ACROSS;

				set[at] |= bits[y % DOWN][x % ACROSS];
				out[at].item = MIN(out[at].item, i);
			}
		}
	}
	for (size_t i = 0; i < count; i++) {
		out[i].glyph = glyph_of(set[i], ascii);
		out[i].role = set[i] ? ROLE_LINE : ROLE_NONE;
	}
	free(set);
}

uint32_t map_item(const struct picture *p, struct map_size size, int32_t x, int32_t y)
{
	struct map_size dots = dots_of(p, size);
	int32_t column = map_scale(ACROSS * x + 1, dots.columns, p->width);
	int32_t row = map_scale(DOWN * y + 2, dots.rows, p->height);
	uint32_t first, end, best = SKETCH_NONE;
	int64_t min = INT64_MAX;

	picture_layers(p, MAX(0, MIN(row, p->height - 1)), 1, &first, &end);
	for (; first < end; first++) {
		const struct layer *layer = &p->layers[first];

		for (uint32_t i = 0; i < layer->count; i++) {
			const struct spot *s = &p->spots[p->row[layer->first + i]];
			int64_t far = s->x > column ? s->x - column : column - s->x;

			if (s->kind != SPOT_ITEM || far >= min)
				continue;
			min = far;
			best = s->id;
		}
	}
	return best;
}
