/*
 * A parsed search; see search.h for the syntax.
 *
 * Whatever the text and the names are, matching takes bounded time: patterns are short and have
 * no backreferences, names are cut, and each name is matched only once.
 */
#ifndef UI_SEARCH_QUERY_H
#define UI_SEARCH_QUERY_H

#include "base/err.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ui/screen.h"
#include "ui/search/hit.h"
#include "ui/search/term.h"

struct query {
	struct searched in;
	VEC(struct term *) terms; /* owned; all must fit */
	bool filters;             /* one is about more than names: only nodes can fit */
	enum hit_kind only;       /* is:weight: only these; HIT_KIND_COUNT for all */
};

/* On failure there is nothing to release. */
bool query_init(struct query *q, const struct screen *s, struct sv text, struct err *err) MUST_USE;
void query_release(struct query *q);
bool query_fits(const struct query *q, uint32_t node);
/* By what it is called, and by its operator, alone. */
bool query_fits_called(const struct query *q, uint32_t node);
/* The same with the path of a scope, or the name of a tensor; filters are not asked. */
bool query_fits_text(const struct query *q, struct sv text);
bool query_fits_value(const struct query *q, uint32_t value);
/* Does any word fit the last part of a path? */
bool query_fits_end(const struct query *q, struct sv path);
/* Has a word of a name signs of a regular expression, but is not marked as one? */
bool query_has_unmarked_pattern(struct sv text);

#endif
