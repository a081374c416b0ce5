/*
 * The opening view: which scopes are folded when a graph, or the inside of a fold, is first shown.
 * What fits into WHOLE screens opens whole.  Of anything larger all is folded, and opened again,
 * outer scopes first, while the picture takes at most one and a half screens: all scopes of a
 * level if they fit, else the one that most of the nodes are in, or are like: a part that is open
 * beside others that are not should be what the model is made of.
 */
#include <stdlib.h>

#include "base/bug.h"
#include "base/vec.h"
#include "layout/picture/picture.h"
#include "layout/scope/scope.h"
#include "layout/view/view.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

enum {
	WHOLE = 3,       /* screens, and at most two of them side by side */
	MAX_TRIED = 400, /* items of a picture that is measured */
	WORK = 100000    /* nodes of all views that are measured */
};

struct opening {
	const struct screen *screen; /* borrowed */
	struct stage *stage;         /* borrowed */
	struct scopes *scopes;       /* borrowed */
	int32_t rows;                /* of the pane */
	int32_t wide;                /* columns that a picture may have */
	int32_t width, height;       /* of the last picture that was */
	size_t work;
	uint32_t *weight;    /* owned; by scope: its nodes, and those of a repeat like it */
	VEC(uint32_t) outer; /* the scopes that were opened last */
	VEC(uint32_t) level; /* the folds in them */
};

/* Is the picture with the present folds small enough? */
static bool opening_fits(struct opening *o, int32_t max_rows)
{
	struct stage *st = o->stage;
	bool fits = false;
	struct picture p;

	if (o->work > WORK)
		return false;
	o->work += o->scopes->model->graphs.at[st->graph].nodes.len;
	view_make(&st->view, o->scopes, st->focus);
	if (st->view.items.len <= MAX_TRIED) {
		stage_size(o->screen, st);
		picture_make(&p, &st->view.sketch, 0);
		frames_find(o->screen, st, &p);
		fits = p.height <= max_rows && p.width <= o->wide;
		if (fits) {
			o->height = p.height;
			o->width = p.width;
		}
		picture_release(&p);
	}
	view_release(&st->view);
	return fits;
}

static int32_t opening_limit(const struct opening *o)
{
	return o->rows + o->rows / 2;
}

static void opening_fold_level(struct opening *o, enum scope_kind kind, bool folded)
{
	for (size_t i = 0; i < o->level.len; i++) {
		struct scope *scope = &o->scopes->at[o->level.at[i]];

		scope->folded = scope->kind == kind ? folded : scope->folded;
	}
}

static void open_all(struct opening *o, enum scope_kind kind)
{
	opening_fold_level(o, kind, false);
	if (!opening_fits(o, opening_limit(o)))
		opening_fold_level(o, kind, true);
}

static void open_main_part(struct opening *o, uint32_t total)
{
	for (size_t i = 0; i < o->level.len; i++) {
		struct scope *scope = &o->scopes->at[o->level.at[i]];

		if (scope->kind != SCOPE_NAME || !scope->folded ||
		    o->weight[o->level.at[i]] <= total / 2)
			continue;
		scope->folded = false;
		scope->folded = !opening_fits(o, opening_limit(o));
	}
}

/* A repeat that saves less than a screen is not worth its fold. */
static void open_repeats(struct opening *o)
{
	for (size_t i = 0; i < o->level.len; i++) {
		struct scope *scope = &o->scopes->at[o->level.at[i]];

		if (scope->kind != SCOPE_REPEAT)
			continue;
		scope->folded = false;
		scope->folded = !opening_fits(o, MIN(opening_limit(o), o->height + o->rows - 1));
	}
}

/* ---- levels ---- */

/* The folds right below what was opened last; scopes without a fold are looked through. */
static void list_level(struct opening *o)
{
	const struct scopes *s = o->scopes;

	vec_clear(&o->level);
	for (size_t i = 0; i < o->outer.len; i++) {
		uint32_t child = s->at[o->outer.at[i]].first_child;

		for (; child; child = s->at[child].next) {
			if (s->at[child].folded)
				vec_push(&o->level, child);
			else
				vec_push(&o->outer, child);
		}
	}
}

/* What was opened of the level is the next one's outside. */
static bool go_deeper(struct opening *o)
{
	vec_clear(&o->outer);
	for (size_t i = 0; i < o->level.len; i++) {
		if (!o->scopes->at[o->level.at[i]].folded)
			vec_push(&o->outer, o->level.at[i]);
	}
	return o->outer.len > 0;
}

static void weigh_scopes(struct opening *o)
{
	const struct scopes *s = o->scopes;

	o->weight = must_alloc((s->count + 1) * sizeof(*o->weight));
	for (uint32_t i = 0; i < s->count; i++)
		o->weight[i] = s->at[i].node_count;
	for (uint32_t i = 0; i < s->count; i++) {
		if (s->at[i].kind == SCOPE_REPEAT)
			o->weight[s->at[i].like] += s->at[i].node_count;
	}
}

/* What is no part of the architecture: folded in any opening view. */
static bool is_always_folded(const struct scope *scope)
{
	return scope->kind == SCOPE_SHAPES || scope->kind == SCOPE_FAN;
}

/* Sets all folds inside a scope: those that always are, and others if `folded`. */
static void opening_fold_inside(struct scopes *s, uint32_t within, bool folded)
{
	for (uint32_t i = 1; i < s->count; i++) {
		if (i != within && scope_has(s, within, i))
			s->at[i].folded = (folded || is_always_folded(&s->at[i])) &&
					  scope_gain(&s->at[i]) > 0;
	}
}

static void open_levels(struct opening *o, uint32_t within)
{
	vec_push(&o->outer, within);
	do {
		list_level(o);
		open_all(o, SCOPE_NAME);
		open_main_part(o, o->weight[within]);
		open_repeats(o);
		open_all(o, SCOPE_GROUP);
	} while (go_deeper(o));
}

void opening_fold(const struct screen *s, struct stage *st, uint32_t within, int32_t columns,
		  int32_t rows)
{
	struct opening o = {.screen = s,
			    .stage = st,
			    .scopes = &st->scopes,
			    .wide = 2 * columns,
			    .rows = MAX(rows, 1)};

	opening_fold_inside(&st->scopes, within, false);
	if (!opening_fits(&o, WHOLE * o.rows) && st->scopes.count > 1) {
		opening_fold_inside(&st->scopes, within, true);
		weigh_scopes(&o);
		o.wide = INT32_MAX;
		(void)opening_fits(&o, INT32_MAX);
		o.wide = MAX(columns, o.width);
		open_levels(&o, within);
	}
	free(o.weight);
	vec_release(&o.outer);
	vec_release(&o.level);
}
