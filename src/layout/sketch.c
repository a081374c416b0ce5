#include "layout/sketch.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

uint32_t sketch_item(struct sketch *s, uint32_t width, uint32_t height)
{
	vec_push(&s->items, ((struct sketch_item){.width = width, .height = height}));
	return (uint32_t)s->items.len - 1;
}

uint32_t sketch_net(struct sketch *s, uint32_t from, uint32_t label)
{
	vec_push(&s->nets, ((struct sketch_net){from, (uint32_t)s->readers.len, 0, label}));
	return (uint32_t)s->nets.len - 1;
}

void sketch_reader(struct sketch *s, uint32_t item)
{
	vec_push(&s->readers, item);
	vec_last(&s->nets)->count++;
}

static uint32_t *sketch_numbers(size_t count)
{
	uint32_t *at = must_alloc((count + 1) * sizeof(*at));

	memset(at, 0, (count + 1) * sizeof(*at));
	return at;
}

static void drop_repeated(struct sketch *s, uint32_t *seen)
{
	for (uint32_t n = 0; n < s->nets.len; n++) {
		struct sketch_net *net = &s->nets.at[n];
		uint32_t *readers = s->readers.at + net->first, kept = 0;

		for (uint32_t i = 0; i < net->count; i++) {
			if (readers[i] == net->from || seen[readers[i]] == n + 1)
				continue;
			seen[readers[i]] = n + 1;
			readers[kept++] = readers[i];
		}
		net->count = kept;
	}
}

/* Turns counts into the ends of each item's list; filling backwards turns these into starts. */
static void sum_up(uint32_t *at, size_t count)
{
	for (size_t i = 0; i < count; i++)
		at[i + 1] += at[i];
}

static void list_nets(struct sketch *s)
{
	for (size_t n = 0; n < s->nets.len; n++) {
		const struct sketch_net *net = &s->nets.at[n];

		s->out_at[net->from]++;
		for (uint32_t i = 0; i < net->count; i++)
			s->in_at[s->readers.at[net->first + i]]++;
	}
	sum_up(s->out_at, s->items.len);
	sum_up(s->in_at, s->items.len);
	s->out = sketch_numbers(s->out_at[s->items.len]);
	s->in = sketch_numbers(s->in_at[s->items.len]);
	for (size_t n = s->nets.len; n-- > 0;) {
		const struct sketch_net *net = &s->nets.at[n];

		s->out[--s->out_at[net->from]] = (uint32_t)n;
		for (uint32_t i = 0; i < net->count; i++)
			s->in[--s->in_at[s->readers.at[net->first + i]]] = (uint32_t)n;
	}
}

/* ---- the order ---- */

/* Items that may come next, the first in file order on top. */
struct ready {
	uint32_t *at;
	uint32_t count;
};

static void ready_add(struct ready *r, uint32_t item)
{
	uint32_t i = r->count++;

	for (; i && r->at[(i - 1) / 2] > item; i = (i - 1) / 2)
		r->at[i] = r->at[(i - 1) / 2];
	r->at[i] = item;
}

static uint32_t ready_take(struct ready *r)
{
	uint32_t top = r->at[0], last = r->at[--r->count], i = 0;

	for (;;) {
		uint32_t child = 2 * i + 1;

		if (child + 1 < r->count && r->at[child + 1] < r->at[child])
			child++;
		if (child >= r->count || r->at[child] >= last)
			break;
		r->at[i] = r->at[child];
		i = child;
	}
	r->at[i] = last;
	return top;
}

static void sketch_release_readers(const struct sketch *s, uint32_t item, uint32_t *waits,
				   const bool *done, struct ready *ready)
{
	for (uint32_t k = s->out_at[item]; k < s->out_at[item + 1]; k++) {
		const struct sketch_net *net = &s->nets.at[s->out[k]];

		for (uint32_t i = 0; i < net->count; i++) {
			uint32_t reader = s->readers.at[net->first + i];

			if (--waits[reader] == 0 && !done[reader])
				ready_add(ready, reader);
		}
	}
}

/*
 * The items in numeric order, each after its producers.  When all that are left wait for
 * each other, the first of them goes next.
 */
static void put_in_order(struct sketch *s)
{
	uint32_t count = (uint32_t)s->items.len, first = 0;
	uint32_t *waits = sketch_numbers(count);
	struct ready ready = {.at = sketch_numbers(count)};
	bool *done = must_alloc(count + 1);

	memset(done, 0, count + 1);
	for (uint32_t i = 0; i < count; i++) {
		waits[i] = s->in_at[i + 1] - s->in_at[i];
		if (!waits[i])
			ready_add(&ready, i);
	}
	for (uint32_t i = 0; i < count; i++) {
		uint32_t item;

		while (first < count && done[first])
			first++;
		item = ready.count ? ready_take(&ready) : first;
		done[item] = true;
		s->when[item] = i;
		s->order[i] = item;
		sketch_release_readers(s, item, waits, done, &ready);
	}
	free(done);
	free(ready.at);
	free(waits);
}

static void sketch_forget(struct sketch *s)
{
	free(s->in_at);
	free(s->in);
	free(s->out_at);
	free(s->out);
	free(s->order);
	free(s->when);
	s->in_at = s->in = s->out_at = s->out = s->order = s->when = NULL;
}

void sketch_index(struct sketch *s)
{
	size_t count = s->items.len;

	sketch_forget(s);
	s->in_at = sketch_numbers(count);
	s->out_at = sketch_numbers(count);
	s->order = sketch_numbers(count);
	s->when = sketch_numbers(count);
	drop_repeated(s, s->when);
	list_nets(s);
	put_in_order(s);
}

bool sketch_is_back(const struct sketch *s, const struct sketch_net *net, uint32_t reader)
{
	return s->when[reader] < s->when[net->from];
}

void sketch_clear(struct sketch *s)
{
	sketch_forget(s);
	vec_clear(&s->items);
	vec_clear(&s->nets);
	vec_clear(&s->readers);
}

void sketch_release(struct sketch *s)
{
	sketch_forget(s);
	vec_release(&s->items);
	vec_release(&s->nets);
	vec_release(&s->readers);
}
