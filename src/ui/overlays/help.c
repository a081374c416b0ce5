/*
 * Help: all commands in groups, with their keys.  Typing filters the list.
 */
#include <stdlib.h>

#include "base/bug.h"
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

struct help {
	struct chooser chooser;
	bool typing; /* letters are input, not motions */
	VEC(struct shown) rows;
};

static void *help_create(void)
{
	struct help *h = must_alloc(sizeof(*h));

	*h = (struct help){.chooser.list.at = 1}; /* the first is a heading */
	return h;
}

static void help_destroy(void *state)
{
	struct help *h = state;

	chooser_release(&h->chooser);
	vec_release(&h->rows);
	free(h);
}

static bool help_fits(const struct help_row *r, struct sv text)
{
	return text_holds(sv_of(r->name), text) || text_holds(sv_of(r->help), text) ||
	       text_holds(sv_of(r->usage), text) || text_holds(r->keys, text) ||
	       text_holds(sv_of(r->group), text);
}

static void help_list_rows(struct screen *s, struct help *h)
{
	const char *group = "";

	vec_clear(&h->rows);
	for (size_t i = 0; i < s->help_count; i++) {
		const struct help_row *r = &s->help[i];

		if (!help_fits(r, chooser_text(&h->chooser)))
			continue;
		if (!sv_is(sv_of(group), r->group))
			vec_push(&h->rows, ((struct shown){NULL, r->group}));
		group = r->group;
		vec_push(&h->rows, ((struct shown){r, group}));
	}
	h->chooser.list.count = h->rows.len;
}

/* ---- drawing ---- */

struct columns {
	int keys, name;
};

enum {
	MIN_TEXT = 30 /* columns for a description */
};

static void help_draw_row(struct screen *s, const struct help *h, struct box box, size_t i,
			  struct columns wide)
{
	const struct shown *row = &h->rows.at[i];
	int y = list_row(s, box, &h->chooser.list, i, true), x = box.x, end = box.x + box.width;

	if (i != h->chooser.list.at)
		s->canvas.ground = STYLE_OVERLAY;
	if (!row->help) {
		canvas_text(&s->canvas, x, y, box.width, sv_of(row->group), STYLE_TITLE);
		return;
	}
	x += 2;
	if (end - x > 0)
		canvas_text(&s->canvas, x, y, MIN(wide.keys, end - x), row->help->keys,
			    STYLE_BRIGHT);
	x += wide.keys + 1;
	if (end - x > 0) {
		int used = canvas_text(&s->canvas, x, y, MIN(wide.name, end - x),
				       sv_of(row->help->name), STYLE_SCOPE);

		if (used + 1 < wide.name && end - x - used - 1 > 0)
			canvas_text(&s->canvas, x + used + 1, y,
				    MIN(wide.name - used - 1, end - x - used - 1),
				    sv_of(row->help->usage), STYLE_DIM);
	}
	x += wide.name + 1;
	if (end - x > 0)
		canvas_text(&s->canvas, x, y, end - x, sv_of(row->help->help), STYLE_TEXT);
}

/* The selected row in full, below the list. */
static void draw_whole(struct screen *s, const struct help *h, struct box box)
{
	const struct help_row *r;
	struct str text = {0};

	s->canvas.ground = STYLE_OVERLAY;
	if (h->chooser.list.at >= h->rows.len)
		return;
	r = h->rows.at[h->chooser.list.at].help;
	if (!r)
		return;
	str_format(&text, ":%s%s%s  %s", r->name, *r->usage ? " " : "", r->usage, r->help);
	if (r->keys.len) {
		str_text(&text, "; keys: ");
		str_add(&text, r->keys);
	}
	draw_flow(&s->canvas, box, str_sv(&text), STYLE_INFO);
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

static void help_draw(struct screen *s, void *state, struct box inside)
{
	struct help *h = state;
	struct columns wide = help_columns_of(s, inside.width);
	int whole = inside.height > 8 ? 3 : 0;
	struct box below = {inside.x, inside.y + inside.height - whole + 1, inside.width,
			    whole - 1};
	struct box rows;

	if (inside.height < 1 || inside.width < 1)
		return;
	help_list_rows(s, h);
	inside.height -= whole;
	rows = chooser_draw(s, &h->chooser, inside,
			    h->typing ? SV("Esc clear") : SV("/ filter  Enter run  q close"));
	for (int i = 0; i < rows.height; i++) {
		if (h->chooser.list.top + (size_t)i < h->rows.len)
			help_draw_row(s, h, rows, h->chooser.list.top + (size_t)i, wide);
	}
	if (h->rows.len == 0)
		canvas_text(&s->canvas, rows.x, rows.y, rows.width, SV("no match"), STYLE_DIM);
	if (whole)
		draw_whole(s, h, below);
}

/* ---- keys ---- */

/* Skips headings in the direction of the move. */
static void skip_heading(struct help *h, size_t was)
{
	struct list *l = &h->chooser.list;

	if (l->at >= h->rows.len || h->rows.at[l->at].help)
		return;
	if (l->at > was || l->at == 0)
		l->at++;
	else
		l->at--;
	list_fit(l, h->chooser.rows);
}

/* Pager keys, until the user types a filter. */
static bool pager_key(struct screen *s, struct help *h, uint32_t key)
{
	static const struct {
		uint32_t key;
		enum motion motion;
	} motions[] = {
		{'j', MOTION_DOWN},    {'k', MOTION_UP},    {' ', MOTION_PAGE_DOWN},
		{'b', MOTION_PAGE_UP}, {'g', MOTION_FIRST}, {'G', MOTION_LAST},
	};

	if (key == 'q' || key == '?' || key == KEY_RUBOUT) {
		screen_overlay(s, OVERLAY_NONE);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(motions); i++) {
		if (motions[i].key == key) {
			list_move(&h->chooser.list, motions[i].motion, h->chooser.rows);
			return true;
		}
	}
	h->typing = key == '/';
	return h->typing;
}

static void run_selected(struct screen *s, const struct help *h)
{
	const struct help_row *r = h->chooser.list.at < h->rows.len
					   ? h->rows.at[h->chooser.list.at].help
					   : NULL;

	if (!r)
		return;
	screen_overlay(s, OVERLAY_NONE);
	help_run(s, r);
}

void help_run(struct screen *s, const struct help_row *r)
{
	if (r->needs_words)
		screen_ask(s, "command '%s '", r->name);
	else
		screen_ask(s, "%s", r->name);
}

static bool help_key(struct screen *s, void *state, uint32_t key)
{
	struct help *h = state;
	size_t was = h->chooser.list.at;

	help_list_rows(s, h); /* a key may arrive before the first frame */
	if (!h->typing && pager_key(s, h, key)) {
		if (s->overlay == OVERLAY_HELP)
			skip_heading(h, was);
		return true;
	}
	if (key == KEY_ESCAPE && chooser_text(&h->chooser).len) {
		prompt_close(&h->chooser.filter);
		h->typing = false;
		return true;
	}
	switch (chooser_key(&h->chooser, key)) {
	case CHOSEN_NOTHING:
		return false;
	case CHOSEN_ONE:
		run_selected(s, h);
		break;
	case CHOSEN_TYPED:
		h->typing = true;
		h->chooser.list = (struct list){.at = 1};
		break;
	case CHOSEN_MOVE:
		skip_heading(h, was);
		break;
	}
	return true;
}

const struct overlay_kind help_overlay = {
	.title = "Help",
	.draw = help_draw,
	.create = help_create,
	.destroy = help_destroy,
	.key = help_key,
};
