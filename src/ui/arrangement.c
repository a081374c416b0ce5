/*
 * Arranges the screen: panes according to the width, one line above them, two below.
 */
#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "infer/finding.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ui/canvas.h"
#include "ui/graph/graph.h"
#include "ui/hint.h"
#include "ui/panes/problems.h"
#include "ui/paragraph.h"
#include "ui/prompt.h"
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

/* ---- the lines above and below ---- */

static void screen_changes(const struct screen *s, const char *before, const char *one,
			   const char *more, struct str *out)
{
	str_text(out, before);
	str_count(out, s->subject.changed_count);
	str_format(out, " %s", s->subject.changed_count == 1 ? one : more);
}

/* The weights are told where there is room: before what changes the meaning of the rest. */
static void header_add_weights(const struct screen *s, int width, size_t left,
			       struct str *right)
{
	struct str both = {0};

	str_add(&both, str_sv(&s->weights));
	/* Some of it begins with its own. */
	str_text(&both, right->len > 1 && !sv_starts(str_sv(right), SV(" ")) ? "  " : "");
	str_add(&both, str_sv(right));
	if (s->weights.len && left + 2 + utf8_width(str_sv(&both)) <= (size_t)width) {
		str_clear(right);
		str_add(right, str_sv(&both));
	}
	str_release(&both);
}

/*
 * ✗ 1 ! 1 at the right, while the pane that lists them is hidden; notes are not worth a warning.
 * Returns the columns.
 */
static int draw_header_problems(struct screen *s)
{
	struct str text = {0};
	int at = s->canvas.width, widest = s->canvas.width / 2;

	if (s->panes[PANE_PROBLEMS].box.width)
		return 0;
	s->canvas.ground = STYLE_HEADER;
	for (enum gravity i = GRAVITY_NOTE; i-- > 0;) {
		size_t count = problems_count(s, i);
		int columns;

		if (!count)
			continue;
		str_clear(&text);
		str_format(&text, " %s%zu ", gravity_mark(i), count);
		columns = (int)utf8_width(str_sv(&text));
		if (s->canvas.width - at + columns > widest)
			break;
		at -= columns;
		canvas_text(&s->canvas, at, 0, columns, str_sv(&text), gravity_style(i));
	}
	s->canvas.ground = STYLE_TEXT;
	str_release(&text);
	return s->canvas.width - at;
}

/* Of the main graph and of bodies, as everywhere. */
static size_t header_nodes(const struct model *m)
{
	size_t count = 0;

	for (size_t i = 0; i < m->graphs.len; i++) {
		if (m->graphs.at[i].kind != GRAPH_FUNCTION)
			count += m->graphs.at[i].nodes.len;
	}
	return count;
}

static void header_tell_model(const struct screen *s, struct sv path, struct str *out)
{
	const struct model *m = s->subject.model;
	const struct graph *g = &m->graphs.at[0];
	size_t nodes = header_nodes(m);

	str_text(out, " ");
	str_add_shown(out, path);
	str_format(out, "  opset %" PRId64 "  ", model_opset(m, 0, SV("")));
	str_count(out, nodes);
	str_format(out, " node%s  %zu input%s  %zu output%s", nodes == 1 ? "" : "s",
		   g->inputs.len, g->inputs.len == 1 ? "" : "s", g->outputs.len,
		   g->outputs.len == 1 ? "" : "s");
}

static void draw_header(struct screen *s)
{
	struct str left = {0}, right = {0};
	bool refused = s->subject.preview && s->prompt.bad;
	int width = s->canvas.width - draw_header_problems(s);

	for (size_t i = 0; i < s->subject.tried_count; i++) {
		str_text(&right, i ? " " : "try ");
		str_add_shown(&right, s->subject.tried[i].name);
		str_format(&right, "=%" PRId64, s->subject.tried[i].size);
	}
	if (refused)
		screen_changes(s, "  refused: ", "shape would change", "shapes would change",
			       &right);
	else if (s->subject.preview)
		screen_changes(s, "  preview: ", "shape changes", "shapes change", &right);
	else if (s->subject.modified)
		str_text(&right, s->canvas.ascii ? "  *modified" : "  \u25cfmodified");
	str_text(&right, " ");
	header_tell_model(s, s->subject.path, &left);
	/* The folders are what one knows. */
	if (utf8_width(str_sv(&left)) + utf8_width(str_sv(&right)) > (size_t)width) {
		str_clear(&left);
		header_tell_model(s, sv_after_last(s->subject.path, '/'), &left);
	}
	if (!refused)
		header_add_weights(s, width, utf8_width(str_sv(&left)), &right);
	canvas_fill(&s->canvas, (struct box){0, 0, width, 1}, ' ', STYLE_HEADER);
	/* The right part changes the meaning of everything else, so it is never cut. */
	canvas_text(&s->canvas, 0, 0,
		    width - (int)MIN(utf8_width(str_sv(&right)), (size_t)width / 2), str_sv(&left),
		    STYLE_HEADER);
	canvas_right(&s->canvas, 0, 0, width, str_sv(&right),
		     refused ? STYLE_PROMPT_BAD : STYLE_HEADER);
	str_release(&left);
	str_release(&right);
}

int screen_cursor(const struct screen *s)
{
	const struct prompt *p = &s->prompt;
	int label = (int)utf8_width(str_sv(&p->label));
	int cursor = (int)utf8_width((struct sv){str_c(&p->text), p->cursor});

	return MIN(label + cursor, s->canvas.width - 2);
}

static void draw_prompt(struct screen *s, int y)
{
	const struct prompt *p = &s->prompt;
	enum style style = p->bad ? STYLE_PROMPT_BAD : STYLE_PROMPT;
	int width = s->canvas.width, used;
	int cursor = (int)utf8_width((struct sv){str_c(&p->text), p->cursor});
	size_t skip = 0;

	canvas_fill(&s->canvas, (struct box){0, y, width, 1}, ' ', style);
	used = canvas_text(&s->canvas, 0, y, width, str_sv(&p->label), STYLE_STATUS);
	/* Long text scrolls to keep the cursor visible. */
	while (cursor - (int)utf8_width((struct sv){str_c(&p->text), skip}) > width - used - 2 &&
	       skip < p->text.len)
		skip += utf8_next(sv_skip(str_sv(&p->text), skip)).len;
	s->canvas.ground = p->selected ? STYLE_POINTED : STYLE_TEXT;
	used += canvas_text(&s->canvas, used, y, width - used, sv_skip(str_sv(&p->text), skip),
			    p->selected ? STYLE_TEXT : style);
	s->canvas.ground = STYLE_TEXT;
	if (p->hint.len && width - used > 4)
		canvas_right(&s->canvas, used + 2, y, width - used - 3, str_sv(&p->hint), style);
}

/* [64, 3, 7, 7] */
static void tensor_shape_text(const struct tensor *t, struct str *out)
{
	uint32_t shown = MIN(t->rank, 16);

	str_char(out, '[');
	for (uint32_t i = 0; i < shown; i++)
		str_format(out, "%s%" PRId64, i ? ", " : "", t->dims[i]);
	str_text(out, shown < t->rank || t->rank_lost ? ", \u2026]" : "]");
}

/* Returns the columns used. */
static int draw_status(struct screen *s, int y)
{
	const struct model *m = s->subject.model;
	const struct graph *g = &m->graphs.at[s->graph];
	struct str text = {0};
	uint32_t value = s->value;
	int used;

	canvas_fill(&s->canvas, (struct box){0, y, s->canvas.width, 1}, ' ', STYLE_STATUS);
	str_text(&text, " ");
	if (screen_weight(s)) {
		const struct tensor *t = &m->tensors.at[screen_weight(s)];

		str_text(&text, "weight  ");
		str_add_shown(&text, t->name ? model_name(m, t->name) : SV("constant"));
		str_text(&text, "  ");
		tensor_shape_text(t, &text);
		str_format(&text, " %s", elem_short(t->elem));
		value = 0;
	} else if (s->scope && graph_scopes(s)) {
		fold_title(s, graph_scopes(s), s->scope, &text);
		str_text(&text, "  ");
		str_count(&text, graph_scopes(s)->at[s->scope].node_count);
		str_text(&text, " nodes");
	} else if (s->node) {
		const struct node *n = &m->nodes.at[s->node];

		str_add_shown(&text, model_name(m, n->op));
		str_text(&text, "  ");
		str_add_shown(&text, node_label(m, s->node));
		value = n->output_count ? n->outputs[0] : 0;
	} else if (value) {
		str_add_shown(&text, model_name(m, m->values.at[value].name));
	}
	if (value) {
		str_text(&text, "  ");
		shape_text(s, &s->subject.infer->infos[value], &text);
		str_format(&text, " %s", elem_short(s->subject.infer->infos[value].elem));
	}
	if (s->node && !s->scope && !screen_weight(s))
		str_format(&text, "   node %" PRIu32 "/%zu", m->nodes.at[s->node].index + 1,
			   g->nodes.len);
	if (s->subject.history_done)
		str_format(&text, "   undo %zu", s->subject.history_done);
	used = canvas_text(&s->canvas, 0, y, s->canvas.width, str_sv(&text), STYLE_STATUS);
	str_release(&text);
	return used;
}

/* The rows that a text takes at the bottom: all of it can be read while it stands. */
static int bottom_rows(const struct screen *s, struct sv text, int width)
{
	enum {
		MOST = 6
	};
	struct str shown = {0};
	struct sv rest;
	int rows = 0;

	str_add_shown(&shown, text);
	for (rest = str_sv(&shown); rest.len; rows++) {
		size_t next;

		(void)wrap_line(rest, (size_t)MAX(width, 1), WRAP_TEXT, &next);
		rest = sv_skip(rest, next);
	}
	str_release(&shown);
	return MAX(MIN(rows, MIN(MOST, s->canvas.height / 3)), 1);
}

/* A message lies over the rows above it if it is long. */
static void draw_message(struct screen *s, struct sv text, enum style style, int y)
{
	int width = s->canvas.width, rows = bottom_rows(s, text, width - 2);

	canvas_fill(&s->canvas, (struct box){0, y - rows + 1, width, rows}, ' ', style);
	draw_flow(&s->canvas, (struct box){1, y - rows + 1, width - 2, rows}, text, style);
}

/* What is wrong with the typed text, and its offer, have rows of their own under it. */
static int why_width(const struct screen *s)
{
	const struct str *offer = &s->prompt.offer;

	return s->canvas.width - 4 - (offer->len ? (int)utf8_width(str_sv(offer)) + 2 : 0);
}

static int why_rows(const struct screen *s)
{
	if (!s->prompt.open || !s->prompt.why.len || s->busy.len || s->notice.len)
		return 1;
	return bottom_rows(s, str_sv(&s->prompt.why), why_width(s));
}

int screen_prompt_row(const struct screen *s)
{
	return s->canvas.height - 1 - why_rows(s);
}

static void draw_why(struct screen *s, int y)
{
	const struct str *offer = &s->prompt.offer;
	int width = s->canvas.width, rows = why_rows(s), room = MAX(why_width(s), 1);

	y -= rows - 1;
	canvas_fill(&s->canvas, (struct box){0, y, width, rows}, ' ', STYLE_NOTICE_BAD);
	canvas_put(&s->canvas, 1, y, 0x2717, STYLE_NOTICE_BAD);
	draw_flow(&s->canvas, (struct box){3, y, room, rows}, str_sv(&s->prompt.why),
		  STYLE_NOTICE_BAD);
	if (offer->len && room + 4 < width)
		canvas_right(&s->canvas, room + 4, y + rows - 1, width - room - 5, str_sv(offer),
			     STYLE_NOTICE_BAD);
}

/* What happened: beside what is selected, from column `used` on, or instead of it. */
static void draw_notice(struct screen *s, int y, const struct str *text, int used)
{
	enum style style = s->notice_bad ? STYLE_NOTICE_BAD : STYLE_NOTICE;
	int width = s->canvas.width;

	if (used + 4 + (int)utf8_width(str_sv(text)) <= width) {
		canvas_right(&s->canvas, 0, y, width - 1, str_sv(text), style);
		return;
	}
	draw_message(s, str_sv(text), style, y);
}

static void draw_bottom(struct screen *s)
{
	int y = s->canvas.height - 1, width = s->canvas.width;
	const struct str *text = s->busy.len ? &s->busy : &s->notice;

	if (s->prompt.open)
		draw_prompt(s, screen_prompt_row(s));
	else if (text->len)
		draw_notice(s, y - 1, text, draw_status(s, y - 1));
	else
		(void)draw_status(s, y - 1);
	/* The typed text stays in sight. */
	if (s->prompt.open && text->len) {
		draw_message(s, str_sv(text), s->notice_bad ? STYLE_NOTICE_BAD : STYLE_NOTICE, y);
		return;
	}
	if (s->prompt.open && s->prompt.why.len) {
		draw_why(s, y);
		return;
	}
	canvas_fill(&s->canvas, (struct box){0, y, width, 1}, ' ', STYLE_KEYS);
	hint_draw(s, y, width - 2 - (int)s->pending.len - 1);
	canvas_right(&s->canvas, 0, y, width - 1, str_sv(&s->pending), STYLE_BRIGHT);
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
	draw_header(s); /* knows which panes are hidden */
	draw_hidden(s, hidden_at(s, body), body.y + body.height - 1);
	if (s->overlay != OVERLAY_NONE)
		draw_overlay(s, body);
	if (s->overlay == OVERLAY_NONE && !s->prompt.open)
		hint_draw_following(s, s->canvas.height - 2);
	hint_draw_candidates(s, s->canvas.height - 2);
	draw_bottom(s);
	screen_speak(s, false);
}
