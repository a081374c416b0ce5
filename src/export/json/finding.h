/*
 * What is wrong with a model, in the words of the JSON contract.
 */
#ifndef EXPORT_JSON_FINDING_H
#define EXPORT_JSON_FINDING_H

#include "export/json/json.h"
#include "infer/infer.h"

enum {
	FINDINGS_MAX = 1000 /* are written: a hostile file can have very many */
};

struct findings_shown {
	const struct str *repairs; /* borrowed: for the first findings what would help, or "" */
	size_t repair_count;
	const char *count_key;
	bool (*is_wanted)(void *context, const struct finding *f); /* NULL: all are */
	void *context;                                             /* borrowed */
};

/* Keys: findings, and how many there are; `root` is a place in the list. */
void findings_json(struct json *j, struct infer *in, const struct findings_shown *s);

#endif
