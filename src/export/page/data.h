/*
 * The data of a page about each box: full names, tensors with their types, attributes, folded
 * contents, findings.  page.js reads it:
 *
 *   {"nodes": N, "items": [{"kind", "graph", "title", "name", "domain", "in", "out",
 *                           "attributes", "inside", "findings"}, ...]}
 *
 * Item i is the node `itemI` of the drawing; "graph" is the body that it is in, if any.  "in" and
 * "out" are lists of [name, type, producing item or -1]; "attributes" of [name, value]; "inside" of
 * [op, name, type]; "findings" of [level, sentence].
 */
#ifndef EXPORT_PAGE_DATA_H
#define EXPORT_PAGE_DATA_H

#include <stdio.h>

#include "export/sheet/sheet.h"

void page_data(FILE *out, const struct sheet *s);

#endif
