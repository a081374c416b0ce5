/*
 * What is said about a tensor: itself, where it comes from, who reads it, and what its sizes
 * must fulfil.
 *
 *   x  [batch, 3]  f32
 *   declared as an input
 *   batch  at least 1
 *   batch must equal seq  /Add
 */
#ifndef REPORT_TENSOR_H
#define REPORT_TENSOR_H

#include "infer/infer.h"
#include "ir/graph.h"
#include "report/record.h"

enum report_flag {
	REPORT_SHORT = 1 << 0, /* f32 for float32, apart from the shape */
	REPORT_LOCAL = 1 << 1  /* no external data is read */
};

enum port_column {
	PORT_NAME,
	PORT_SHAPE, /* without REPORT_SHORT: the type */
	PORT_ELEM,
	PORT_MARK, /* "weight" */
	PORT_CONTENTS,
	PORT_COLUMN_COUNT
};

/* Keys: name, shape, elem, weight, contents.  Its link leads away from `node`, where it is a port.
 */
void port_record(struct record *r, const struct infer *in, uint32_t value, uint32_t node,
		 unsigned flags);

/* `input and output`, `tensor, shape inferred` */
void role_record(struct record *r, const struct infer *in, uint32_t value);
/* The operator and name of a node; node 0 stands for the graph's output. */
void user_record(struct record *r, const struct model *m, uint32_t node, uint32_t value);

enum claim_column {
	CLAIM_PLACE, /* declared as an input */
	CLAIM_TYPE,
	CLAIM_DOC,
	CLAIM_COLUMN_COUNT
};

void declaration_record(struct record *r, const struct model *m, const struct claim *c);

enum {
	TENSOR_MAX_SYMBOLS = 8,
	SYMBOL_MAX_FACTS = 20
};

/* The first symbols of a tensor's dims, by their ids; returns their number. */
size_t tensor_symbols(const struct infer *in, uint32_t value, uint32_t *out);
/* The first facts about a symbol; what several nodes demand, once. */
size_t symbol_facts(const struct infer *in, uint32_t symbol, const struct fact **out);
/* Its name and its bounds; without facts, `any size`. */
void bounds_record(struct record *r, const struct infer *in, uint32_t symbol, size_t facts);
/* `batch must equal seq`, and in the next column `/Add` */
void fact_record(struct record *r, const struct infer *in, const struct fact *f);

#endif
