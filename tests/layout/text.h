/*
 * Small graphs as text, for tests that show a drawing beside its input.
 *
 *   ! longest 5            options: longest N, ascii, select ITEM, lanes [MOST], map COLUMNS ROWS
 *   a: Conv | [N, 8]       an item's title and lines (by default one line, its name)
 *   a -> b c               a net from a to b and c; two lines from a are two nets
 *   a                      an item without a net
 *
 * Items are numbered in the order of their first mention.
 */
#ifndef TESTS_LAYOUT_TEXT_H
#define TESTS_LAYOUT_TEXT_H

#include "base/intern.h"
#include "layout/lanes.h"
#include "layout/map.h"

struct text_graph {
	struct sketch sketch;
	struct intern names;   /* of items, number + 1 */
	VEC(struct sv) labels; /* by item: "Conv | [N, 8]" */
	uint32_t longest;
	uint32_t selected;
	int32_t map_columns, map_rows;
	uint32_t max_lanes;
	bool ascii, lanes;
};

void text_graph_parse(struct text_graph *g, struct sv text);
void text_graph_release(struct text_graph *g);
/* The drawing, or an error message. */
void text_graph_draw(struct text_graph *g, struct str *out);
void text_graph_label(void *context, uint32_t item, uint32_t line, struct str *out);
void text_graph_name(void *context, uint32_t net, struct str *out);

#endif
