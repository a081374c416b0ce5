/*
 * A Graphviz graph while it is made; see dot.h.  Only for this room.
 */
#ifndef EXPORT_DOTING_H
#define EXPORT_DOTING_H

#include <cgraph.h>

#include "export/sheet.h"

enum {
	CELL_WIDTH = 8, /* points */
	CELL_HEIGHT = 16,
	ARROW = 8,
	INSET = 6 /* boxes are less high than their rows, so that there is room between them */
};

/* In points, y upwards. */
struct bounds {
	int32_t left, bottom, right, top;
};

struct dot {
	struct sheet *sheet; /* borrowed */
	Agraph_t *graph;
	Agnode_t **nodes;     /* owned; by item */
	Agraph_t **clusters;  /* owned; by scope; NULL where nothing of it is seen */
	struct bounds *boxes; /* owned; by scope; of the root: all */
	struct str text;      /* scratch */
};

/* cgraph takes texts as char * and copies them. */
char *dot_mutable(const char *text);
void dot_set(void *object, const char *name, const char *value);
/* For attributes that Graphviz reads escape sequences and entities in. */
void dot_add_escaped(struct str *out, struct sv text);
struct bounds dot_rect(const struct dot *d, uint32_t item);
/* Makes the clusters, nodes put into them, with their places. */
void dot_clusters(struct dot *d);
/* All edges. */
void dot_edges(struct dot *d);

#endif
