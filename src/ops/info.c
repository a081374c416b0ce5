#include "ops/info.h"

#include "sym/sym.h"

/* Integers first: sizes are compared one by one. */
static struct sym contents_end(struct sym_pool *p, const struct contents *c, bool largest)
{
	struct sym end = c->count ? c->at[0] : SYM_UNKNOWN;
	int64_t best, value;

	for (uint32_t i = 1; i < c->count; i++) {
		bool numbers = sym_value(p, end, &best) && sym_value(p, c->at[i], &value);
		struct sym low = largest ? end : c->at[i], high = largest ? c->at[i] : end;

		if (numbers ? (largest ? value > best : value < best)
			    : sym_le(p, low, high) == SYM_YES)
			end = c->at[i];
		else if (!numbers && sym_le(p, high, low) != SYM_YES)
			return SYM_UNKNOWN;
	}
	return end;
}

struct sym contents_least(struct sym_pool *p, const struct contents *c)
{
	return c->at ? contents_end(p, c, false) : contents_min(c);
}

struct sym contents_largest(struct sym_pool *p, const struct contents *c)
{
	return c->at ? contents_end(p, c, true) : contents_max(c);
}
