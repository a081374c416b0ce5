/*
 * An overview of a whole picture in a few cells: dots where there are items, two across and
 * four down per cell (braille).  Columns and rows are scaled independently.
 */
#ifndef LAYOUT_MAP_H
#define LAYOUT_MAP_H

#include "layout/draw.h"
#include "layout/picture/picture.h"

struct map_size {
	int32_t columns, rows; /* cells of the map */
};

/* Each cell names the first item that has a dot in it. */
void map_draw(const struct picture *p, struct map_size size, bool ascii, struct cell *out);
/* The cells of the map that a part of the picture covers, at least one. */
struct rect map_rect(const struct picture *p, struct map_size size, struct rect part);
/* The item nearest to the centre of a cell of the map; SKETCH_NONE when there is none. */
uint32_t map_item(const struct picture *p, struct map_size size, int32_t x, int32_t y);

#endif
