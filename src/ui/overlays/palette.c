/*
 * The palette: fuzzy search over blocks, nodes, tensors, symbols and commands.
 *
 * Of what holds the letters as they were typed, blocks come first, then nodes, tensors, and last
 * weights: a word that names a block is in the names of all that is in it.
 *
 * All names are listed once.  A longer query searches only the matches of the shorter one.
 * Only the best are kept in order, without sorting, so a key costs at most one pass.
 */
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/graph/graph.h"
#include "ui/overlays/chooser.h"
#include "ui/panes/symbols.h"
#include "ui/prompt.h"
#include "ui/screen.h"
#include "ui/search/fuzzy.h"
#include "ui/search/search.h"

enum item_kind {
	ITEM_COMMAND,
	ITEM_SYMBOL,
	ITEM_BLOCK,
	ITEM_NODE,
	ITEM_TENSOR,
	ITEM_FIXED, /* a weight, or a constant */
	ITEM_KIND_COUNT
};

enum {
	MAX_SHOWN = 200,
	MAX_ITEMS = 1 << 21 /* a hostile file may have more; they are ignored */
};

struct item {
	struct sv text; /* borrowed from the model, or from a block */
	uint64_t letters;
	uint32_t id;
	enum item_kind kind;
};

/* A scope that has a name. */
struct palette_block {
	struct str path; /* owned */
	uint32_t node;   /* its first */
	uint32_t scope;
	uint32_t count; /* of its nodes */
};

struct best {
	uint32_t item;
	int score;
};

struct palette {
	struct prompt filter;
	struct fuzzy fuzzy; /* its text */
	VEC(struct item) items;
	VEC(struct palette_block) blocks;
	VEC(uint32_t) fitting; /* items matching the query `made` */
	struct str made;
	struct best best[MAX_SHOWN]; /* by descending score */
	size_t best_count;
	size_t found; /* items that fit */
	size_t age;   /* of the subject that was listed */
};

static void palette_forget_blocks(struct palette *p)
{
	for (size_t i = 0; i < p->blocks.len; i++)
		str_release(&p->blocks.at[i].path);
	vec_clear(&p->blocks);
}

static void palette_release(struct pane *pane)
{
	struct palette *p = pane->state;

	palette_forget_blocks(p);
	vec_release(&p->blocks);
	prompt_release(&p->filter);
	vec_release(&p->items);
	vec_release(&p->fitting);
	str_release(&p->made);
}

/* ---- all names ---- */

static void palette_add_item(struct palette *p, enum item_kind kind, uint32_t id, struct sv text)
{
	if (text.len && p->items.len < MAX_ITEMS)
		vec_push(&p->items, ((struct item){text, fuzzy_letters(text), id, kind}));
}

static void palette_find_blocks(struct palette *p, const struct model *m, uint32_t graph)
{
	struct scopes scopes;

	scopes_find(&scopes, m, graph);
	for (uint32_t i = 1; i < scopes.count && p->blocks.len < MAX_ITEMS; i++) {
		const struct scope *scope = &scopes.at[i];
		struct palette_block block = {.scope = i, .count = scope->node_count};

		if (scope->kind != SCOPE_NAME || scope->made || !scope->node_count)
			continue;
		block.node = m->graphs.at[graph].nodes.at[scope->first_index];
		scope_path(&block.path, &scopes, i);
		vec_push(&p->blocks, block);
	}
	scopes_release(&scopes);
}

/* Their texts stay where they are once all of them are known. */
static void palette_add_blocks(struct palette *p, const struct model *m)
{
	palette_forget_blocks(p);
	for (uint32_t i = 0; i < m->graphs.len; i++)
		palette_find_blocks(p, m, i);
	for (uint32_t i = 0; i < p->blocks.len; i++)
		palette_add_item(p, ITEM_BLOCK, i, str_sv(&p->blocks.at[i].path));
}

static enum item_kind palette_kind_of(const struct model *m, const struct value *v)
{
	bool fixed = v->tensor || v->sparse ||
		     (v->producer && scope_is_constant(m, &m->nodes.at[v->producer]));

	return fixed ? ITEM_FIXED : ITEM_TENSOR;
}

static void add_all(struct screen *s, struct palette *p)
{
	const struct model *m = s->subject.model;
	const struct sym_pool *pool = &s->subject.infer->pool;

	for (uint32_t i = 0; i < pool->symbols.len; i++) {
		if (symbols_list(s, i))
			palette_add_item(p, ITEM_SYMBOL, i, sym_name(pool, i));
	}
	palette_add_blocks(p, m);
	for (uint32_t i = 1; i < m->nodes.len; i++) {
		if (!m->nodes.at[i].dead)
			palette_add_item(p, ITEM_NODE, i, model_name(m, m->nodes.at[i].name));
	}
	for (uint32_t i = 1; i < m->values.len; i++) {
		if (!(m->values.at[i].flags & VALUE_DEAD))
			palette_add_item(p, palette_kind_of(m, &m->values.at[i]), i,
					 model_name(m, m->values.at[i].name));
	}
	for (size_t i = 0; i < s->help_count; i++)
		palette_add_item(p, ITEM_COMMAND, (uint32_t)i, s->help[i].line);
}

/* ---- matches ---- */

/* Inserts after equal scores, which keeps the listed order. */
static void palette_offer(struct palette *p, uint32_t item, int score)
{
	size_t at = p->best_count;

	if (at == MAX_SHOWN && score <= p->best[at - 1].score)
		return;
	if (at < MAX_SHOWN)
		p->best_count++;
	else
		at--;
	for (; at && p->best[at - 1].score < score; at--)
		p->best[at] = p->best[at - 1];
	p->best[at] = (struct best){item, score};
}

static void start_over(struct palette *p)
{
	vec_clear(&p->fitting);
	for (uint32_t i = 0; i < p->items.len; i++)
		vec_push(&p->fitting, i);
}

enum {
	PALETTE_POINT = 512, /* of fuzzy_match */
	PALETTE_KIND = 8     /* points between two kinds: more than the last part of a name has */
};

/* Commands are found by what they do, too: those of a plain word come before names with its
 * letters. */
static bool palette_command_fits(const struct screen *s, const struct item *item, struct sv query,
				 int *score)
{
	enum {
		PLAIN = 4 * PALETTE_POINT /* a point of help_fits */
	};
	int fits = query.len > 1 ? help_fits(&s->help[item->id], query) : 0;

	if (fits)
		*score = MAX(*score,
			     fits * PLAIN + 4 * PALETTE_KIND * PALETTE_POINT - (int)item->text.len);
	return fits;
}

/* What kinds are worth, if the text holds what was typed. */
static int palette_prefers(const struct item *item, struct sv query)
{
	static const int steps[ITEM_KIND_COUNT] = {
		[ITEM_SYMBOL] = 4, [ITEM_BLOCK] = 4, [ITEM_NODE] = 3, [ITEM_TENSOR] = 2,
		/* the rest nothing */
	};

	if (!steps[item->kind] || query.len < 2 || !text_holds(item->text, query))
		return 0;
	return steps[item->kind] * PALETTE_KIND * PALETTE_POINT;
}

static bool palette_fits(const struct screen *s, const struct fuzzy *f, const struct item *item,
			 struct sv query, int *score)
{
	bool fits = (item->letters & f->letters) == f->letters && fuzzy_match(f, item->text, score);

	if (item->kind == ITEM_COMMAND)
		return palette_command_fits(s, item, query, score) || fits;
	if (fits)
		*score += palette_prefers(item, query);
	return fits;
}

static void palette_narrow(struct pane *pane)
{
	struct palette *p = pane->state;
	struct sv query = str_sv(&p->filter.text);
	struct fuzzy *f = &p->fuzzy;
	size_t kept = 0;

	if (!sv_starts(query, str_sv(&p->made)) || p->made.len == 0)
		start_over(p);
	fuzzy_init(f, query);
	p->best_count = p->found = 0;
	for (size_t i = 0; i < p->fitting.len; i++) {
		uint32_t at = p->fitting.at[i];
		const struct item *item = &p->items.at[at];
		int score = 0;
		bool fits = palette_fits(pane->screen, f, item, query, &score);

		if (fits)
			palette_offer(p, at, f->len ? score : 0);
		p->found += fits;
		/* More letters may be a word that a command has. */
		if (fits || item->kind == ITEM_COMMAND)
			p->fitting.at[kept++] = at;
	}
	p->fitting.len = kept;
	str_clear(&p->made);
	str_add(&p->made, query);
	pane->list = (struct list){.count = p->best_count, .rows = pane->list.rows};
}

static void palette_make(struct pane *pane)
{
	struct screen *s = pane->screen;
	struct palette *p = pane->state;

	if (p->age == s->renewed)
		return;
	p->age = s->renewed;
	vec_clear(&p->items);
	str_clear(&p->made);
	add_all(s, p);
	palette_narrow(pane);
}

/* ---- drawing ---- */

/* With its own background: the row's may make its colour unreadable. */
static void put_match(struct canvas *c, int x, int y, char letter)
{
	uint8_t ground = c->ground;

	c->ground = STYLE_MATCH;
	canvas_put(c, x, y, (unsigned char)letter, STYLE_MATCH);
	c->ground = ground;
}

static void palette_draw_name(struct screen *s, const struct fuzzy *f, struct sv text, int x, int y,
			      int columns)
{
	size_t places[FUZZY_QUERY];
	bool plain = (int)MIN(text.len, 10000) <= columns;

	canvas_text(&s->canvas, x, y, columns, text, STYLE_TEXT);
	for (size_t i = 0; plain && i < text.len; i++)
		plain = text.at[i] >= ' ' && text.at[i] < 127;
	/* Bytes map to cells only in plain text. */
	if (!plain || !fuzzy_places(f, text, places))
		return;
	for (size_t k = 0; k < f->len; k++)
		put_match(&s->canvas, x + (int)places[k], y, text.at[places[k]]);
}

/* The text at the right: operator, shape or description. */
static void item_tells(struct screen *s, const struct palette *p, const struct item *item,
		       struct str *out)
{
	const struct model *m = s->subject.model;

	switch (item->kind) {
	case ITEM_COMMAND:
		str_text(out, s->help[item->id].help);
		str_text(out, s->help[item->id].keys.len ? "  " : "");
		str_add(out, s->help[item->id].keys);
		break;
	case ITEM_SYMBOL:
		str_text(out, "symbol");
		break;
	case ITEM_BLOCK:
		str_count(out, p->blocks.at[item->id].count);
		str_text(out, PLURAL(p->blocks.at[item->id].count, " node", " nodes"));
		break;
	case ITEM_NODE:
		str_add(out, model_cut_name(m, m->nodes.at[item->id].op));
		break;
	case ITEM_TENSOR:
	case ITEM_FIXED:
		if (item->id < s->subject.infer->value_count)
			shape_text(s, &s->subject.infer->infos[item->id], out);
		break;
	case ITEM_KIND_COUNT:
		break;
	}
}

static void palette_draw_row(struct pane *pane, size_t i, struct box line)
{
	static const struct {
		uint32_t mark;
		enum style style;
	} marks[ITEM_KIND_COUNT] = {
		[ITEM_COMMAND] = {':', STYLE_BRIGHT}, [ITEM_SYMBOL] = {0x25a0, STYLE_SYMBOL_1},
		[ITEM_BLOCK] = {0x25b8, STYLE_SCOPE}, [ITEM_NODE] = {0x25c6, STYLE_NODE},
		[ITEM_TENSOR] = {0x2192, STYLE_EDGE}, [ITEM_FIXED] = {0x2192, STYLE_DIM},
	};
	struct screen *s = pane->screen;
	const struct palette *p = pane->state;
	const struct item *item = &p->items.at[p->best[i].item];
	int x = line.x, y = line.y, width = line.width, name, rest;
	enum style style = item->kind == ITEM_SYMBOL ? symbol_style(s, item->id)
						     : marks[item->kind].style;
	struct str tells = {0};

	canvas_put(&s->canvas, x, y, marks[item->kind].mark, style);
	item_tells(s, p, item, &tells);
	name = (int)MIN(utf8_width(item->text), 10000);
	/* The rest gets a third of the row if needed. */
	rest = (int)MIN(utf8_width(str_sv(&tells)) + 2, (size_t)MAX(width / 3, 24));
	name = MIN(name, MAX(width - 2 - rest, 4));
	palette_draw_name(s, &p->fuzzy, item->text, x + 2, y, MIN(name, width - 2));
	if (width - name - 4 > 3)
		canvas_right(&s->canvas, x + name + 4, y, width - name - 4, str_sv(&tells),
			     STYLE_DIM);
	str_release(&tells);
}

static void palette_draw(struct pane *pane)
{
	const struct palette *p = pane->state;
	struct str count = {0};

	if (pane->box.width < 4 || pane->box.height < 1)
		return;
	palette_make(pane);
	str_count(&count, p->found);
	str_text(&count, " of ");
	str_count(&count, p->items.len);
	chooser_draw(pane, &p->filter, pane->box, str_sv(&count));
	str_release(&count);
}

/* ---- keys ---- */

static void palette_choose(struct screen *s, const struct item *item, struct palette_block block)
{
	switch (item->kind) {
	case ITEM_COMMAND:
		help_run(s, &s->help[item->id]);
		return;
	case ITEM_SYMBOL:
		symbols_select(s, item->id);
		return;
	case ITEM_BLOCK:
		graph_visit(s, block.node, block.scope);
		break;
	case ITEM_NODE:
		graph_visit(s, item->id, 0);
		break;
	case ITEM_TENSOR:
	case ITEM_FIXED:
		search_show_value(s, item->id);
		break;
	case ITEM_KIND_COUNT:
		return;
	}
	screen_pane(s, PANE_GRAPH);
}

static bool palette_open(struct pane *pane)
{
	struct screen *s = pane->screen;
	const struct palette *p = pane->state;
	struct palette_block block = {0};
	struct item item;

	if (pane->list.at >= p->best_count)
		return false;
	item = p->items.at[p->best[pane->list.at].item];
	if (item.kind == ITEM_BLOCK)
		block = p->blocks.at[item.id];
	screen_overlay(s, OVERLAY_NONE); /* closes the palette */
	palette_choose(s, &item, block);
	return true;
}

static bool palette_key(struct pane *pane, uint32_t key)
{
	struct palette *p = pane->state;

	palette_make(pane);
	return chooser_key(pane, &p->filter, key, palette_narrow);
}

const struct pane_kind palette_overlay = {
	.title = "Find a block, node, tensor, symbol or command",
	.hint = "type letters of its name, or what you want to do  Up/Down move  Enter go  Esc "
		"close",
	.empty = "no match",
	.size = sizeof(struct palette),
	.release = palette_release,
	.draw_row = palette_draw_row,
	.draw = palette_draw,
	.open = palette_open,
	.key = palette_key,
};
