#include "layout/lanes.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "layout/sketch.h"

struct weaving {
	struct lanes *l;        /* borrowed */
	const struct sketch *s; /* borrowed */
	struct arena scratch;
	uint32_t max;
	uint32_t *net_in;   /* by lane: the net in it, or SKETCH_NONE */
	uint32_t *busy;     /* by lane: the row, plus 1, in which something ends or begins */
	uint32_t *last_row; /* by net: the row of its last reader below, or its own row */
	VEC(struct lane_span) spans;
};

/* ---- rows ---- */

static void lanes_add_row(struct lanes *l, uint32_t item, bool *done)
{
	if (done[item])
		return;
	done[item] = true;
	l->row[item] = l->rows;
	l->item[l->rows++] = item;
}

static bool lanes_is_source(const struct sketch *s, uint32_t item)
{
	return s->in_at[item] == s->in_at[item + 1];
}

static bool lanes_is_read(const struct sketch *s, uint32_t item)
{
	for (uint32_t k = s->out_at[item]; k < s->out_at[item + 1]; k++) {
		if (s->nets.at[s->out[k]].count)
			return true;
	}
	return false;
}

static void order_rows(struct weaving *w)
{
	const struct sketch *s = w->s;
	bool *done = arena_array(&w->scratch, s->items.len + 1, bool);

	for (size_t i = 0; i < s->items.len; i++) {
		uint32_t item = s->order[i];

		if (lanes_is_source(s, item) && lanes_is_read(s, item))
			continue;
		for (uint32_t k = s->in_at[item]; k < s->in_at[item + 1]; k++) {
			uint32_t from = s->nets.at[s->in[k]].from;

			if (lanes_is_source(s, from))
				lanes_add_row(w->l, from, done);
		}
		lanes_add_row(w->l, item, done);
	}
}

static void find_last_rows(struct weaving *w)
{
	for (size_t n = 0; n < w->s->nets.len; n++) {
		const struct sketch_net *net = &w->s->nets.at[n];
		uint32_t last = w->l->row[net->from];

		for (uint32_t i = 0; i < net->count; i++)
			last = MAX(last, w->l->row[w->s->readers.at[net->first + i]]);
		w->last_row[n] = last;
	}
}

/* ---- lanes ---- */

static void open_span(struct weaving *w, uint32_t net, uint32_t lane, uint32_t row)
{
	w->net_in[lane] = net;
	w->busy[lane] = row + 1;
	w->l->span_of_net[net] = (uint32_t)w->spans.len + 1;
	w->l->width = MAX(w->l->width, lane + 1);
	vec_push(&w->spans, ((struct lane_span){net, lane, row, w->last_row[net], false}));
}

static uint32_t free_lane(const struct weaving *w, uint32_t row)
{
	for (uint32_t i = 0; i < w->max; i++) {
		if (w->net_in[i] == SKETCH_NONE && w->busy[i] != row + 1)
			return i;
	}
	return SKETCH_NONE;
}

/* Takes the lane of the net that is needed last, if that is later than `until`. */
static uint32_t steal_lane(struct weaving *w, uint32_t row, uint32_t until)
{
	uint32_t lane = SKETCH_NONE;

	for (uint32_t i = 0; i < w->max; i++) {
		if (w->busy[i] == row + 1 || w->last_row[w->net_in[i]] <= until)
			continue;
		until = w->last_row[w->net_in[i]];
		lane = i;
	}
	if (lane != SKETCH_NONE) {
		struct lane_span *span = &w->spans.at[w->l->span_of_net[w->net_in[lane]] - 1];

		/* A net that began in the previous row has nothing left to draw. */
		span->cut = true;
		span->last = row - 1;
		w->net_in[lane] = SKETCH_NONE;
	}
	return lane;
}

static uint32_t find_lane(struct weaving *w, uint32_t row, uint32_t until)
{
	uint32_t lane = free_lane(w, row);

	return lane != SKETCH_NONE ? lane : steal_lane(w, row, until);
}

/* Ends the nets whose last reader is the item; returns the leftmost of their lanes. */
static uint32_t close_inputs(struct weaving *w, uint32_t item, uint32_t row)
{
	uint32_t mine = SKETCH_NONE;

	for (uint32_t k = w->s->in_at[item]; k < w->s->in_at[item + 1]; k++) {
		uint32_t net = w->s->in[k], place = w->l->span_of_net[net];
		const struct lane_span *span = place ? &w->spans.at[place - 1] : NULL;

		if (!span || span->cut || w->net_in[span->lane] != net)
			continue;
		w->busy[span->lane] = row + 1;
		if (span->last != row)
			continue;
		w->net_in[span->lane] = SKETCH_NONE;
		mine = MIN(mine, span->lane);
	}
	return mine;
}

static void weave_row(struct weaving *w, uint32_t row)
{
	uint32_t item = w->l->item[row], mine = close_inputs(w, item, row);
	bool taken = false;

	if (mine == SKETCH_NONE)
		mine = find_lane(w, row, UINT32_MAX);
	/* A mark needs a column even where no lane is free. */
	w->l->lane[item] = mine != SKETCH_NONE ? mine : w->max;
	w->l->width = MAX(w->l->width, w->l->lane[item] + 1);
	if (mine != SKETCH_NONE)
		w->busy[mine] = row + 1;
	for (uint32_t k = w->s->out_at[item]; k < w->s->out_at[item + 1]; k++) {
		uint32_t net = w->s->out[k], lane = mine;

		if (w->last_row[net] <= row)
			continue;
		if (taken || mine == SKETCH_NONE)
			lane = find_lane(w, row, w->last_row[net]);
		if (lane == SKETCH_NONE)
			continue;
		open_span(w, net, lane, row);
		taken = true;
	}
}

/* Sorts by lane; within a lane, spans stay in row order. */
static void sort_spans(struct weaving *w)
{
	struct lanes *l = w->l;

	l->spans = arena_array(&l->arena, w->spans.len + 1, struct lane_span);
	l->first_span = arena_array(&l->arena, w->max + 2, uint32_t);
	for (size_t i = 0; i < w->spans.len; i++)
		l->first_span[w->spans.at[i].lane + 1]++;
	for (uint32_t i = 0; i <= w->max; i++)
		l->first_span[i + 1] += l->first_span[i];
	for (size_t i = w->spans.len; i-- > 0;) {
		const struct lane_span *span = &w->spans.at[i];
		uint32_t place = --l->first_span[span->lane + 1];

		l->spans[place] = *span;
		l->span_of_net[span->net] = place + 1;
	}
	memmove(l->first_span, l->first_span + 1, (w->max + 1) * sizeof(*l->first_span));
	l->first_span[w->max + 1] = (uint32_t)w->spans.len;
}

void lanes_make(struct lanes *l, const struct sketch *s, uint32_t max)
{
	struct weaving w = {.l = l, .s = s, .max = max ? max : LANES_MAX};

	*l = (struct lanes){.max = w.max};
	l->item = arena_array(&l->arena, s->items.len + 1, uint32_t);
	l->row = arena_array(&l->arena, s->items.len + 1, uint32_t);
	l->lane = arena_array(&l->arena, s->items.len + 1, uint32_t);
	l->span_of_net = arena_array(&l->arena, s->nets.len + 1, uint32_t);
	w.net_in = arena_array(&w.scratch, w.max + 1, uint32_t);
	w.busy = arena_array(&w.scratch, w.max + 1, uint32_t);
	w.last_row = arena_array(&w.scratch, s->nets.len + 1, uint32_t);
	for (uint32_t i = 0; i < w.max; i++)
		w.net_in[i] = SKETCH_NONE;
	order_rows(&w);
	find_last_rows(&w);
	for (uint32_t row = 0; row < l->rows; row++)
		weave_row(&w, row);
	sort_spans(&w);
	vec_release(&w.spans);
	arena_release(&w.scratch);
}

void lanes_release(struct lanes *l)
{
	arena_release(&l->arena);
	*l = (struct lanes){0};
}

bool lanes_is_stub(const struct lanes *l, uint32_t net, uint32_t reader)
{
	uint32_t place = l->span_of_net[net], row = l->row[reader];
	const struct lane_span *span = place ? &l->spans[place - 1] : NULL;

	return !span || row <= span->first || row > span->last;
}
