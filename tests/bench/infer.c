/*
 * How long inference takes without opening: medians of many runs, in processor time, so that
 * other processes do not count.
 *
 *   bench-infer MODEL [RUNS]     prints nodes, and medians in microseconds: of a full pass, of
 *                                evaluating every dim with all symbols bound, of renaming one
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "infer/infer.h"
#include "sym/eval.h"
#include "wire/wire.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Gives every declared symbol a size and evaluates every dim. */
static double time_bind(struct infer *in)
{
	struct sym_env env = {0};
	struct err ignored;
	int64_t size, sum = 0;
	double start = now();

	for (uint32_t i = 0; i < in->pool.symbols.len; i++) {
		if (in->pool.symbols.at[i].source == SYM_DECLARED &&
		    !sym_bind(&env, &in->pool, i, 224, &ignored))
			abort();
	}
	for (size_t v = 1; v < in->model->values.len; v++) {
		const struct info *info = &in->infos[v];

		for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
			if (!sym_is_small(info->dims[i]) &&
			    sym_eval(&in->pool, &env, info->dims[i], &size) == SYM_OK)
				sum += size;
		}
	}
	sym_env_release(&env);
	return sum < 0 ? 0 : now() - start;
}

static double time_rename(struct infer *in)
{
	struct err ignored;
	double start = now();

	if (in->pool.symbols.len && !sym_rename(&in->pool, 0, SV("another_name"), &ignored))
		abort();
	return now() - start;
}

int main(int count, char **words)
{
	int runs = count > 2 ? (int)strtol(words[2], NULL, 10) : 31;
	double *times = calloc((size_t)runs * 3, sizeof(*times));
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
		times[runs + i] = time_bind(&in);
		times[2 * runs + i] = time_rename(&in);
		infer_release(&in);
	}
	printf("%zu", w.model.nodes.len - 1);
	for (int i = 0; i < 3; i++) {
		qsort(times + i * runs, (size_t)runs, sizeof(*times), by_size);
		printf(" %.1f", times[i * runs + runs / 2]);
	}
	putchar('\n');
	wire_release(&w);
	free(times);
	return 0;
}
