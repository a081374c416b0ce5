#include "ui/panes/uses.h"

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ir/graph.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/follow.h"
#include "ui/paragraph.h"

static const struct follow_use *uses_at(const struct pane *p, size_t i)
{
	return i < p->screen->follow.uses.len ? &p->screen->follow.uses.at[i] : NULL;
}

/* Draws from left to right. */
struct uses_pen {
	struct screen *s; /* borrowed */
	int x, y, end;
};

static void uses_put(struct uses_pen *p, struct sv text, enum style style)
{
	if (p->x < p->end)
		p->x += canvas_text(&p->s->canvas, p->x, p->y, p->end - p->x, text, style);
}

static void uses_put_dim(struct uses_pen *p, struct sym dim)
{
	if (p->x < p->end)
		p->x += draw_dim(p->s, p->x, p->y, p->end - p->x, dim);
}

static void uses_put_place(struct uses_pen *p, const struct follow_use *u)
{
	const struct model *m = p->s->subject.model;

	if (u->node) {
		uses_put(p, model_cut_name(m, m->nodes.at[u->node].op), node_style(p->s, u->node));
	} else {
		uses_put(p, SV("\u25cf "), symbol_style(p->s, p->s->follow.symbol));
		uses_put(p, model_cut_name(m, m->values.at[u->value].name), STYLE_BRIGHT);
	}
	uses_put(p, SV("  "), STYLE_DIM);
}

static void uses_put_folded(struct uses_pen *p, const struct follow_use *u)
{
	struct str text = {0};

	str_count(&text, u->count);
	str_text(&text, " that pass it on");
	uses_put(p, str_sv(&text), STYLE_DIM);
	str_release(&text);
}

/* Conv  H -> ceil(H/2)      ×2 */
void uses_draw_row(struct pane *p, size_t i, struct box line)
{
	const struct follow_use *u = uses_at(p, i);
	struct uses_pen pen = {p->screen, line.x, line.y, line.x + line.width};
	struct str dims = {0};

	if (!u)
		return;
	if (u->dims) {
		str_text(&dims, p->screen->canvas.ascii ? "x" : "\u00d7");
		str_count(&dims, u->dims);
		canvas_right(&p->screen->canvas, line.x, line.y, line.width, str_sv(&dims),
			     STYLE_DIM);
		pen.end -= (int)utf8_width(str_sv(&dims)) + 1;
	}
	if (u->kind == FOLLOW_KEPT)
		uses_put(&pen, SV("  "), STYLE_DIM);
	if (u->count > 1) {
		uses_put_folded(&pen, u);
		str_release(&dims);
		return;
	}
	uses_put_place(&pen, u);
	switch (u->kind) {
	case FOLLOW_BORN:
	case FOLLOW_KEPT:
	case FOLLOW_OUT:
		uses_put_dim(&pen, u->after);
		break;
	case FOLLOW_MADE:
		uses_put(&pen, SV("makes "), STYLE_DIM);
		uses_put_dim(&pen, u->after);
		break;
	case FOLLOW_CHANGED:
		uses_put_dim(&pen, u->before);
		uses_put(&pen, p->screen->canvas.ascii ? SV(" -> ") : SV(" \u2192 "), STYLE_DIM);
		uses_put_dim(&pen, u->after);
		break;
	case FOLLOW_LOST:
		uses_put_dim(&pen, u->before);
		uses_put(&pen, SV(" ends here"), STYLE_DIM);
		break;
	case FOLLOW_KIND_COUNT:
		break;
	}
	str_release(&dims);
}

void uses_draw_details(const struct pane *p, struct box box)
{
	const struct follow_use *u = uses_at(p, p->list.at);
	const struct model *m = p->screen->subject.model;
	struct str text = {0};

	if (!u || box.height <= 0)
		return;
	if (u->count > 1)
		str_text(&text, "Enter lists them");
	else if (u->node)
		str_add_shown(&text, node_label(m, u->node));
	else
		str_text(&text, u->kind == FOLLOW_OUT ? "an output" : "an input");
	if (u->dims) {
		str_text(&text, "; ");
		str_things(&text, u->dims, "dim");
		str_text(&text, u->dims == 1 ? " has it" : " have it");
	}
	box.y += draw_flow(&p->screen->canvas, box, str_sv(&text), STYLE_DIM);
	str_release(&text);
}
