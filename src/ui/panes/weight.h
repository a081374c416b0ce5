/*
 * The numbers of a weight: least, most, mean, deviation, a histogram.
 *
 * Read a little at a time, so that nobody waits; above a million elements only evenly
 * spaced blocks are read.
 */
#ifndef UI_PANES_WEIGHT_H
#define UI_PANES_WEIGHT_H

#include "base/vec.h"
#include "ir/graph.h"

enum {
	WEIGH_BARS = 32,
	WEIGH_MAX = 1 << 20, /* elements that are looked at */
	WEIGH_FIRST = 12     /* elements that are shown */
};

struct weighing {
	uint32_t tensor; /* 0: none */
	bool done;
	bool numbers; /* it has a least and a most */
	struct err trouble;
	struct tensor_reader reader;
	uint64_t elements, wanted, taken;
	uint64_t gap;     /* elements passed over between two blocks */
	uint64_t to_skip; /* of them, now */
	struct str first; /* the first elements as text */
	double min, max, mean, squares;
	uint64_t finite, strange; /* not a number, or infinite */
	VEC(float)
	kept; /* until the histogram is made */
	uint32_t bars[WEIGH_BARS];
};

void weighing_start(struct weighing *w, const struct model *m, uint32_t tensor);
/* Goes on for about so many milliseconds. */
void weighing_go(struct weighing *w, int milliseconds);
void weighing_release(struct weighing *w);
double weighing_deviation(const struct weighing *w);

/* The first elements: `0, 1, 2, … (640)`; one sentence where they cannot be read. */
void tensor_text(struct str *out, const struct model *m, const struct tensor *t, size_t max);
/* The same for an attribute that is a list. */
void list_text(struct str *out, const struct model *m, const struct attr *a, size_t max);

#endif
