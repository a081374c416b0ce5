#include "flow/cause.h"

static const char *const cause_hints[CAUSE_COUNT] = {
#define CAUSE(id, hint) hint,
#include "flow/causes.def"
#undef CAUSE
};

const char *flow_cause_hint(enum flow_cause cause)
{
	return cause_hints[cause];
}
