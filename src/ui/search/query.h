/*
 * What a search asks of a node; see search.h for how it is written.
 *
 * Whatever is typed and whatever the names are, a question takes a bounded time: patterns
 * are short and cannot refer back, names are cut, and a name is looked at only once.
 */
#ifndef UI_SEARCH_QUERY_H
#define UI_SEARCH_QUERY_H

#include "base/vec.h"
#include "ui/screen.h"
#include "ui/search/term.h"

struct query {
	struct searched in;
	VEC(struct term *)
	terms; /* owned; all must fit */
};

/* Fails with a sentence; then nothing is left to release. */
bool query_init(struct query *q, const struct screen *s, struct sv text, struct err *err) MUST_USE;
void query_release(struct query *q);
bool query_fits(const struct query *q, uint32_t node);

#endif
