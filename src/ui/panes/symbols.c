/*
 * Pane 4: the symbols, each with its colour, uses, constraints and tried size.
 */
#include "ui/panes/symbols.h"

#include <inttypes.h>

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

struct symbols {
	struct symbol_list symbols;
	uint32_t told; /* notes of the selected symbol that its row shows in full */
};

static void symbols_pane_release(struct pane *p)
{
	struct symbols *y = p->state;

	symbol_list_release(&y->symbols);
}

static const struct symbol_row *symbols_pane_selected(const struct pane *p)
{
	const struct symbols *y = p->state;

	return p->list.at < y->symbols.rows.len ? &y->symbols.rows.at[p->list.at] : NULL;
}

static void select_symbol(struct pane *p, uint32_t symbol)
{
	const struct symbols *y = p->state;
	const struct symbol_row *r = symbol_list_find(&y->symbols, symbol);

	if (r)
		p->list.at = (size_t)(r - y->symbols.rows.at);
	list_fit(&p->list);
}

static void symbols_pane_renew(struct pane *p)
{
	struct symbols *y = p->state;
	uint32_t was = symbols_pane_selected(p) ? symbols_pane_selected(p)->symbol : UINT32_MAX;

	if (!symbol_list_renew(&y->symbols, p->screen))
		return;
	p->list.count = y->symbols.rows.len;
	select_symbol(p, was);
}

/* ---- drawing ---- */

struct columns {
	int names, uses;
	bool words; /* `12 uses`, not `x12` */
};

static struct columns symbols_pane_columns_of(const struct symbols *y, int width)
{
	enum {
		MIN_NOTE = 14, /* after two spaces */
		WORD = 5       /* uses */
	};
	int uses = y->symbols.uses_width, note = y->symbols.note_width + 2;
	int room = width - uses - 4 - MIN(note, MIN_NOTE);
	int names = MIN(y->symbols.name_width, MAX(room, MIN(width - 2, 8)));
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

static void symbols_pane_draw_row(struct pane *p, size_t i, struct box line)
{
	struct screen *s = p->screen;
	struct symbols *y = p->state;
	const struct symbol_row *r = &y->symbols.rows.at[i];
	struct columns c = symbols_pane_columns_of(y, line.width);
	int x = line.x + 2, end = line.x + line.width;
	enum style style = symbol_style(s, r->symbol);
	struct str uses = {0};
	int left;

	canvas_put(&s->canvas, line.x, line.y, 0x25a0, style);
	canvas_text(&s->canvas, x, line.y, MIN(c.names, end - x), str_sv(&r->name), style);
	x += c.names + 1;
	uses_text(r, c.words, &uses);
	if (x + c.uses <= end)
		canvas_right(&s->canvas, x, line.y, c.uses, str_sv(&uses), STYLE_DIM);
	x += c.uses + 2;
	left = draw_note(s, r, x, line.y, end - x);
	if (i == p->list.at)
		y->told = left >= 0 && r->note_count ? 1 : 0;
	str_release(&uses);
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
static void symbols_pane_draw_details(const struct pane *p, struct box box)
{
	struct screen *s = p->screen;
	const struct symbols *y = p->state;
	const struct symbol_row *r = symbols_pane_selected(p);
	struct str origin = {0};

	if (!r || box.height <= 0)
		return;
	for (uint32_t i = y->told; i < r->note_count && box.height > 0; i++)
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

static void symbols_pane_draw(struct pane *p)
{
	enum {
		ROOMY = 6 /* rows from which two are kept for the selected symbol */
	};
	struct box list = p->box, below = p->box;
	int max = list.height >= ROOMY ? list.height - 2 : list.height, used;

	list.height = (int)MIN(p->list.count, (size_t)max);
	pane_draw_list(p, list);
	pane_draw_more(p);
	used = list.height + (below.height - list.height > 2);
	if (below.width > 3)
		symbols_pane_draw_details(p, (struct box){below.x + 2, below.y + used,
							  below.width - 2, below.height - used});
}

static void symbols_pane_where(struct pane *p, struct str *out)
{
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

static void symbols_pane_move(struct pane *p, enum motion motion)
{
	const struct symbol_row *r = symbols_pane_selected(p);

	if (motion != MOTION_LEFT && motion != MOTION_RIGHT)
		list_move(&p->list, motion);
	else if (r && r->tried)
		symbols_pane_step(p->screen, r, motion == MOTION_LEFT ? -1 : 1);
	else
		screen_say(p->screen, false, "try a size first (=)");
}

static bool symbols_pane_open(struct pane *p)
{
	struct screen *s = p->screen;
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

/* `set batch=batch`; a symbol made by a node has no name and cannot be set. */
static bool symbols_pane_edit(struct pane *p, struct str *line)
{
	const struct symbol_row *r = symbols_pane_selected(p);
	struct str name = {0};
	struct sv text;

	if (!r)
		return false;
	text = sym_name(&p->screen->subject.infer->pool, r->symbol);
	if (text.len) {
		words_quote(&name, text);
		str_format(line, "set %s=%s", str_c(&name), str_c(&name));
		str_release(&name);
	}
	return text.len > 0;
}

void symbols_select(struct screen *s, uint32_t symbol)
{
	select_symbol(&s->panes[PANE_SYMBOLS], symbol);
	screen_pane(s, PANE_SYMBOLS);
}

const struct pane_kind symbols_pane = {
	.title = "Symbols",
	.hint = "j/k move  Enter go there  e edit  r rename  = try a size  Tab pane  ? help",
	.empty = "no symbols: every size is fixed or unknown",
	.size = sizeof(struct symbols),
	.release = symbols_pane_release,
	.renew = symbols_pane_renew,
	.draw_row = symbols_pane_draw_row,
	.draw = symbols_pane_draw,
	.move = symbols_pane_move,
	.open = symbols_pane_open,
	.edit = symbols_pane_edit,
	.edits_alone = true,
	.where = symbols_pane_where,
};
