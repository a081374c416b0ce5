#include "tests/tap.h"

#include <string.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/keys.h"
#include "ui/canvas.h"
#include "ui/rows.h"
#include "ui/screen.h"

TEST(a_list_scrolls_with_its_selection)
{
	struct list l = {.count = 10, .rows = 4};

	list_move(&l, MOTION_PAGE_DOWN);
	CHECK(l.at == 3 && l.top == 0);
	list_move(&l, MOTION_DOWN);
	CHECK(l.at == 4 && l.top == 1);
	list_move(&l, MOTION_LAST);
	CHECK(l.at == 9 && l.top == 6);
	list_move(&l, MOTION_HALF_UP);
	CHECK(l.at == 6 && l.top == 6);
	list_move(&l, MOTION_RIGHT);
	CHECK(l.at == 6 && l.top == 6);
	l.count = 2;
	list_fit(&l);
	CHECK(l.at == 1 && l.top == 0);
	l.count = 0;
	list_move(&l, MOTION_DOWN);
	CHECK(l.at == 0 && l.top == 0);
}

/* ---- panes ---- */

/* A screen with a pane of 10 x 3 cells inside its frame. */
static void pane_open_at(struct screen *s, struct pane *p, const struct pane_kind *kind)
{
	*s = (struct screen){0};
	canvas_resize(&s->canvas, 12, 5);
	pane_init(p, s, kind);
	p->box = (struct box){1, 1, 10, 3};
	p->active = true;
}

static void pane_close(struct screen *s, struct pane *p)
{
	pane_release(p);
	canvas_release(&s->canvas);
}

static bool pane_prints(struct pane *p, const char *wanted)
{
	struct str s = {0};
	bool same;

	canvas_clear(&p->screen->canvas);
	pane_draw(p);
	canvas_print(&s, &p->screen->canvas, false);
	same = strcmp(str_c(&s), wanted) == 0;
	if (!same)
		printf("# got\n%s# wanted\n%s", str_c(&s), wanted);
	str_release(&s);
	return same;
}

struct filling {
	int count, times;
};

static void fill_some(struct pane *p, struct rows *r)
{
	struct filling *f = p->state;

	f->times++;
	for (int i = 0; i < f->count; i++) {
		(void)rows_add(r);
		rows_format(r, STYLE_TEXT, "row %d", i);
	}
}

static const struct pane_kind filled = {
	.empty = "nothing", .size = sizeof(struct filling), .fill = fill_some};

TEST(rows_are_filled_when_stale_or_of_another_width)
{
	struct screen s;
	struct pane p;
	struct filling *f;

	pane_open_at(&s, &p, &filled);
	f = p.state;
	CHECK(pane_prints(&p, "\n nothing\n\n\n\n") && f->times == 1);
	f->count = 5;
	CHECK(pane_prints(&p, "\n nothing\n\n\n\n") && f->times == 1);
	pane_renew(&p);
	CHECK(pane_prints(&p, "\n row 0\n row 1\n row 2\n       \u25bc 2\n") && f->times == 2);
	p.box.width = 8;
	CHECK(pane_prints(&p, "\n row 0\n row 1\n row 2\n     \u25bc 2\n") && f->times == 3);
	pane_close(&s, &p);
}

TEST(a_key_before_the_first_frame_moves_in_filled_rows)
{
	struct screen s;
	struct pane p;

	pane_open_at(&s, &p, &filled);
	((struct filling *)p.state)->count = 5;
	pane_move(&p, MOTION_LAST);
	CHECK(p.list.at == 4 && pane_prints(&p, "\n row 2\n row 3\n row 4\n\n"));
	CHECK(!pane_open(&p)); /* no link */
	pane_close(&s, &p);
}

static void draw_number(struct pane *p, size_t i, struct box line)
{
	canvas_put(&p->screen->canvas, line.x, line.y, '0' + (uint32_t)i, STYLE_TEXT);
}

/* The selected row has a background, which is part of the row. */
TEST(a_click_on_a_row_means_that_row)
{
	static const struct pane_kind drawn = {.draw_row = draw_number};
	struct screen s;
	struct pane p;

	pane_open_at(&s, &p, &drawn);
	p.list = (struct list){.count = 4, .at = 2, .top = 1};
	CHECK(pane_prints(&p, "\n 1\n 2\n 3\n\n"));
	CHECK(canvas_at(&s.canvas, 1, 1)->target == 2 && canvas_at(&s.canvas, 1, 3)->target == 4);
	CHECK(canvas_at(&s.canvas, 1, 2)->target == 3 && canvas_at(&s.canvas, 9, 2)->target == 3);
	CHECK(canvas_at(&s.canvas, 9, 2)->ground == STYLE_SELECTED);
	CHECK(canvas_at(&s.canvas, 1, 3)->ground == STYLE_TEXT);
	CHECK(canvas_at(&s.canvas, 1, 4)->target == 0 && s.canvas.target == 0);
	pane_click(&p, 2);
	CHECK(p.list.at == 1);
	pane_close(&s, &p);
}

TEST(an_overlay_scrolls_by_keys)
{
	static const struct {
		uint32_t key;
		size_t at;
	} steps[] = {
		{'G', 9},
		{'g', 0},
		{' ', 2},
		{'b', 0},
		{4, 2},
		{21, 0},
		{KEY_WHEEL_DOWN, 1},
		{'j', 2},
		{KEY_CURSOR_UP, 1},
		{KEY_TO_END, 9},
		{KEY_PAGE_UP, 7},
		{KEY_RETURN, 7},
		{'k', 6},
	};
	struct screen s;
	struct pane p;

	pane_open_at(&s, &p, &filled);
	((struct filling *)p.state)->count = 10;
	pane_draw(&p);
	for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
		CHECK(pane_key(&p, steps[i].key));
		CHECK(p.list.at == steps[i].at);
	}
	CHECK(!pane_key(&p, 'z') && !pane_key(&p, KEY_ESCAPE) && !pane_key(&p, KEY_TAB));
	CHECK(p.list.at == 6);
	pane_close(&s, &p);
}

TEST(letters_are_text_while_typing)
{
	enum motion motion;

	CHECK(!motion_find('j', true, &motion) && !motion_find(' ', true, &motion));
	CHECK(motion_find(KEY_TAB, true, &motion) && motion == MOTION_DOWN);
	CHECK(motion_find(16, true, &motion) && motion == MOTION_UP);
	CHECK(!motion_find(16, false, &motion));
}

TESTS(T(a_list_scrolls_with_its_selection), T(rows_are_filled_when_stale_or_of_another_width),
      T(a_key_before_the_first_frame_moves_in_filled_rows), T(a_click_on_a_row_means_that_row),
      T(an_overlay_scrolls_by_keys), T(letters_are_text_while_typing))
