/*
 * Helpers for panes: scrolling lists, changes, problems.
 */
#include "cmd/keys.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ui/canvas.h"
#include "ui/screen.h"

/* ---- lists ---- */

void list_fit(struct list *l)
{
	size_t rows = l->rows;

	if (l->at >= l->count)
		l->at = l->count ? l->count - 1 : 0;
	if (l->at < l->top)
		l->top = l->at;
	if (rows && l->at >= l->top + rows)
		l->top = l->at - rows + 1;
	if (rows && l->top + rows > l->count)
		l->top = l->count > rows ? l->count - rows : 0;
}

void list_move(struct list *l, enum motion motion)
{
	size_t rows = l->rows;
	size_t steps[MOTION_COUNT] = {
		[MOTION_UP] = 1,
		[MOTION_DOWN] = 1,
		[MOTION_PAGE_UP] = rows > 1 ? rows - 1 : 1,
		[MOTION_PAGE_DOWN] = rows > 1 ? rows - 1 : 1,
		[MOTION_HALF_UP] = rows / 2 + 1,
		[MOTION_HALF_DOWN] = rows / 2 + 1,
		[MOTION_FIRST] = l->count,
		[MOTION_LAST] = l->count,
		/* the rest is 0: a list does not move sideways */
	};
	bool up = motion == MOTION_UP || motion == MOTION_PAGE_UP || motion == MOTION_HALF_UP ||
		  motion == MOTION_FIRST;

	if (up)
		l->at -= MIN(steps[motion], l->at);
	else
		l->at += steps[motion];
	list_fit(l);
}

bool motion_find(uint32_t key, bool typing, enum motion *out)
{
	enum {
		ALWAYS,
		READING,
		TYPING
	};
	static const struct {
		uint32_t key;
		enum motion motion;
		int when;
	} motions[] = {
		{KEY_CURSOR_UP, MOTION_UP, ALWAYS},
		{KEY_CURSOR_DOWN, MOTION_DOWN, ALWAYS},
		{KEY_WHEEL_UP, MOTION_UP, ALWAYS},
		{KEY_WHEEL_DOWN, MOTION_DOWN, ALWAYS},
		{KEY_PAGE_UP, MOTION_PAGE_UP, ALWAYS},
		{KEY_PAGE_DOWN, MOTION_PAGE_DOWN, ALWAYS},
		{KEY_TO_START, MOTION_FIRST, ALWAYS},
		{KEY_TO_END, MOTION_LAST, ALWAYS},
		{21 /* Ctrl-U */, MOTION_HALF_UP, READING},
		{4 /* Ctrl-D */, MOTION_HALF_DOWN, READING},
		{'k', MOTION_UP, READING},
		{'j', MOTION_DOWN, READING},
		{'b', MOTION_PAGE_UP, READING},
		{' ', MOTION_PAGE_DOWN, READING},
		{'g', MOTION_FIRST, READING},
		{'G', MOTION_LAST, READING},
		{16 /* Ctrl-P */, MOTION_UP, TYPING},
		{14 /* Ctrl-N */, MOTION_DOWN, TYPING},
		{KEY_BACK_TAB, MOTION_UP, TYPING},
		{KEY_TAB, MOTION_DOWN, TYPING},
	};

	for (size_t i = 0; i < ARRAY_LEN(motions); i++) {
		if (motions[i].key != key || motions[i].when == (typing ? READING : TYPING))
			continue;
		*out = motions[i].motion;
		return true;
	}
	return false;
}

/* ---- about the subject ---- */

bool value_changed(const struct screen *s, uint32_t value)
{
	return s->subject.changed && value < s->subject.changed_len &&
	       s->subject.changed[value] == CHANGED_SHAPE;
}

bool node_changed(const struct screen *s, uint32_t node)
{
	const struct node *n = &s->subject.model->nodes.at[node];

	for (uint32_t i = 0; i < n->output_count; i++) {
		if (n->outputs[i] && value_changed(s, n->outputs[i]))
			return true;
	}
	return false;
}

bool node_computes_other(const struct screen *s, uint32_t node)
{
	const struct node *n = &s->subject.model->nodes.at[node];

	for (uint32_t i = 0; s->subject.changed && i < n->output_count; i++) {
		uint32_t value = n->outputs[i];

		if (value < s->subject.changed_len && s->subject.changed[value] == CHANGED_ELEMENTS)
			return true;
	}
	return false;
}

enum level node_level(const struct screen *s, uint32_t node)
{
	const struct infer *in = s->subject.infer;
	enum level gravest = LEVEL_COUNT;

	for (size_t i = 0; node && i < in->findings.len; i++) {
		if (in->findings.at[i].node == node && in->findings.at[i].level < gravest)
			gravest = in->findings.at[i].level;
	}
	return gravest;
}

enum style gravity_style(enum gravity gravity)
{
	static const enum style styles[GRAVITY_COUNT] = {
#define GRAVITY(id, mark, style) STYLE_##style,
#include "infer/findings.def"
	};

	return styles[gravity];
}

enum style level_style(enum level level)
{
	return gravity_style(level_info(level)->gravity);
}
