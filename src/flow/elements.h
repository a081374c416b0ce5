/*
 * The elements of integer tensors that are computed from constants and sizes, as expressions:
 * indices of a whole batch, which are more than inference keeps.
 */
#ifndef FLOW_ELEMENTS_H
#define FLOW_ELEMENTS_H

#include "flow/visit.h"
#include "sym/sym.h"

/*
 * One expression for each element, row by row.  NULL when some depend on data, when the tensor
 * has a freed axis, or when they are too many.
 */
const struct sym *flow_elements(struct pass *p, uint32_t value, uint32_t *out_count);

#endif
