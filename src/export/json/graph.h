/*
 * A model as one JSON document: header, nodes, tensors with inferred types and shapes, symbols,
 * constants and findings.  Lists are flat; `graph` names the graph of each entry.  The keys are
 * the same as in the output of show, shapes, symbols and check.
 */
#ifndef EXPORT_JSON_GRAPH_H
#define EXPORT_JSON_GRAPH_H

#include <stdio.h>

#include "base/str.h"
#include "base/sv.h"
#include "export/json/part.h"
#include "infer/infer.h"

struct graph_json {
	struct infer *in;          /* borrowed; with bindings, if any */
	struct sv path;            /* the model's */
	uint64_t bytes;            /* the file's */
	struct part part;          /* borrowed: selects nodes, tensors, constants and findings */
	const struct str *repairs; /* borrowed; see finding.h */
	size_t repair_count;
};

void graph_json_write(FILE *out, const struct graph_json *g);

#endif
