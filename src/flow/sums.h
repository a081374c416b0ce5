/*
 * Names that are sums of others: a mask over past and new positions has a name of its own.
 */
#ifndef FLOW_SUMS_H
#define FLOW_SUMS_H

#include "flow/visit.h"
#include "sym/sym.h"

/*
 * After a refusal, takes a name that was asked for as another size, which is a condition to be
 * printed: what it would have to be equal to, or a sum of two that were joined and had its size.
 * False when no name can be taken so.
 */
bool sum_learn(struct pass *p);
/* The size that a freed name stands for. */
struct sym sum_size(struct pass *p, uint32_t bit);

/*
 * Is something of this size joined to the end of a freed size?  Then positions along it may begin
 * there: *out_bit is that size.  Joins are known from the passes before, too.
 */
bool sum_before(struct pass *p, struct sym size, uint32_t *out_bit);
/* Is `sum` a freed size and this one after it? */
bool sum_joins(struct pass *p, struct sym sum, struct sym size);
/* Refuses a table along something that comes after a freed size; false when it does. */
bool sum_check_table(struct visit *v, uint32_t port, struct sym size);
/* Keeps the sums of this pass; true when some are new, and an answer depended on them. */
bool sum_keep(struct pass *p);

#endif
