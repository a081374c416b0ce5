/*
 * What panes and overlays have in common: their storage, and for most a list that scrolls,
 * takes clicks and follows links.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/keys.h"
#include "ir/graph.h"
#include "report/record.h"
#include "ui/canvas.h"
#include "ui/dims.h"
#include "ui/panes/inspector.h"
#include "ui/paragraph.h"
#include "ui/rows.h"
#include "ui/screen.h"

static void *pane_alloc(size_t size)
{
	return memset(must_alloc(size), 0, size);
}

static struct rows *pane_new_rows(const struct screen *s)
{
	struct rows *rows = pane_alloc(sizeof(*rows));

	rows->names = &s->names;
	return rows;
}

void pane_init(struct pane *p, struct screen *s, const struct pane_kind *kind)
{
	*p = (struct pane){.kind = kind, .screen = s, .stale = true};
	if (kind->size)
		p->state = pane_alloc(kind->size);
	if (kind->fill)
		p->rows = pane_new_rows(s);
	if (kind->init)
		kind->init(p);
}

void pane_release(struct pane *p)
{
	if (p->kind && p->kind->release)
		p->kind->release(p);
	if (p->rows)
		rows_release(p->rows);
	free(p->rows);
	free(p->state);
	*p = (struct pane){0};
}

void pane_renew(struct pane *p)
{
	p->stale = true;
	if (p->kind->renew)
		p->kind->renew(p);
}

/* ---- rows ---- */

static void pane_fill(struct pane *p, int width)
{
	if (!p->rows || (!p->stale && p->rows->width == width))
		return;
	rows_clear(p->rows, width);
	p->stale = false;
	screen_speak(p->screen, true);
	p->kind->fill(p, p->rows);
	screen_speak(p->screen, false);
	p->list.count = p->rows->at.len;
}

void pane_ready(struct pane *p)
{
	enum {
		ANY_WIDTH = 34
	};

	if (p->rows)
		pane_fill(p, p->rows->width ? p->rows->width : ANY_WIDTH);
}

int pane_list_rows(struct pane *p, int width)
{
	pane_fill(p, width);
	return (int)MIN(p->list.count, (size_t)CANVAS_TALLEST);
}

int pane_rows(struct pane *p, int width)
{
	return p->kind->wants ? p->kind->wants(p, width) : pane_list_rows(p, width);
}

int pane_columns(const struct pane *p)
{
	int widest = 0;

	for (size_t i = 0; p->rows && i < p->rows->at.len; i++) {
		const struct row *row = &p->rows->at.at[i];
		int columns = row->right ? 1 : 0;

		for (uint32_t k = row->first; k < row->first + row->count; k++)
			columns += p->rows->pieces.at[k].width;
		widest = MAX(widest, columns);
	}
	return widest;
}

/* ---- drawing ---- */

static void pane_draw_background(struct pane *p, struct box line)
{
	struct canvas *c = &p->screen->canvas;

	c->ground = p->active ? STYLE_SELECTED : STYLE_SELECTED_IDLE;
	canvas_fill(c, line, ' ', STYLE_TEXT);
}

void pane_draw_list(struct pane *p, struct box box)
{
	struct canvas *c = &p->screen->canvas;
	struct list *l = &p->list;
	uint8_t ground = c->ground;

	pane_fill(p, box.width);
	l->rows = (size_t)MAX(box.height, 0);
	list_fit(l);
	for (size_t i = l->top; i < MIN(l->count, l->top + l->rows); i++) {
		struct box line = {box.x, box.y + (int)(i - l->top), box.width, 1};

		c->target = (uint32_t)i + 1;
		if (i == l->at)
			pane_draw_background(p, line);
		if (p->kind->draw_row)
			p->kind->draw_row(p, i, line);
		else
			rows_draw_row(p->screen, p->rows, i, line, -1);
		c->ground = ground;
	}
	c->target = 0;
	if (l->count == 0 && p->kind->empty) {
		/* A list of no rows leaves the rest of the pane. */
		box.height = p->box.y + p->box.height - box.y;
		draw_flow(c, box, sv_of(p->kind->empty), STYLE_DIM);
	}
}

void pane_draw_more(const struct pane *p)
{
	struct canvas *c = &p->screen->canvas;
	size_t seen = p->list.top + p->list.rows;
	struct str text = {0};
	int width;

	if (p->list.count <= seen)
		return;
	str_text(&text, c->ascii ? " v " : " \u25bc ");
	str_count(&text, p->list.count - seen);
	str_char(&text, ' ');
	width = (int)utf8_width(str_sv(&text));
	if (width < p->box.width)
		canvas_text(c, p->box.x + p->box.width - width, p->box.y + p->box.height, width,
			    str_sv(&text), STYLE_DIM);
	str_release(&text);
}

void pane_draw(struct pane *p)
{
	if (p->kind->draw) {
		p->kind->draw(p);
		return;
	}
	pane_draw_list(p, p->box);
	pane_draw_more(p);
}

/* ---- keys and the mouse ---- */

void pane_move(struct pane *p, enum motion motion)
{
	pane_ready(p);
	if (p->kind->move)
		p->kind->move(p, motion);
	else
		list_move(&p->list, motion);
}

void pane_scroll(struct pane *p, enum motion motion)
{
	if (p->kind->scroll)
		p->kind->scroll(p, motion);
	else
		pane_move(p, motion);
}

bool pane_open(struct pane *p)
{
	const struct row *row;

	pane_ready(p);
	if (p->kind->open)
		return p->kind->open(p);
	row = p->rows ? rows_selected(p) : NULL;
	return row && link_follow(p->screen, row->link, row->id);
}

void pane_click(struct pane *p, uint32_t target)
{
	if (p->kind->click) {
		p->kind->click(p, target);
		return;
	}
	p->list.at = target - 1;
	list_fit(&p->list);
}

bool pane_key(struct pane *p, uint32_t key)
{
	enum motion motion;

	if (p->kind->key && p->kind->key(p, key))
		return true;
	if (key == KEY_RETURN)
		(void)pane_open(p);
	else if (motion_find(key, false, &motion))
		pane_move(p, motion);
	else
		return false;
	return true;
}

bool pane_edit(struct pane *p, struct str *line)
{
	pane_ready(p);
	return p->kind->edit && p->kind->edit(p, line);
}

bool pane_dim(struct pane *p, struct dim_at *out)
{
	pane_ready(p);
	return p->kind->dim && p->kind->dim(p, out);
}

bool link_follow(struct screen *s, enum link link, uint32_t id)
{
	const struct graph *g;

	switch (link) {
	case LINK_NODE:
		screen_select(s, id);
		return true;
	case LINK_VALUE:
		screen_select_value(s, id);
		return true;
	case LINK_TENSOR:
		inspector_weight(s, id);
		return true;
	case LINK_GRAPH:
		g = &s->subject.model->graphs.at[id];
		if (g->nodes.len)
			screen_select(s, g->nodes.at[0]);
		return g->nodes.len > 0;
	case LINK_SYMBOL:
	case LINK_NONE:
	case LINK_COUNT:
		break;
	}
	return false;
}
