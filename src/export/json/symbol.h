/*
 * The symbols of a model and the facts about each, as text and as JSON.
 */
#ifndef EXPORT_JSON_SYMBOL_H
#define EXPORT_JSON_SYMBOL_H

#include "base/arena.h"
#include "base/str.h"
#include "infer/infer.h"
#include "report/json.h"

/* In the arena; by symbol: the number of dims that contain it. */
uint64_t *symbol_uses(const struct infer *in, struct arena *arena);
/* declared, generated or complex */
const char *symbol_kind(const struct infer *in, uint32_t id);
/* Safe to print. */
void symbol_text(struct str *out, const struct infer *in, uint32_t id);
/* The expressions that nodes require it to equal; usually empty. */
void symbol_needs(struct str *out, const struct infer *in, uint32_t id);
/* A list of the symbols that dims contain. */
void symbols_json(struct json *j, const struct infer *in);

#endif
