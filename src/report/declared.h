/*
 * What a file declares: inputs and outputs, operators, graphs, functions, metadata, flaws.
 */
#ifndef REPORT_DECLARED_H
#define REPORT_DECLARED_H

#include "base/sv.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "report/record.h"

/*
 * An input or output of a graph.
 *
 *   ids  int64 [batch, seq]  (has a default value)
 *
 * Keys: name, type, shape, and default for an input.
 */
void claim_record(struct record *r, const struct model *m, uint32_t id);
/* Keys: graph (its path), kind, name; nothing is shown. */
void graph_record(struct record *r, const struct model *m, uint32_t graph);
/*
 *   test.fn.scale:bias  3 nodes
 *
 * Keys: domain, name, overload, graph, opsets.
 */
void function_record(struct record *r, const struct model *m, const struct function *f);
/* Keys: key, value, bytes.  Of a value, `longest` bytes are shown. */
void pair_record(struct record *r, const struct model *m, const struct pair *pair, size_t longest);
/* Keys: kind, graph, node, tensor, message. */
void flaw_record(struct record *r, const struct model *m, const struct flaw *f);

/* ---- cells of other records ---- */

/* test.plain.clip; a standard domain is data only.  Keys: domain, and `key`. */
void record_op(struct record *r, const struct model *m, uint32_t domain, const char *key,
	       uint32_t op);
/* opset 17, test.plain 1 */
void record_opsets(struct record *r, const struct model *m, const struct opset *opsets,
		   uint32_t count);
/* `longest` bytes are shown; the value is data if it was loaded as a whole. */
void record_value(struct record *r, const char *key, struct sv value, uint64_t value_len,
		  size_t longest);

#endif
