/*
 * Pane 8: the operators in use, and how many of each.
 */
#include <stdlib.h>

#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "ir/graph.h"
#include "ui/canvas.h"
#include "ui/screen.h"

struct count {
	uint32_t op, domain;
	size_t times;
};

struct ops {
	VEC(struct count) counts; /* most frequent first */
};

static void ops_pane_release(struct pane *p)
{
	struct ops *o = p->state;

	vec_release(&o->counts);
}

static int ops_pane_by_count(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	if (x->times != y->times)
		return x->times < y->times ? 1 : -1;
	return x->op < y->op ? -1 : x->op > y->op;
}

static void ops_pane_renew(struct pane *p)
{
	const struct model *m = p->screen->subject.model;
	struct ops *o = p->state;
	struct map places = {0};

	vec_clear(&o->counts);
	for (size_t i = 1; i < m->nodes.len; i++) {
		const struct node *n = &m->nodes.at[i];
		uint32_t *place;

		if (n->dead)
			continue;
		place = map_at(&places, (uint64_t)n->domain << 32 | n->op);
		if (*place == 0) {
			vec_push(&o->counts, ((struct count){n->op, n->domain, 0}));
			*place = (uint32_t)o->counts.len;
		}
		o->counts.at[*place - 1].times++;
	}
	if (o->counts.len)
		qsort(o->counts.at, o->counts.len, sizeof(*o->counts.at), ops_pane_by_count);
	map_release(&places);
	p->list.count = o->counts.len;
}

/* The name, the count, and a bar relative to the most frequent operator. */
static void ops_pane_draw_row(struct pane *p, size_t i, struct box line)
{
	const struct ops *o = p->state;
	const struct model *m = p->screen->subject.model;
	const struct count *c = &o->counts.at[i];
	struct canvas *to = &p->screen->canvas;
	int x = line.x, y = line.y, width = line.width;
	int names = MIN(width * 3 / 5, 28), bars = width - names - 9;
	struct sv domain = model_name(m, c->domain);
	struct str times = {0};
	int used = canvas_text(to, x, y, names, model_name(m, c->op), STYLE_BRIGHT);

	if (!domain_is_standard(domain) && used + 2 < names)
		canvas_text(to, x + used + 1, y, names - used - 1, domain, STYLE_DIM);
	str_count(&times, c->times);
	canvas_right(to, x + names, y, MIN(8, width - names), str_sv(&times), STYLE_NUMBER);
	for (int k = 0; k < bars && (uint64_t)k * o->counts.at[0].times < c->times * (uint64_t)bars;
	     k++)
		canvas_put(to, x + names + 9 + k, y, 0x25a0, STYLE_DIM);
	str_release(&times);
}

static bool ops_pane_open(struct pane *p)
{
	const struct ops *o = p->state;
	struct screen *s = p->screen;
	struct str word = {0}, line = {0};

	if (p->list.at >= o->counts.len)
		return false;
	str_text(&word, "op:");
	str_add(&word, model_name(s->subject.model, o->counts.at[p->list.at].op));
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
	.hint = "j/k move  Enter search  n/N next, previous  Esc back  ? help",
	.empty = "no nodes",
	.size = sizeof(struct ops),
	.release = ops_pane_release,
	.renew = ops_pane_renew,
	.draw_row = ops_pane_draw_row,
	.open = ops_pane_open,
	.where = ops_pane_where,
};
