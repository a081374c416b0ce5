/*
 * Internal to this folder: a Graphviz graph under construction; see dot.h.
 */
#ifndef EXPORT_DOT_INTERNAL_H
#define EXPORT_DOT_INTERNAL_H

#include <cgraph.h>

#include "base/str.h"
#include "base/sv.h"
#include "export/paper/paper.h"
#include "export/sheet/sheet.h"

enum dot_attr {
	DOT_NODE_LABEL,
	DOT_NODE_TOOLTIP,
	DOT_NODE_SHAPE,
	DOT_NODE_STYLE,
	DOT_NODE_FILL,
	DOT_NODE_WIDTH,
	DOT_NODE_HEIGHT,
	DOT_NODE_POS,
	DOT_EDGE_TOOLTIP,
	DOT_EDGE_POS,
	DOT_EDGE_HEAD,
	DOT_EDGE_HEAD_POS,
	DOT_EDGE_TAIL,
	DOT_EDGE_TAIL_POS,
	DOT_GRAPH_BB,
	DOT_GRAPH_LABEL,
	DOT_GRAPH_LABEL_POS,
	DOT_ATTR_COUNT
};

struct dot {
	struct sheet *sheet;  /* borrowed; being drawn: the whole, or a body in it */
	struct paper *paper;  /* borrowed; its paper */
	struct sheet *whole;  /* borrowed */
	struct paper *papers; /* borrowed; of the whole */
	bool placed;          /* write positions; else only clusters */
	bool plain;           /* too many boxes for rounded corners */
	Agraph_t *graph;
	Agsym_t *attrs[DOT_ATTR_COUNT];
	Agnode_t **nodes; /* owned; by item, counted through all sheets */
	struct str text;  /* scratch */
};

/* cgraph takes texts as char * and copies them. */
char *dot_mutable(const char *text);
void dot_set(struct dot *d, void *object, enum dot_attr attr, const char *value);
/* For attributes in which Graphviz expands escapes and entities. */
void dot_add_escaped(struct str *out, struct sv text);
/* The node of an item of this sheet. */
Agnode_t **dot_node(const struct dot *d, uint32_t item);
/* Of all sheets: adds the clusters and puts the nodes into them. */
void dot_clusters(struct dot *d);
/* Of this sheet. */
void dot_edges(struct dot *d);

#endif
