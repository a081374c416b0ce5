/*
 * Pane 8: the operators in use, and how many of each.
 */
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "ir/graph.h"
#include "ops/property.h"
#include "report/counts.h"
#include "ui/canvas.h"
#include "ui/screen.h"

static void ops_pane_release(struct pane *p)
{
	struct op_counts *o = p->state;

	vec_release(o);
}

static void ops_pane_renew(struct pane *p)
{
	struct op_counts *o = p->state;

	op_counts_make(o, p->screen->subject.model);
	p->list.count = o->len;
}

/* The name, the count, and a bar relative to the most frequent operator. */
static void ops_pane_draw_row(struct pane *p, size_t i, struct box line)
{
	const struct op_counts *o = p->state;
	const struct model *m = p->screen->subject.model;
	const struct op_count *c = &o->at[i];
	struct canvas *to = &p->screen->canvas;
	int x = line.x, y = line.y, width = line.width;
	int names = MIN(width * 3 / 5, 28), bars = width - names - 9;
	struct sv domain = model_name(m, c->domain);
	struct str times = {0};
	const struct node like = {.op = c->op, .domain = c->domain};
	int used = canvas_text(to, x, y, names, model_name(m, c->op),
			       kind_style(op_kind(m, &like)));

	if (!domain_is_standard(domain) && used + 2 < names)
		canvas_text(to, x + used + 1, y, names - used - 1, domain, STYLE_DIM);
	str_count(&times, c->count);
	canvas_right(to, x + names, y, MIN(8, width - names), str_sv(&times), STYLE_NUMBER);
	for (int k = 0; k < bars && (uint64_t)k * o->at[0].count < c->count * (uint64_t)bars; k++)
		canvas_put(to, x + names + 9 + k, y, 0x25a0, STYLE_DIM);
	str_release(&times);
}

static bool ops_pane_open(struct pane *p)
{
	const struct op_counts *o = p->state;
	struct screen *s = p->screen;
	struct str word = {0}, line = {0};

	if (p->list.at >= o->len)
		return false;
	str_text(&word, "op:");
	str_add(&word, model_name(s->subject.model, o->at[p->list.at].op));
	str_text(&line, "search");
	words_quote(&line, str_sv(&word));
	screen_ask(s, "%s", str_c(&line));
	str_release(&word);
	str_release(&line);
	return true;
}

static void ops_pane_where(struct pane *p, struct str *out)
{
	str_format(out, " (%zu)", p->list.count);
}

const struct pane_kind ops_pane = {
	.title = "Operators",
	.hint = "Enter search  n/N next, previous  Esc back  j/k move",
	.empty = "no nodes",
	.size = sizeof(struct op_counts),
	.release = ops_pane_release,
	.renew = ops_pane_renew,
	.draw_row = ops_pane_draw_row,
	.open = ops_pane_open,
	.where = ops_pane_where,
};
