#include "ui/bottom.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ui/canvas.h"
#include "ui/graph/graph.h"
#include "ui/hint.h"
#include "ui/paragraph.h"
#include "ui/prompt.h"
#include "ui/screen.h"

int screen_cursor(const struct screen *s)
{
	const struct prompt *p = &s->prompt;
	int label = (int)utf8_width(str_sv(&p->label));
	int cursor = (int)utf8_width((struct sv){str_c(&p->text), p->cursor});

	return MIN(label + cursor, s->canvas.width - 2);
}

static void bottom_draw_prompt(struct screen *s, int y)
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
static void bottom_add_weight(const struct tensor *t, struct str *out)
{
	uint32_t shown = MIN(t->rank, 16);

	str_char(out, '[');
	for (uint32_t i = 0; i < shown; i++)
		str_format(out, "%s%" PRId64, i ? ", " : "", t->dims[i]);
	str_text(out, shown < t->rank || t->rank_lost ? ", \u2026]" : "]");
}

/* Returns the columns used. */
static int bottom_draw_status(struct screen *s, int y)
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
		bottom_add_weight(t, &text);
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
static void bottom_draw_message(struct screen *s, struct sv text, enum style style, int y)
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

static void bottom_draw_why(struct screen *s, int y)
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
static void bottom_draw_notice(struct screen *s, int y, const struct str *text, int used)
{
	enum style style = s->notice_bad ? STYLE_NOTICE_BAD : STYLE_NOTICE;
	int width = s->canvas.width, needed = (int)utf8_width(str_sv(text));

	if (needed > width / 2 && used + 4 + needed > width) {
		bottom_draw_message(s, str_sv(text), style, y);
		return;
	}
	/* A short one leaves the beginning of the name. */
	if (used + 4 + needed > width) {
		canvas_fill(&s->canvas, (struct box){width - needed - 4, y, needed + 4, 1}, ' ',
			    STYLE_STATUS);
		canvas_put(&s->canvas, width - needed - 4, y, 0x2026, STYLE_STATUS);
	}
	canvas_right(&s->canvas, 0, y, width - 1, str_sv(text), style);
}

void bottom_draw(struct screen *s)
{
	int y = s->canvas.height - 1, width = s->canvas.width;
	const struct str *text = s->busy.len ? &s->busy : &s->notice;

	if (s->prompt.open)
		bottom_draw_prompt(s, screen_prompt_row(s));
	else if (text->len)
		bottom_draw_notice(s, y - 1, text, bottom_draw_status(s, y - 1));
	else
		(void)bottom_draw_status(s, y - 1);
	/* The typed text stays in sight. */
	if (s->prompt.open && text->len) {
		bottom_draw_message(s, str_sv(text),
				    s->notice_bad ? STYLE_NOTICE_BAD : STYLE_NOTICE, y);
		return;
	}
	if (s->prompt.open && s->prompt.why.len) {
		bottom_draw_why(s, y);
		return;
	}
	canvas_fill(&s->canvas, (struct box){0, y, width, 1}, ' ', STYLE_KEYS);
	hint_draw(s, y, width - 2 - (int)s->pending.len - 1);
	canvas_right(&s->canvas, 0, y, width - 1, str_sv(&s->pending), STYLE_BRIGHT);
}
