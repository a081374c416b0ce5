/*
 * A sheet as a Graphviz graph: a node an item, an edge a net and reader, and clusters for the
 * scopes.  A scope has several of them (cluster_7, cluster_7_1) where one rectangle around all
 * of it would hold something else too.
 *
 * Everything has its place (`pos`, `bb`) from our own layout, in points, y upwards: with
 * the engine nop2 it is drawn as the screen shows it.  A name that a file gave is escaped
 * for where it stands; nothing in it means anything to Graphviz.
 */
#ifndef EXPORT_DOT_DOT_H
#define EXPORT_DOT_DOT_H

#include "export/sheet/sheet.h"

struct Agraph_s;

/* The caller closes it. */
struct Agraph_s *dot_graph(struct sheet *s);
/* For a layout of Graphviz's own: nothing has a place, and a scope has one cluster. */
struct Agraph_s *dot_graph_unplaced(struct sheet *s);
/* As dot_graph, as text. */
bool dot_text(struct sheet *s, struct str *out, struct err *err) MUST_USE;

#endif
