/*
 * What a model is, in sections of one or more records.
 *
 *   format        IR 10  opset 17, test.plain 1
 *   graph         main_graph  113 nodes
 *   inputs        ids   int64 [batch, seq]
 *                 mask  int64 [batch, seq]
 *
 * A printer chooses its sections and skips records that show nothing.
 */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include "base/sv.h"
#include "base/vec.h"
#include "ir/dims.h"
#include "ir/graph.h"
#include "report/counts.h"
#include "report/json.h"
#include "report/record.h"

/* In the order of the JSON. */
enum summary_section {
	SUMMARY_FILE,
	SUMMARY_FORMAT,
	SUMMARY_PRODUCER,
	SUMMARY_DOMAIN,
	SUMMARY_VERSION,
	SUMMARY_GRAPH,
	SUMMARY_DOC,
	SUMMARY_GRAPH_DOC,
	SUMMARY_INPUTS,
	SUMMARY_OUTPUTS,
	SUMMARY_SYMBOLS,
	SUMMARY_OPERATORS,
	SUMMARY_WEIGHTS,
	SUMMARY_GRAPHS,
	SUMMARY_FUNCTIONS,
	SUMMARY_METADATA,
	SUMMARY_GRAPH_METADATA,
	SUMMARY_FLAWS,
	SUMMARY_SECTION_COUNT
};

/* Set the first four, then summary_init. */
struct summary {
	const struct model *model; /* borrowed */
	struct sv path;            /* borrowed */
	uint64_t bytes;            /* of the file */
	size_t longest;            /* bytes shown of a doc or a metadata value */
	struct op_counts ops;
	struct weight_counts weights;
	struct symbol_counts symbols;
	VEC(uint32_t) inputs; /* claims of the main graph */
	VEC(uint32_t) outputs;
	uint64_t nodes;
	uint32_t bodies; /* graphs inside nodes */
};

void summary_init(struct summary *s);
void summary_release(struct summary *s);

const char *summary_label(enum summary_section section);
/* How many records the section has. */
size_t summary_count(const struct summary *s, enum summary_section section);
void summary_record(struct record *r, const struct summary *s, enum summary_section section,
		    size_t i);
/* A section as keys of an object that the caller has opened. */
void summary_json(struct json *j, const struct summary *s, enum summary_section section);

#endif
