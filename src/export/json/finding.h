/*
 * Findings as JSON.
 */
#ifndef EXPORT_JSON_FINDING_H
#define EXPORT_JSON_FINDING_H

#include "base/str.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "report/json.h"

enum {
	FINDINGS_MAX = 1000,   /* written; a hostile file can have very many */
	FINDING_MAX_STEPS = 40 /* of its explanation */
};

struct findings_shown {
	const struct str *repairs; /* borrowed: for the first findings; "" for none */
	size_t repair_count;
	const char *count_key;
	bool (*is_wanted)(void *context, const struct finding *f); /* NULL: all */
	void *context;                                             /* borrowed */
};

/* Keys: findings, and `count_key` for their number; `root` is an index in the list. */
void findings_json(struct json *j, struct infer *in, const struct findings_shown *s);

#endif
