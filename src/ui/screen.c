#include "ui/screen.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "layout/scope.h"
#include "sym/text.h"

static const struct pane_kind *const kinds[PANE_COUNT] = {
	[PANE_OUTLINE] = &outline_pane,     [PANE_GRAPH] = &graph_pane,
	[PANE_INSPECTOR] = &inspector_pane, [PANE_SYMBOLS] = &symbols_pane,
	[PANE_PROBLEMS] = &problems_pane,   [PANE_MAP] = &map_pane,
	[PANE_HISTORY] = &history_pane,     [PANE_OPS] = &ops_pane,
	[PANE_METADATA] = &metadata_pane,
};

static const struct overlay_kind *const overlays[OVERLAY_COUNT] = {
	[OVERLAY_HELP] = &help_overlay, [OVERLAY_PALETTE] = &palette_overlay,
	[OVERLAY_WHY] = &why_overlay,   [OVERLAY_START] = &start_overlay,
	[OVERLAY_PAGE] = &page_overlay,
};

enum {
	LEAST_WIDTH = 20,
	LEAST_HEIGHT = 6,
	NARROW = 100, /* below: the graph, and one pane over it */
	WIDE = 160,   /* from here on: everything */
	WIDEST_OVERLAY = 120
};

const struct pane_kind *pane_kind(enum pane_id pane)
{
	return kinds[pane];
}

bool pane_find(struct sv name, enum pane_id *out)
{
	static const char *const names[PANE_COUNT] = {
		[PANE_OUTLINE] = "outline",     [PANE_GRAPH] = "graph",
		[PANE_INSPECTOR] = "inspector", [PANE_SYMBOLS] = "symbols",
		[PANE_PROBLEMS] = "problems",   [PANE_MAP] = "map",
		[PANE_HISTORY] = "history",     [PANE_OPS] = "ops",
		[PANE_METADATA] = "metadata",
	};
	int64_t number;

	if (sv_int(name, &number) && number >= 1 && number <= PANE_COUNT) {
		*out = (enum pane_id)(number - 1);
		return true;
	}
	for (int i = 0; i < PANE_COUNT; i++) {
		if (sv_is(name, names[i])) {
			*out = (enum pane_id)i;
			return true;
		}
	}
	return false;
}

/* ---- life ---- */

void screen_init(struct screen *s, int width, int height)
{
	*s = (struct screen){.active = PANE_GRAPH};
	canvas_resize(&s->canvas, width, height);
	for (int i = 0; i < PANE_COUNT; i++) {
		s->panes[i] = kinds[i]->create ? kinds[i]->create() : NULL;
		s->wanted[i] = i <= PANE_MAP;
	}
}

static void close_overlay(struct screen *s)
{
	if (s->overlay != OVERLAY_NONE && overlays[s->overlay]->destroy)
		overlays[s->overlay]->destroy(s->overlay_state);
	s->overlay_state = NULL;
	s->overlay = OVERLAY_NONE;
}

void screen_release(struct screen *s)
{
	close_overlay(s);
	for (int i = 0; i < PANE_COUNT; i++) {
		if (kinds[i]->destroy)
			kinds[i]->destroy(s->panes[i]);
	}
	canvas_release(&s->canvas);
	prompt_release(&s->prompt);
	str_release(&s->notice);
	str_release(&s->pending);
	str_release(&s->line);
	str_release(&s->busy);
	str_release(&s->page);
	str_release(&s->chosen);
	map_release(&s->input_symbols);
	map_release(&s->symbol_styles);
	vec_release(&s->search.nodes);
	str_release(&s->search.text);
}

void screen_resize(struct screen *s, int width, int height)
{
	bool ascii = s->canvas.ascii;

	canvas_resize(&s->canvas, width, height);
	s->canvas.ascii = ascii;
}

/* Symbols get their styles in the order in which the inputs declare them. */
static void style_symbols(struct screen *s)
{
	const struct model *m = s->subject.model;
	uint32_t count = 0;

	map_release(&s->input_symbols);
	for (size_t i = 0; i < m->graphs.at[0].inputs.len; i++) {
		const struct info *info = &s->subject.infer->infos[m->graphs.at[0].inputs.at[i]];
		uint32_t symbol, *place;

		for (uint32_t j = 0; info->ranked && j < info->rank; j++) {
			if (!sym_symbol_id(&s->subject.infer->pool, info->dims[j], &symbol))
				continue;
			place = map_at(&s->input_symbols, symbol);
			if (*place == 0)
				*place = ++count;
		}
	}
}

/* What an edit took away cannot stay selected. */
static void check_selection(struct screen *s)
{
	const struct model *m = s->subject.model;

	if (s->node >= m->nodes.len || m->nodes.at[s->node].dead)
		s->node = 0;
	if (s->value >= m->values.len || m->values.at[s->value].flags & VALUE_DEAD)
		s->value = 0;
	if (s->graph >= m->graphs.len)
		s->graph = 0;
}

void screen_renew(struct screen *s, const struct subject *subject)
{
	s->subject = *subject;
	s->renewed++;
	check_selection(s);
	style_symbols(s);
	for (int i = 0; i < PANE_COUNT; i++) {
		if (kinds[i]->renew)
			kinds[i]->renew(s, s->panes[i]);
	}
}

/* ---- lists ---- */

void list_fit(struct list *l, size_t rows)
{
	if (l->at >= l->count)
		l->at = l->count ? l->count - 1 : 0;
	if (l->at < l->top)
		l->top = l->at;
	if (rows && l->at >= l->top + rows)
		l->top = l->at - rows + 1;
	if (rows && l->top + rows > l->count)
		l->top = l->count > rows ? l->count - rows : 0;
}

void list_move(struct list *l, enum motion motion, size_t rows)
{
	size_t steps[MOTION_COUNT] = {
		[MOTION_UP] = 1,
		[MOTION_DOWN] = 1,
		[MOTION_PAGE_UP] = rows > 1 ? rows - 1 : 1,
		[MOTION_PAGE_DOWN] = rows > 1 ? rows - 1 : 1,
		[MOTION_HALF_UP] = rows / 2 + 1,
		[MOTION_HALF_DOWN] = rows / 2 + 1,
		[MOTION_FIRST] = l->count,
		[MOTION_LAST] = l->count,
	};
	bool up = motion == MOTION_UP || motion == MOTION_PAGE_UP || motion == MOTION_HALF_UP ||
		  motion == MOTION_FIRST;

	if (up)
		l->at -= MIN(steps[motion], l->at);
	else
		l->at += steps[motion];
	list_fit(l, rows);
}

int list_row(struct screen *s, struct box inside, const struct list *l, size_t i, bool active)
{
	int y = inside.y + (int)(i - l->top);

	s->canvas.ground = STYLE_TEXT;
	if (i == l->at) {
		s->canvas.ground = active ? STYLE_SELECTED : STYLE_SELECTED_IDLE;
		canvas_fill(&s->canvas, (struct box){inside.x, y, inside.width, 1}, ' ',
			    STYLE_TEXT);
	}
	return y;
}

/* ---- what panes ask ---- */

bool value_changed(const struct screen *s, uint32_t value)
{
	return s->subject.changed && value < s->subject.changed_len && s->subject.changed[value];
}

bool node_changed(const struct screen *s, uint32_t node)
{
	const struct node *n = &s->subject.model->nodes.at[node];

	for (uint32_t i = 0; i < n->output_count; i++) {
		if (n->outputs[i] && value_changed(s, n->outputs[i]))
			return true;
	}
	return false;
}

enum level node_level(const struct screen *s, uint32_t node)
{
	const struct infer *in = s->subject.infer;
	enum level gravest = LEVEL_COUNT;

	for (size_t i = 0; node && i < in->findings.len; i++) {
		if (in->findings.at[i].node == node && in->findings.at[i].level < gravest)
			gravest = in->findings.at[i].level;
	}
	return gravest;
}

enum style level_style(enum level level)
{
	if (level <= LEVEL_PIN)
		return STYLE_CONFLICT;
	return level <= LEVEL_LOSS ? STYLE_WARNING : STYLE_INFO;
}

struct sv node_label(const struct model *m, uint32_t node)
{
	const struct node *n = &m->nodes.at[node];

	if (n->name)
		return model_name(m, n->name);
	for (uint32_t i = 0; i < n->output_count; i++) {
		if (n->outputs[i])
			return model_name(m, m->values.at[n->outputs[i]].name);
	}
	return model_name(m, n->op);
}

/* ---- where everything stands ---- */

static struct box inner(struct box b)
{
	return (struct box){b.x + 1, b.y + 1, MAX(b.width - 2, 0), MAX(b.height - 2, 0)};
}

static void draw_pane(struct screen *s, enum pane_id pane, struct box box)
{
	bool active = s->active == pane;
	struct str title = {0};

	if (box.width < 4 || box.height < 3)
		return;
	s->boxes[pane] = inner(box);
	if (pane <= PANE_MAP)
		str_format(&title, "%d ", pane + 1);
	str_text(&title, kinds[pane]->title);
	if (kinds[pane]->where)
		kinds[pane]->where(s, s->panes[pane], &title);
	s->canvas.ground = STYLE_TEXT;
	s->canvas.target = 0;
	canvas_fill(&s->canvas, box, ' ', STYLE_TEXT);
	canvas_frame(&s->canvas, box, str_sv(&title), active ? STYLE_FRAME_ACTIVE : STYLE_FRAME,
		     STYLE_TITLE);
	kinds[pane]->draw(s, s->panes[pane], s->boxes[pane], active);
	s->canvas.ground = STYLE_TEXT;
	s->canvas.target = 0;
	str_release(&title);
}

/* The panes of the right column, from top to bottom, with their shares of the rows. */
static void draw_column(struct screen *s, struct box box)
{
	static const struct {
		enum pane_id pane;
		int share, least;
	} column[] = {{PANE_INSPECTOR, 6, 8},
		      {PANE_SYMBOLS, 3, 4},
		      {PANE_PROBLEMS, 3, 4},
		      {PANE_MAP, 3, 6}};
	enum pane_id panes[ARRAY_LEN(column)];
	int shares = 0, left = box.height, y = box.y;
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_LEN(column); i++) {
		bool fits = column[i].pane != PANE_MAP || s->canvas.width >= WIDE ||
			    s->active == PANE_MAP;

		if (!s->wanted[column[i].pane] || !fits)
			continue;
		panes[count++] = column[i].pane;
		shares += column[i].share;
	}
	for (size_t i = 0; i < count; i++) {
		enum pane_id pane = panes[i];
		int share = pane == PANE_INSPECTOR ? 6 : 3;
		int height = i + 1 == count ? left : MAX(box.height * share / shares, 3);

		/* History, operators and metadata take the inspector's place. */
		if (pane == PANE_INSPECTOR && s->active > PANE_MAP)
			pane = s->active;
		draw_pane(s, pane, (struct box){box.x, y, box.width, MIN(height, left)});
		y += height;
		left -= height;
	}
}

static bool column_wanted(const struct screen *s)
{
	return s->wanted[PANE_INSPECTOR] || s->wanted[PANE_SYMBOLS] || s->wanted[PANE_PROBLEMS];
}

static void draw_wide(struct screen *s, struct box body)
{
	bool wide = s->canvas.width >= WIDE;
	int outline = s->wanted[PANE_OUTLINE] ? (wide ? 30 : 26) : 0;
	int column = column_wanted(s) ? (wide ? 46 : 36) : 0;

	if (outline)
		draw_pane(s, PANE_OUTLINE, (struct box){body.x, body.y, outline, body.height});
	draw_pane(
		s, PANE_GRAPH,
		(struct box){body.x + outline, body.y, body.width - outline - column, body.height});
	if (column)
		draw_column(
			s, (struct box){body.x + body.width - column, body.y, column, body.height});
}

static void draw_narrow(struct screen *s, struct box body)
{
	draw_pane(s, PANE_GRAPH, body);
	if (s->active != PANE_GRAPH) {
		int width = MIN(body.width, MAX(body.width * 3 / 5, 34));

		draw_pane(s, s->active,
			  (struct box){body.x + body.width - width, body.y, width, body.height});
	}
}

/* ---- the lines above and below ---- */

static void draw_header(struct screen *s)
{
	const struct model *m = s->subject.model;
	const struct graph *g = &m->graphs.at[0];
	struct str left = {0}, right = {0};
	int width = s->canvas.width;

	str_text(&left, " ");
	str_add_shown(&left, s->subject.path);
	str_format(&left, "  opset %" PRId64 "  ", model_opset(m, 0, SV("")));
	str_count(&left, g->nodes.len);
	str_format(&left, " nodes  %zu input%s  %zu output%s", g->inputs.len,
		   g->inputs.len == 1 ? "" : "s", g->outputs.len, g->outputs.len == 1 ? "" : "s");
	for (size_t i = 0; i < s->subject.tried_count; i++) {
		str_text(&right, i ? " " : "try ");
		str_add_shown(&right, s->subject.tried[i].name);
		str_format(&right, "=%" PRId64, s->subject.tried[i].size);
	}
	if (s->subject.preview)
		str_format(&right, "  preview: %zu shapes change", s->subject.changed_count);
	else if (s->subject.modified)
		str_text(&right, s->canvas.ascii ? "  *modified" : "  \u25cfmodified");
	str_text(&right, " ");
	canvas_fill(&s->canvas, (struct box){0, 0, width, 1}, ' ', STYLE_HEADER);
	/* What is on the right changes what everything else means: it is never left out. */
	canvas_text(&s->canvas, 0, 0,
		    width - (int)MIN(utf8_width(str_sv(&right)), (size_t)width / 2), str_sv(&left),
		    STYLE_HEADER);
	canvas_right(&s->canvas, 0, 0, width, str_sv(&right), STYLE_HEADER);
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
	/* Long text scrolls so that the cursor stays in sight. */
	while (cursor - (int)utf8_width((struct sv){str_c(&p->text), skip}) > width - used - 2 &&
	       skip < p->text.len)
		skip += utf8_next(sv_skip(str_sv(&p->text), skip)).len;
	used += canvas_text(&s->canvas, used, y, width - used, sv_skip(str_sv(&p->text), skip),
			    style);
	if (p->hint.len && width - used > 4)
		canvas_right(&s->canvas, used + 2, y, width - used - 3, str_sv(&p->hint),
			     p->bad ? style : STYLE_PROMPT);
}

static void draw_status(struct screen *s, int y)
{
	const struct model *m = s->subject.model;
	const struct graph *g = &m->graphs.at[s->graph];
	struct str text = {0};
	uint32_t value = s->value;

	canvas_fill(&s->canvas, (struct box){0, y, s->canvas.width, 1}, ' ', STYLE_STATUS);
	str_text(&text, " ");
	if (s->node) {
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
	if (s->node)
		str_format(&text, "   node %" PRIu32 "/%zu", m->nodes.at[s->node].index + 1,
			   g->nodes.len);
	if (s->subject.history_done)
		str_format(&text, "   undo %zu", s->subject.history_done);
	canvas_text(&s->canvas, 0, y, s->canvas.width, str_sv(&text), STYLE_STATUS);
	str_release(&text);
}

/* The keys that work now: a prompt and an overlay take all of them; a question names its own. */
static const char *key_hint(const struct screen *s)
{
	switch (s->prompt.open ? s->prompt.kind : 0) {
	case '?':
		return "";
	case '/':
		return "Enter find  Esc cancel  op:Conv dim:seq shape:*x768 is:unknown is:problem";
	case 'e':
		return "Enter apply  Esc cancel  Tab complete, next axis  a name, a number or ?";
	case ':':
	case '=':
		return "Enter run  Esc cancel  Tab complete  Up/Down earlier lines";
	}
	if (s->overlay != OVERLAY_NONE)
		return "Up/Down choose  Enter open  PgUp/PgDn page  Esc close";
	return kinds[s->active]->hint ? kinds[s->active]->hint : "";
}

static void draw_bottom(struct screen *s)
{
	int y = s->canvas.height - 1, width = s->canvas.width;
	enum style notice = s->notice_bad ? STYLE_NOTICE_BAD : STYLE_NOTICE;

	if (s->prompt.open)
		draw_prompt(s, y - 1);
	else
		draw_status(s, y - 1);
	if (s->busy.len || s->notice.len) {
		const struct str *text = s->busy.len ? &s->busy : &s->notice;

		canvas_fill(&s->canvas, (struct box){0, y, width, 1}, ' ', notice);
		canvas_text(&s->canvas, 1, y, width - 2, str_sv(text), notice);
		return;
	}
	canvas_fill(&s->canvas, (struct box){0, y, width, 1}, ' ', STYLE_KEYS);
	canvas_text(&s->canvas, 1, y, width - 2 - (int)s->pending.len - 1, sv_of(key_hint(s)),
		    STYLE_KEYS);
	canvas_right(&s->canvas, 0, y, width - 1, str_sv(&s->pending), STYLE_BRIGHT);
}

static void draw_overlay(struct screen *s, struct box body)
{
	const struct overlay_kind *kind = overlays[s->overlay];
	int width = MIN(MIN(body.width, MAX(body.width * 4 / 5, 70)), WIDEST_OVERLAY);
	int height = MIN(body.height, MAX(body.height * 4 / 5, MIN(body.height, 16)));
	struct box box = {body.x + (body.width - width) / 2, body.y + (body.height - height) / 2,
			  width, height};

	s->canvas.ground = STYLE_OVERLAY;
	canvas_fill(&s->canvas, box, ' ', STYLE_OVERLAY);
	canvas_frame(&s->canvas, box, sv_of(kind->title), STYLE_FRAME_ACTIVE, STYLE_TITLE);
	kind->draw(s, s->overlay_state, inner(box));
	s->canvas.ground = STYLE_TEXT;
}

void screen_draw(struct screen *s)
{
	struct box body = {0, 1, s->canvas.width, s->canvas.height - 3};

	s->working = false;
	canvas_clear(&s->canvas);
	memset(s->boxes, 0, sizeof(s->boxes));
	if (s->canvas.width < LEAST_WIDTH || s->canvas.height < LEAST_HEIGHT) {
		canvas_text(&s->canvas, 0, 0, s->canvas.width, SV("window too small"), STYLE_TEXT);
		return;
	}
	draw_header(s);
	if (s->canvas.width < NARROW)
		draw_narrow(s, body);
	else
		draw_wide(s, body);
	if (s->overlay != OVERLAY_NONE)
		draw_overlay(s, body);
	draw_bottom(s);
}

/* ---- what keys and lines do ---- */

void screen_move(struct screen *s, enum motion motion)
{
	if (kinds[s->active]->move)
		kinds[s->active]->move(s, s->panes[s->active], motion);
}

bool screen_open(struct screen *s)
{
	return kinds[s->active]->open && kinds[s->active]->open(s, s->panes[s->active]);
}

void screen_leave(struct screen *s)
{
	if (s->notice.len)
		str_clear(&s->notice);
	else if (s->overlay != OVERLAY_NONE)
		close_overlay(s);
	else if (kinds[s->active]->leave && kinds[s->active]->leave(s, s->panes[s->active]))
		return;
	else if (s->active != PANE_GRAPH)
		s->active = PANE_GRAPH;
}

void screen_pane(struct screen *s, enum pane_id pane)
{
	s->active = pane;
	s->wanted[pane] = true;
}

void screen_jumped(struct screen *s)
{
	if (s->canvas.width < NARROW)
		screen_pane(s, PANE_GRAPH);
}

void screen_next_pane(struct screen *s, int step)
{
	int pane = (int)s->active;

	do {
		pane = (pane + step + PANE_MAP + 1) % (PANE_MAP + 1);
	} while (!s->wanted[pane] && pane != PANE_GRAPH);
	s->active = (enum pane_id)pane;
}

void screen_toggle(struct screen *s, enum pane_id pane)
{
	s->wanted[pane] = !s->wanted[pane];
	if (!s->wanted[pane] && s->active == pane)
		s->active = PANE_GRAPH;
}

static bool pane_at(const struct screen *s, int x, int y, enum pane_id *out)
{
	/* The active one may lie over others. */
	for (int i = -1; i < PANE_COUNT; i++) {
		enum pane_id pane = i < 0 ? s->active : (enum pane_id)i;
		const struct box *b = &s->boxes[pane];

		if (b->width && x >= b->x && x < b->x + b->width && y >= b->y &&
		    y < b->y + b->height) {
			*out = pane;
			return true;
		}
	}
	return false;
}

void screen_click(struct screen *s, int x, int y, bool twice)
{
	const struct glyph *g = canvas_at(&s->canvas, x, y);
	enum pane_id pane;

	if (s->overlay != OVERLAY_NONE || !g || !pane_at(s, x, y, &pane))
		return;
	s->active = pane;
	if (g->target && kinds[pane]->click)
		kinds[pane]->click(s, s->panes[pane], g->target);
	if (twice)
		(void)screen_open(s);
}

void screen_scroll(struct screen *s, int x, int y, enum motion motion)
{
	enum pane_id pane;

	if (!pane_at(s, x, y, &pane))
		return;
	if (kinds[pane]->scroll)
		kinds[pane]->scroll(s, s->panes[pane], motion);
	else if (kinds[pane]->move)
		kinds[pane]->move(s, s->panes[pane], motion);
}

void screen_overlay(struct screen *s, enum overlay overlay)
{
	close_overlay(s);
	s->overlay = overlay;
	if (overlay != OVERLAY_NONE && overlays[overlay]->create)
		s->overlay_state = overlays[overlay]->create();
}

bool screen_overlay_key(struct screen *s, uint32_t key)
{
	const struct overlay_kind *kind = overlays[s->overlay];

	return s->overlay != OVERLAY_NONE && kind->key && kind->key(s, s->overlay_state, key);
}

static void selection_changed(struct screen *s)
{
	for (int i = 0; i < PANE_COUNT; i++) {
		if (kinds[i]->renew)
			kinds[i]->renew(s, s->panes[i]);
	}
}

void screen_select(struct screen *s, uint32_t node)
{
	if (node == 0 || node >= s->subject.model->nodes.len)
		return;
	s->node = node;
	s->value = 0;
	s->graph = s->subject.model->nodes.at[node].graph;
	selection_changed(s);
}

void screen_select_value(struct screen *s, uint32_t value)
{
	const struct value *v = &s->subject.model->values.at[value];

	if (v->producer && !(v->flags & VALUE_OUTPUT)) {
		screen_select(s, v->producer);
		return;
	}
	s->node = 0;
	s->value = value;
	s->graph = v->graph;
	selection_changed(s);
}

void screen_say(struct screen *s, bool bad, const char *format, ...)
{
	char text[500];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	str_clear(&s->notice);
	str_text(&s->notice, text);
	s->notice_bad = bad;
}

void screen_ask(struct screen *s, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	str_clear(&s->line);
	str_text(&s->line, text);
}

bool screen_edit_line(struct screen *s, struct str *out)
{
	if (kinds[s->active]->edit && kinds[s->active]->edit(s, s->panes[s->active], out))
		return true;
	if (kinds[s->active]->edits_alone)
		return false;
	return kinds[PANE_GRAPH]->edit && kinds[PANE_GRAPH]->edit(s, s->panes[PANE_GRAPH], out);
}
