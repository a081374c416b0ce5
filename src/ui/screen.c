#include "ui/screen.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "report/cost.h"
#include "report/counts.h"
#include "sym/text.h"
#include "ui/canvas.h"
#include "ui/dims.h"

static const struct pane_row screen_panes[PANE_COUNT] = {
#define PANE(id, name, key, place, brief) \
	[PANE_##id] = {#name, brief, key, &name##_pane, PLACE_##place},
	PANES(PANE)
#undef PANE
};

static const struct pane_kind *const screen_overlays[OVERLAY_COUNT] = {
#define OVERLAY(id, name) [OVERLAY_##id] = &name##_overlay,
#include "ui/overlays.def"
#undef OVERLAY
};

/* The panes that are not guests: those visible at the start, which Tab cycles through. */
enum {
#define PANE(id, name, key, place, ...) +(PLACE_##place != PLACE_GUEST)
	PANES_STANDING = 0 PANES(PANE)
#undef PANE
};

#define PANE(id, name, key, place, ...)                                                     \
	static_assert((PLACE_##place == PLACE_GUEST) == ((int)PANE_##id >= PANES_STANDING), \
		      #name " is in the wrong place in panes.def: guests come last");       \
	static_assert((PLACE_##place == PLACE_MIDDLE) == (PANE_##id == PANE_GRAPH),         \
		      #name ": only the graph is in the middle");
PANES(PANE)
#undef PANE

const struct pane_row *pane_row(enum pane_id pane)
{
	return &screen_panes[pane];
}

bool pane_find(struct sv name, enum pane_id *out)
{
	int64_t number;

	if (sv_int(name, &number) && number >= 1 && number <= PANE_COUNT) {
		*out = (enum pane_id)(number - 1);
		return true;
	}
	for (int i = 0; i < PANE_COUNT; i++) {
		if (sv_is(name, screen_panes[i].name)) {
			*out = (enum pane_id)i;
			return true;
		}
	}
	return false;
}

/* ---- life ---- */

void screen_init(struct screen *s, int width, int height)
{
	*s = (struct screen){.active = PANE_GRAPH};
	canvas_resize(&s->canvas, width, height);
	for (int i = 0; i < PANE_COUNT; i++) {
		pane_init(&s->panes[i], s, screen_panes[i].kind);
		s->wanted[i] = i < PANES_STANDING;
	}
}

void screen_release(struct screen *s)
{
	pane_release(&s->over);
	for (int i = 0; i < PANE_COUNT; i++)
		pane_release(&s->panes[i]);
	canvas_release(&s->canvas);
	prompt_release(&s->prompt);
	str_release(&s->conflict.text);
	str_release(&s->proof.line);
	str_release(&s->proof.text);
	str_release(&s->proof.refused);
	str_release(&s->notice);
	str_release(&s->pending);
	following_clear(s);
	vec_release(&s->following);
	choices_clear(s);
	vec_release(&s->choices);
	str_release(&s->line);
	str_release(&s->busy);
	str_release(&s->weights);
	str_release(&s->page);
	str_release(&s->page_title);
	str_release(&s->chosen);
	hues_release(&s->hues);
	follow_release(&s->follow);
	nicknames_release(&s->names);
	vec_release(&s->search.hits);
	str_release(&s->search.text);
}

void screen_resize(struct screen *s, int width, int height)
{
	bool ascii = s->canvas.ascii;

	canvas_resize(&s->canvas, width, height);
	s->canvas.ascii = ascii;
}

/* A removed node or value cannot stay selected. */
static void check_selection(struct screen *s)
{
	const struct model *m = s->subject.model;

	if (s->node >= m->nodes.len || m->nodes.at[s->node].dead)
		s->node = 0;
	if (s->value >= m->values.len || m->values.at[s->value].flags & VALUE_DEAD)
		s->value = 0;
	if (s->graph >= m->graphs.len)
		s->graph = 0;
}

/* Not the cost: it is known for some operators only, and then an expression of the sizes. */
static void screen_count_weights(struct screen *s)
{
	uint64_t count;

	str_clear(&s->weights);
	if (!weight_elements(s->subject.model, &count) || !count || count > INT64_MAX)
		return;
	amount_print(&s->weights, (int64_t)count);
	if (s->weights.at[s->weights.len - 1] != ' ')
		str_char(&s->weights, ' ');
	str_text(&s->weights, PLURAL(count, "weight", "weights"));
}

void screen_renew(struct screen *s, const struct subject *subject)
{
	s->subject = *subject;
	s->renewed++;
	screen_count_weights(s);
	check_selection(s);
	hues_renew(&s->hues, s->subject.infer);
	follow_renew(&s->follow, &s->hues, s->subject.infer);
	s->names.ascii = s->canvas.ascii;
	nicknames_renew(&s->names, &s->hues, s->subject.infer, s->subject.before);
	screen_selected(s);
}

/* ---- what keys and commands do ---- */

void screen_move(struct screen *s, enum motion motion)
{
	pane_move(&s->panes[s->active], motion);
}

bool screen_open(struct screen *s)
{
	return pane_open(&s->panes[s->active]);
}

static void screen_unfollow(struct screen *s)
{
	follow_end(&s->follow);
	pane_renew(&s->panes[PANE_SYMBOLS]);
}

/* The matches are no longer lit; n still goes to the next one, which lights them again. */
static bool screen_unsearch(struct screen *s)
{
	bool lit = s->search.hits.len > 0;

	vec_clear(&s->search.hits);
	if (lit)
		screen_selected(s);
	return lit;
}

bool screen_leave(struct screen *s)
{
	struct pane *p = &s->panes[s->active];

	if (s->overlay != OVERLAY_NONE)
		screen_overlay(s, OVERLAY_NONE);
	else if (s->follow.on)
		screen_unfollow(s);
	else if (p->kind->leave && p->kind->leave(p))
		return true;
	else if (s->active != PANE_GRAPH)
		s->active = PANE_GRAPH;
	else
		return screen_unsearch(s);
	return true;
}

void screen_pane(struct screen *s, enum pane_id pane)
{
	s->active = pane;
	s->wanted[pane] = true;
}

void screen_jumped(struct screen *s)
{
	if (screen_is_covered(s))
		screen_pane(s, PANE_GRAPH);
}

void screen_next_pane(struct screen *s, int step)
{
	int pane = (int)s->active;

	do {
		pane = (pane + step + PANES_STANDING) % PANES_STANDING;
	} while (!s->wanted[pane] && pane != PANE_GRAPH);
	s->active = (enum pane_id)pane;
}

void screen_toggle(struct screen *s, enum pane_id pane)
{
	s->wanted[pane] = !s->wanted[pane];
	if (!s->wanted[pane] && s->active == pane)
		s->active = PANE_GRAPH;
}

static bool pane_at(const struct screen *s, int x, int y, enum pane_id *out)
{
	/* The active pane may overlap others. */
	for (int i = -1; i < PANE_COUNT; i++) {
		enum pane_id pane = i < 0 ? s->active : (enum pane_id)i;
		const struct box *b = &s->panes[pane].box;

		if (b->width && x >= b->x && x < b->x + b->width && y >= b->y &&
		    y < b->y + b->height) {
			*out = pane;
			return true;
		}
	}
	return false;
}

void screen_click(struct screen *s, int x, int y, bool twice)
{
	const struct glyph *g = canvas_at(&s->canvas, x, y);
	enum pane_id pane;

	if (s->overlay != OVERLAY_NONE || !g || !pane_at(s, x, y, &pane))
		return;
	s->active = pane;
	if (g->target)
		pane_click(&s->panes[pane], g->target);
	if (twice)
		(void)screen_open(s);
}

void screen_scroll(struct screen *s, int x, int y, enum motion motion)
{
	enum pane_id pane;

	if (pane_at(s, x, y, &pane))
		pane_scroll(&s->panes[pane], motion);
}

void screen_overlay(struct screen *s, enum overlay overlay)
{
	pane_release(&s->over);
	s->overlay = overlay;
	if (overlay != OVERLAY_NONE)
		pane_init(&s->over, s, screen_overlays[overlay]);
}

bool screen_overlay_key(struct screen *s, uint32_t key)
{
	return s->overlay != OVERLAY_NONE && pane_key(&s->over, key);
}

void screen_speak(struct screen *s, bool on)
{
	s->speaking += on ? 1U : -1U;
	if (s->subject.infer)
		nicknames_speak(&s->names, &s->subject.infer->pool, s->speaking);
}

void screen_selected(struct screen *s)
{
	screen_speak(s, true);
	/* First: it knows whether the selection is hidden in a fold. */
	pane_renew(&s->panes[PANE_GRAPH]);
	for (int i = 0; i < PANE_COUNT; i++) {
		if (i != PANE_GRAPH)
			pane_renew(&s->panes[i]);
	}
	if (s->overlay != OVERLAY_NONE)
		pane_renew(&s->over);
	screen_speak(s, false);
}

void screen_select(struct screen *s, uint32_t node)
{
	screen_select_fold(s, node, 0);
}

void screen_select_fold(struct screen *s, uint32_t node, uint32_t scope)
{
	if (node == 0 || node >= s->subject.model->nodes.len)
		return;
	s->node = node;
	s->scope = scope;
	s->value = 0;
	s->graph = s->subject.model->nodes.at[node].graph;
	screen_selected(s);
}

void screen_select_value(struct screen *s, uint32_t value)
{
	const struct value *v = &s->subject.model->values.at[value];

	if (v->producer && !(v->flags & VALUE_OUTPUT)) {
		screen_select(s, v->producer);
		return;
	}
	s->node = s->scope = 0;
	s->value = value;
	s->graph = v->graph;
	screen_selected(s);
}

/* ---- following ---- */

void screen_follow(struct screen *s, uint32_t symbol)
{
	follow_start(&s->follow, &s->hues, s->subject.infer, symbol);
	s->wanted[PANE_SYMBOLS] = true;
	pane_renew(&s->panes[PANE_SYMBOLS]);
}

/* The last use up to the selected node. */
static size_t screen_use_near(const struct screen *s)
{
	const struct model *m = s->subject.model;
	const struct node *here = &m->nodes.at[s->node];
	size_t near = 0;

	for (size_t i = 0; s->node && i < s->follow.uses.len; i++) {
		const struct node *n = &m->nodes.at[s->follow.uses.at[i].node];

		if (s->follow.uses.at[i].count == 1 && s->follow.uses.at[i].node &&
		    n->graph == here->graph && n->index <= here->index)
			near = i;
	}
	for (size_t i = 0; !s->node && i < s->follow.uses.len; i++) {
		if (s->follow.uses.at[i].value == s->value)
			near = i;
	}
	return near;
}

void screen_follow_from_here(struct screen *s, uint32_t symbol)
{
	struct str name = {0}, uses = {0};

	screen_follow(s, symbol);
	s->follow.at = screen_use_near(s);
	pane_renew(&s->panes[PANE_SYMBOLS]);
	sym_print(&s->subject.infer->pool, s->subject.infer->pool.symbols.at[symbol].self, &name);
	str_things(&uses, s->follow.dims, "use");
	screen_say(s, false, "following %s: %s, listed in pane 4; n and N walk them, Esc ends it",
		   str_c(&name), str_c(&uses));
	str_release(&name);
	str_release(&uses);
}

bool screen_go_to_use(struct screen *s, size_t use)
{
	const struct follow_use *u;

	if (!s->follow.on || use >= s->follow.uses.len || s->follow.uses.at[use].count > 1)
		return false;
	s->follow.at = use;
	u = &s->follow.uses.at[use];
	if (u->node)
		screen_select(s, u->node);
	else
		screen_select_value(s, u->value);
	return true;
}

bool screen_step_use(struct screen *s, int step)
{
	size_t count = s->follow.uses.len, at = s->follow.at, place, places;

	if (!s->follow.on || !count)
		return s->follow.on;
	/* There is an input, an output or a node that makes it: not all are folded. */
	for (size_t tried = 0; tried < count; tried++) {
		at = step > 0 ? (at + 1) % count : (at ? at : count) - 1;
		if (screen_go_to_use(s, at))
			break;
	}
	place = follow_place(&s->follow, at, &places);
	screen_say(s, false, "place %zu of %zu", place, places);
	return true;
}

void screen_say(struct screen *s, bool bad, const char *format, ...)
{
	char text[500];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	str_clear(&s->notice);
	str_text(&s->notice, text);
	s->notice_bad = bad;
}

void following_clear(struct screen *s)
{
	for (size_t i = 0; i < s->following.len; i++) {
		str_release(&s->following.at[i].key);
		str_release(&s->following.at[i].line);
	}
	vec_clear(&s->following);
}

void choices_add(struct screen *s, char letter, struct sv label)
{
	struct following *f = vec_add(&s->choices);

	*f = (struct following){.help = ""};
	str_char(&f->key, letter);
	str_add_shown(&f->line, label);
}

void choices_clear(struct screen *s)
{
	for (size_t i = 0; i < s->choices.len; i++) {
		str_release(&s->choices.at[i].key);
		str_release(&s->choices.at[i].line);
	}
	vec_clear(&s->choices);
}

void screen_ask(struct screen *s, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	str_clear(&s->line);
	str_text(&s->line, text);
}

/* The pane whose dim keys act on. */
static struct pane *pointing_pane(struct screen *s)
{
	struct pane *p = &s->panes[s->active];

	return p->kind->dim ? p : &s->panes[PANE_GRAPH];
}

bool screen_dim(struct screen *s, struct dim_at *out)
{
	return !s->panes[s->active].kind->edit && pane_dim(pointing_pane(s), out);
}

void screen_point(struct screen *s, struct dim_at at)
{
	struct pane *p = pointing_pane(s);

	p->kind->point(p, at);
}

bool screen_step_dim(struct screen *s, int step)
{
	struct pane *p = pointing_pane(s);

	pane_ready(p);
	return p->kind->step_dim(p, step);
}

bool screen_edit_line(struct screen *s, struct str *line, struct str *note)
{
	struct pane *p = &s->panes[s->active];
	struct dim_at at;
	bool ok;

	if (p->kind->edit)
		return pane_edit(p, line);
	if (screen_weight(s)) {
		str_text(note, "a weight is selected, whose sizes are those of its data");
		return false;
	}
	if (screen_dim(s, &at)) {
		screen_speak(s, true);
		ok = dim_edit_line(s->subject.infer, at, line, note);
		screen_speak(s, false);
		return ok;
	}
	str_text(note, "no size is selected here");
	return false;
}
