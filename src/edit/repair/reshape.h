/*
 * The kind of site that is a Reshape with an old size in its target.
 */
#ifndef EDIT_REPAIR_RESHAPE_H
#define EDIT_REPAIR_RESHAPE_H

#include "edit/document.h"
#include "edit/repair/old_sizes.h"
#include "edit/repair/sizes.h"

/* One of the changes that may free it, as of site_change. */
bool change_reshape(struct edit_site *s, unsigned variant);
/* Does a Reshape put a goal's size where it does not belong? */
bool reshape_misplaces(struct document *d, const struct old_sizes *old, uint32_t node);

#endif
