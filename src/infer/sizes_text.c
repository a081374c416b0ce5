#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "infer/sizes.h"

/* Are the remainders first … last and no others? */
static bool rem_run(const struct size_set *s, uint32_t *first, uint32_t *last)
{
	uint32_t count = 0;

	*first = s->mod;
	*last = 0;
	for (uint32_t r = 0; r < s->mod; r++) {
		if (!sizes_have_remainder(s, r))
			continue;
		*first = MIN(*first, r);
		*last = r;
		count++;
	}
	return count && count == *last - *first + 1;
}

static void print_remainders(const struct size_set *s, struct str *out)
{
	enum {
		MAX_LISTED = 8
	};
	unsigned listed = 0;

	str_format(out, " %% %" PRIu32 " in {", s->mod);
	for (uint32_t r = 0; r < s->mod && listed <= MAX_LISTED; r++) {
		if (!sizes_have_remainder(s, r))
			continue;
		if (listed++ == MAX_LISTED)
			str_text(out, ", \u2026");
		else
			str_format(out, "%s%" PRIu32, listed > 1 ? ", " : "", r);
	}
	str_text(out, "}");
}

void sizes_print_multiple(const struct size_set *s, struct sv name, bool plural, struct str *out)
{
	uint32_t first, last;

	if (s->mod == 1)
		return;
	str_add(out, name);
	if (!rem_run(s, &first, &last))
		print_remainders(s, out);
	else if (last == 0)
		str_format(out, " %s of %" PRIu32, plural ? "multiples" : "a multiple", s->mod);
	else if (first == last)
		str_format(out, " %% %" PRIu32 " = %" PRIu32, s->mod, first);
	else if (first == 0)
		str_format(out, " %% %" PRIu32 " <= %" PRIu32, s->mod, last);
	else if (last == s->mod - 1)
		str_format(out, " %% %" PRIu32 " >= %" PRIu32, s->mod, first);
	else
		str_format(out, " %% %" PRIu32 " in %" PRIu32 " \u2026 %" PRIu32, s->mod, first,
			   last);
}

bool sizes_have_least(const struct size_set *s)
{
	for (int64_t size = MAX(1, s->lo - s->mod); size < s->lo; size++) {
		if (sizes_have_remainder(s, (uint64_t)size))
			return true;
	}
	return false;
}

void sizes_print_limits(const struct size_set *s, struct sv name, struct str *out)
{
	bool lo = sizes_have_least(s), hi = s->hi < SIZES_ORDINARY || s->lo == s->hi;

	if (!lo && !hi)
		return;
	str_add(out, name);
	if (s->lo == s->hi)
		str_format(out, s->or_one ? " = 1 or %" PRId64 : " = %" PRId64, s->lo);
	else if (lo && hi)
		str_format(out, " in %" PRId64 " \u2026 %" PRId64, s->lo, s->hi);
	else if (lo)
		str_format(out, " >= %" PRId64, s->lo);
	else
		str_format(out, " <= %" PRId64, s->hi);
	if (s->or_one && s->lo != s->hi)
		str_text(out, " or 1");
}
