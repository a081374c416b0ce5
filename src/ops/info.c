#include "ops/info.h"

#include "sym/sym.h"

struct sym contents_largest(struct sym_pool *p, const struct contents *c)
{
	int64_t value, max = INT64_MIN;

	if (!c->at)
		return contents_max(c);
	if (c->count == 1)
		return c->at[0];
	for (uint32_t i = 0; i < c->count; i++) {
		if (!sym_value(p, c->at[i], &value))
			return SYM_UNKNOWN;
		max = MAX(max, value);
	}
	return c->count ? sym_int(p, max) : SYM_UNKNOWN;
}
