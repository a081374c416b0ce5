/*
 * The kind of site that is a Reshape with an old size in its target.
 */
#ifndef EDIT_REPAIR_RESHAPE_H
#define EDIT_REPAIR_RESHAPE_H

#include "edit/document.h"
#include "edit/repair/old_sizes.h"
#include "edit/repair/sizes.h"

/* Makes one of the changes that may free it: see site_change. */
bool change_reshape(struct edit_site *s, unsigned variant);
/* Does the Reshape put a goal's size into the wrong entry? */
bool reshape_misplaces(struct document *d, const struct old_sizes *old, uint32_t node);

#endif
