/*
 * The kind of site that is a constant tensor with an old size in its own shape.
 */
#ifndef EDIT_REPAIR_WEIGHT_H
#define EDIT_REPAIR_WEIGHT_H

#include "edit/repair/sizes.h"

/* One of the changes that may free it, as of site_change. */
bool change_weight(struct edit_site *s, unsigned variant);

#endif
