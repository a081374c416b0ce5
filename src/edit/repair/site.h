/*
 * The kinds of sites: for each operator where exports bake a size in, the changes that may
 * free it.  Above sizes.h, which a change is made with, and the kinds of a file of their own.
 */
#ifndef EDIT_REPAIR_SITE_H
#define EDIT_REPAIR_SITE_H

#include "edit/repair/old_sizes.h"
#include "edit/repair/sizes.h"

/*
 * Makes the change number `variant` for this site, in the order of their likelihood.
 * False when there is none of that number; what was logged until then is to be reverted.
 * *out_none tells that there are no further ones.
 */
bool site_change(struct document *d, const struct old_sizes *old, const struct site *site,
		 unsigned variant, struct change_log *log, bool *out_none);
/* Has the operator something that exports bake in? */
bool site_is_known(const struct model *m, uint32_t node);

#endif
