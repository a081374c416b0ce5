/*
 * Findings: what is wrong with a model, or worth knowing.
 *
 * A finding carries data: severity, kind, node, sizes.  sentence.h makes the sentence when it is
 * shown; no code reads a sentence to decide something.  Levels, kinds and their texts are the
 * rows of findings.def.
 */
#ifndef INFER_FINDING_H
#define INFER_FINDING_H

#include "base/sv.h"
#include "sym/sym.h"

enum gravity {
#define GRAVITY(id, mark, style) GRAVITY_##id,
#include "infer/findings.def"
	GRAVITY_COUNT
};

enum level {
#define LEVEL(id, name, gravity, fails, meaning, manual) LEVEL_##id,
#include "infer/findings.def"
	LEVEL_COUNT
};

struct level_info {
	const char *name;
	enum gravity gravity;
	bool fails;          /* check exits with 1, unless --fail-on says otherwise */
	const char *meaning; /* for a reader new to the name */
};

const struct level_info *level_info(enum level level);
/* False when no level has that name. */
bool level_find(struct sv name, enum level *out);
/* "✗", "!" or "i". */
const char *gravity_mark(enum gravity gravity);

struct size_set;

enum finding_kind {
#define FINDING(id, sentence) FINDING_##id,
#include "infer/findings.def"
	FINDING_KIND_COUNT
};

/* Only the fields that the sentence of its kind uses are set. */
struct finding {
	enum level level;
	enum finding_kind kind;
	uint32_t graph;
	uint32_t node;  /* 0 when it is only about a claim */
	uint32_t value; /* 0 when it is about the node */
	int32_t axis;   /* -1 for none */
	uint32_t symbol;
	uint32_t branch; /* of an If, that alone has it; 0 for none */
	struct sym a, b;
	struct sym unless; /* PINNED: where this is 0, nothing is pinned; unknown for none */
	int64_t n, m;      /* PINNED: the least and the largest size; OF_BRANCH: a fact_kind */
	const struct size_set *sizes; /* in the arena: what the symbols may be */
	const uint32_t *symbols;      /* in the arena: all that it is about */
	uint32_t symbol_count;
	const char *text; /* in the arena */
	bool of_claim;    /* only a claim of the file is contradicted */
	uint32_t root;    /* the finding this follows from, plus 1; 0 for none */
	uint32_t fact;    /* the fact it is about, plus 1; 0 for none */
};

/* Does this finding pin the symbol `dim`?  The size is f->n. */
bool finding_pins(const struct sym_pool *pool, const struct finding *f, struct sym dim);

#endif
