/*
 * The symbols of a model and what is known of each, for a table or in the words of the JSON
 * contract.
 */
#ifndef EXPORT_JSON_SYMBOL_H
#define EXPORT_JSON_SYMBOL_H

#include "export/json/json.h"
#include "infer/infer.h"

/* In the arena; by symbol: how many dims mention it. */
uint64_t *symbol_uses(const struct infer *in, struct arena *arena);
/* declared, generated or complex */
const char *symbol_kind(const struct infer *in, uint32_t id);
/* As it may be shown. */
void symbol_text(struct str *out, const struct infer *in, uint32_t id);
/* What some node needs it to be equal to; empty for most. */
void symbol_needs(struct str *out, const struct infer *in, uint32_t id);
/* A list of those that dims mention. */
void symbols_json(struct json *j, const struct infer *in);

#endif
