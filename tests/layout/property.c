/*
 * Invariants of any graph's drawing: for random graphs, for hostile ones, and for a window
 * of a picture.
 */
#include <string.h>
#include <time.h>

#include "base/bug.h"
#include "layout/map.h"
#include "tests/layout/trace.h"
#include "tests/tap.h"

enum {
	GRAPHS = 6000,
	MANY = 100000
};

/* Fixed, so that failures are reproducible. */
static uint32_t state;

static uint32_t dice(uint32_t sides)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % sides;
}

/* Small or large, with short or long edges, sometimes with a cycle. */
static void make_random(struct sketch *s, uint32_t seed)
{
	uint32_t items, reach, cycles;

	state = seed * 2654435761U + 1;
	items = 2 + dice(seed % 10 ? 24 : 90);
	reach = 1 + dice(items);
	cycles = dice(4) ? 0 : 5;
	for (uint32_t i = 0; i < items; i++)
		(void)sketch_item(s, 3 + dice(20), dice(6) ? 2 + dice(4) : 1);
	for (uint32_t i = 0; i < items; i++) {
		for (uint32_t outs = dice(8) ? 1 : dice(5); outs; outs--) {
			(void)sketch_net(s, i, dice(12));
			for (uint32_t k = dice(4) ? 1 : 1 + dice(5); k; k--) {
				uint32_t to = i + 1 + dice(reach);

				if (cycles && dice(100) < cycles)
					to = dice(items);
				if (to < items)
					sketch_reader(s, to);
			}
		}
	}
	sketch_index(s);
}

TEST(random_graphs_can_be_walked)
{
	for (uint32_t seed = 1; seed <= GRAPHS; seed++) {
		struct sketch s = {0};
		struct picture p;
		bool ok;

		make_random(&s, seed);
		picture_make(&p, &s, seed % 3 ? 0 : 1 + dice(6));
		ok = trace_check(&s, &p);
		CHECK_THAT(ok, "seed %u", seed);
		picture_release(&p);
		sketch_release(&s);
		if (!ok)
			return;
	}
}

static struct cell *draw(const struct picture *p, struct rect window)
{
	struct drawing how = {.selected = 0};
	size_t count = (size_t)window.width * (size_t)window.height;
	struct cell *cells = must_alloc((count + 1) * sizeof(*cells));

	memset(cells, 0, count * sizeof(*cells));
	picture_draw(p, window, &how, cells);
	return cells;
}

/* The rows right above a layer hold nothing but lines that go straight down. */
static bool rows_are_clear(const struct picture *p, const struct layer *layer, int32_t rows)
{
	struct rect window = {0, layer->y - rows, p->width, rows};
	struct cell *cells = draw(p, window);
	bool clear = true;

	for (int32_t i = 0; i < window.width * rows; i++)
		clear &= cells[i].glyph == ' ' || cells[i].glyph == 0x2502;
	free(cells);
	return clear;
}

TEST(layers_can_be_parted)
{
	for (uint32_t seed = 1; seed <= GRAPHS / 4; seed++) {
		struct sketch s = {0};
		struct picture p;
		uint8_t rows[200];
		int32_t height, sum = 0;
		bool ok = true;

		make_random(&s, seed);
		picture_make(&p, &s, seed % 3 ? 0 : 1 + dice(6));
		height = p.height;
		for (uint32_t i = 0; i < p.layer_count; i++)
			sum += rows[i] = (uint8_t)dice(4);
		picture_part(&p, rows);
		CHECK(p.height == height + sum);
		for (uint32_t i = 0; i < p.layer_count; i++)
			ok &= rows_are_clear(&p, &p.layers[i], rows[i]);
		CHECK_THAT(ok, "seed %u: what is in the new rows", seed);
		CHECK_THAT(trace_check(&s, &p), "seed %u", seed);
		picture_release(&p);
		sketch_release(&s);
		if (!ok)
			return;
	}
}

TEST(random_lanes_can_be_walked)
{
	for (uint32_t seed = 1; seed <= GRAPHS; seed++) {
		struct sketch s = {0};
		struct lanes l;
		bool ok;

		make_random(&s, seed);
		lanes_make(&l, &s, seed % 2 ? 0 : 1 + dice(5));
		ok = trace_lanes(&s, &l);
		CHECK_THAT(ok, "seed %u", seed);
		lanes_release(&l);
		sketch_release(&s);
		if (!ok)
			return;
	}
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->glyph == b->glyph && a->role == b->role && a->item == b->item && a->net == b->net;
}

TEST(the_same_sketch_gives_the_same_picture)
{
	for (uint32_t seed = 1; seed <= 200; seed++) {
		struct sketch s = {0};
		struct picture a, b;
		struct cell *left, *right;
		bool same = true;

		make_random(&s, seed);
		picture_make(&a, &s, 0);
		sketch_index(&s);
		picture_make(&b, &s, 0);
		CHECK(a.width == b.width && a.height == b.height);
		left = draw(&a, (struct rect){0, 0, a.width, a.height});
		right = draw(&b, (struct rect){0, 0, a.width, a.height});
		for (size_t i = 0; i < (size_t)a.width * (size_t)a.height; i++)
			same &= same_cell(&left[i], &right[i]);
		CHECK(same);
		free(left);
		free(right);
		picture_release(&a);
		picture_release(&b);
		sketch_release(&s);
	}
}

static bool window_is_part(const struct picture *p, const struct cell *whole, struct rect w)
{
	struct cell *cells = draw(p, w);
	bool same = true;

	for (int32_t y = 0; y < w.height; y++) {
		for (int32_t x = 0; x < w.width; x++) {
			const struct cell *c = &cells[y * w.width + x];
			int32_t px = w.x + x, py = w.y + y;

			if (px < 0 || py < 0 || px >= p->width || py >= p->height)
				same &= c->glyph == ' ' && c->role == ROLE_NONE;
			else
				same &= same_cell(c, &whole[py * p->width + px]);
		}
	}
	free(cells);
	return same;
}

TEST(a_window_shows_a_part_of_the_whole)
{
	for (uint32_t seed = 1; seed <= 200; seed++) {
		struct sketch s = {0};
		struct picture p;
		struct cell *whole;

		make_random(&s, seed);
		picture_make(&p, &s, seed % 2 ? 0 : 2);
		whole = draw(&p, (struct rect){0, 0, p.width, p.height});
		for (int i = 0; i < 20; i++) {
			struct rect w = {(int32_t)dice((uint32_t)p.width + 10) - 5,
					 (int32_t)dice((uint32_t)p.height + 10) - 5,
					 1 + (int32_t)dice(40), 1 + (int32_t)dice(20)};

			CHECK_THAT(window_is_part(&p, whole, w), "seed %u", seed);
		}
		free(whole);
		picture_release(&p);
		sketch_release(&s);
	}
}

TEST(steps_lead_somewhere_and_back)
{
	for (uint32_t seed = 1; seed <= 200; seed++) {
		struct sketch s = {0};
		struct picture p;

		make_random(&s, seed);
		picture_make(&p, &s, 0);
		for (uint32_t i = 0; i < p.item_count; i++) {
			uint32_t right = picture_step(&p, i, STEP_RIGHT);

			for (enum picture_move step = 0; step < STEP_COUNT; step++)
				CHECK(picture_step(&p, i, step) < p.item_count);
			CHECK(right == i || picture_step(&p, right, STEP_LEFT) == i);
			CHECK(p.spots[picture_step(&p, i, STEP_DOWN)].layer >= p.spots[i].layer);
		}
		picture_release(&p);
		sketch_release(&s);
	}
}

TEST(a_map_leads_back_to_what_it_shows)
{
	for (uint32_t seed = 1; seed <= 200; seed++) {
		struct map_size size;
		struct cell cells[40 * 20];
		struct sketch s = {0};
		struct picture p;

		make_random(&s, seed);
		picture_make(&p, &s, 0);
		size = (struct map_size){1 + (int32_t)dice(40), 1 + (int32_t)dice(20)};
		map_draw(&p, size, false, cells);
		for (uint32_t i = 0; i < p.item_count; i++) {
			struct rect r = map_rect(&p, size, picture_rect(&p, i));

			CHECK(r.x >= 0 && r.y >= 0 && r.width > 0 && r.height > 0 &&
			      r.x + r.width <= size.columns && r.y + r.height <= size.rows);
			CHECK(cells[r.y * size.columns + r.x].glyph != ' ');
			CHECK(map_item(&p, size, r.x, r.y) < p.item_count);
		}
		picture_release(&p);
		sketch_release(&s);
	}
}

/* ---- hostile graphs: only time, memory and stack matter ---- */

static void lay_out(struct sketch *s, const char *what)
{
	clock_t start = clock();
	struct picture p;
	struct lanes l;
	double ms;

	sketch_index(s);
	picture_make(&p, s, 0);
	lanes_make(&l, s, 0);
	ms = (double)(clock() - start) * 1000 / CLOCKS_PER_SEC;
	lanes_release(&l);
	printf("# %s: %.0f ms, %d x %d cells, %u spots, %zu kB\n", what, ms, p.width, p.height,
	       p.spot_count, p.arena.total / 1024);
	CHECK_THAT(ms < 20000, "%s takes %.0f ms", what, ms);
	free(draw(&p, (struct rect){p.width / 2, p.height / 2, 200, 60}));
	picture_release(&p);
	sketch_release(s);
}

static void add_items(struct sketch *s, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		(void)sketch_item(s, 12, 3);
}

TEST(very_many_inputs)
{
	struct sketch s = {0};

	add_items(&s, MANY + 1);
	for (uint32_t i = 1; i <= MANY; i++) {
		(void)sketch_net(&s, i, 4);
		sketch_reader(&s, 0);
	}
	lay_out(&s, "a node with very many inputs");
}

TEST(very_many_shared_inputs)
{
	struct sketch s = {0};

	add_items(&s, MANY + 3);
	for (uint32_t i = 3; i < MANY + 3; i++) {
		(void)sketch_net(&s, i, 4);
		sketch_reader(&s, i % 3);
		sketch_reader(&s, (i + 1) % 3);
	}
	lay_out(&s, "three nodes with very many inputs in common");
}

TEST(very_many_siblings)
{
	struct sketch s = {0};

	add_items(&s, MANY + 1);
	(void)sketch_net(&s, 0, 4);
	for (uint32_t i = 1; i <= MANY; i++)
		sketch_reader(&s, i);
	lay_out(&s, "very many siblings");
}

TEST(very_many_outputs)
{
	struct sketch s = {0};

	add_items(&s, MANY + 1);
	for (uint32_t i = 1; i <= MANY; i++) {
		(void)sketch_net(&s, 0, 4);
		sketch_reader(&s, i);
	}
	lay_out(&s, "a node with very many outputs");
}

TEST(a_very_deep_chain)
{
	struct sketch s = {0};

	add_items(&s, MANY);
	for (uint32_t i = 0; i + 1 < MANY; i++) {
		(void)sketch_net(&s, i, 4);
		sketch_reader(&s, i + 1);
		if (i + 60 < MANY)
			sketch_reader(&s, i + 60);
		sketch_reader(&s, MANY - 1);
	}
	lay_out(&s, "a deep chain, every node read again 60 layers on and at the end");
}

TEST(a_ring_and_many_ways_back)
{
	struct sketch s = {0};

	add_items(&s, MANY);
	for (uint32_t i = 0; i < MANY; i++) {
		(void)sketch_net(&s, i, 4);
		sketch_reader(&s, (i + 1) % MANY);
		sketch_reader(&s, i / 2);
	}
	lay_out(&s, "a ring");
}

TEST(a_thicket)
{
	struct sketch s = {0};

	state = 7;
	add_items(&s, MANY);
	for (uint32_t i = 0; i < MANY; i++) {
		(void)sketch_net(&s, i, 4);
		for (int k = 0; k < 3; k++)
			sketch_reader(&s, dice(MANY));
	}
	lay_out(&s, "a thicket");
}

TEST(two_rows_that_all_know_each_other)
{
	struct sketch s = {0};

	add_items(&s, 800);
	for (uint32_t i = 0; i < 400; i++) {
		(void)sketch_net(&s, i, 4);
		for (uint32_t k = 0; k < 400; k++)
			sketch_reader(&s, 400 + k);
	}
	lay_out(&s, "400 x 400");
}

TEST(very_large_items)
{
	struct sketch s = {0};

	for (uint32_t i = 0; i < MANY; i++) {
		(void)sketch_item(&s, UINT32_MAX, UINT32_MAX);
		(void)sketch_net(&s, i, UINT32_MAX);
		if (i + 1 < MANY)
			sketch_reader(&s, i + 1);
		sketch_reader(&s, i / 3);
	}
	lay_out(&s, "very large items");
}

TEST(nothing_at_all)
{
	struct sketch s = {0};

	lay_out(&s, "nothing");
}

TESTS(T(random_graphs_can_be_walked), T(layers_can_be_parted), T(random_lanes_can_be_walked),
      T(the_same_sketch_gives_the_same_picture), T(a_window_shows_a_part_of_the_whole),
      T(steps_lead_somewhere_and_back), T(a_map_leads_back_to_what_it_shows), T(very_many_inputs),
      T(very_many_shared_inputs), T(very_many_siblings), T(very_many_outputs), T(a_very_deep_chain),
      T(a_ring_and_many_ways_back), T(a_thicket), T(two_rows_that_all_know_each_other),
      T(very_large_items), T(nothing_at_all))
