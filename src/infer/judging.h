/*
 * The verdict on one input axis, by the needs that mention its symbol.
 */
#ifndef INFER_JUDGING_H
#define INFER_JUDGING_H

#include "base/map.h"
#include "base/vec.h"
#include "infer/infer.h"
#include "infer/limits.h"
#include "infer/verdict.h"
#include "sym/eval.h"
#include "sym/marks.h"
#include "sym/sym.h"

/* A value that a node reads behind which nothing is known. */
struct blind_place {
	uint32_t node;
	uint32_t value;
};

struct blind {
	struct blind_place *at; /* owned */
	size_t len;
	size_t cap;
};

void blind_find(struct blind *out, const struct infer *in);

/* The axis being judged. */
struct judging {
	struct axes *out;            /* borrowed */
	struct infer *in;            /* borrowed */
	const struct limits *limits; /* borrowed */
	const struct blind *blind;   /* borrowed */
	struct axis axis;
	VEC(const char *) bounds; /* of the axis */
	struct map told;          /* hash of a bound -> index plus 1 */
	uint32_t symbol;
	struct sym self;
	bool is_number;    /* in the file */
	struct map linked; /* symbols that it is tied to */
	bool is_new_link;
	struct sym_subst equal; /* this axis for those that must equal it */
	bool has_equal;
	struct sym_marks mentions; /* of its symbol */
};

/* Judges an axis, and adds it to the list. */
void axes_judge(struct judging *j, uint32_t value, uint32_t number);
void judging_release(struct judging *j);

#endif
