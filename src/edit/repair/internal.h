/*
 * Shared by the files of this folder: a repair in progress.  See repair.h.
 */
#ifndef EDIT_REPAIR_INTERNAL_H
#define EDIT_REPAIR_INTERNAL_H

#include "base/err.h"
#include "base/sv.h"
#include "edit/change.h"
#include "edit/document.h"
#include "edit/repair/old_sizes.h"
#include "edit/repair/repair.h"
#include "infer/infer.h"

struct repairing {
	struct document *document;            /* borrowed */
	const struct repair_options *options; /* borrowed */
	struct repair_report *report;         /* borrowed */
	struct old_sizes old;
	uint32_t goals; /* of `old` are the user's; loops add more */
	struct change_log log;
	struct infer bound;                             /* the model at its old sizes */
	struct infer_binding binding[REPAIR_MAX_GOALS]; /* the old sizes */
	size_t first_new;                               /* values from here on are new */
	size_t errors;                                  /* in the model before */
	size_t changes;
	unsigned tries; /* for the current obstacle, each a pass over the model */
	bool stopped;
};

/* ---- goals.c ---- */

/* Parses an axis of the user and adds it as a goal. */
bool goal_add(struct repairing *r, struct sv text, struct err *err) MUST_USE;
/* Axis 0 of every input that has one. */
bool goals_add_batch(struct repairing *r, struct sv name, struct err *err) MUST_USE;
/* Adds every axis whose symbol is pinned. */
void goals_add_pinned(struct repairing *r);
/* The symbol of a goal's axis; UINT32_MAX when it has none. */
uint32_t goal_symbol(const struct repairing *r, const struct repair_goal *g);
/*
 * Names axes that were numbers, and finds the old sizes of the others.  False when some
 * goals were dropped because there are too many to prove.
 */
bool goals_free(struct repairing *r);
/*
 * A loop whose state changes its size has a symbol of its own for it; as long as the
 * state starts with a goal's size, the symbol stands for that.
 */
void goals_add_loops(struct repairing *r);

#endif
