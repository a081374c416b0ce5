/*
 * The edits, newest last; Enter goes to the state after a row.
 *
 *   ● as opened
 *   ● set input:0=batch  now, saved
 *   ○ repair input:0  undone
 */
#include <stdlib.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "ui/canvas.h"
#include "ui/rows.h"
#include "ui/screen.h"

/* Row 0 is the file as opened; row n is the state after edit n. */
struct history {
	struct list list;
	size_t rows_seen;
	size_t done; /* as last seen */
};

static void *history_create(void)
{
	struct history *p = must_alloc(sizeof(*p));

	*p = (struct history){0};
	return p;
}

static void history_destroy(void *state)
{
	free(state);
}

static void history_renew(struct screen *s, void *state)
{
	struct history *p = state;

	p->list.count = s->subject.history_count + 1;
	if (p->done != s->subject.history_done)
		p->list.at = s->subject.history_done;
	p->done = s->subject.history_done;
	list_fit(&p->list, p->rows_seen);
}

static void history_draw_row(struct screen *s, struct history *p, struct box in, size_t i,
			     bool active)
{
	const struct subject *u = &s->subject;
	int y = list_row(s, in, &p->list, i, active), end = in.x + in.width, x = in.x + 2;
	bool done = i <= u->history_done, now = i == u->history_done;
	struct sv text = i ? u->history[i - 1] : SV("as opened");
	/* In words too: without colours the marks do not show the current state. */
	bool saved = i == u->history_saved;
	struct sv state = now && saved ? SV("  now, saved")
			  : now        ? SV("  now")
			  : saved      ? SV("  saved")
			  : done       ? SV("")
				       : SV("  undone");

	canvas_put(&s->canvas, in.x, y, done ? 0x25cf : 0x25cb, now ? STYLE_CHANGED : STYLE_DIM);
	if (end - x < 20)
		state.len = 0;
	if (x < end)
		x += canvas_text(&s->canvas, x, y, end - x - (int)state.len, text,
				 now    ? STYLE_BRIGHT
				 : done ? STYLE_TEXT
					: STYLE_DIM);
	if (state.len)
		canvas_text(&s->canvas, x, y, end - x, state, done ? STYLE_INFO : STYLE_DIM);
	s->canvas.target = 0;
}

static void history_draw(struct screen *s, void *state, struct box inside, bool active)
{
	struct history *p = state;

	p->rows_seen = (size_t)MAX(inside.height, 0);
	list_fit(&p->list, p->rows_seen);
	for (size_t i = p->list.top; i < MIN(p->list.count, p->list.top + p->rows_seen); i++)
		history_draw_row(s, p, inside, i, active);
	draw_more(s, inside, &p->list, inside.height);
}

static void history_where(struct screen *s, void *state, struct str *out)
{
	(void)state;
	if (s->subject.history_count)
		str_format(out, " (%zu of %zu)", s->subject.history_done, s->subject.history_count);
}

static void history_move(struct screen *s, void *state, enum motion motion)
{
	struct history *p = state;

	(void)s;
	if (motion != MOTION_LEFT && motion != MOTION_RIGHT)
		list_move(&p->list, motion, p->rows_seen);
}

static bool history_open(struct screen *s, void *state)
{
	const struct history *p = state;
	size_t done = s->subject.history_done;

	if (p->list.at < done)
		screen_ask(s, "undo %zu", done - p->list.at);
	else if (p->list.at > done && p->list.at <= s->subject.history_count)
		screen_ask(s, "redo %zu", p->list.at - done);
	return p->list.at != done;
}

static void history_click(struct screen *s, void *state, uint32_t target)
{
	struct history *p = state;

	(void)s;
	p->list.at = target - 1;
	list_fit(&p->list, p->rows_seen);
}

const struct pane_kind history_pane = {
	.title = "History",
	.hint = "j/k move  Enter go to this state  u undo  Ctrl-R redo  Esc back  ? help",
	.create = history_create,
	.destroy = history_destroy,
	.renew = history_renew,
	.draw = history_draw,
	.move = history_move,
	.open = history_open,
	.click = history_click,
	.where = history_where,
};
