/*
 * A repair in the making: what is to be freed, and how far it is.  See repair.h.
 */
#ifndef EDIT_REPAIR_INTERNAL_H
#define EDIT_REPAIR_INTERNAL_H

#include "edit/repair/obstacle.h"
#include "edit/repair/old_sizes.h"
#include "edit/repair/repair.h"

struct repairing {
	struct document *document;            /* borrowed */
	const struct repair_options *options; /* borrowed */
	struct repair_report *report;         /* borrowed */
	struct old_sizes old;
	uint32_t goals; /* of them are the user's; loops add their own */
	struct change_log log;
	struct infer bound;                             /* the model with its old sizes */
	struct infer_binding binding[REPAIR_MAX_GOALS]; /* what it is bound to */
	size_t first_new;                               /* values from here on are ours */
	size_t errors;                                  /* of the model before */
	size_t changes;
	unsigned tries; /* for the obstacle at hand, each a pass over the model */
	bool stopped;
};

/* ---- goals.c ---- */

/* An axis as the user wrote it becomes a goal. */
bool goal_add(struct repairing *r, struct sv text, struct err *err) MUST_USE;
/* Every axis whose symbol some finding calls pinned. */
void goals_add_pinned(struct repairing *r);
/* The symbol of a goal's axis; UINT32_MAX when it has none. */
uint32_t goal_symbol(const struct repairing *r, const struct repair_goal *g);
/*
 * Names what was a number, and finds out the size of what was a name.  False when some
 * goals had to be given up because there are too many: nothing would be proved of them.
 */
bool goals_free(struct repairing *r);
/*
 * A loop whose state comes out with another size than it went in has a symbol of its own
 * for it; as long as the state starts with a goal's size, it stands for that.
 */
void goals_add_loops(struct repairing *r);

#endif
