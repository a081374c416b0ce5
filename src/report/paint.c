#include "report/paint.h"

#include <assert.h>
#include <stdio.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/wrap.h"
#include "infer/hues.h"
#include "infer/infer.h"
#include "infer/text.h"
#include "report/record.h"
#include "sym/sym.h"

/*
 * Colours of the 256 that read on a white and on a black background: at least 3.4:1 on both.
 * Those of symbols are close to what the screen's themes have in their place.
 */
static const char *const paint_escapes[] = {
	[PAINT_PLAIN] = "",
	[PAINT_TONE + TONE_PLAIN] = "",
	[PAINT_TONE + TONE_FAINT] = "\033[38;5;243m",
	[PAINT_TONE + TONE_STRONG] = "",
	[PAINT_TONE + TONE_NUMBER] = "",
	[PAINT_TONE + TONE_ADDED] = "\033[38;5;28m",
	[PAINT_TONE + TONE_CHANGED] = "\033[38;5;130m",
	[PAINT_TONE + TONE_REMOVED] = "\033[38;5;160m",
	[PAINT_TONE + TONE_NOTE] = "\033[38;5;67m",
	[PAINT_TONE + TONE_WARNING] = "\033[38;5;130m",
	[PAINT_TONE + TONE_ERROR] = "\033[1;38;5;160m",
	[PAINT_UNKNOWN] = "\033[38;5;160m",
	[PAINT_HEADING] = "\033[1m",
	[PAINT_HUE + 0] = "\033[1;38;5;166m",
	[PAINT_HUE + 1] = "\033[1;38;5;28m",
	[PAINT_HUE + 2] = "\033[1;38;5;135m",
	[PAINT_HUE + 3] = "\033[1;38;5;30m",
	[PAINT_HUE + 4] = "\033[1;38;5;161m",
	[PAINT_HUE + 5] = "\033[1;38;5;100m",
	[PAINT_HUE + 6] = "\033[1;38;5;29m",
	[PAINT_HUE + 7] = "\033[1;38;5;67m",
	[PAINT_HUE + 8] = "\033[1;38;5;27m",
	[PAINT_HUE + 9] = "\033[1;38;5;130m",
};
static_assert(ARRAY_LEN(paint_escapes) == PAINT_COUNT, "an escape per look");

/* ---- painted text ---- */

void painted_clear(struct painted *p)
{
	str_clear(&p->text);
	vec_clear(&p->coats);
}

void painted_release(struct painted *p)
{
	str_release(&p->text);
	vec_release(&p->coats);
}

void painted_add(struct painted *p, unsigned paint, struct sv text)
{
	struct coat *last = p->coats.len ? vec_last(&p->coats) : NULL;
	size_t at = p->text.len;

	str_add_shown(&p->text, text);
	if (last && last->paint == paint && last->at + last->len == at)
		last->len = (uint32_t)(p->text.len - last->at);
	else if (*paint_escapes[paint] && p->text.len > at)
		vec_push(&p->coats, ((struct coat){.at = (uint32_t)at,
						   .len = (uint32_t)(p->text.len - at),
						   .paint = paint}));
}

void painted_join(struct painted *to, const struct painted *from)
{
	for (size_t i = 0; i < from->coats.len; i++) {
		struct coat c = from->coats.at[i];

		c.at += (uint32_t)to->text.len;
		vec_push(&to->coats, c);
	}
	str_add(&to->text, str_sv(&from->text));
}

/* ---- paints ---- */

void paints_init(struct paints *p, bool on, const struct infer *in)
{
	*p = (struct paints){.on = on, .in = in};
	if (on && in)
		hues_renew(&p->hues, in);
}

void paints_release(struct paints *p)
{
	hues_release(&p->hues);
}

/* The text of a cell, whose sizes are of a pool. */
struct brush {
	struct paints *paints; /* borrowed */
	struct painted *out;   /* borrowed */
	unsigned paint;        /* between the symbols */
};

static void paint_piece(void *context, struct sv text, const uint32_t *symbol)
{
	const struct brush *b = context;
	struct paints *p = b->paints;
	uint32_t hue = symbol ? hue_colour(hues_find(&p->hues, p->in, *symbol)) : 0;

	painted_add(b->out, symbol ? PAINT_HUE + hue - 1 : b->paint, text);
}

/* A name, an expression or a condition. */
static void paint_condition(struct brush *b, struct sv text)
{
	const struct sym_pool *pool = &b->paints->in->pool;
	uint32_t symbol;

	if (sym_symbol_id(pool, sym_find(pool, text), &symbol))
		paint_piece(b, text, &symbol);
	else
		condition_walk(pool, text, paint_piece, b);
}

static void paint_cell(struct brush *b, const struct record *r, const struct cell *c)
{
	const struct infer *in = b->paints->in;
	struct sv text = cell_text(r, c);

	if (!b->paints->on || !in)
		painted_add(b->out, b->paint, text);
	else if (c->kind == CELL_DIM && sym_is_unknown(c->dim))
		painted_add(b->out, PAINT_UNKNOWN, text);
	else if (c->kind == CELL_DIM && r->pool == &in->pool)
		dim_walk(r->pool, c->dim, paint_piece, b);
	else if (c->condition || c->link == LINK_SYMBOL)
		paint_condition(b, text);
	else
		painted_add(b->out, b->paint, text);
}

static void paint_cells(struct paints *p, const struct record *r, uint32_t column, bool tones,
			struct painted *out)
{
	struct brush b = {.paints = p, .out = out};

	for (size_t i = 0; i < r->cells.len; i++) {
		const struct cell *c = &r->cells.at[i];

		if (!c->shown || c->column != column)
			continue;
		b.paint = tones ? PAINT_TONE + (unsigned)c->tone : (unsigned)PAINT_PLAIN;
		paint_cell(&b, r, c);
	}
}

void paint_column(struct paints *p, const struct record *r, uint32_t column, struct painted *out)
{
	paint_cells(p, r, column, true, out);
}

void paint_sizes(struct paints *p, const struct record *r, uint32_t column, struct painted *out)
{
	paint_cells(p, r, column, false, out);
}

/* ---- lines ---- */

/* A text on its way out. */
struct painting {
	const struct paints *paints; /* borrowed */
	const struct painted *text;  /* borrowed */
	FILE *out;                   /* borrowed */
	size_t at;
	size_t coat; /* the first that may end behind it */
};

static void paint_plain(struct painting *g, size_t end)
{
	fwrite(str_c(&g->text->text) + g->at, 1, end - g->at, g->out);
	g->at = end;
}

static void paint_up_to(struct painting *g, size_t end)
{
	while (g->paints->on && g->coat < g->text->coats.len) {
		const struct coat *c = &g->text->coats.at[g->coat];
		size_t first = MAX(c->at, g->at), last = MIN(c->at + c->len, end);

		if (c->at >= end)
			break;
		if (first < last) {
			paint_plain(g, first);
			fputs(paint_escapes[c->paint], g->out);
			paint_plain(g, last);
			fputs("\033[0m", g->out);
		}
		if (c->at + c->len > end)
			break;
		g->coat++;
	}
	paint_plain(g, end);
}

void paint_print(const struct paints *p, const struct painted *text, FILE *out)
{
	paint_up_to(&(struct painting){p, text, out, 0, 0}, text->text.len);
}

static size_t paint_trim(struct sv line)
{
	while (line.len && line.at[line.len - 1] == ' ')
		line.len--;
	return line.len;
}

/* Where the last word of a line begins. */
static size_t paint_last_word(struct sv line)
{
	size_t at = paint_trim(line);

	while (at && line.at[at - 1] != ' ')
		at--;
	return at;
}

/*
 * The bytes of the line; *next is where the one after it begins.  The phrase at `whole`, 0 for
 * none, is neither parted nor alone on a line, if the word before it can go along.
 */
static size_t paint_break(struct sv text, size_t room, size_t whole, size_t *next)
{
	size_t len = wrap_line(text, room, WRAP_WORDS, next), word;

	if (!whole || *next < whole || *next == text.len)
		return len;
	word = paint_last_word((struct sv){text.at, whole});
	if (paint_trim((struct sv){text.at, word}))
		*next = word;
	else if (paint_trim((struct sv){text.at, whole}))
		*next = whole;
	return paint_trim((struct sv){text.at, *next});
}

void paint_line(const struct paints *p, const struct painted *text, size_t width, size_t indent,
		size_t whole)
{
	struct painting g = {p, text, stdout, 0, 0};
	struct sv all = str_sv(&text->text);
	size_t room = width;

	indent = MIN(indent, width / 2);
	for (;;) {
		struct sv rest = sv_skip(all, g.at);
		size_t next = rest.len, len = rest.len, from = g.at;

		if (width)
			len = paint_break(rest, room, whole > from ? whole - from : 0, &next);
		paint_up_to(&g, from + len);
		putchar('\n');
		g.at = from + next;
		if (g.at >= all.len)
			return;
		printf("%*s", (int)indent, "");
		room = width - indent;
	}
}
