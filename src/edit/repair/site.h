/*
 * The kinds of sites: for each operator into which exports bake sizes, the changes that may
 * free it.  Built on sizes.h, and on the kinds that have a file of their own.
 */
#ifndef EDIT_REPAIR_SITE_H
#define EDIT_REPAIR_SITE_H

#include "edit/change.h"
#include "edit/document.h"
#include "edit/repair/old_sizes.h"
#include "edit/repair/sizes.h"
#include "ir/graph.h"

/*
 * Makes change number `variant` of this site, the likeliest first.  False when it does
 * not apply; the caller reverts what was logged.  *out_none means that there are no more
 * variants.
 */
bool site_change(struct document *d, const struct old_sizes *old, const struct site *site,
		 unsigned variant, struct change_log *log, bool *out_none);
/* Is it an operator into which exports bake sizes? */
bool site_is_known(const struct model *m, uint32_t node);

#endif
