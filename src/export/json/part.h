/*
 * A part of a model, as sets: the nodes of a view, the constants that they read, the graphs
 * inside them (bodies, functions), and every value that one of these reads or produces.
 */
#ifndef EXPORT_JSON_PART_H
#define EXPORT_JSON_PART_H

#include "ir/graph.h"
#include "layout/view/view.h"

/* All-zero is the whole model. */
struct part {
	uint8_t *nodes;  /* owned; by node */
	uint8_t *values; /* owned; by value */
	uint8_t *graphs; /* owned; by graph: 1 when complete in the part; main graph: 0 */
};

/* The view must be of the main graph, with nothing folded. */
void part_make(struct part *p, const struct model *m, const struct view *v);
bool part_has_node(const struct part *p, uint32_t node);
bool part_has_value(const struct part *p, uint32_t value);
bool part_has_graph(const struct part *p, uint32_t graph);
void part_release(struct part *p);

#endif
