/*
 * Inside the folder: a gap between two layers while its lines are routed; see route.c.
 */
#ifndef LAYOUT_PICTURE_ROUTE_H
#define LAYOUT_PICTURE_ROUTE_H

#include "base/vec.h"
#include "layout/picture/picture.h"

enum wire_state {
	WIRE_NEW,
	WIRE_WAITING, /* for those that must be below it */
	WIRE_STACKED
};

/* The piece of a net that comes from above.  Joined wires share a root. */
struct wire {
	uint32_t net;
	int32_t x, y;  /* where it leaves its spot */
	uint32_t join; /* another wire it is joined to, or itself */
	uint32_t size; /* of a root: how many wires are joined */
	uint32_t next; /* another wire of the root; its own number ends the list */
	bool aside;    /* goes down in column x + 1 */
	/* Of a root: */
	enum wire_state state;
	int32_t low, high; /* the columns of its track; equal when it is straight */
	uint32_t track;    /* counted from below, from 1 */
};

/* The lower end of a wire. */
struct end {
	int32_t x;
	uint32_t wire; /* root */
	uint32_t net;
};

/* A position on an item's border. */
struct port {
	uint32_t net;
	uint32_t wire;
	int32_t wish, x;
};

struct gap {
	VEC(struct wire) wires; /* from the left */
	VEC(struct end) ends;   /* from the left */
	uint32_t *of_net;       /* borrowed; wire of a net that is in this gap */
	uint32_t tracks;
	bool has_aside;
	/* While tracks are stacked: */
	VEC(int32_t) columns;  /* in which a wire begins or ends, ascending */
	uint32_t leaves;       /* a power of two, as many as columns */
	VEC(uint32_t) heights; /* over the columns, as a tree: largest below a node ... */
	VEC(uint32_t) floors;  /* ... and smallest below it */
	VEC(uint32_t) waiting;
	VEC(uint32_t) next; /* by wire: its next wire to visit */
	/* All gaps so far: */
	VEC(struct stroke) strokes;
	uint32_t marks;
};

/* The leftmost of the wires that it is joined to. */
uint32_t gap_root(struct gap *g, uint32_t wire);
/* Gives every wire its track; counts them. */
void gap_stack(struct gap *g);
void gap_release(struct gap *g);

#endif
