/*
 * The one JSON writer: straight to a stream, nothing kept in memory.
 *
 * Keys and values come in order; commas and nesting are looked after.  Text that is
 * not UTF-8 appears with \xNN as text; everything else is JSON as everybody reads it.
 */
#ifndef EXPORT_JSON_JSON_H
#define EXPORT_JSON_JSON_H

#include <stdio.h>

#include "base/sv.h"

enum {
	JSON_DEEPEST = 64
};

struct json {
	FILE *out; /* borrowed */
	unsigned depth;
	bool after[JSON_DEEPEST]; /* something stands before, so a comma is due */
	bool keyed;               /* a key was just written */
};

void json_init(struct json *j, FILE *out);
void json_object(struct json *j);
void json_end_object(struct json *j);
void json_array(struct json *j);
void json_end_array(struct json *j);
void json_key(struct json *j, const char *key);
/* A key that comes from a file. */
void json_key_sv(struct json *j, struct sv key);
void json_text(struct json *j, struct sv text);
void json_int(struct json *j, int64_t value);
void json_count(struct json *j, uint64_t value);
/* What is no number (infinity) is a text. */
void json_float(struct json *j, double value);
void json_bool(struct json *j, bool value);
void json_null(struct json *j);
/* The end of one whole value: a line break. */
void json_line(struct json *j);

#endif
