/*
 * Numbers that an export may have computed from a freed size.
 */
#ifndef FLOW_SCALAR_H
#define FLOW_SCALAR_H

#include "base/str.h"
#include "flow/visit.h"

/* Notes the numbers of a Mul or Div that depends on a freed axis, whether it still has it or not.
 */
void flow_suspect_scalars(struct visit *v);
/* As a clause: the number 7 may be computed from batch, which was 7. */
void flow_scalar_print(struct pass *p, const struct flow_scalar *s, struct str *out);

#endif
