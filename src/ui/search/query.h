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

struct term;

struct query {
	const struct screen *screen; /* borrowed */
	VEC(struct term *)
	terms;                /* owned; all must fit */
	uint8_t *has_problem; /* owned; by node */
};

/* Fails with a sentence; then nothing is left to release. */
bool query_init(struct query *q, const struct screen *s, struct sv text, struct err *err) MUST_USE;
void query_release(struct query *q);
bool query_fits(const struct query *q, uint32_t node);

#endif
