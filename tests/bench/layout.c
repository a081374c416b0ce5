/*
 * How long a layout takes: medians of many runs, in processor time.
 *
 *   bench-layout MODEL [RUNS]    nodes, and milliseconds: finding scopes (once per model), then
 *                                unfolded the view, boxes, lanes, a window of 200 x 60 cells,
 *                                and with the initial folding view and boxes together
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "layout/lanes.h"
#include "layout/view/view.h"
#include "wire/wire.h"

enum part {
	PART_SCOPES,
	PART_VIEW,
	PART_BOXES,
	PART_LANES,
	PART_WINDOW,
	PART_FOLDED,
	PART_COUNT
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static void set_sizes(struct sketch *s)
{
	for (size_t i = 0; i < s->items.len; i++) {
		s->items.at[i].width = 17 + (uint32_t)i % 5;
		s->items.at[i].height = 3;
	}
	for (size_t i = 0; i < s->nets.len; i++)
		s->nets.at[i].label = 12;
}

static double draw_window(const struct picture *p)
{
	static struct cell cells[200 * 60];
	struct drawing how = {.selected = SKETCH_NONE};
	double start = now();

	picture_draw(p, (struct rect){p->width / 2, p->height / 2, 200, 60}, &how, cells);
	return now() - start;
}

static void run_once(const struct model *m, double *times, bool first)
{
	struct scopes scopes;
	struct view v = {0};
	struct picture p;
	struct lanes l;
	double start = now();

	scopes_find(&scopes, m, 0);
	times[PART_SCOPES] = now() - start;
	start = now();
	view_make(&v, &scopes, (struct view_focus){0});
	set_sizes(&v.sketch);
	picture_make(&p, &v.sketch, 0);
	times[PART_FOLDED] = now() - start;
	picture_release(&p);
	for (uint32_t i = 0; i < scopes.count; i++)
		scopes.at[i].folded = false;
	start = now();
	view_make(&v, &scopes, (struct view_focus){0});
	times[PART_VIEW] = now() - start;
	set_sizes(&v.sketch);
	start = now();
	picture_make(&p, &v.sketch, 0);
	times[PART_BOXES] = now() - start;
	start = now();
	lanes_make(&l, &v.sketch, 0);
	times[PART_LANES] = now() - start;
	times[PART_WINDOW] = draw_window(&p);
	if (first)
		printf("%zu nodes, %zu items, %u spots, %d x %d cells\n", m->nodes.len - 1,
		       v.items.len, p.spot_count, p.width, p.height);
	lanes_release(&l);
	picture_release(&p);
	view_release(&v);
	scopes_release(&scopes);
}

int main(int count, char **words)
{
	static const char *const names[PART_COUNT] = {"scopes", "view",   "boxes",
						      "lanes",  "window", "folded"};
	int runs = count > 2 ? (int)strtol(words[2], NULL, 10) : 21;
	double(*times)[PART_COUNT] = calloc((size_t)MAX(runs, 1), sizeof(*times));
	double *column = calloc((size_t)MAX(runs, 1), sizeof(*column));
	struct wire w;
	struct err err;

	if (count < 2 || runs < 1 || !times || !column || !wire_open(&w, words[1], &err)) {
		fprintf(stderr, "usage: bench-layout MODEL [RUNS]\n");
		free(times);
		free(column);
		return 2;
	}
	for (int i = 0; i < runs; i++)
		run_once(&w.model, times[i], i == 0);
	for (int part = 0; part < PART_COUNT; part++) {
		for (int i = 0; i < runs; i++)
			column[i] = times[i][part];
		qsort(column, (size_t)runs, sizeof(*column), by_size);
		printf("%s %.2f ms  ", names[part], column[runs / 2]);
	}
	putchar('\n');
	wire_release(&w);
	free(times);
	free(column);
	return 0;
}
