/*
 * A model as one JSON document: what it says of itself, every node, what is known of every
 * tensor, its symbols and constants, and what is wrong with it.  Lists are flat; `graph` says
 * where a thing is, as everywhere in JSON.  The keys are those that show, shapes, symbols and
 * check have.
 */
#ifndef EXPORT_JSON_GRAPH_H
#define EXPORT_JSON_GRAPH_H

#include <stdio.h>

#include "export/json/part.h"
#include "infer/infer.h"

struct graph_json {
	struct infer *in;          /* borrowed; with the bindings, if there are any */
	struct sv path;            /* of the model */
	uint64_t bytes;            /* of its file */
	struct part part;          /* borrowed: which nodes, tensors, constants and findings */
	const struct str *repairs; /* borrowed; see finding_json.h */
	size_t repair_count;
};

void graph_json_write(FILE *out, const struct graph_json *g);

#endif
