#include "tests/tap.h"

#include "base/vec.h"
#include "ui/canvas.h"
#include "ui/rows.h"
#include "ui/screen.h"

TEST(a_list_scrolls_with_its_selection)
{
	struct list l = {.count = 10};

	list_move(&l, MOTION_PAGE_DOWN, 4);
	CHECK(l.at == 3 && l.top == 0);
	list_move(&l, MOTION_DOWN, 4);
	CHECK(l.at == 4 && l.top == 1);
	list_move(&l, MOTION_LAST, 4);
	CHECK(l.at == 9 && l.top == 6);
	list_move(&l, MOTION_HALF_UP, 4);
	CHECK(l.at == 6 && l.top == 6);
	list_move(&l, MOTION_RIGHT, 4);
	CHECK(l.at == 6 && l.top == 6);
	l.count = 2;
	list_fit(&l, 4);
	CHECK(l.at == 1 && l.top == 0);
	l.count = 0;
	list_move(&l, MOTION_DOWN, 4);
	CHECK(l.at == 0 && l.top == 0);
}

/* The selected row has a background, which is part of the row. */
TEST(a_click_on_a_row_means_that_row)
{
	struct screen s = {0};
	struct rows rows = {0};
	struct list l = {.at = 1};

	canvas_resize(&s.canvas, 10, 4);
	rows_clear(&rows, 10);
	for (int i = 0; i < 3; i++) {
		(void)rows_add(&rows);
		rows_put(&rows, STYLE_TEXT, SV("row"));
	}
	rows_draw(&s, &rows, &l, (struct box){0, 0, 10, 4}, true, 0);
	CHECK(canvas_at(&s.canvas, 0, 0)->target == 1 && canvas_at(&s.canvas, 0, 2)->target == 3);
	CHECK(canvas_at(&s.canvas, 0, 1)->target == 2 && canvas_at(&s.canvas, 9, 1)->target == 2);
	CHECK(canvas_at(&s.canvas, 0, 3)->target == 0);
	rows_release(&rows);
	canvas_release(&s.canvas);
}

TESTS(T(a_list_scrolls_with_its_selection), T(a_click_on_a_row_means_that_row))
