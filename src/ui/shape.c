/*
 * Shapes in colour: a symbol has the same style everywhere.
 */
#include <assert.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "infer/hues.h"
#include "infer/nicknames.h"
#include "infer/past.h"
#include "infer/text.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "sym/text.h"
#include "ui/canvas.h"
#include "ui/follow.h"
#include "ui/prompt.h"
#include "ui/screen.h"

static_assert((int)HUES == (int)STYLE_SYMBOLS, "a role for each colour");

enum style symbol_style(struct screen *s, uint32_t symbol)
{
	uint32_t colour = hue_colour(hues_find(&s->hues, s->subject.infer, symbol));

	return (enum style)((uint32_t)STYLE_SYMBOL_1 + colour - 1);
}

/* Draws from left to right, until there is no room; or writes text. */
struct shape_pen {
	const struct screen *screen; /* borrowed */
	struct screen *draws;        /* the same; NULL for text */
	int x, y, columns;
	struct str *out;       /* borrowed: the text */
	uint32_t value;        /* whose dims they are; 0 for none */
	const struct sym *was; /* borrowed: its dims before the preview, or NULL */
	int pointed;           /* axis, or -1 */
	bool plain; /* the cursor is on an expression: it has one style, not those of its symbols */
	unsigned axis_shift;
	bool brief;      /* without what dims were */
	int old_room;    /* columns for what dims were: the new sizes come first */
	uint32_t except; /* a short name that is told what it is, plus 1 */
};

static void shape_put(struct shape_pen *p, struct sv text, enum style style)
{
	int used = 0;

	if (!p->draws)
		str_add_shown(p->out, text);
	else if (p->columns > 0)
		used = canvas_text(&p->draws->canvas, p->x, p->y, p->columns, text, style);
	p->x += used;
	p->columns -= used;
}

static void shape_put_text(void *context, struct sv text, bool known)
{
	shape_put(context, text, known ? STYLE_DIM : STYLE_UNKNOWN);
}

/* While a symbol is followed, all others in the shapes that carry it are faded. */
static bool shape_is_faded(const struct shape_pen *p, const uint32_t *symbol)
{
	const struct follow *f = &p->screen->follow;

	return p->value && f->lit && (!symbol || *symbol != f->symbol);
}

static void shape_put_piece(void *context, struct sv text, const uint32_t *symbol)
{
	struct shape_pen *p = context;
	enum style style = STYLE_NUMBER;

	if (p->plain)
		style = STYLE_TEXT;
	else if (shape_is_faded(p, symbol))
		style = STYLE_FADED;
	else if (symbol && p->draws)
		style = symbol_style(p->draws, *symbol);
	shape_put(p, text, style);
}

static void shape_put_old_piece(void *context, struct sv text, const uint32_t *symbol)
{
	(void)symbol;
	shape_put(context, text, STYLE_DIM);
}

static void shape_walk_size(struct shape_pen *p, struct sym dim, dim_piece *piece)
{
	nicknames_walk(&p->screen->names, &p->screen->subject.infer->pool, dim, p->except, piece,
		       p);
}

static void shape_put_size(struct shape_pen *p, struct sym dim)
{
	if (sym_is_unknown(dim))
		shape_put(p, SV("?"), STYLE_UNKNOWN);
	else
		shape_walk_size(p, dim, shape_put_piece);
}

static void shape_put_old_size(struct shape_pen *p, struct sym dim)
{
	if (sym_is_unknown(dim))
		shape_put(p, SV("?"), STYLE_DIM);
	else
		shape_walk_size(p, dim, shape_put_old_piece);
}

/* What it was is cut before anything that it is now. */
static void shape_put_old(struct shape_pen *p, struct sym dim)
{
	int columns = p->columns, used;

	if (p->brief || (p->draws && p->old_room < 1))
		return;
	if (p->draws)
		p->columns = MIN(columns, p->old_room - 1);
	used = p->columns;
	shape_put_old_size(p, dim);
	used -= p->columns;
	if (p->draws) {
		p->columns = columns - used;
		p->old_room -= used + 1;
	}
	shape_put(p, SV("\u2192"), STYLE_CHANGED);
}

/* A number in place of a symbol has its colour. */
static void shape_put_new(struct shape_pen *p, struct sym was, struct sym now)
{
	const struct sym_pool *pool = &p->screen->subject.infer->pool;
	struct str text = {0};
	uint32_t symbol;
	int64_t number;

	if (!p->draws || !sym_value(pool, now, &number) || !sym_symbol_id(pool, was, &symbol)) {
		shape_put_size(p, now);
		return;
	}
	sym_print(pool, now, &text);
	shape_put(p, str_sv(&text), symbol_style(p->draws, symbol));
	str_release(&text);
}

/* The dim that the prompt edits, as it is typed: also while that means nothing yet. */
static bool shape_put_typed(struct shape_pen *p, struct sym dim, uint32_t axis)
{
	const struct screen *s = p->screen;
	const struct prompt *typed = &s->prompt;

	if (!typed->open || !s->edited.value || s->edited.value != p->value ||
	    s->edited.axis != axis || typed->selected)
		return false;
	shape_put_old(p, p->was ? p->was[axis] : dim);
	if (p->draws)
		p->draws->canvas.ground = STYLE_POINTED;
	shape_put(p, typed->text.len ? str_sv(&typed->text) : SV(" "), STYLE_CHANGED);
	return true;
}

/* A number or a symbol. */
static bool shape_is_one(const struct shape_pen *p, struct sym dim)
{
	const struct sym_pool *pool = &p->screen->subject.infer->pool;
	uint32_t symbol;
	int64_t number;

	return sym_value(pool, dim, &number) || sym_symbol_id(pool, dim, &symbol);
}

static void shape_put_changed(struct shape_pen *p, struct sym dim, uint32_t axis)
{
	bool changed = p->was && !sym_same(p->was[axis], dim);

	if (shape_put_typed(p, dim, axis))
		return;
	if (changed)
		shape_put_old(p, p->was[axis]);
	if (p->draws && p->pointed == (int)axis) {
		p->draws->canvas.ground = STYLE_POINTED;
		p->plain = !shape_is_one(p, dim);
	}
	if (changed)
		shape_put_new(p, p->was[axis], dim);
	else
		shape_put_size(p, dim);
	p->plain = false;
}

static bool shape_put_dim(void *context, struct sym dim, uint32_t axis)
{
	struct shape_pen *p = context;
	struct canvas *c = p->draws ? &p->draws->canvas : NULL;
	uint32_t target;
	uint8_t ground;

	if (!c) {
		shape_put_changed(p, dim, axis);
		return true;
	}
	if (p->columns <= 0)
		return false;
	target = c->target;
	ground = c->ground;
	if (p->axis_shift)
		c->target |= (axis + 1) << p->axis_shift;
	shape_put_changed(p, dim, axis);
	c->target = target;
	c->ground = ground;
	return true;
}

int draw_dim(struct screen *s, int x, int y, int columns, struct sym dim)
{
	struct shape_pen p = {
		.screen = s, .draws = s, .x = x, .y = y, .columns = columns, .pointed = -1};

	(void)shape_put_dim(&p, dim, 0);
	return p.x - x;
}

int draw_shape(struct screen *s, int x, int y, int columns, const struct info *info)
{
	struct shape_pen p = {
		.screen = s, .draws = s, .x = x, .y = y, .columns = columns, .pointed = -1};

	info_walk(info, INFO_SHAPE, &(struct info_pen){shape_put_text, shape_put_dim, &p});
	return p.x - x;
}

static void shape_walk_value(struct shape_pen *p);
static void shape_walk_elements(struct shape_pen *p, uint32_t value, const struct info *computed);

/* Without what dims were; of the elements of `value` if they are given. */
static int shape_brief_width(const struct shape_pen *p, uint32_t value, const struct info *computed)
{
	struct str text = {0};
	struct shape_pen plain = {
		.screen = p->screen, .out = &text, .value = p->value, .pointed = -1, .brief = true};
	int width;

	if (computed)
		shape_walk_elements(&plain, value, computed);
	else
		shape_walk_value(&plain);
	width = (int)MIN(utf8_width(str_sv(&text)), 10000);
	str_release(&text);
	return width;
}

static void shape_walk_value(struct shape_pen *p)
{
	const struct subject *subject = &p->screen->subject;

	if (subject->before)
		p->was = past_dims(subject->before, subject->infer, p->value);
	if (p->draws && !p->brief)
		p->old_room = p->columns - shape_brief_width(p, p->value, NULL);
	info_walk(&subject->infer->infos[p->value], INFO_SHAPE,
		  &(struct info_pen){shape_put_text, shape_put_dim, p});
}

int draw_value(struct screen *s, int x, int y, int columns, uint32_t value, int pointed,
	       unsigned axis_shift)
{
	struct shape_pen p = {.screen = s,
			      .draws = s,
			      .x = x,
			      .y = y,
			      .columns = columns,
			      .value = value,
			      .pointed = pointed,
			      .axis_shift = axis_shift};

	shape_walk_value(&p);
	return p.x - x;
}

/* A number is shown bare, a list in brackets. */
static void shape_walk_elements(struct shape_pen *p, uint32_t value, const struct info *computed)
{
	const struct subject *subject = &p->screen->subject;

	if (subject->before)
		p->was = past_elements(subject->before, subject->infer, value);
	if (p->draws)
		p->old_room = p->columns - shape_brief_width(p, value, computed);
	if (computed->contents.rank == 0 && computed->rank == 1)
		(void)shape_put_dim(p, computed->dims[0], 0);
	else
		info_walk(computed, INFO_SHAPE,
			  &(struct info_pen){shape_put_text, shape_put_dim, p});
}

int draw_elements(struct screen *s, int x, int y, int columns, uint32_t value,
		  const struct info *computed)
{
	struct shape_pen p = {
		.screen = s, .draws = s, .x = x, .y = y, .columns = columns, .pointed = -1};

	shape_walk_elements(&p, value, computed);
	return p.x - x;
}

void elements_text(const struct screen *s, uint32_t value, const struct info *computed,
		   struct str *out)
{
	struct shape_pen p = {.screen = s, .out = out, .pointed = -1};

	shape_walk_elements(&p, value, computed);
}

void value_text(const struct screen *s, uint32_t value, struct str *out)
{
	struct shape_pen p = {.screen = s, .out = out, .value = value, .pointed = -1};

	shape_walk_value(&p);
}

int draw_meaning(struct screen *s, int x, int y, int columns, uint32_t name)
{
	struct shape_pen p = {.screen = s,
			      .draws = s,
			      .x = x,
			      .y = y,
			      .columns = columns,
			      .pointed = -1,
			      .except = name};

	(void)shape_put_dim(&p, s->names.at.at[name - 1].of, 0);
	return p.x - x;
}

void dim_text(const struct screen *s, struct sym dim, struct str *out)
{
	struct shape_pen p = {.screen = s, .out = out, .pointed = -1};

	shape_put_size(&p, dim);
}

void shape_text(const struct screen *s, const struct info *info, struct str *out)
{
	struct shape_pen p = {.screen = s, .out = out, .pointed = -1};

	info_walk(info, INFO_SHAPE, &(struct info_pen){shape_put_text, shape_put_dim, &p});
}
