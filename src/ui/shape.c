/*
 * Shapes in colour: a symbol has the same style everywhere.
 */
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "infer/text.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/screen.h"

/*
 * Input symbols get styles from the first one up, by position, so that a renamed one
 * keeps its colour; all others from the last one down, in order of appearance.
 */
enum style symbol_style(struct screen *s, uint32_t symbol)
{
	const uint32_t *declared = map_find(&s->input_symbols, symbol);
	uint32_t *place;

	if (declared)
		return (enum style)(STYLE_SYMBOL_1 + (*declared - 1) % STYLE_SYMBOLS);
	place = map_at(&s->symbol_styles, symbol);
	if (*place == 0)
		*place = ++s->symbol_count;
	return (enum style)(STYLE_SYMBOL_10 - (*place - 1) % STYLE_SYMBOLS);
}

/* Draws from left to right, until there is no room. */
struct shape_pen {
	struct screen *screen; /* borrowed */
	int x, y, columns;
};

static void shape_put(struct shape_pen *p, struct sv text, enum style style)
{
	int used = p->columns > 0
			   ? canvas_text(&p->screen->canvas, p->x, p->y, p->columns, text, style)
			   : 0;

	p->x += used;
	p->columns -= used;
}

static void shape_put_text(void *context, struct sv text, bool known)
{
	shape_put(context, text, known ? STYLE_DIM : STYLE_UNKNOWN);
}

static void shape_put_piece(void *context, struct sv text, const uint32_t *symbol)
{
	struct shape_pen *p = context;

	shape_put(p, text, symbol ? symbol_style(p->screen, *symbol) : STYLE_NUMBER);
}

static bool shape_put_dim(void *context, struct sym dim, uint32_t axis)
{
	struct shape_pen *p = context;

	(void)axis;
	if (p->columns <= 0)
		return false;
	if (sym_is_unknown(dim))
		shape_put(p, SV("?"), STYLE_UNKNOWN);
	else
		dim_walk(&p->screen->subject.infer->pool, dim, shape_put_piece, p);
	return true;
}

int draw_dim(struct screen *s, int x, int y, int columns, struct sym dim)
{
	struct shape_pen p = {s, x, y, columns};

	(void)shape_put_dim(&p, dim, 0);
	return p.x - x;
}

int draw_shape(struct screen *s, int x, int y, int columns, const struct info *info)
{
	struct shape_pen p = {s, x, y, columns};

	info_walk(info, INFO_SHAPE, &(struct info_pen){shape_put_text, shape_put_dim, &p});
	return p.x - x;
}

void shape_text(const struct screen *s, const struct info *info, struct str *out)
{
	info_print(out, &s->subject.infer->pool, info, INFO_SHAPE);
}
