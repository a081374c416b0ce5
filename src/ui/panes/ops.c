/*
 * Pane 8: the operators in use, and how many of each.
 */
#include <stdlib.h>

#include "base/bug.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "ir/graph.h"
#include "ui/canvas.h"
#include "ui/rows.h"
#include "ui/screen.h"

struct count {
	uint32_t op, domain;
	size_t times;
};

struct ops {
	VEC(struct count) counts; /* most frequent first */
	struct list list;
};

static void *ops_pane_create(void)
{
	struct ops *o = must_alloc(sizeof(*o));

	*o = (struct ops){0};
	return o;
}

static void ops_pane_destroy(void *state)
{
	struct ops *o = state;

	vec_release(&o->counts);
	free(o);
}

static int ops_pane_by_count(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	if (x->times != y->times)
		return x->times < y->times ? 1 : -1;
	return x->op < y->op ? -1 : x->op > y->op;
}

static void ops_pane_renew(struct screen *s, void *state)
{
	const struct model *m = s->subject.model;
	struct ops *o = state;
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
	o->list.count = o->counts.len;
}

/* The name, the count, and a bar relative to the most frequent operator. */
static void draw_op(struct screen *s, const struct ops *o, size_t i, int x, int y, int width)
{
	const struct model *m = s->subject.model;
	const struct count *c = &o->counts.at[i];
	int names = MIN(width * 3 / 5, 28), bars = width - names - 9;
	struct sv domain = model_name(m, c->domain);
	struct str times = {0};
	int used = canvas_text(&s->canvas, x, y, names, model_name(m, c->op), STYLE_BRIGHT);

	if (!domain_is_standard(domain) && used + 2 < names)
		canvas_text(&s->canvas, x + used + 1, y, names - used - 1, domain, STYLE_DIM);
	str_count(&times, c->times);
	canvas_right(&s->canvas, x + names, y, MIN(8, width - names), str_sv(&times), STYLE_NUMBER);
	for (int k = 0; k < bars && (uint64_t)k * o->counts.at[0].times < c->times * (uint64_t)bars;
	     k++)
		canvas_put(&s->canvas, x + names + 9 + k, y, 0x25a0, STYLE_DIM);
	str_release(&times);
}

static void ops_pane_draw(struct screen *s, void *state, struct box inside, bool active)
{
	struct ops *o = state;

	list_fit(&o->list, (size_t)inside.height);
	for (size_t i = o->list.top; i < o->list.count && i < o->list.top + (size_t)inside.height;
	     i++) {
		draw_op(s, o, i, inside.x, list_row(s, inside, &o->list, i, active), inside.width);
	}
	s->canvas.target = 0;
	s->canvas.ground = STYLE_TEXT;
	draw_more(s, inside, &o->list, inside.height);
	if (o->list.count == 0)
		canvas_text(&s->canvas, inside.x, inside.y, inside.width, SV("no nodes"),
			    STYLE_DIM);
}

static void ops_pane_move(struct screen *s, void *state, enum motion motion)
{
	struct ops *o = state;

	if (motion != MOTION_LEFT && motion != MOTION_RIGHT)
		list_move(&o->list, motion, (size_t)s->boxes[PANE_OPS].height);
}

static bool open_op(struct screen *s, void *state)
{
	const struct ops *o = state;
	struct str word = {0}, line = {0};

	if (o->list.at >= o->counts.len)
		return false;
	str_text(&word, "op:");
	str_add(&word, model_name(s->subject.model, o->counts.at[o->list.at].op));
	str_text(&line, "search");
	words_quote(&line, str_sv(&word));
	screen_ask(s, "%s", str_c(&line));
	str_release(&word);
	str_release(&line);
	return true;
}

static void ops_pane_click(struct screen *s, void *state, uint32_t target)
{
	struct ops *o = state;

	(void)s;
	o->list.at = target - 1;
}

static void ops_pane_where(struct screen *s, void *state, struct str *out)
{
	const struct ops *o = state;

	(void)s;
	str_format(out, " (%zu)", o->counts.len);
}

const struct pane_kind ops_pane = {
	.title = "Operators",
	.hint = "j/k move  Enter search  n/N next, previous  Esc back  ? help",
	.create = ops_pane_create,
	.destroy = ops_pane_destroy,
	.renew = ops_pane_renew,
	.draw = ops_pane_draw,
	.move = ops_pane_move,
	.open = open_op,
	.click = ops_pane_click,
	.where = ops_pane_where,
};
