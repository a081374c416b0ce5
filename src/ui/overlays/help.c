/*
 * Help: a row for each key, and for each command without one, in groups.  Typing narrows them.
 */
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "cmd/keys.h"
#include "ui/canvas.h"
#include "ui/overlays/chooser.h"
#include "ui/paragraph.h"
#include "ui/prompt.h"
#include "ui/screen.h"

/* A help row, or the heading of a group (help is NULL). */
struct shown {
	const struct help_row *help; /* borrowed */
	const char *group;
};

struct columns {
	int keys, name;
};

struct help {
	struct prompt filter;
	VEC(struct shown) rows;
	struct columns columns; /* of this frame */
};

static void help_init(struct pane *p)
{
	p->list.at = 1; /* the first is a heading */
}

static void help_release(struct pane *p)
{
	struct help *h = p->state;

	prompt_release(&h->filter);
	vec_release(&h->rows);
}

/* The start of a word, ignoring case. */
static bool help_starts_word(struct sv words, struct sv typed, bool *out_whole)
{
	while (words.len) {
		struct sv word = sv_cut(&words, ' ');

		if (word.len < typed.len || !text_holds((struct sv){word.at, typed.len}, typed))
			continue;
		*out_whole = word.len == typed.len;
		return true;
	}
	return false;
}

/* `za` and C-r count more than any word: somebody asks what that key does. */
static int help_key_fits(const struct help_row *r, struct sv word)
{
	enum {
		PART = 3 /* letters of the start of a name, such as Ctrl- */
	};
	struct sv keys = r->keys;
	struct str tidy = {0};
	int fits = 0;

	keys_tidy(&tidy, word);
	while (keys.len) {
		struct sv key = sv_cut(&keys, ' ');
		bool starts = tidy.len >= PART && key.len >= tidy.len &&
			      sv_same_letters((struct sv){key.at, tidy.len}, str_sv(&tidy));

		fits = MAX(fits, sv_eq(key, str_sv(&tidy)) ? 60 : starts ? 25 : 0);
	}
	str_release(&tidy);
	return fits;
}

/* A word that is typed: the line counts most, then other names for it, then what it does. */
static int help_said_fits(const struct help_row *r, struct sv word)
{
	bool whole = false;

	if (help_starts_word(r->line, word, &whole))
		return whole ? 50 : 40;
	if (help_starts_word(sv_of(r->synonyms), word, &whole))
		return whole ? 45 : 30;
	if (text_holds(r->line, word) || text_holds(sv_of(r->usage), word))
		return 20;
	if (help_starts_word(sv_of(r->help), word, &whole))
		return whole ? 16 : 12;
	return text_holds(sv_of(r->help), word) || text_holds(sv_of(r->group), word) ? 6 : 0;
}

static int help_word_fits(const struct help_row *r, struct sv word)
{
	return MAX(help_key_fits(r, word), help_said_fits(r, word));
}

int help_fits(const struct help_row *r, struct sv typed)
{
	int least = 100;

	while (typed.len) {
		struct sv word = sv_cut(&typed, ' ');

		if (word.len)
			least = MIN(least, help_word_fits(r, word));
	}
	return least;
}

static void help_list_rows(struct pane *p)
{
	const struct screen *s = p->screen;
	struct help *h = p->state;
	const char *group = "";

	vec_clear(&h->rows);
	for (size_t i = 0; i < s->help_count; i++) {
		const struct help_row *r = &s->help[i];

		if (!help_fits(r, str_sv(&h->filter.text)) ||
		    (r->is_choice && h->filter.text.len == 0))
			continue;
		if (!sv_is(sv_of(group), r->group))
			vec_push(&h->rows, ((struct shown){NULL, r->group}));
		group = r->group;
		vec_push(&h->rows, ((struct shown){r, group}));
	}
	p->list.count = h->rows.len;
}

/* ---- drawing ---- */

enum {
	MIN_TEXT = 30 /* columns for a description */
};

static void help_draw_row(struct pane *p, size_t i, struct box line)
{
	struct screen *s = p->screen;
	const struct help *h = p->state;
	const struct shown *row = &h->rows.at[i];
	struct columns wide = h->columns;
	int x = line.x, y = line.y, end = line.x + line.width;

	if (!row->help) {
		canvas_text(&s->canvas, x, y, line.width, sv_of(row->group), STYLE_TITLE);
		return;
	}
	x += 2;
	if (end - x > 0)
		canvas_text(&s->canvas, x, y, MIN(wide.keys, end - x), row->help->keys,
			    STYLE_BRIGHT);
	x += wide.keys + 1;
	if (end - x > 0) {
		int used = canvas_text(&s->canvas, x, y, MIN(wide.name, end - x), row->help->line,
				       STYLE_SCOPE);

		if (used + 1 < wide.name && end - x - used - 1 > 0)
			canvas_text(&s->canvas, x + used + 1, y,
				    MIN(wide.name - used - 1, end - x - used - 1),
				    sv_of(row->help->usage), STYLE_DIM);
	}
	x += wide.name + 1;
	if (end - x > 0)
		canvas_text(&s->canvas, x, y, end - x, sv_of(row->help->help), STYLE_TEXT);
}

/* NULL for none. */
static const struct help_row *help_selected(const struct pane *p)
{
	const struct help *h = p->state;

	return p->list.at < h->rows.len ? h->rows.at[p->list.at].help : NULL;
}

/* The selected row in full, below the list. */
static void draw_whole(const struct pane *p, struct box box)
{
	const struct help_row *r = help_selected(p);
	struct str text = {0};

	if (!r)
		return;
	str_format(&text, ":%.*s%s%s  %s", (int)r->line.len, r->line.at, *r->usage ? " " : "",
		   r->usage, r->help);
	if (r->keys.len) {
		str_text(&text, "; keys: ");
		str_add(&text, r->keys);
	}
	draw_flow(&p->screen->canvas, box, str_sv(&text), STYLE_INFO);
	str_release(&text);
}

/* Keys matter most here: they are not cut while the descriptions have room. */
static struct columns help_columns_of(const struct screen *s, int width)
{
	struct columns c = {8, MAX(width / 4, 16)};
	int max = width - c.name - MIN(width / 2, MIN_TEXT) - 4;

	for (size_t i = 0; i < s->help_count; i++)
		c.keys = MAX(c.keys, (int)utf8_width(s->help[i].keys));
	c.keys = MAX(MIN(c.keys, max), 8);
	return c;
}

static void help_draw(struct pane *p)
{
	struct help *h = p->state;
	struct box box = p->box;
	int whole = box.height > 8 ? 3 : 0;

	if (box.height < 1 || box.width < 1)
		return;
	help_list_rows(p);
	h->columns = help_columns_of(p->screen, box.width);
	box.height -= whole;
	chooser_draw(p, &h->filter, box,
		     h->filter.text.len ? SV("Ctrl-U shows all") : SV("type to find"));
	if (whole)
		draw_whole(p, (struct box){box.x, box.y + box.height + 1, box.width, whole - 1});
}

/* ---- keys ---- */

/* Skips headings in the direction of the move. */
static void help_move(struct pane *p, enum motion motion)
{
	const struct help *h = p->state;
	struct list *l = &p->list;
	size_t was = l->at;

	list_move(l, motion);
	if (l->at >= h->rows.len || h->rows.at[l->at].help)
		return;
	if (l->at > was || l->at == 0)
		l->at++;
	else
		l->at--;
	list_fit(l);
}

static bool help_open(struct pane *p)
{
	struct screen *s = p->screen;
	const struct help_row *r = help_selected(p);

	if (!r)
		return false;
	screen_overlay(s, OVERLAY_NONE);
	help_run(s, r);
	return true;
}

void help_run(struct screen *s, const struct help_row *r)
{
	if (r->needs_words)
		screen_ask(s, "command '%.*s '", (int)r->line.len, r->line.at);
	else
		screen_ask(s, "%.*s", (int)r->line.len, r->line.at);
}

/* To the row that fits best: the first below a heading while nothing is typed. */
static void help_narrow(struct pane *p)
{
	const struct help *h = p->state;
	int best = 0;

	help_list_rows(p);
	p->list.at = 1;
	p->list.top = 0;
	for (size_t i = 0; i < h->rows.len; i++) {
		const struct help_row *r = h->rows.at[i].help;
		int fits = r ? help_fits(r, str_sv(&h->filter.text)) : 0;

		if (fits > best) {
			best = fits;
			p->list.at = i;
		}
	}
	list_fit(&p->list);
}

static bool help_key(struct pane *p, uint32_t key)
{
	struct help *h = p->state;
	bool empty = h->filter.text.len == 0;

	help_list_rows(p); /* a key may arrive before the first frame */
	if (empty && (key == '?' || key == KEY_RUBOUT)) {
		screen_overlay(p->screen, OVERLAY_NONE);
		return true;
	}
	/* As in a pager, where it starts what is typed anyway. */
	if (empty && key == '/')
		return true;
	return chooser_key(p, &h->filter, key, help_narrow);
}

const struct pane_kind help_overlay = {
	.title = "Help: what each key does",
	.hint = "type to find  Up/Down move  PgUp/PgDn page  Enter run  Esc close",
	.empty = "no match",
	.size = sizeof(struct help),
	.init = help_init,
	.release = help_release,
	.draw_row = help_draw_row,
	.draw = help_draw,
	.move = help_move,
	.open = help_open,
	.key = help_key,
};
