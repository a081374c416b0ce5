/*
 * A sheet as a Graphviz graph: one node per item, one edge per net and reader, and clusters for
 * scopes.  A scope has several clusters (cluster_7, cluster_7_1) where one rectangle around it
 * would contain other items too.
 *
 * Our own layout sets all positions (`pos`, `bb`), in points, y upwards: the engine nop2 then
 * draws what the screen shows.  Names from a file are escaped for their context, so Graphviz
 * interprets nothing in them.
 */
#ifndef EXPORT_DOT_DOT_H
#define EXPORT_DOT_DOT_H

#include "base/err.h"
#include "base/str.h"
#include "export/sheet/sheet.h"

struct Agraph_s;

/* The caller closes it. */
struct Agraph_s *dot_graph(struct sheet *s);
/* For Graphviz's own layout: no positions, and one cluster per scope. */
struct Agraph_s *dot_graph_unplaced(struct sheet *s);
/* As dot_graph, as text. */
bool dot_text(struct sheet *s, struct str *out, struct err *err) MUST_USE;

#endif
