/*
 * "Did you mean ...?": the name nearest to a mistyped one.
 *
 * At most half of the letters may differ, and the work is bounded however many names there are.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/err.h"
#include "base/sv.h"

struct nearest {
	struct sv wanted; /* borrowed */
	size_t distance;  /* of the best so far; what is not nearer does not count */
	size_t which;     /* its number, as offered */
	bool found;
	uint64_t work;
};

void nearest_begin(struct nearest *n, struct sv wanted);
void nearest_offer(struct nearest *n, struct sv name, size_t which);
/* Adds "; did you mean NAME?" to an error, unless the name is empty; false, as err_set. */
bool nearest_suggest(struct err *err, struct sv name);

#endif
