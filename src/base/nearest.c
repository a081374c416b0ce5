#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void nearest_begin(struct nearest *n, struct sv wanted)
{
	/* Of a long name a few letters are wrong, not half of them. */
	*n = (struct nearest){.wanted = wanted,
			      .distance = MIN(wanted.len / 2, 3 + wanted.len / 8) + 1};
}

void nearest_offer(struct nearest *n, struct sv name, size_t which)
{
	enum {
		LONGEST = 200,       /* bytes that are compared */
		MOST_WORK = 20 << 20 /* pairs of letters: some ten milliseconds */
	};
	size_t longer = MAX(name.len, n->wanted.len), shorter = MIN(name.len, n->wanted.len);
	size_t distance;

	if (name.len == 0 || longer > LONGEST || longer - shorter >= n->distance ||
	    n->work > MOST_WORK)
		return;
	n->work += longer * shorter;
	distance = utf8_distance(name, n->wanted);
	if (distance >= n->distance)
		return;
	n->distance = distance;
	n->which = which;
	n->found = true;
}

bool nearest_suggest(struct err *err, struct sv name)
{
	size_t len = strlen(err->text);

	if (name.len)
		(void)snprintf(err->text + len, sizeof(err->text) - len, "; did you mean %.*s?",
			       (int)MIN(name.len, 200), name.at);
	return false;
}
