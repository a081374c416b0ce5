/*
 * The edits, newest last; Enter goes to the state after a row.
 *
 *   ● as opened
 *   ● set input:0=batch  now, saved
 *   ○ repair input:0  undone
 */
#include "base/str.h"
#include "base/sv.h"
#include "ui/canvas.h"
#include "ui/screen.h"

/* Row 0 is the file as opened; row n is the state after edit n. */
struct history {
	size_t done; /* as last seen */
};

static void history_renew(struct pane *p)
{
	const struct subject *u = &p->screen->subject;
	struct history *h = p->state;

	p->list.count = u->history_count + 1;
	if (h->done != u->history_done)
		p->list.at = u->history_done;
	h->done = u->history_done;
	list_fit(&p->list);
}

static void history_draw_row(struct pane *p, size_t i, struct box line)
{
	const struct subject *u = &p->screen->subject;
	struct canvas *c = &p->screen->canvas;
	int end = line.x + line.width, x = line.x + 2;
	bool done = i <= u->history_done, now = i == u->history_done;
	struct sv text = i ? u->history[i - 1] : SV("as opened");
	/* In words too: without colours the marks do not show the current state. */
	bool saved = i == u->history_saved;
	struct sv state = now && saved ? SV("  now, saved")
			  : now        ? SV("  now")
			  : saved      ? SV("  saved")
			  : done       ? SV("")
				       : SV("  undone");

	canvas_put(c, line.x, line.y, done ? 0x25cf : 0x25cb, now ? STYLE_CHANGED : STYLE_DIM);
	if (end - x < 20)
		state.len = 0;
	if (x < end)
		x += canvas_text(c, x, line.y, end - x - (int)state.len, text,
				 now    ? STYLE_BRIGHT
				 : done ? STYLE_TEXT
					: STYLE_DIM);
	if (state.len)
		x += canvas_text(c, x, line.y, end - x, state, done ? STYLE_INFO : STYLE_DIM);
	/* How it is known to be right. */
	if (i && u->history_said[i - 1].len && end - x > 6)
		canvas_text(c, x + 2, line.y, end - x - 2, u->history_said[i - 1], STYLE_DIM);
}

static void history_where(struct pane *p, struct str *out)
{
	const struct subject *u = &p->screen->subject;

	if (u->history_count)
		str_format(out, " (%zu of %zu)", u->history_done, u->history_count);
}

static bool history_open(struct pane *p)
{
	struct screen *s = p->screen;
	size_t at = p->list.at, done = s->subject.history_done;

	if (at < done)
		screen_ask(s, "undo %zu", done - at);
	else if (at > done && at <= s->subject.history_count)
		screen_ask(s, "redo %zu", at - done);
	return at != done;
}

const struct pane_kind history_pane = {
	.title = "History",
	.hint = "Enter go to this state  u undo  Ctrl-R redo  Esc back  j/k move",
	.size = sizeof(struct history),
	.renew = history_renew,
	.draw_row = history_draw_row,
	.open = history_open,
	.where = history_where,
};
