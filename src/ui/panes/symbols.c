/*
 * Pane 4: the symbols, each with its colour, uses, constraints and tried size.
 */
#include "ui/panes/symbols.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/words.h"
#include "infer/nicknames.h"
#include "report/record.h"
#include "report/symbols.h"
#include "sym/sym.h"
#include "sym/text.h"
#include "ui/canvas.h"
#include "ui/follow.h"
#include "ui/panes/uses.h"
#include "ui/paragraph.h"

struct symbols {
	struct symbol_list symbols;
	int name_width, uses_width, note_width; /* maxima; 0 without a note */
	size_t age;                             /* of the subject that was counted */
	uint32_t told;     /* notes of the selected symbol that its row shows in full */
	bool following;    /* the list is that of uses */
	uint32_t was;      /* the symbol that was selected before */
	uint32_t stand_in; /* selected while that one is gone, plus 1; 0: it is there */
};

static void symbols_pane_release(struct pane *p)
{
	struct symbols *y = p->state;

	symbol_list_release(&y->symbols);
}

static const struct symbol_row *symbols_pane_selected(const struct pane *p)
{
	const struct symbols *y = p->state;

	return !y->following && p->list.at < y->symbols.rows.len ? &y->symbols.rows.at[p->list.at]
								 : NULL;
}

/* Symbols, then short names. */
static size_t symbols_pane_rows(const struct pane *p)
{
	const struct symbols *y = p->state;
	const struct nicknames *n = &p->screen->names;

	return y->symbols.rows.len + (n->off ? 0 : n->at.len);
}

static void select_symbol(struct pane *p, uint32_t symbol)
{
	const struct symbols *y = p->state;
	const struct symbol_row *r = symbol_list_find(&y->symbols, symbol);

	if (r)
		p->list.at = (size_t)(r - y->symbols.rows.at);
	list_fit(&p->list);
}

static int note_width(const struct symbol_row *r)
{
	enum {
		TRIED = 10
	};

	return (int)MIN(utf8_width(str_sv(&r->notes[0])), 100) + (r->tried ? TRIED : 0);
}

static void symbols_pane_measure(struct symbols *y)
{
	y->name_width = y->uses_width = y->note_width = 0;
	for (size_t i = 0; i < y->symbols.rows.len; i++) {
		const struct symbol_row *r = &y->symbols.rows.at[i];
		struct str count = {0};

		str_count(&count, r->uses);
		y->name_width = MAX(y->name_width, (int)MIN(utf8_width(str_sv(&r->name)), 100));
		y->uses_width = MAX(y->uses_width, (int)count.len);
		y->note_width = MAX(y->note_width, note_width(r));
		str_release(&count);
	}
}

/* The symbols are counted when the subject changes, not when the selection does. */
static void symbols_pane_count(struct pane *p)
{
	struct symbols *y = p->state;
	const struct subject *subject = &p->screen->subject;

	if (y->age == p->screen->renewed)
		return;
	y->age = p->screen->renewed;
	symbol_list_fill(&y->symbols, subject->infer, subject->tried, subject->tried_count);
	symbols_pane_measure(y);
}

static void symbols_pane_renew(struct pane *p)
{
	struct symbols *y = p->state;
	const struct follow *f = &p->screen->follow;
	const struct symbol_row *selected = symbols_pane_selected(p);

	/* A preview may fix the symbol; when it is back, it is the selected one again. */
	if (selected && selected->symbol + 1 != y->stand_in)
		y->was = selected->symbol;
	y->stand_in = 0;
	symbols_pane_count(p);
	if (f->on) {
		y->following = true;
		p->list.count = f->uses.len;
		p->list.at = f->at;
		list_fit(&p->list);
		return;
	}
	if (!y->following && p->list.count == symbols_pane_rows(p) && selected &&
	    selected == symbol_list_find(&y->symbols, y->was))
		return;
	y->following = false;
	p->list.count = symbols_pane_rows(p);
	select_symbol(p, y->was);
	selected = symbols_pane_selected(p);
	if (selected && selected->symbol != y->was)
		y->stand_in = selected->symbol + 1;
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
	int uses = y->uses_width, note = y->note_width + 2;
	int room = width - uses - 4 - MIN(note, MIN_NOTE);
	int names = MIN(y->name_width, MAX(room, MIN(width - 2, 8)));
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

/* H₃ = floor((H + 24)/28) */
static void symbols_pane_draw_name(struct screen *s, size_t i, struct box line)
{
	int x = line.x + 2, end = line.x + line.width;

	if (i >= s->names.at.len || x >= end)
		return;
	x += draw_dim(s, x, line.y, end - x, s->names.at.at[i].of);
	x += x < end ? canvas_text(&s->canvas, x, line.y, end - x, SV(" = "), STYLE_DIM) : 0;
	if (x < end)
		(void)draw_meaning(s, x, line.y, end - x, (uint32_t)i + 1);
}

static void symbols_pane_draw_row(struct pane *p, size_t i, struct box line)
{
	struct screen *s = p->screen;
	struct symbols *y = p->state;
	const struct symbol_row *r;
	struct columns c = symbols_pane_columns_of(y, line.width);
	int x = line.x + 2, end = line.x + line.width, left;
	struct str uses = {0};
	enum style style;

	if (y->following) {
		uses_draw_row(p, i, line);
		return;
	}
	if (i >= y->symbols.rows.len) {
		symbols_pane_draw_name(s, i - y->symbols.rows.len, line);
		return;
	}
	r = &y->symbols.rows.at[i];
	style = symbol_style(s, r->symbol);
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
	struct record record = {.face = FACE_SHOWN};
	struct str origin = {0}, offer = {0};
	size_t name = p->list.at - y->symbols.rows.len;

	if (!r && name < s->names.at.len) {
		str_text(&origin, "= ");
		sym_print(&s->subject.infer->pool, s->names.at.at[name].of, &origin);
		symbols_pane_draw_part(s, &box, str_sv(&origin), STYLE_DIM);
		str_release(&origin);
	}
	if (!r || box.height <= 0)
		return;
	for (uint32_t i = y->told; i < r->note_count && box.height > 0; i++)
		symbols_pane_draw_part(s, &box, str_sv(&r->notes[i]),
				       r->pinned && i == 0 ? STYLE_CONFLICT : STYLE_INFO);
	if (symbol_offer(s->subject.infer, r, &offer) && box.height > 0) {
		struct str line = {0};

		str_text(&line, "R ");
		str_add_shown(&line, str_sv(&offer));
		symbols_pane_draw_part(s, &box, str_sv(&line), STYLE_CHANGED);
		str_release(&line);
	}
	str_release(&offer);
	if (r->value && box.height > 0) {
		symbol_record(&record, s->subject.infer, r);
		record_print_column(&record, SYMBOL_ORIGIN, &origin);
		symbols_pane_draw_part(s, &box, str_sv(&origin), STYLE_DIM);
	}
	/* Only a named symbol can be tried. */
	if (box.height > 0 && sym_name(&s->subject.infer->pool, r->symbol).len)
		symbols_pane_draw_part(s, &box,
				       r->tried ? SV("h/l try one less, one more")
						: SV("= try a size in every shape"),
				       STYLE_DIM);
	record_release(&record);
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
	below = (struct box){below.x + 2, below.y + used, below.width - 2, below.height - used};
	if (below.width > 1 && p->screen->follow.on)
		uses_draw_details(p, below);
	else if (below.width > 1)
		symbols_pane_draw_details(p, below);
}

/* The list; while it has the keys, what is told of the selected symbol too. */
static int symbols_pane_wants(struct pane *p, int width)
{
	enum {
		TOLD = 4, /* an empty row, a constraint, the origin, a key */
		NAMES = 4 /* that are worth the room of others */
	};
	const struct symbols *y = p->state;
	size_t rows = p->list.count;

	(void)width;
	if (!y->following && p->screen->active != PANE_SYMBOLS)
		rows = MIN(rows, y->symbols.rows.len + NAMES);
	return (int)MIN(rows, (size_t)CANVAS_TALLEST) +
	       (p->list.count && p->screen->active == PANE_SYMBOLS ? TOLD : 0);
}

static void symbols_pane_where(struct pane *p, struct str *out)
{
	const struct symbols *y = p->state;
	const struct screen *s = p->screen;
	size_t names = symbols_pane_rows(p) - y->symbols.rows.len;

	if (s->follow.on && s->follow.lit) {
		str_text(out, " \u2500 ");
		str_things(out, s->follow.dims, "use");
		str_text(out, " of ");
		sym_print(&s->subject.infer->pool,
			  s->subject.infer->pool.symbols.at[s->follow.symbol].self, out);
	}
	if (p->list.count && !s->follow.on && names)
		str_format(out, " (%zu + %zu %s)", y->symbols.rows.len, names,
			   PLURAL(names, "name", "names"));
	else if (p->list.count && !s->follow.on)
		str_format(out, " (%zu)", p->list.count);
	else if (!p->list.count)
		str_text(out, ": none");
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
	struct follow *f = &p->screen->follow;

	if (f->on) {
		list_move(&p->list, motion);
		f->at = p->list.at;
		return;
	}
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
	const struct symbols *y = p->state;
	size_t name = p->list.at - y->symbols.rows.len;
	bool gone;

	if (s->follow.on && follow_open(&s->follow, p->list.at)) {
		pane_renew(p);
		return true;
	}
	gone = s->follow.on && screen_go_to_use(s, p->list.at);
	if (r)
		screen_follow(s, r->symbol);
	else if (!y->following && name < s->names.at.len && s->names.at.at[name].symbol_count)
		screen_follow(s, s->names.at.at[name].symbols[0]);
	gone |= !gone && screen_go_to_use(s, 0);
	if (gone)
		screen_jumped(s);
	return gone;
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

bool symbols_offer(const struct screen *s, struct str *out)
{
	const struct symbol_row *r = symbols_pane_selected(&s->panes[PANE_SYMBOLS]);

	return r && symbol_offer(s->subject.infer, r, out);
}

bool symbols_list(struct screen *s, uint32_t symbol)
{
	struct pane *p = &s->panes[PANE_SYMBOLS];
	const struct symbols *y = p->state;

	symbols_pane_count(p);
	return symbol_list_find(&y->symbols, symbol) != NULL;
}

void symbols_select(struct screen *s, uint32_t symbol)
{
	select_symbol(&s->panes[PANE_SYMBOLS], symbol);
	screen_pane(s, PANE_SYMBOLS);
}

static const char *symbols_pane_hints(struct pane *p)
{
	return p->screen->follow.on
		       ? "Enter go there  n N walk them  Esc the symbols  j/k move  Tab pane"
		       : p->kind->hint;
}

const struct pane_kind symbols_pane = {
	.title = "Symbols",
	.hint = "r rename  Enter follow it  = try a size  e edit  j/k move  Tab pane",
	.empty = "no symbols: every size is fixed or unknown",
	.size = sizeof(struct symbols),
	.release = symbols_pane_release,
	.renew = symbols_pane_renew,
	.draw_row = symbols_pane_draw_row,
	.wants = symbols_pane_wants,
	.draw = symbols_pane_draw,
	.move = symbols_pane_move,
	.open = symbols_pane_open,
	.edit = symbols_pane_edit,
	.hints = symbols_pane_hints,
	.where = symbols_pane_where,
};
