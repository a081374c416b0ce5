/*
 * Pane 4: the symbols, each with its colour, uses, constraints and tried size.
 */
#include "ui/panes/symbols.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/words.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/panes/symbol_list.h"
#include "ui/paragraph.h"
#include "ui/rows.h"

struct symbols {
	struct list list;
	size_t rows_seen;
	struct symbol_list symbols;
};

static void *symbols_pane_create(void)
{
	struct symbols *p = must_alloc(sizeof(*p));

	*p = (struct symbols){0};
	return p;
}

static void symbols_pane_destroy(void *state)
{
	struct symbols *p = state;

	symbol_list_release(&p->symbols);
	free(p);
}

static const struct symbol_row *symbols_pane_selected(const struct symbols *p)
{
	return p->list.at < p->symbols.rows.len ? &p->symbols.rows.at[p->list.at] : NULL;
}

static void select_symbol(struct symbols *p, uint32_t symbol)
{
	const struct symbol_row *r = symbol_list_find(&p->symbols, symbol);

	if (r)
		p->list.at = (size_t)(r - p->symbols.rows.at);
	list_fit(&p->list, p->rows_seen);
}

static void symbols_pane_renew(struct screen *s, void *state)
{
	struct symbols *p = state;
	uint32_t was = symbols_pane_selected(p) ? symbols_pane_selected(p)->symbol : UINT32_MAX;

	if (!symbol_list_renew(&p->symbols, s))
		return;
	p->list.count = p->symbols.rows.len;
	select_symbol(p, was);
}

/* ---- drawing ---- */

struct columns {
	int names, uses;
	bool words; /* `12 uses`, not `x12` */
};

static struct columns symbols_pane_columns_of(const struct symbols *p, int width)
{
	enum {
		MIN_NOTE = 14, /* after two spaces */
		WORD = 5       /* uses */
	};
	int uses = p->symbols.uses_width, note = p->symbols.note_width + 2;
	int room = width - uses - 4 - MIN(note, MIN_NOTE);
	int names = MIN(p->symbols.name_width, MAX(room, MIN(width - 2, 8)));
	bool words = 2 + names + 1 + uses + WORD + note <= width;

	return (struct columns){names, uses + (words ? WORD : 1), words};
}

static void uses_text(const struct symbol_row *r, bool words, struct str *out)
{
	str_text(out, words ? "" : "\u00d7");
	str_count(out, r->uses);
	if (words)
		str_text(out, r->uses == 1 ? " use " : " uses");
}

/* The tried size, then the constraints; returns the columns left, below 0 if cut. */
static int draw_note(struct screen *s, const struct symbol_row *r, int x, int y, int columns)
{
	struct str text = {0};

	if (r->tried && columns > 0) {
		int used;

		str_format(&text, "try %" PRId64 "  ", r->size);
		used = canvas_text(&s->canvas, x, y, columns, str_sv(&text), STYLE_CHANGED);
		x += used;
		columns -= used;
	}
	if (r->note_count && columns > 0)
		canvas_text(&s->canvas, x, y, columns, str_sv(&r->notes[0]),
			    r->pinned ? STYLE_CONFLICT : STYLE_DIM);
	str_release(&text);
	return r->note_count ? columns - (int)utf8_width(str_sv(&r->notes[0])) : 0;
}

/* Returns how many of its notes were shown in full. */
static uint32_t symbols_pane_draw_row(struct screen *s, struct symbols *p, struct box in, size_t i,
				      bool active)
{
	const struct symbol_row *r = &p->symbols.rows.at[i];
	struct columns c = symbols_pane_columns_of(p, in.width);
	int y = list_row(s, in, &p->list, i, active), x = in.x + 2, end = in.x + in.width;
	enum style style = symbol_style(s, r->symbol);
	struct str uses = {0};
	int left;

	canvas_put(&s->canvas, in.x, y, 0x25a0, style);
	canvas_text(&s->canvas, x, y, MIN(c.names, end - x), str_sv(&r->name), style);
	x += c.names + 1;
	uses_text(r, c.words, &uses);
	if (x + c.uses <= end)
		canvas_right(&s->canvas, x, y, c.uses, str_sv(&uses), STYLE_DIM);
	x += c.uses + 2;
	left = draw_note(s, r, x, y, end - x);
	s->canvas.target = 0;
	str_release(&uses);
	return left >= 0 && r->note_count ? 1 : 0;
}

/* `declared by ids:1`; for a symbol made by a node, its meaning and its first use. */
static void origin_text(const struct screen *s, const struct symbol_row *r, struct str *out)
{
	const struct model *m = s->subject.model;
	const struct infer *in = s->subject.infer;
	const struct info *info = &in->infos[r->value];
	uint32_t axis = 0, symbol;

	if (in->pool.symbols.at[r->symbol].source == SYM_GENERATED)
		str_text(out, "known only at run time; ");
	str_text(out,
		 m->values.at[r->value].flags & VALUE_INPUT ? "declared by " : "first seen in ");
	str_add(out, model_cut_name(m, m->values.at[r->value].name));
	while (info->ranked && axis < info->rank &&
	       !(sym_symbol_id(&in->pool, info->dims[axis], &symbol) && symbol == r->symbol))
		axis++;
	if (info->ranked && axis < info->rank)
		str_format(out, ":%" PRIu32, axis);
}

static void symbols_pane_draw_part(struct screen *s, struct box *box, struct sv text,
				   enum style style)
{
	int rows = draw_flow(&s->canvas, *box, text, style);

	box->y += rows;
	box->height -= rows;
}

/* Below the list, if there is room: the origin and constraints of the selected symbol. */
static void symbols_pane_draw_details(struct screen *s, const struct symbols *p, struct box box,
				      uint32_t told)
{
	const struct symbol_row *r = symbols_pane_selected(p);
	struct str origin = {0};

	if (!r || box.height <= 0)
		return;
	s->canvas.ground = STYLE_TEXT;
	for (uint32_t i = told; i < r->note_count && box.height > 0; i++)
		symbols_pane_draw_part(s, &box, str_sv(&r->notes[i]),
				       r->pinned && i == 0 ? STYLE_CONFLICT : STYLE_INFO);
	if (r->value && box.height > 0) {
		origin_text(s, r, &origin);
		symbols_pane_draw_part(s, &box, str_sv(&origin), STYLE_DIM);
	}
	/* Only a named symbol can be tried. */
	if (box.height > 0 && sym_name(&s->subject.infer->pool, r->symbol).len)
		symbols_pane_draw_part(s, &box,
				       r->tried ? SV("h/l try one less, one more")
						: SV("= try a size in every shape"),
				       STYLE_DIM);
	str_release(&origin);
}

static void symbols_pane_draw(struct screen *s, void *state, struct box inside, bool active)
{
	enum {
		ROOMY = 6 /* rows from which two are kept for the selected symbol */
	};
	struct symbols *p = state;
	int max = inside.height >= ROOMY ? inside.height - 2 : MAX(inside.height, 0);
	int rows = (int)MIN(p->list.count, (size_t)max), gap;
	uint32_t told = 0;

	p->rows_seen = (size_t)rows;
	if (p->list.count == 0)
		draw_flow(&s->canvas, inside, SV("no symbols: every size is fixed or unknown"),
			  STYLE_DIM);
	list_fit(&p->list, p->rows_seen);
	for (int i = 0; i < rows; i++) {
		size_t row = p->list.top + (size_t)i;
		uint32_t seen = symbols_pane_draw_row(s, p, inside, row, active);

		if (row == p->list.at)
			told = seen;
	}
	draw_more(s, inside, &p->list, rows);
	gap = inside.height - rows > 2;
	if (inside.width > 3)
		symbols_pane_draw_details(s, p,
					  (struct box){inside.x + 2, inside.y + rows + gap,
						       inside.width - 2,
						       inside.height - rows - gap},
					  told);
}

static void symbols_pane_where(struct screen *s, void *state, struct str *out)
{
	const struct symbols *p = state;

	(void)s;
	if (p->list.count)
		str_format(out, " (%zu)", p->list.count);
}

/* ---- keys ---- */

/* Increments or decrements the tried size. */
static void symbols_pane_step(struct screen *s, const struct symbol_row *r, int by)
{
	struct str name = {0};

	if (r->size + by < 0 || r->size >= INT32_MAX)
		return;
	words_quote(&name, sym_name(&s->subject.infer->pool, r->symbol));
	screen_ask(s, "try %s=%" PRId64, str_c(&name), r->size + by);
	str_release(&name);
}

static void symbols_pane_move(struct screen *s, void *state, enum motion motion)
{
	struct symbols *p = state;
	const struct symbol_row *r = symbols_pane_selected(p);

	if (motion != MOTION_LEFT && motion != MOTION_RIGHT)
		list_move(&p->list, motion, p->rows_seen);
	else if (r && r->tried)
		symbols_pane_step(s, r, motion == MOTION_LEFT ? -1 : 1);
	else
		screen_say(s, false, "try a size first (=)");
}

static bool symbols_pane_open(struct screen *s, void *state)
{
	struct symbols *p = state;
	const struct symbol_row *r = symbols_pane_selected(p);
	const struct sym_symbol *y;

	if (!r)
		return false;
	y = &s->subject.infer->pool.symbols.at[r->symbol];
	if (y->source == SYM_GENERATED && y->origin.node)
		screen_select(s, y->origin.node);
	else if (r->value)
		screen_select_value(s, r->value);
	else
		return false;
	screen_jumped(s);
	return true;
}

static void symbols_pane_click(struct screen *s, void *state, uint32_t target)
{
	struct symbols *p = state;

	(void)s;
	p->list.at = target - 1;
	list_fit(&p->list, p->rows_seen);
}

/* `set batch=batch`; a symbol made by a node has no name and cannot be set. */
static bool symbols_pane_edit(struct screen *s, void *state, struct str *line)
{
	const struct symbol_row *r = symbols_pane_selected(state);
	struct str name = {0};
	struct sv text;

	if (!r)
		return false;
	text = sym_name(&s->subject.infer->pool, r->symbol);
	if (text.len) {
		words_quote(&name, text);
		str_format(line, "set %s=%s", str_c(&name), str_c(&name));
		str_release(&name);
	}
	return text.len > 0;
}

void symbols_select(struct screen *s, uint32_t symbol)
{
	select_symbol(s->panes[PANE_SYMBOLS], symbol);
	screen_pane(s, PANE_SYMBOLS);
}

const struct pane_kind symbols_pane = {
	.title = "Symbols",
	.hint = "j/k move  Enter go there  e edit  r rename  = try a size  Tab pane  ? help",
	.create = symbols_pane_create,
	.destroy = symbols_pane_destroy,
	.renew = symbols_pane_renew,
	.draw = symbols_pane_draw,
	.move = symbols_pane_move,
	.open = symbols_pane_open,
	.click = symbols_pane_click,
	.edit = symbols_pane_edit,
	.edits_alone = true,
	.where = symbols_pane_where,
};
