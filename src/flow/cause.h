/*
 * Why an axis is not freed: a row of causes.def, which says what would free it.
 */
#ifndef FLOW_CAUSE_H
#define FLOW_CAUSE_H

enum flow_cause {
#define CAUSE(id, hint) CAUSE_##id,
#include "flow/causes.def"
#undef CAUSE
	CAUSE_COUNT
};

/* The hint as its row has it, with placeholders in braces; empty for none. */
const char *flow_cause_hint(enum flow_cause cause);

#endif
