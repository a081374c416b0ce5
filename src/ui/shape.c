/*
 * Shapes in colour: a symbol has the same style everywhere.
 */
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"
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

struct naming {
	struct screen *screen; /* borrowed */
	struct sv name;
	enum style style;
	bool found;
};

static void match_name(void *context, uint32_t id)
{
	struct naming *n = context;
	const struct sym_pool *pool = &n->screen->subject.infer->pool;

	if (n->found || !sv_eq(sym_name(pool, id), n->name))
		return;
	n->found = true;
	n->style = symbol_style(n->screen, id);
}

/* Draws the text and returns its columns. */
static int shape_draw_part(struct screen *s, int x, int y, int columns, struct sv text,
			   enum style style)
{
	return columns > 0 ? canvas_text(&s->canvas, x, y, columns, text, style) : 0;
}

/* Draws an expression, each name in its symbol's style. */
static int draw_expression(struct screen *s, int x, int y, int columns, struct sym dim,
			   struct sv text)
{
	struct str scratch = {0};
	struct sv name;
	size_t at = 0, done = 0;
	int used = 0;

	while (used < columns && sym_text_next_name(text, &at, &scratch, &name)) {
		struct naming n = {.screen = s, .name = name};
		size_t end = at, start = end;

		sym_each_symbol(&s->subject.infer->pool, dim, match_name, &n);
		while (start > done && (end - start < name.len))
			start--;
		used += shape_draw_part(s, x + used, y, columns - used,
					(struct sv){text.at + done, start - done}, STYLE_NUMBER);
		used += shape_draw_part(s, x + used, y, columns - used,
					(struct sv){text.at + start, end - start},
					n.found ? n.style : STYLE_NUMBER);
		done = end;
	}
	used += shape_draw_part(s, x + used, y, columns - used, sv_skip(text, done), STYLE_NUMBER);
	str_release(&scratch);
	return used;
}

int draw_dim(struct screen *s, int x, int y, int columns, struct sym dim)
{
	const struct sym_pool *pool = &s->subject.infer->pool;
	struct str text = {0};
	uint32_t symbol;
	int64_t number;
	int used;

	sym_print(pool, dim, &text);
	if (sym_is_unknown(dim))
		used = shape_draw_part(s, x, y, columns, SV("?"), STYLE_UNKNOWN);
	else if (sym_value(pool, dim, &number))
		used = shape_draw_part(s, x, y, columns, str_sv(&text), STYLE_NUMBER);
	else if (sym_symbol_id(pool, dim, &symbol))
		used = shape_draw_part(s, x, y, columns, str_sv(&text), symbol_style(s, symbol));
	else
		used = draw_expression(s, x, y, columns, dim, str_sv(&text));
	str_release(&text);
	return used;
}

int draw_shape(struct screen *s, int x, int y, int columns, const struct info *info)
{
	int used = 0;

	if (info->kind != TYPE_TENSOR && info->kind != TYPE_SPARSE) {
		const char *kind = info->kind ? type_kind_name(info->kind) : "?";

		return shape_draw_part(s, x, y, columns, sv_of(kind),
				       info->kind ? STYLE_DIM : STYLE_UNKNOWN);
	}
	if (!info->ranked)
		return shape_draw_part(s, x, y, columns, SV("[?]"), STYLE_UNKNOWN);
	used += shape_draw_part(s, x, y, columns, SV("["), STYLE_DIM);
	for (uint32_t i = 0; i < info->rank && used < columns; i++) {
		if (i)
			used += shape_draw_part(s, x + used, y, columns - used, SV(", "),
						STYLE_DIM);
		used += draw_dim(s, x + used, y, columns - used, info->dims[i]);
	}
	return used + shape_draw_part(s, x + used, y, columns - used, SV("]"), STYLE_DIM);
}

void shape_text(const struct screen *s, const struct info *info, struct str *out)
{
	if (info->kind != TYPE_TENSOR && info->kind != TYPE_SPARSE) {
		str_text(out, info->kind ? type_kind_name(info->kind) : "?");
		return;
	}
	if (!info->ranked) {
		str_text(out, "[?]");
		return;
	}
	str_char(out, '[');
	for (uint32_t i = 0; i < info->rank; i++) {
		str_text(out, i ? ", " : "");
		sym_print(&s->subject.infer->pool, info->dims[i], out);
	}
	str_char(out, ']');
}
