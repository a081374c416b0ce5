/*
 * The input of a drawing: items with their sizes in cells, and nets, each leading from one
 * item to all its readers (a net is a tensor).  Nothing here knows what an item means.
 *
 * Items are numbered in file order, which decides between equally good drawings.  Sizes may
 * change at any time; items and nets only before sketch_index.
 */
#ifndef LAYOUT_SKETCH_H
#define LAYOUT_SKETCH_H

#include "base/vec.h"

#define SKETCH_NONE UINT32_MAX /* no item, no net */

/* Height 1 is bare text; 2 or more is a frame with its title in the upper border. */
struct sketch_item {
	uint32_t width;
	uint32_t height;
	bool aside; /* secondary: the straight line goes past it */
	/* 0 for none; between neighbours of two groups there is room for a frame around each. */
	uint32_t group;
};

struct sketch_net {
	uint32_t from;
	uint32_t first; /* of its readers in `readers` */
	uint32_t count;
	uint32_t label; /* columns of its name, which stubs show */
};

struct sketch {
	VEC(struct sketch_item) items;
	VEC(struct sketch_net) nets;
	VEC(uint32_t) readers;
	/* Made by sketch_index: the nets of item i are in[in_at[i]] … in[in_at[i + 1] - 1]. */
	uint32_t *in_at;  /* owned */
	uint32_t *in;     /* owned; in the order of the nets */
	uint32_t *out_at; /* owned */
	uint32_t *out;    /* owned */
	uint32_t *order;  /* owned; all items, producers first except in cycles */
	uint32_t *when;   /* owned; the position of an item in `order` */
};

uint32_t sketch_item(struct sketch *s, uint32_t width, uint32_t height);
/* Readers are added to the newest net only. */
uint32_t sketch_net(struct sketch *s, uint32_t from, uint32_t label);
void sketch_reader(struct sketch *s, uint32_t item);
/* Drops repeated readers and readers of their own net, and fills in the lists above. */
void sketch_index(struct sketch *s);
/* Does the reader come before its producer in the order?  Then the net closes a cycle. */
bool sketch_is_back(const struct sketch *s, const struct sketch_net *net, uint32_t reader);
void sketch_clear(struct sketch *s);
void sketch_release(struct sketch *s);

#endif
