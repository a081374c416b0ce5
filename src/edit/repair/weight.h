/*
 * The kind of site that is a constant tensor with an old size in its own shape.
 */
#ifndef EDIT_REPAIR_WEIGHT_H
#define EDIT_REPAIR_WEIGHT_H

#include "edit/repair/sizes.h"

/* Makes one of the changes that may free it: see site_change. */
bool change_weight(struct edit_site *s, unsigned variant);

#endif
