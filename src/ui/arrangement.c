/*
 * Arranges the screen: panes according to the width, one line above them, two below.
 */

#include "base/str.h"
#include "base/sv.h"
#include "ui/bottom.h"
#include "ui/canvas.h"
#include "ui/graph/graph.h"
#include "ui/header.h"
#include "ui/hint.h"
#include "ui/screen.h"

enum {
	MIN_WIDTH = 20,
	MIN_HEIGHT = 6,
	WIDE = 160, /* everything fits */
	LEFT = 26,  /* columns of a side */
	LEFT_WIDE = 30,
	LEFT_OVER = 36, /* over the graph */
	RIGHT = 36,
	RIGHT_WIDE = 46,
	NARROW_WIDEST = 60,
	FRAME = 2, /* rows of a pane that are its frame */
	WIDEST_OVERLAY = 120,
	OVERLAY_LEAST = 60 /* columns, if there is room */
};

/* ---- panes ---- */

static struct box arrange_inner(struct box b)
{
	return (struct box){b.x + 1, b.y + 1, MAX(b.width - 2, 0), MAX(b.height - 2, 0)};
}

static void draw_pane(struct screen *s, enum pane_id pane, struct box box)
{
	struct pane *p = &s->panes[pane];
	struct str title = {0};

	if (box.width < 4 || box.height < FRAME)
		return;
	p->box = arrange_inner(box);
	p->active = s->active == pane;
	if (pane_row(pane)->place != PLACE_GUEST)
		str_format(&title, "%s ", pane_row(pane)->key);
	str_text(&title, p->kind->title);
	if (p->kind->where)
		p->kind->where(p, &title);
	s->canvas.ground = STYLE_TEXT;
	s->canvas.target = 0;
	canvas_fill(&s->canvas, box, ' ', STYLE_TEXT);
	if (p->active && screen_is_covered(s))
		canvas_popup(&s->canvas, box, str_sv(&title), STYLE_TITLE);
	else
		canvas_frame(&s->canvas, box, str_sv(&title),
			     p->active ? STYLE_FRAME_ACTIVE : STYLE_FRAME, STYLE_TITLE);
	pane_draw(p);
	s->canvas.ground = STYLE_TEXT;
	s->canvas.target = 0;
	str_release(&title);
}

/* Is the pane visible on that side? */
static bool stands_at(const struct screen *s, enum pane_id pane, enum pane_place side)
{
	enum pane_place place = pane_row(pane)->place;
	bool spare = s->canvas.width >= WIDE || s->active == pane;

	return s->wanted[pane] &&
	       (place == side || (place == PLACE_SPARE && side == PLACE_RIGHT && spare));
}

/* What is kept for the panes that were not served: a frame and a line each. */
static int rows_for_others(const enum pane_id *panes, size_t count, const bool *served)
{
	int rows = 0;

	for (size_t i = 0; i < count; i++) {
		if (!served[i] && pane_row(panes[i])->place != PLACE_SPARE)
			rows += FRAME + 1;
	}
	return rows;
}

/* The rest may have more rows than it has to show: what others lack comes from there. */
static void share_spare(struct screen *s, const enum pane_id *panes, size_t count, int width,
			size_t rest, int *out_rows)
{
	int needed = pane_rows(&s->panes[panes[rest]], width) + FRAME;
	int spare = out_rows[rest] - MAX(needed, FRAME + 1);

	for (size_t i = 0; i < count && spare > 0; i++) {
		int lacks = pane_rows(&s->panes[panes[i]], width) + FRAME - out_rows[i];
		int more = MIN(spare, lacks);

		if (i == rest || more <= 0 || pane_row(panes[i])->place == PLACE_SPARE)
			continue;
		out_rows[i] += more;
		out_rows[rest] -= more;
		spare -= more;
	}
}

/*
 * The rows of panes one above the other: what each has to show, frame included.  The inspector,
 * or else the first, gets what the others leave: half of the rows at least, or a third while one
 * of the others has the keys, but no more than it can fill while another is cut.  The one with the
 * keys is served first.
 */
static void share_rows(struct screen *s, const enum pane_id *panes, size_t count, struct box box,
		       int *out_rows)
{
	size_t rest = 0, favoured = count;
	bool served[PANE_COUNT] = {0};
	int left;

	for (size_t i = 0; i < count; i++) {
		rest = panes[i] == PANE_INSPECTOR ? i : rest;
		favoured = panes[i] == s->active ? i : favoured;
	}
	left = favoured < count && favoured != rest ? box.height * 2 / 3 : box.height / 2;
	out_rows[rest] = box.height;
	served[rest] = true;
	for (size_t i = 0; i <= count; i++) {
		size_t at = i == 0 ? favoured : i - 1;
		int rows, wanted;

		if (at == count || served[at])
			continue;
		served[at] = true;
		wanted = pane_rows(&s->panes[panes[at]], box.width - 2) + FRAME;
		rows = MIN(wanted, left - rows_for_others(panes, count, served));
		/* A frame alone still counts symbols and problems; the map's says nothing. */
		if (rows < FRAME ||
		    (rows < wanted && rows == FRAME && pane_row(panes[at])->place == PLACE_SPARE))
			rows = 0;
		out_rows[at] = rows;
		out_rows[rest] -= out_rows[at];
		left -= out_rows[at];
	}
	share_spare(s, panes, count, box.width - 2, rest, out_rows);
}

/* The panes of a side, from top to bottom. */
static void draw_side(struct screen *s, enum pane_place side, struct box box)
{
	enum pane_id panes[PANE_COUNT];
	int rows[PANE_COUNT], y = box.y;
	size_t count = 0;

	for (int i = 0; i < PANE_COUNT; i++) {
		if (stands_at(s, (enum pane_id)i, side))
			panes[count++] = (enum pane_id)i;
	}
	share_rows(s, panes, count, box, rows);
	for (size_t i = 0; i < count; i++) {
		enum pane_id pane = panes[i];

		if (pane == PANE_INSPECTOR && pane_row(s->active)->place == PLACE_GUEST)
			pane = s->active;
		draw_pane(s, pane, (struct box){box.x, y, box.width, rows[i]});
		y += rows[i];
	}
}

/* The width of a side, or 0 if it is empty: PLACE_SPARE panes alone do not open it. */
static int side_width(const struct screen *s, enum pane_place side, int wide, int usual)
{
	for (int i = 0; i < PANE_COUNT; i++) {
		if (s->wanted[i] && pane_row((enum pane_id)i)->place == side)
			return s->canvas.width >= WIDE ? wide : usual;
	}
	return 0;
}

bool screen_is_narrow(const struct screen *s)
{
	return s->alone || s->canvas.width < SCREEN_NARROW;
}

static int width_at_left(const struct screen *s)
{
	bool over = screen_is_narrow(s) || s->canvas.width < SCREEN_LEFT;

	return over ? 0 : side_width(s, PLACE_LEFT, LEFT_WIDE, LEFT);
}

static int width_at_right(const struct screen *s)
{
	return screen_is_narrow(s) ? 0 : side_width(s, PLACE_RIGHT, RIGHT_WIDE, RIGHT);
}

static struct box arrange_body(const struct screen *s)
{
	return (struct box){0, 1, s->canvas.width, s->canvas.height - 3};
}

static struct box arrange_graph(const struct screen *s)
{
	struct box b = arrange_body(s);

	b.x += width_at_left(s);
	b.width -= width_at_left(s) + width_at_right(s);
	return b;
}

struct box screen_graph_box(const struct screen *s)
{
	return arrange_inner(arrange_graph(s));
}

static void draw_wide(struct screen *s, struct box body)
{
	bool over = s->canvas.width < SCREEN_LEFT;
	int left = width_at_left(s), right = width_at_right(s);

	if (left)
		draw_side(s, PLACE_LEFT, (struct box){body.x, body.y, left, body.height});
	draw_pane(s, PANE_GRAPH, arrange_graph(s));
	if (right)
		draw_side(s, PLACE_RIGHT,
			  (struct box){body.x + body.width - right, body.y, right, body.height});
	if (over && pane_row(s->active)->place == PLACE_LEFT)
		draw_pane(s, s->active, (struct box){body.x, body.y, LEFT_OVER, body.height});
}

static void draw_narrow(struct screen *s, struct box body)
{
	draw_pane(s, PANE_GRAPH, body);
	if (s->active != PANE_GRAPH) {
		int width = MIN(body.width, MAX(MIN(body.width * 3 / 5, NARROW_WIDEST), 34));
		int height = body.height;

		/* What is a list and no more is as tall as that. */
		if (pane_row(s->active)->place == PLACE_GUEST)
			height = MIN(height,
				     MAX(pane_rows(&s->panes[s->active], width - 2), 1) + FRAME);
		draw_pane(s, s->active,
			  (struct box){body.x + body.width - width, body.y, width, height});
	}
}

bool screen_is_covered(const struct screen *s)
{
	return s->active != PANE_GRAPH &&
	       (screen_is_narrow(s) ||
		(s->canvas.width < SCREEN_LEFT && pane_row(s->active)->place == PLACE_LEFT));
}

/* ---- the panes that are hidden, in a frame ---- */

/* How little room names take. */
static const struct hidden_style {
	bool brief;
	const char *gap;
} hidden_styles[] = {{false, "  "}, {false, " "}, {true, "  "}, {true, " "}};

/* The first `names` have their names, the other panes their keys alone. */
static void add_hidden(const struct screen *s, struct hidden_style style, int names,
		       struct str *out)
{
	for (int i = 0; i < PANE_COUNT; i++) {
		const struct pane_row *row = pane_row((enum pane_id)i);

		if (s->panes[i].box.width)
			continue;
		str_text(out, out->len ? style.gap : " ");
		str_text(out, row->key);
		if (names-- > 0)
			str_format(out, " %s", style.brief ? row->brief : row->name);
	}
	str_text(out, out->len ? " " : "");
}

/* Names are shortened before any is left out: the last, which are the least used. */
static void fit_hidden(const struct screen *s, int columns, struct str *out)
{
	const size_t last = ARRAY_LEN(hidden_styles) - 1;

	for (size_t i = 0; i <= last; i++) {
		str_clear(out);
		add_hidden(s, hidden_styles[i], PANE_COUNT, out);
		if ((int)out->len <= columns)
			return;
	}
	for (int names = PANE_COUNT; names >= 0 && (int)out->len > columns; names--) {
		str_clear(out);
		add_hidden(s, hidden_styles[last], names, out);
	}
	if ((int)out->len > columns)
		str_clear(out);
}

/* The frame at the bottom right, if all names have room there, else that of the graph. */
static int hidden_at(const struct screen *s, struct box body)
{
	int right = width_at_right(s);
	struct box left = s->panes[s->active].box, graph = s->panes[PANE_GRAPH].box;
	struct str text = {0};
	bool fits;

	add_hidden(s, hidden_styles[0], PANE_COUNT, &text);
	fits = (int)text.len + FRAME + 2 <= right;
	str_release(&text);
	if (fits)
		return body.x + body.width - right + 2;
	if (screen_is_covered(s) && left.x <= graph.x)
		return left.x + left.width + 2;
	return graph.x + 1;
}

/* `1 outline  6 map  7 history`, from x on, over what is only border. */
static void draw_hidden(struct screen *s, int x, int y)
{
	uint32_t border = canvas_mark(&s->canvas, 0x2500);
	struct str text = {0};
	int columns = 0;

	while (x + columns < s->canvas.width - 2 &&
	       canvas_at(&s->canvas, x + columns, y)->code == border)
		columns++;
	fit_hidden(s, columns - 1, &text);
	canvas_text(&s->canvas, x, y, columns, str_sv(&text), STYLE_DIM);
	str_release(&text);
}

static void draw_overlay(struct screen *s, struct box body)
{
	int width = MIN(MIN(body.width, MAX(body.width * 4 / 5, 70)), WIDEST_OVERLAY);
	int height = MIN(body.height, MAX(body.height * 4 / 5, MIN(body.height, 16)));
	struct str title = {0};
	struct box box;

	/* As large as what it has to say, if that is known and less. */
	if (s->over.kind->wants) {
		height = MIN(height, s->over.kind->wants(&s->over, width - FRAME) + FRAME);
		width = MIN(width, MAX(pane_columns(&s->over), OVERLAY_LEAST) + FRAME);
	}
	box = (struct box){body.x + (body.width - width) / 2, body.y + (body.height - height) / 2,
			   width, height};
	s->canvas.ground = STYLE_OVERLAY;
	canvas_fill(&s->canvas, box, ' ', STYLE_OVERLAY);
	str_text(&title, s->over.kind->title);
	if (s->over.kind->where)
		s->over.kind->where(&s->over, &title);
	canvas_popup(&s->canvas, box, str_sv(&title), STYLE_TITLE);
	str_release(&title);
	s->over.box = arrange_inner(box);
	s->over.active = true;
	pane_draw(&s->over);
	s->canvas.ground = STYLE_TEXT;
}

void screen_draw(struct screen *s)
{
	struct box body = arrange_body(s);

	s->working = false;
	canvas_clear(&s->canvas);
	for (int i = 0; i < PANE_COUNT; i++)
		s->panes[i].box = (struct box){0};
	if (s->canvas.width < MIN_WIDTH || s->canvas.height < MIN_HEIGHT) {
		canvas_text(&s->canvas, 0, 0, s->canvas.width, SV("window too small"), STYLE_TEXT);
		return;
	}
	graph_prepare(s);
	screen_speak(s, true);
	if (screen_is_narrow(s))
		draw_narrow(s, body);
	else
		draw_wide(s, body);
	header_draw(s); /* knows which panes are hidden */
	draw_hidden(s, hidden_at(s, body), body.y + body.height - 1);
	if (s->overlay != OVERLAY_NONE)
		draw_overlay(s, body);
	if (s->overlay == OVERLAY_NONE && !s->prompt.open)
		hint_draw_following(s, s->canvas.height - 2);
	hint_draw_candidates(s, s->canvas.height - 2);
	bottom_draw(s);
	screen_speak(s, false);
}
