/*
 * The declarations of a file as JSON: each function writes a value, or keys of an object that
 * the caller has opened.
 */
#ifndef EXPORT_JSON_MODEL_H
#define EXPORT_JSON_MODEL_H

#include "ir/graph.h"
#include "report/json.h"

/* A key and a name. */
void model_json_name(struct json *j, const char *key, const struct model *m, uint32_t name);
/* Keys: ir_version, opsets, producer, producer_version, domain, model_version. */
void model_json_origin(struct json *j, const struct model *m);
void model_json_opsets(struct json *j, const struct model *m, const struct opset *opsets,
		       uint32_t count);
/* A list of the main graph's inputs or outputs, as declared. */
void model_json_claims(struct json *j, const struct model *m, enum claim_kind kind);
/* Keys: graph (its path), kind, name. */
void model_json_graph(struct json *j, const struct model *m, uint32_t graph);
/* Key: metadata. */
void model_json_metadata(struct json *j, const struct model *m);
/* Keys: flaw_count, flaws. */
void model_json_flaws(struct json *j, const struct model *m);

#endif
