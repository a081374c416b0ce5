/*
 * Labels of boxes and rows.
 */
#include <inttypes.h>

#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ir/graph.h"
#include "layout/carried.h"
#include "layout/constants.h"
#include "layout/scope/scope.h"
#include "layout/scope/title.h"
#include "layout/sketch.h"
#include "ops/info.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

enum {
	TITLE_MAX = 40, /* columns */
	LABEL_NAME_MAX = 40,
	NET_MAX = 24,
	ATTRS_MAX = 6, /* lines */
	FUNCTIONS_MAX = 100,
	BYTES_MAX = 400 /* of a name, at most */
};

/* Fast path: nearly all names are plain ASCII. */
static bool label_is_plain(struct sv text)
{
	unsigned char odd = 0;

	for (size_t i = 0; i < text.len; i++)
		odd |= (unsigned char)text.at[i] - 0x20U > 0x5eU;
	return !odd;
}

size_t label_width(struct sv text)
{
	return label_is_plain(text) ? text.len : utf8_width(text);
}

struct sv label_tail(struct sv name, int columns)
{
	size_t max = (size_t)MAX(columns, 1);

	if (name.len > BYTES_MAX)
		name = sv_skip(name, name.len - BYTES_MAX);
	if (label_is_plain(name))
		return sv_skip(name, name.len - MIN(name.len, max));
	return utf8_tail(name, max);
}

static struct sv label_value_name(const struct model *m, uint32_t value)
{
	return model_cut_name(m, m->values.at[value].name);
}

void label_add_tail(struct str *out, struct sv name, int columns)
{
	struct sv tail = label_tail(name, columns);

	if (tail.len < name.len) {
		tail = label_tail(name, columns - 1);
		str_text(out, "\u2026");
	}
	str_add_shown(out, tail);
}

void label_net(const struct screen *s, const struct stage *st, uint32_t net, struct str *out)
{
	const struct view_net *n = &st->view.nets.at[net];

	if (n->count == 0)
		return;
	label_add_tail(out, label_value_name(s->subject.model, st->view.values.at[n->first]),
		       NET_MAX);
	if (n->count > 1)
		str_format(out, " +%" PRIu32, n->count - 1);
}

/* ---- titles ---- */

bool fold_computed(const struct screen *s, const struct scopes *scopes, uint32_t id,
		   struct info *out)
{
	const struct node *n = &s->subject.model->nodes.at[scope_title_node(scopes, id)];

	return n->output_count && value_computed(s, n->outputs[0], out);
}

void fold_title(const struct screen *s, const struct scopes *scopes, uint32_t id, struct str *out)
{
	const struct node *n = &s->subject.model->nodes.at[scope_title_node(scopes, id)];
	struct info computed;
	size_t before = out->len;

	if (fold_computed(s, scopes, id, &computed))
		elements_text(s, n->outputs[0], &computed, out);
	if (out->len > before && label_width(sv_skip(str_sv(out), before)) <= LABEL_SHAPE_MAX)
		return;
	out->len = before;
	scope_title(scopes, id, out);
}

static void label_scope_title(const struct screen *s, const struct stage *st, uint32_t id,
			      struct str *out, struct str *more)
{
	str_text(out, scope_mark(&st->scopes.at[id]));
	fold_title(s, &st->scopes, id, out);
	scope_title_more(&st->scopes, id, more);
}

/* p1k…11v */
static void label_add_ends(const struct model *m, const struct view_item *at, struct str *out)
{
	struct sv first = label_value_name(m, at->id), last = label_value_name(m, at->last);

	label_add_tail(out, first, at->count > 1 ? TITLE_MAX - 14 : TITLE_MAX);
	if (at->count < 2)
		return;
	str_text(out, "\u2026");
	str_add_shown(out, label_tail(sv_skip(last, sv_same_start(first, last)), 12));
}

/* Finding functions takes time, so calls are not marked when there are many. */
static bool can_be_entered(const struct model *m, uint32_t node)
{
	const struct node *n = &m->nodes.at[node];
	uint32_t graph;

	for (uint32_t i = 0; i < n->attr_count; i++) {
		if (n->attrs[i].kind == ATTR_GRAPH || n->attrs[i].kind == ATTR_GRAPHS)
			return true;
	}
	return m->functions.len && m->functions.len <= FUNCTIONS_MAX &&
	       view_inside(m, node, 0, &graph);
}

void label_title(const struct screen *s, const struct stage *st, uint32_t item, struct str *out,
		 struct str *more)
{
	static const char *const marks[VIEW_KIND_COUNT] = {
		[VIEW_INPUT] = "\u25cf ", [VIEW_OUTER] = "\u25b2 ", [VIEW_OUTPUT] = "\u25cf ",
		/* the rest has no mark */
	};
	const struct view_item *at = &st->view.items.at[item];
	const struct model *m = s->subject.model;

	switch (at->kind) {
	case VIEW_NODE:
		str_add_shown(out, label_tail(model_name(m, m->nodes.at[at->id].op), TITLE_MAX));
		label_constants(m, &m->nodes.at[at->id], more);
		if (can_be_entered(m, at->id))
			str_text(more, more->len ? " \u25b8" : "\u25b8");
		break;
	case VIEW_SCOPE:
		label_scope_title(s, st, at->id, out, more);
		break;
	case VIEW_INPUT:
	case VIEW_OUTER:
	case VIEW_OUTPUT:
		str_text(out, marks[at->kind]);
		label_add_ends(m, at, out);
		if (at->count == 1 && at->kind != VIEW_OUTER)
			carried_text(m, st->graph, at->id, at->kind == VIEW_OUTPUT, more);
		if (at->count > 1)
			str_format(more, "(%" PRIu32 ")", at->count);
		break;
	case VIEW_KIND_COUNT:
		break;
	}
	/* The focus cuts some of its lines. */
	if (at->cut)
		str_text(more, more->len ? " \u2026" : "\u2026");
}

/* ---- details ---- */

bool label_detail(const struct screen *s, const struct stage *st, uint32_t item, uint32_t line,
		  struct str *out)
{
	const struct view_item *at = &st->view.items.at[item];
	const struct model *m = s->subject.model;
	const struct node *n = &m->nodes.at[at->id];

	if (at->kind == VIEW_SCOPE && line == 0) {
		scope_path(out, &st->scopes, at->id);
		return out->len > 0;
	}
	if (at->kind != VIEW_NODE || line > MIN(n->attr_count, ATTRS_MAX))
		return false;
	if (line == 0) {
		label_add_tail(out, node_label(m, at->id), LABEL_NAME_MAX);
		return true;
	}
	if (line == ATTRS_MAX && n->attr_count > ATTRS_MAX) {
		str_format(out, "\u2026 %" PRIu32 " more", n->attr_count - ATTRS_MAX + 1);
		return true;
	}
	str_add_shown(out, model_cut_name(m, n->attrs[line - 1].name));
	str_text(out, " ");
	label_attr(m, &n->attrs[line - 1], out);
	return true;
}

static void size_details(const struct screen *s, const struct stage *st, uint32_t item,
			 struct sketch_item *size)
{
	struct str line = {0};

	for (uint32_t i = 0; label_detail(s, st, item, i, &line); i++) {
		size->width = MAX(size->width,
				  MIN((uint32_t)label_width(str_sv(&line)), LABEL_NAME_MAX) + 4);
		size->height++;
		str_clear(&line);
	}
	str_release(&line);
}

uint32_t label_title_width(const struct screen *s, const struct stage *st, uint32_t item)
{
	struct str title = {0}, more = {0};
	size_t wide;

	label_title(s, st, item, &title, &more);
	wide = label_width(str_sv(&title)) + (more.len ? 1 + label_width(str_sv(&more)) : 0);
	str_release(&title);
	str_release(&more);
	return (uint32_t)MIN(wide, TITLE_MAX);
}

struct sketch_item label_size(const struct screen *s, const struct stage *st, uint32_t item,
			      struct map *widths)
{
	uint32_t wide = label_shape_width(s, st, item, widths);
	bool wraps = wide > LABEL_SHAPE_MAX;
	struct sketch_item size = {.height = 3 + wraps};
	struct info computed;

	/* The title has a border, a mark and a space on either side. */
	size.width = MAX(st->titles.at[item] + 6, MIN(wide, LABEL_SHAPE_MAX) + 4);
	if (!wraps && label_computed(s, st, item, &computed))
		size = (struct sketch_item){.width = wide + 8, .height = 2};
	if (st->zoom == ZOOM_DETAILS && size.height > 2)
		size_details(s, st, item, &size);
	return size;
}
