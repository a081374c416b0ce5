/*
 * What is said about a node: its head, its attributes, and why its outputs have their sizes.
 *
 *   Gemm  ai.onnx v17  /fc/Gemm
 *   alpha = 0.5
 *   out[0] = in0[0] = batch
 */
#ifndef REPORT_NODE_H
#define REPORT_NODE_H

#include "base/sv.h"
#include "infer/infer.h"
#include "infer/why.h"
#include "ir/graph.h"
#include "report/record.h"

enum node_column {
	NODE_OPERATOR,
	NODE_DOMAIN, /* with its version */
	NODE_NAME,
	NODE_SCOPE, /* unless the name begins with it */
	NODE_GRAPH,
	NODE_DOC,
	NODE_COLUMN_COUNT
};

/* Keys: op, overload, domain, version, name, scope, graph, index; paths as scope_path and
 * graph_path. */
void node_record(struct record *r, const struct model *m, uint32_t node, struct sv scope,
		 struct sv graph);
/* The function that it calls; false if it calls none. */
bool call_record(struct record *r, const struct model *m, uint32_t node);

enum attr_column {
	ATTR_NAME,
	ATTR_VALUE, /* leads to its tensor or graph */
	ATTR_COLUMN_COUNT
};

/* An attribute that has many graphs has a record for each. */
uint32_t attr_records(const struct attr *a);
/* Keys: name, value; of tensors and lists only the first elements. */
void attr_record(struct record *r, const struct model *m, const struct attr *a, uint32_t i,
		 unsigned flags);

/* Explains a dim or an element of an output by the node's inputs. */
void reason_record(struct record *r, struct infer *in, uint32_t node, struct why what);

#endif
