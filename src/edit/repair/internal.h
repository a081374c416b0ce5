/*
 * Shared by the files of this folder: a repair in progress.  See repair.h.
 */
#ifndef EDIT_REPAIR_INTERNAL_H
#define EDIT_REPAIR_INTERNAL_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/change.h"
#include "edit/document.h"
#include "edit/repair/old_sizes.h"
#include "edit/repair/repair.h"
#include "flow/cause.h"
#include "flow/flow.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ops/info.h"

struct pass;

struct repairing {
	struct document *document;            /* borrowed */
	const struct repair_options *options; /* borrowed */
	struct repair_report *report;         /* borrowed */
	struct old_sizes old;
	uint32_t goals;     /* of `old` are the user's */
	uint64_t stand_ins; /* of `old` are made up, as bits: any other would do */
	unsigned attempt;   /* with other stand-ins */
	struct str refusal; /* of an earlier attempt */
	enum flow_cause cause;
	struct change_log log;
	struct infer bound;                             /* the model at its old sizes */
	struct infer_binding binding[REPAIR_MAX_GOALS]; /* the old sizes */
	size_t first_new;                               /* values from here on are new */
	size_t errors;                                  /* in the model before */
	bool stopped;
};

/* ---- goals.c ---- */

/* Parses an axis of the user and adds it as a goal. */
bool goal_add(struct repairing *r, struct sv text, struct err *err) MUST_USE;
/* Axis 0 of every input that has one. */
bool goals_add_batch(struct repairing *r, struct sv name, struct err *err) MUST_USE;
/* Are all goals dynamic already, so that there is nothing to do but to name them? */
bool goals_are_free(struct repairing *r);
/* Adds every axis that something stops from being dynamic. */
void goals_add_stopped(struct repairing *r);
/* The symbol of a goal's axis; UINT32_MAX when it has none. */
uint32_t goal_symbol(const struct repairing *r, const struct repair_goal *g);
/*
 * Names axes that were numbers, and finds the old sizes of the others.  False when some
 * goals were dropped because there are too many to prove.
 */
bool goals_free(struct repairing *r);
/*
 * Gives the other named axes sizes too, so that every size is a number; they are followed as well.
 * A size that the file does not tell is made up: each attempt has larger ones.  False when there
 * are too many.
 */
bool goals_carry(struct repairing *r);

enum {
	REPAIR_ATTEMPTS = 3
};

/* ---- steady.c ---- */

/*
 * The model with stand-ins left open, as it was before a repair: it ran at every one of their
 * sizes, so the repair must not change what it does there.
 */
struct steady {
	struct infer infer;
	struct infer_binding binding[REPAIR_MAX_GOALS];
	struct arena arena;
	struct info *infos; /* owned; before the repair: dims, of what is no claim */
	size_t value_count;
};

/* Does nothing when there are no stand-ins. */
void steady_begin(struct steady *s, const struct repairing *r);
/* After the changes: are all shapes what they were, whatever the open sizes are? */
bool steady_holds(struct steady *s, const struct repairing *r);
void steady_release(struct steady *s);

/* ---- needs.c ---- */

/* Conditions on the goals' sizes, for the report; `p` is NULL where nothing had to be followed. */
void tell_needs(struct repairing *r, const struct pass *p);

/* ---- ranks.c ---- */

/* Have all results one rank at every size of the goals?  Those that have not are refused. */
bool ranks_stay(struct repairing *r);

/* ---- telling.c ---- */

/* A Squeeze without axes, and the size that it removes at 1. */
void tell_squeezed(const struct repairing *r, uint32_t node, uint32_t symbol, struct str *out);

/* The reason of a refusal, and its cause. */
enum flow_cause tell_refusal(struct repairing *r, const struct flow *f, struct str *out);
/* Appends ": Reshape R: B can only be 3: ...", of the model as it is now; nothing for NULL. */
void tell_finding(const struct repairing *r, const struct finding *f, struct str *out);
/* The first thing that only --assume accepts; false when there is none. */
bool tell_ambiguities(struct repairing *r, const struct flow *f, struct str *out);
/* Levels of proof, bounds, assumptions, warnings and notes, for the report. */
void tell_result(struct repairing *r, struct flow *f);

#endif
