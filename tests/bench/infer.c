/*
 * How long inference takes without opening: medians of many runs, for infer.py.
 *
 *   bench-infer MODEL [RUNS]     prints nodes and the median in microseconds
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "infer/infer.h"
#include "wire/wire.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

int main(int count, char **words)
{
	int runs = count > 2 ? (int)strtol(words[2], NULL, 10) : 31;
	double *times = calloc((size_t)runs, sizeof(*times));
	struct infer in;
	struct wire w;
	struct err err;

	if (count < 2 || runs < 1 || !times || !wire_open(&w, words[1], &err)) {
		fprintf(stderr, "usage: bench-infer MODEL [RUNS]\n");
		free(times);
		return 2;
	}
	for (int i = 0; i < runs; i++) {
		double start = now();

		infer_run(&in, &w.model, (struct infer_options){0});
		times[i] = now() - start;
		infer_release(&in);
	}
	qsort(times, (size_t)runs, sizeof(*times), by_size);
	printf("%zu %.1f\n", w.model.nodes.len - 1, times[runs / 2]);
	wire_release(&w);
	free(times);
	return 0;
}
