/*
 * Makes the changes that a flow has planned.
 */
#ifndef EDIT_REPAIR_APPLY_H
#define EDIT_REPAIR_APPLY_H

#include "edit/change.h"
#include "flow/plan.h"
#include "ir/graph.h"

/* Only what something reads is added. */
void plan_apply(const struct plan *p, struct model *m, struct change_log *log);

#endif
