/*
 * Statistics of a weight: min, max, mean, standard deviation, histogram.
 *
 * Read in small steps to keep the screen responsive; above a million elements only evenly
 * spaced blocks are read.
 */
#ifndef UI_PANES_WEIGHT_H
#define UI_PANES_WEIGHT_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/tensor.h"

enum {
	WEIGH_BARS = 32,
	WEIGH_MAX = 1 << 20, /* elements read at most */
	WEIGH_FIRST = 12     /* elements shown */
};

struct weighing {
	uint32_t tensor; /* 0: none */
	bool done;
	bool numbers; /* has a min and max */
	struct err trouble;
	struct tensor_reader reader;
	uint64_t elements, wanted, taken;
	uint64_t gap;     /* elements skipped between two blocks */
	uint64_t to_skip; /* left of these */
	struct str first; /* the first elements as text */
	double min, max, mean, squares;
	uint64_t finite, strange; /* NaN or infinite */
	VEC(float) kept;          /* before the histogram */
	uint32_t bars[WEIGH_BARS];
};

void weighing_start(struct weighing *w, const struct model *m, uint32_t tensor);
/* Reads on for about this long. */
void weighing_go(struct weighing *w, int milliseconds);
void weighing_release(struct weighing *w);
double weighing_deviation(const struct weighing *w);

#endif
