/*
 * Shared by the files of verify: the models, the sizes of a run, and the plan.
 */
#ifndef APP_VERIFY_INTERNAL_H
#define APP_VERIFY_INTERNAL_H

#include <stdio.h>

#include "app/verify/verify.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/infer.h"
#include "infer/limits.h"
#include "sym/sym.h"
#include "wire/wire.h"

/* ---- side.c: one of the models ---- */

/* An input that the caller must give. */
struct side_input {
	uint32_t value;
	struct sv name; /* borrowed */
	int32_t elem;
	uint32_t rank;
	const struct sym *dims; /* borrowed from `plain` */
};

struct side {
	const struct wire *wire; /* borrowed */
	struct infer plain;      /* without numbers */
	struct limits limits;
	VEC(struct side_input) inputs;
	VEC(uint32_t) symbols; /* those of the inputs' dims, as they appear */
	struct map places;     /* symbol -> index in symbols, plus 1 */
	bool open;
};

bool side_open(struct side *s, const struct wire *w, struct err *err) MUST_USE;
void side_release(struct side *s);
/* The index of the dim's symbol if it is one alone; false for a number or an expression. */
bool side_symbol(const struct side *s, struct sym dim, size_t *out);
struct sv side_name(const struct side *s, size_t symbol);
/* Do the nodes accept this size of the symbol, whatever the others are? */
bool side_allows(const struct side *s, size_t symbol, int64_t size);
/* A dim of an input, with these sizes by symbol; -1 when it cannot be computed. */
int64_t side_dim(const struct side *s, const int64_t *sizes, struct sym dim);
/* Inference with these sizes.  False when the graph contradicts them; `out` is made anyway. */
bool side_infer(const struct side *s, const int64_t *sizes, struct infer *out);

/* ---- sizes.c: which sizes the symbols have in a run ---- */

enum size_level {
	SIZE_FREE,      /* any that fits */
	SIZE_PREFERRED, /* kept unless the conditions need another */
	SIZE_WANTED,    /* kept even if the preferred ones must change */
	SIZE_GIVEN
};

/* By symbol of the model that is run at new sizes. */
struct sizes {
	VEC(int64_t) at;
	VEC(enum size_level) level;
};

enum zero_of {
	ZERO_OF_MODEL,
	ZERO_OF_ORIGINAL, /* its symbols are those of the original */
	ZERO_SHARED       /* of the model, if its sizes must suit the original */
};

/* What a node requires: an expression that must be 0, or at most 0. */
struct zero {
	enum zero_of of;
	bool at_most;
	struct sym s;
};

/* By symbol of `model`. */
struct chooser {
	struct side *model;    /* borrowed */
	struct side *original; /* borrowed; NULL for none */
	bool both;             /* the sizes must suit the original too */
	bool without_ones;     /* a size of 1 may be broadcast: not if others will do */
	VEC(struct zero) zeroes;
	VEC(uint32_t) linked;       /* the symbol of the original that it is, plus 1 */
	VEC(int64_t) before;        /* its only size in the original; 0 for none */
	VEC(int64_t) first, second; /* sizes to try by default; see chooser_suit */
};

/* Pairs the axes of both models; false when their inputs or fixed sizes differ. */
bool chooser_open(struct chooser *c, struct side *model, struct side *original,
		  struct err *err) MUST_USE;
void chooser_release(struct chooser *c);
/* Sizes are from now on for both models, or for the changed one alone. */
void chooser_suit(struct chooser *c, bool both);
/*
 * Fills in what is free, so that the graphs accept it.  False when that is not possible; the
 * sizes are then those of the first try.
 */
bool chooser_complete(struct chooser *c, struct sizes *s);
/*
 * The original's sizes where the model has these; `items`: a symbol of the model, plus 1, that
 * has the size `group` there.  False when it has no such sizes.
 */
bool chooser_translate(const struct chooser *c, const int64_t *sizes, size_t items, int64_t group,
		       int64_t *out);
void sizes_reset(struct sizes *s, size_t count);
void sizes_release(struct sizes *s);

/* ---- plan.c: the runs ---- */

struct verify_plan {
	const struct verify_request *request; /* borrowed */
	struct verify_result *result;         /* borrowed */
	struct side model, original;
	struct chooser chooser;
	VEC(struct sizes) runs; /* of the trials of the result, as they are there */
	size_t items;           /* the symbol, plus 1 */
	size_t outputs_with_items;
	int64_t group; /* items of a run of the original */
};

bool verify_plan_make(struct verify_plan *p, const struct verify_request *request,
		      struct verify_result *result, struct err *err) MUST_USE;
void verify_plan_release(struct verify_plan *p);

/* ---- script.c: the plan as JSON ---- */

bool script_write(struct verify_plan *p, FILE *out, struct err *err) MUST_USE;

/* ---- python.c ---- */

/* Runs the script; its lines are stored in the result as they come. */
bool python_run(const struct verify_request *request, int plan, struct verify_result *out,
		struct err *err) MUST_USE;

/* ---- results.c: what the script says ---- */

struct answers {
	struct verify_result *result; /* borrowed */
	bool hello, open, end;        /* seen */
	size_t current;               /* the run that has begun, plus 1 */
	size_t done;                  /* runs */
	bool alone;                   /* there is no original */
	struct str unloadable;        /* the changed model: why */
};

/* Reads one line.  False when it is not one of the script, or it says that nothing can run. */
bool answers_line(struct answers *a, struct sv line, struct err *err) MUST_USE;

#endif
