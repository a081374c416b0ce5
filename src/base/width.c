#include "base/width.h"

#include "base/base.h"

static const struct width_range {
	int32_t first, last;
	int columns;
} width_ranges[] = {
#define WIDTH(first, last, columns) {first, last, columns},
#include "base/width.def"
#undef WIDTH
};

int width_of(int32_t code)
{
	size_t low = 0, high = ARRAY_LEN(width_ranges);

	if (code < width_ranges[0].first)
		return 1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (code > width_ranges[middle].last)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ARRAY_LEN(width_ranges) && code >= width_ranges[low].first
		       ? width_ranges[low].columns
		       : 1;
}
