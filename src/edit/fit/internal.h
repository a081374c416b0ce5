/*
 * Shared by the files of this folder: a fit in progress.  See fit.h.
 */
#ifndef EDIT_FIT_INTERNAL_H
#define EDIT_FIT_INTERNAL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/change.h"
#include "edit/diff/compare.h"
#include "edit/document.h"
#include "edit/fit/fit.h"
#include "flow/array.h"
#include "flow/fold.h"
#include "flow/plan.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "wire/wire.h"

enum {
	FIT_MAX_SYMBOLS = 32,
	FIT_MAX_FOUND = 6,
	FIT_MAX_RANK = 12,
	FIT_MAX_NEAR = 24,
	FIT_MAX_INTS = 64, /* elements of a list that are explained one by one */
	FIT_MAX_REALS = 8,
	FIT_WORK_EXPLAIN = 1 << 12, /* of one number */
	FIT_WORK_TRY = 1 << 8,      /* of one way to cut axes */
	FIT_MAX_WORK = 1 << 28      /* of a fit: about ten seconds */
};

/* One export.  The first is the base. */
struct fit_side {
	const struct model *m; /* borrowed */
	struct infer in;       /* at its own sizes, before any change */
	struct folder folder;
	struct pairing pairing; /* from the base; not for the base itself */
};

/* Numbers, one for each export. */
struct fit_vector {
	int64_t at[FIT_MAX_EXPORTS];
};

/* A symbol of the result. */
struct fit_symbol {
	uint32_t id; /* in the document's pool */
	struct sv name;
	struct fit_vector sizes;
	uint32_t input; /* an axis that it is the size of */
	uint32_t axis;
};

/* A size that is known, and its values. */
struct fit_base {
	struct sym size;
	struct fit_vector values;
};

/* A constant at an input of a node of the base that is not the same in all exports. */
struct fit_use {
	uint32_t node;
	uint32_t port;
	uint32_t values[FIT_MAX_EXPORTS]; /* of each export */
};

struct limits;

struct fitting {
	struct document *document;         /* borrowed */
	struct fit_report *report;         /* borrowed */
	const struct fit_options *options; /* borrowed */
	struct fit_side sides[FIT_MAX_EXPORTS];
	uint32_t count; /* of exports */
	struct fit_symbol symbols[FIT_MAX_SYMBOLS];
	uint32_t symbol_count;
	struct sym_env envs[FIT_MAX_EXPORTS]; /* the symbols at the sizes of each export */
	struct arena arena;
	struct plan plan;
	struct change_log log;
	struct info *infos; /* owned; by value of the base: what is known of the result */
	size_t value_count;
	VEC(struct fit_base) bases;
	VEC(struct fit_use) uses; /* by node */
	VEC(struct sym) rounded;  /* quotients floor(a/b) that have no remainder in any export */
	struct sym_env sample;
	bool narrow;      /* only sizes around the node are combined, not all symbols */
	uint64_t work;    /* done so far, in steps */
	struct map known; /* words of the sizes in .bases */
	bool stopped;
};

/* ---- fitting.c ---- */

/* Adds a reason; returns false.  The node may be 0. */
bool fit_refuse(struct fitting *f, uint32_t node, const char *format, ...) LIKE_PRINTF(3, 4);
/* Counts steps; false when there were too many: files are hostile. */
bool fit_work(struct fitting *f, uint64_t steps);
/* A condition on the sizes, once. */
void fit_bound(struct fitting *f, struct sv text);
void fit_bound_size(struct fitting *f, struct sym size, const char *sign, int64_t number);
/* The value of an export that a value of the base is paired with; 0 for none. */
uint32_t fit_partner(const struct fitting *f, uint32_t side, uint32_t value);
/* The elements of a constant; NULL when they cannot be read. */
const struct array *fit_array(struct fitting *f, uint32_t side, uint32_t value);

/* ---- pairs.c ---- */

/* Is the structure the same?  Collects the constants that differ. */
bool fit_pair(struct fitting *f);

/* ---- axes.c ---- */

/* Gives symbols to the axes that differ. */
bool fit_name_axes(struct fitting *f, struct err *err) MUST_USE;

/* ---- sides.c ---- */

/* Names that the exports have already get sizes, the same in all. */
bool fit_infer_sides(struct fitting *f, struct wire *const *others);

/* ---- guess.c ---- */

enum fit_guess {
	FIT_GUESS_NONE,
	FIT_GUESS_ONE,
	FIT_GUESS_MANY, /* several that differ at other sizes */
	FIT_GUESS_COUNT
};

/* Explanations, all different functions. */
struct fit_found {
	struct sym at[FIT_MAX_FOUND];
	uint32_t count;
};

/* Sizes that may be combined with each other: symbols, and those around a node. */
struct fit_nearby {
	struct fit_base at[FIT_MAX_NEAR];
	uint32_t count;
};

/* A real number: factor * size^power / over. */
struct fit_real {
	struct sym size;
	struct sym over; /* or unknown */
	double power;
	double factor;
};

void fit_know(struct fitting *f, struct sym size);
/* Is the size, at the sizes of every export, that number? */
bool fit_is_at(struct fitting *f, struct sym size, const struct fit_vector *v);
bool fit_same_function(struct fitting *f, struct sym a, struct sym b);
bool fit_vector_constant(const struct fitting *f, const struct fit_vector *v);
/* Simplest explanations; the sizes of `near` may be combined. */
enum fit_guess fit_explain(struct fitting *f, const struct fit_vector *v, const struct sym *near,
			   uint32_t near_count, struct fit_found *out);
/* The same; one that is known, or a refusal at the node. */
bool fit_explain_one(struct fitting *f, uint32_t node, const struct fit_vector *v,
		     const struct sym *near, uint32_t near_count, struct sym *out);
void fit_nearby(struct fitting *f, const struct sym *near, uint32_t count, struct fit_nearby *out);
void fit_nearby_add(struct fitting *f, struct fit_nearby *n, struct sym s);

/* ---- guess_real.c ---- */

enum fit_guess fit_explain_real(struct fitting *f, const double *v, const struct sym *near,
				uint32_t near_count, struct fit_real *out);

/* ---- solve.c ---- */

/* Follows the sizes through the main graph, and plans what becomes of constants. */
bool fit_solve(struct fitting *f);

/* ---- numbers.c ---- */

/* Where a constant is read: the sizes around it. */
struct fit_place {
	struct fitting *f;      /* borrowed */
	const struct sym *near; /* borrowed */
	uint32_t near_count;
};

bool fit_solve_ints(struct fit_place *v, const struct fit_use *use,
		    const struct array *const *arrays, struct info *out, plan_ref *ref);
/* `text` says what they are. */
bool fit_solve_reals(struct fit_place *v, const struct fit_use *use,
		     const struct array *const *arrays, struct info *out, plan_ref *ref,
		     struct str *text);

/* ---- reshape.c ---- */

/* The target of a Reshape; `data` is what is reshaped. */
bool fit_solve_reshape(struct fitting *f, const struct fit_use *use, const struct info *data,
		       const struct array *const *arrays, struct info *out, plan_ref *out_ref);

/* ---- table.c ---- */

/* A constant whose shape differs. */
bool fit_solve_table(struct fitting *f, const struct fit_use *use, const struct sym *near,
		     uint32_t near_count, const struct array *const *arrays, struct info *out,
		     plan_ref *out_ref);

/* ---- rounding.c ---- */

/* Notes where a size is rounded, although no export shows a remainder. */
void fit_note_rounding(struct fitting *f, struct sym size, bool steps);
/* What that assumes of the symbols, for the report. */
void fit_tell_rounding(struct fitting *f, const struct limits *limits);

/* ---- proof.c ---- */

bool fit_is_proved(struct fitting *f);

#endif
