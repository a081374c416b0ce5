/*
 * The one JSON writer: straight to a stream, nothing buffered.
 *
 * The caller writes keys and values in order; commas and nesting are automatic.  Bytes that
 * are not UTF-8 become the text \xNN; the output is always valid JSON.
 */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <stdio.h>

#include "base/sv.h"

enum {
	JSON_DEEPEST = 64,
	JSON_VERSION =
		2 /* of every object that a command prints; grows when a key changes its meaning */
};

struct json {
	FILE *out; /* borrowed */
	unsigned depth;
	bool after[JSON_DEEPEST]; /* the next value needs a comma */
	bool keyed;               /* a key was just written */
};

void json_init(struct json *j, FILE *out);
/* The same, and opens an object with its version. */
void json_begin(struct json *j, FILE *out);
void json_object(struct json *j);
void json_end_object(struct json *j);
void json_array(struct json *j);
void json_end_array(struct json *j);
void json_key(struct json *j, const char *key);
/* For keys from a file. */
void json_key_sv(struct json *j, struct sv key);
void json_text(struct json *j, struct sv text);
void json_int(struct json *j, int64_t value);
void json_count(struct json *j, uint64_t value);
/* NaN and infinity become strings. */
void json_float(struct json *j, double value);
void json_bool(struct json *j, bool value);
void json_null(struct json *j);
/* Ends a top-level value with a newline. */
void json_line(struct json *j);

#endif
