/*
 * Findings: the list of them, most severe first, and a record of each.
 *
 *   ✗  pin  Reshape /Reshape:  batch_size can only be 3: ...
 */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "base/str.h"
#include "base/vec.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "report/json.h"
#include "report/record.h"

enum {
	FINDINGS_MAX = 1000,    /* printed; a hostile file can have very many */
	FINDING_MAX_STEPS = 40, /* of an explanation, in JSON */
	FINDING_SHOWN_STEPS = 4 /* for people: explain has the rest */
};

/* The place of a finding in the list. */
struct finding_place {
	uint32_t finding;
	uint32_t root; /* the place of the finding it follows from, plus 1; 0 for none */
	/* Of the finding, to recognize it after an edit. */
	enum level level;
	uint32_t node, value;
};

struct finding_list {
	VEC(struct finding_place) at;
	size_t counts[LEVEL_COUNT];
};

/* Each is followed by its consequences. */
void finding_list_fill(struct finding_list *out, const struct infer *in);
void finding_list_release(struct finding_list *l);

enum finding_column {
	FINDING_COLUMN_MARK,
	FINDING_COLUMN_LEVEL,
	FINDING_COLUMN_PLACE, /* "Reshape /Reshape: output: " */
	FINDING_COLUMN_SENTENCE,
	FINDING_COLUMN_BRIEF,   /* the place for a narrow list: "Reshape_1", "output:0" */
	FINDING_COLUMN_MEANING, /* "pin: it runs at this size only; Reshape /Reshape, tensor y:0" */
	FINDING_COLUMN_COUNT
};

/* Keys: level, graph, op, node, tensor, axis, symbol, value, message. */
void finding_record(struct record *r, const struct infer *in, const struct finding *f);

/* How findings are written as JSON. */
struct findings_shown {
	const struct str *repairs; /* borrowed: by finding, for the first ones; "" for none */
	size_t repair_count;
	const char *count_key;
	bool (*is_wanted)(void *context, const struct finding *f); /* NULL: all */
	void *context;                                             /* borrowed */
};

/*
 * Keys: findings, and `count_key` for their number.  A finding also has root (an index in the
 * list), why (the lines of its explanation) and repairs.
 */
void findings_json(struct json *j, struct infer *in, const struct findings_shown *s);

#endif
