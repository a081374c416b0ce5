/*
 * Pane 1: the model as a tree.  Rows are rebuilt when a fold changes; only visible ones are drawn.
 */
#include "ui/panes/outline.h"

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "ops/info.h"
#include "ui/canvas.h"
#include "ui/panes/inspector.h"
#include "ui/panes/outline_tree.h"
#include "ui/rows.h"

enum {
	SHORT_NAME = 8 /* columns that a name keeps next to a long shape */
};

struct outline {
	struct tree tree;
	struct marks marks;
	uint32_t node, value, scope; /* the selection as last seen */
	uint64_t cursor;             /* key of the selected row */
};

static void outline_release(struct pane *p)
{
	struct outline *o = p->state;

	tree_release(&o->tree);
	marks_release(&o->marks);
}

/* ---- drawing ---- */

static void outline_draw_mark(struct screen *s, int x, int y, uint8_t marks)
{
	if (marks & MARK_CONFLICT)
		canvas_put(&s->canvas, x, y, 0x2717, STYLE_CONFLICT);
	else if (marks & MARK_CHANGED)
		canvas_put(&s->canvas, x, y, '~', STYLE_CHANGED);
	else if (marks & MARK_WARNING)
		canvas_put(&s->canvas, x, y, '!', STYLE_WARNING);
}

static uint32_t arrow_of(const struct screen *s, const struct outline *o, uint32_t item)
{
	const struct item *i = &o->tree.items.at[item];
	bool selected = i->id && ((i->kind == ITEM_NODE && i->id == s->node && !s->scope) ||
				  (i->kind == ITEM_VALUE && i->id == s->value));

	if (i->kind == ITEM_SCOPE && !i->open &&
	    o->tree.branches.at[i->graph].scopes.at[i->id].kind == SCOPE_REPEAT)
		return 0x2261;
	if (tree_is_folder(&o->tree, item))
		return i->open ? 0x25be : 0x25b8;
	if (!selected)
		return ' ';
	return s->canvas.ascii ? '*' : 0x203a;
}

static enum style outline_style_of(const struct screen *s, const struct outline *o,
				   const struct item *i)
{
	const struct model *m = o->tree.model;

	if (i->kind == ITEM_NODE && i->id == s->node)
		return STYLE_NODE_SELECTED;
	if (i->kind == ITEM_CONSTANTS ||
	    (i->kind == ITEM_NODE && scope_is_constant(m, &m->nodes.at[i->id])))
		return STYLE_DIM;
	if (i->kind == ITEM_SCOPE || i->kind == ITEM_GRAPH)
		return STYLE_SCOPE;
	return tree_is_folder(&o->tree, (uint32_t)(i - o->tree.items.at)) ? STYLE_TITLE
									  : STYLE_TEXT;
}

/* Of a tensor's name the end is kept, of other names the start. */
static void outline_draw_label(struct screen *s, struct box line, int room, struct sv label,
			       enum item_kind kind, enum style style)
{
	bool cut = false;

	if (kind == ITEM_TENSOR || kind == ITEM_VALUE) {
		while (label.len && room > 2 &&
		       (label.len > 1000 || (int)utf8_width(label) > room - cut)) {
			label = sv_skip(label, utf8_next(label).len);
			cut = true;
		}
	}
	if (cut)
		canvas_put(&s->canvas, line.x, line.y, 0x2026, STYLE_DIM);
	canvas_text(&s->canvas, line.x + cut, line.y, room - cut, label, style);
}

/* Ends with an ellipsis when cut. */
static void draw_whole_shape(struct screen *s, struct box at, const struct info *info)
{
	if (draw_shape(s, at.x, at.y, at.width, info) && shape_width(s, info) > at.width)
		canvas_put(&s->canvas, at.x + at.width - 1, at.y, 0x2026, STYLE_DIM);
}

/* Shape arithmetic is labelled as in the graph: by its result, a number without brackets. */
static bool draw_computed(struct screen *s, const struct outline *o, const struct item *i,
			  struct box at)
{
	struct info info;

	if (!outline_computed(s, &o->tree, i, &info))
		return false;
	if (info.contents.rank || info.rank != 1)
		draw_whole_shape(s, at, &info);
	else if (draw_dim(s, at.x, at.y, at.width, info.dims[0]) &&
		 shape_width(s, &info) - 2 > at.width)
		canvas_put(&s->canvas, at.x + at.width - 1, at.y, 0x2026, STYLE_DIM);
	return true;
}

/*
 * The text from x on gets what the right side leaves: that takes at most two thirds, an
 * operator half.
 */
static void outline_draw_item(struct screen *s, struct outline *o, uint32_t item, struct box line)
{
	const struct item *i = &o->tree.items.at[item];
	bool has_shape = i->kind == ITEM_VALUE || i->kind == ITEM_LIKE;
	const struct info *info = has_shape ? &s->subject.infer->infos[i->id] : NULL;
	int half = line.width / 2, width;
	int min = i->kind == ITEM_NODE ? half : MAX(line.width / 3, MIN(half, SHORT_NAME));
	struct str label = {0}, right = {0};
	struct box at = line;

	if (draw_computed(s, o, i, line))
		return;
	outline_label(s, &o->tree, i, &label);
	outline_right(&o->tree, i, &right);
	width = info ? shape_width(s, info) : (int)utf8_width(str_sv(&right));
	/* What folds says how: a piece of its shape would say less. */
	min = i->kind == ITEM_LIKE ? line.width : min;
	width = MAX(MIN(width, line.width - MIN((int)utf8_width(str_sv(&label)), min) - 1), 0);
	if (i->kind == ITEM_LIKE && width < SHORT_NAME)
		width = 0;
	/* The repeat in the label matters more than the node count. */
	if (i->kind == ITEM_SCOPE && (int)utf8_width(str_sv(&label)) + width >= line.width)
		width = 0;
	outline_draw_label(s, line, line.width - width - (width > 0), str_sv(&label), i->kind,
			   outline_style_of(s, o, i));
	at.x += line.width - width;
	at.width = width;
	if (info)
		draw_whole_shape(s, at, info);
	else if (width)
		canvas_text(&s->canvas, at.x, at.y, width, str_sv(&right), STYLE_DIM);
	str_release(&label);
	str_release(&right);
}

static void outline_draw_row(struct pane *p, size_t row, struct box line)
{
	struct screen *s = p->screen;
	struct outline *o = p->state;
	uint32_t item = o->tree.rows.at[row];
	const struct item *i = &o->tree.items.at[item];
	/* Deep rows are indented less, and names keep half of the pane. */
	int indent = (int)(MIN(i->depth, 4) * 2 + (i->depth > 4 ? i->depth - 4 : 0));
	int x = line.x + 1 + MIN(indent, line.width / 2), end = line.x + line.width;

	outline_draw_mark(s, line.x, line.y, marks_of(&o->marks, s, &o->tree, i));
	if (x < end)
		canvas_put(&s->canvas, x, line.y, arrow_of(s, o, item),
			   i->kind == ITEM_NODE ? node_style(s, i->id) : STYLE_DIM);
	outline_draw_item(s, o, item, (struct box){x + 2, line.y, end - x - 2, 1});
}

static void outline_list_rows(struct pane *p)
{
	struct outline *o = p->state;

	tree_list(&o->tree);
	p->list.count = o->tree.rows.len;
}

static void outline_draw(struct pane *p)
{
	struct outline *o = p->state;

	outline_list_rows(p);
	if (o->marks.ready != o->tree.ready_count)
		marks_make(&o->marks, p->screen, &o->tree);
	pane_draw_list(p, p->box);
	pane_draw_more(p);
}

/* ---- following ---- */

static uint32_t item_at(const struct pane *p)
{
	const struct outline *o = p->state;

	return p->list.at < o->tree.rows.len ? o->tree.rows.at[p->list.at] : 0;
}

/* After a move or a fold. */
static void outline_remember(struct pane *p)
{
	struct outline *o = p->state;

	outline_list_rows(p);
	o->cursor = o->tree.items.len ? o->tree.items.at[item_at(p)].key : 0;
}

static void go_to(struct pane *p, uint32_t item)
{
	struct outline *o = p->state;

	outline_list_rows(p);
	if (item)
		p->list.at = tree_row(&o->tree, item);
	outline_remember(p);
}

/* Finds the same row after the tree was rebuilt. */
static void find_cursor(struct pane *p)
{
	struct outline *o = p->state;

	tree_list(&o->tree);
	for (size_t i = 0; i < o->tree.rows.len; i++) {
		if (o->tree.items.at[o->tree.rows.at[i]].key == o->cursor)
			p->list.at = i;
	}
}

/* Reveals the selection, and closes what was opened to reveal the previous one. */
static void outline_follow(struct pane *p)
{
	const struct screen *s = p->screen;
	struct outline *o = p->state;
	bool value = s->value && s->value != o->value, scope = s->scope && s->scope != o->scope;
	bool node = s->node && !s->scope && (s->node != o->node || o->scope);

	if (node || value || scope) {
		tree_unreveal(&o->tree);
		go_to(p, scope  ? tree_reveal_scope(&o->tree, s->graph, s->scope)
			 : node ? tree_reveal_node(&o->tree, s->node)
				: tree_reveal_value(&o->tree, s->value));
	}
	o->node = s->node;
	o->value = s->value;
	o->scope = s->scope;
}

static void outline_renew(struct pane *p)
{
	struct outline *o = p->state;

	if (tree_renew(&o->tree, p->screen->subject.model, p->screen->subject.infer))
		find_cursor(p);
	outline_follow(p);
	outline_list_rows(p);
	marks_make(&o->marks, p->screen, &o->tree);
}

/* ---- keys ---- */

static void outline_move(struct pane *p, enum motion motion)
{
	struct outline *o = p->state;
	uint32_t item = item_at(p);
	const struct item *i = &o->tree.items.at[item];
	bool open = item && i->open && tree_is_folder(&o->tree, item);

	tree_keep_revealed(&o->tree);
	if (motion == MOTION_LEFT && open)
		tree_open(&o->tree, item, false);
	else if (motion == MOTION_LEFT)
		go_to(p, i->parent);
	else if (motion == MOTION_RIGHT && !open)
		tree_open(&o->tree, item, true);
	else if (motion == MOTION_RIGHT)
		go_to(p, i->first);
	else
		list_move(&p->list, motion);
	outline_remember(p);
}

static bool outline_open_item(struct pane *p)
{
	struct screen *s = p->screen;
	struct outline *o = p->state;
	uint32_t item = item_at(p);
	struct item i = o->tree.items.at[item];
	bool again = i.kind == ITEM_NODE && i.id == s->node;

	if (!item)
		return false;
	tree_keep_revealed(&o->tree);
	if (i.kind == ITEM_TENSOR)
		inspector_weight(s, i.id);
	else if (i.kind == ITEM_VALUE)
		screen_select_value(s, i.id);
	else if (i.kind == ITEM_NODE && !again)
		screen_select(s, i.id);
	/* The first Enter selects a node with bodies, the second folds it. */
	if (tree_is_folder(&o->tree, item))
		tree_open(&o->tree, item, !i.open || (i.kind == ITEM_NODE && !again));
	else if (i.kind == ITEM_NODE || i.kind == ITEM_VALUE)
		screen_jumped(s);
	outline_remember(p);
	return true;
}

static void outline_click(struct pane *p, uint32_t target)
{
	struct outline *o = p->state;
	struct item i;

	if (target > o->tree.rows.len)
		return;
	tree_keep_revealed(&o->tree);
	p->list.at = target - 1;
	outline_remember(p);
	i = o->tree.items.at[item_at(p)];
	if (i.kind == ITEM_NODE)
		screen_select(p->screen, i.id);
	else if (i.kind == ITEM_VALUE)
		screen_select_value(p->screen, i.id);
}

void outline_scope(struct screen *s, uint32_t node, struct str *out)
{
	struct outline *o = s->panes[PANE_OUTLINE].state;
	const struct node *n = &s->subject.model->nodes.at[node];
	const struct branch *b = tree_branch(&o->tree, n->graph);

	scope_path(out, &b->scopes, b->scopes.of_node[n->index]);
}

const struct pane_kind outline_pane = {
	.title = "Outline",
	.hint = "j/k move  Enter select  h close  l open  / search  Tab pane",
	.size = sizeof(struct outline),
	.release = outline_release,
	.renew = outline_renew,
	.draw_row = outline_draw_row,
	.draw = outline_draw,
	.move = outline_move,
	.open = outline_open_item,
	.click = outline_click,
};
