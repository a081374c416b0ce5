#include "export/sheet/sheet.h"

#include "base/err.h"
#include "base/nearest.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "export/sheet/internal.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"

enum {
	USUAL_HOPS = 2,
	LARGEST = 1 << 24 /* cells across: its points must fit an int32_t */
};

/* ---- which part ---- */

/* Is it the path, or its last parts, as titles show them? */
static bool ends_path(struct sv path, struct sv end)
{
	return sv_eq(path, end) || (sv_ends(path, end) && path.at[path.len - end.len - 1] == '/');
}

static bool no_scope(const struct scopes *s, struct sv path, struct err *err)
{
	struct str name = {0};
	struct nearest near;

	nearest_begin(&near, path);
	for (uint32_t i = 1; i < s->count; i++) {
		if (s->at[i].made)
			continue;
		str_clear(&name);
		scope_path(&name, s, i);
		nearest_offer(&near, str_sv(&name), i);
		nearest_offer(&near, s->at[i].name, i);
	}
	str_clear(&name);
	if (near.found)
		scope_path(&name, s, (uint32_t)near.which);
	err_set(err, ERR_USAGE, "the model has no scope '%.*s'", (int)MIN(path.len, 200), path.at);
	nearest_suggest(err, str_sv(&name));
	str_release(&name);
	return false;
}

static bool two_scopes(const struct scopes *s, uint32_t a, uint32_t b, struct sv path,
		       struct err *err)
{
	struct str first = {0}, second = {0};

	scope_path(&first, s, a);
	scope_path(&second, s, b);
	err_set(err, ERR_USAGE, "'%.*s' may be the scope %.*s or %.*s", (int)MIN(path.len, 100),
		path.at, (int)MIN(first.len, 100), str_c(&first), (int)MIN(second.len, 100),
		str_c(&second));
	str_release(&first);
	str_release(&second);
	return false;
}

/* By its path, or by the end of it if only one scope has that end. */
static bool find_scope(const struct scopes *s, struct sv path, uint32_t *out, struct err *err)
{
	struct str name = {0};
	uint32_t found = 0, other = 0;
	bool whole = false;

	for (uint32_t i = 1; i < s->count && !whole; i++) {
		/* Other scopes have the path of the one around them. */
		if (s->at[i].kind != SCOPE_NAME || s->at[i].made)
			continue;
		str_clear(&name);
		scope_path(&name, s, i);
		if (!ends_path(str_sv(&name), path))
			continue;
		whole = sv_eq(str_sv(&name), path);
		other = whole ? 0 : found;
		found = i;
	}
	str_release(&name);
	if (!found)
		return no_scope(s, path, err);
	*out = found;
	return !other || two_scopes(s, other, found, path, err);
}

/* By its own name, else by the name of one of its outputs. */
static uint32_t find_node(const struct model *m, uint32_t graph, struct sv name)
{
	const struct graph *g = &m->graphs.at[graph];
	uint32_t value;

	for (size_t i = 0; i < g->nodes.len; i++) {
		if (sv_eq(model_name(m, m->nodes.at[g->nodes.at[i]].name), name))
			return g->nodes.at[i];
	}
	value = model_find(m, graph, name);
	return value ? m->values.at[value].producer : 0;
}

/* Unfolds the scopes around a requested node. */
static bool reveal_node(struct sheet *s, struct sv name, uint32_t *out, struct err *err)
{
	const struct model *m = s->in->model;
	uint32_t node = find_node(m, s->scopes.graph, name);

	if (!node)
		return err_set(err, ERR_USAGE, "the model has no node '%.*s'",
			       (int)MIN(name.len, 200), name.at);
	if (scope_is_constant(m, &m->nodes.at[node]))
		return err_set(err, ERR_USAGE, "'%.*s' is a constant; constants are not drawn",
			       (int)MIN(name.len, 200), name.at);
	scopes_reveal(&s->scopes, s->scopes.of_node[m->nodes.at[node].index]);
	*out = node;
	return true;
}

static bool sheet_choose(struct sheet *s, const struct sheet_request *r, struct view_focus *out,
			 struct err *err)
{
	if (r->scope.len) {
		if (!find_scope(&s->scopes, r->scope, &out->scope, err))
			return false;
		scopes_reveal(&s->scopes, out->scope);
	}
	out->hops = r->hops ? r->hops : USUAL_HOPS;
	if (r->focus.len && !reveal_node(s, r->focus, &out->node, err))
		return false;
	return !r->path.len || reveal_node(s, r->path, &out->other, err);
}

/* ---- making it ---- */

void sheet_measure(struct sheet *s)
{
	struct label shape = {0};
	struct str text = {0};

	for (uint32_t i = 0; i < s->view.items.len; i++) {
		struct sketch_item *size = &s->view.sketch.items.at[i];
		size_t before;

		str_clear(&text);
		label_clear(&shape);
		sheet_title(s, i, &text);
		before = text.len;
		sheet_constants(s, i, &text);
		sheet_shape(s, i, &shape);
		/* A border, a line and a blank on either side of the title; one between its parts.
		 */
		size->width = (uint32_t)MAX(utf8_width(str_sv(&text)) + 6 + (text.len > before),
					    utf8_width(str_sv(&shape.text)) + 4);
		size->height = 3;
	}
	for (uint32_t i = 0; i < s->view.nets.len; i++) {
		str_clear(&text);
		sheet_net(s, i, &text);
		s->view.sketch.nets.at[i].label = (uint32_t)MIN(utf8_width(str_sv(&text)), 24);
	}
	label_release(&shape);
	str_release(&text);
}

void sheet_fold(struct sheet *s, const struct sheet_request *r, uint32_t graph)
{
	size_t nodes = s->in->model->graphs.at[graph].nodes.len;
	bool part = r->scope.len || r->focus.len;

	scopes_find(&s->scopes, s->in->model, graph);
	if (r->like)
		scopes_fold_like(&s->scopes, r->like);
	else
		scopes_fold(&s->scopes, SCOPE_MAX_VISIBLE);
	if (r->like || (!r->whole && (part || nodes >= r->small)))
		return;
	for (uint32_t i = 0; i < s->scopes.count; i++)
		s->scopes.at[i].folded = false;
}

size_t sheet_hidden(const struct sheet *s, size_t *out_folds)
{
	size_t hidden = 0;

	*out_folds = 0;
	for (size_t i = 0; i < s->view.items.len; i++) {
		const struct view_item *at = &s->view.items.at[i];

		hidden += at->kind == VIEW_SCOPE ? s->scopes.at[at->id].node_count : 0;
		*out_folds += at->kind == VIEW_SCOPE;
	}
	for (size_t i = 0; i < s->bodies.len; i++) {
		size_t folds;

		hidden += sheet_hidden(s->bodies.at[i].sheet, &folds);
		*out_folds += folds;
	}
	return hidden;
}

bool sheet_lay_out(struct sheet *s)
{
	picture_make(&s->picture, &s->view.sketch, 0);
	for (size_t i = 0; i < s->bodies.len; i++) {
		uint32_t item = s->bodies.at[i].item;
		const struct sketch_item *wanted = &s->view.sketch.items.at[item];
		struct rect got = picture_rect(&s->picture, item);

		if (got.width < (int32_t)wanted->width || got.height < (int32_t)wanted->height)
			return false;
	}
	return true;
}

/* Boxes are shrunk where there are too many of them for their sizes. */
static void sheet_place(struct sheet *s)
{
	if (sheet_lay_out(s))
		return;
	picture_release(&s->picture);
	s->left_out += (uint32_t)s->bodies.len;
	sheet_close_bodies(s);
	sheet_measure(s);
	(void)sheet_lay_out(s);
}

/* Items are counted through all sheets: each before those in it. */
static uint32_t sheet_number(struct sheet *s, uint32_t first)
{
	s->first_item = first;
	first += (uint32_t)s->view.items.len;
	for (size_t i = 0; i < s->bodies.len; i++)
		first = sheet_number(s->bodies.at[i].sheet, first);
	return first;
}

bool sheet_make(struct sheet *s, struct infer *in, const struct sheet_request *request,
		struct err *err)
{
	struct view_focus focus = {0};
	uint32_t graph = 0;

	if (request->graph.len && !sheet_find_graph(in->model, request->graph, &graph, err))
		return false;
	*s = (struct sheet){.in = in, .hues = request->hues};
	if (!s->hues) {
		s->hues = &s->own_hues;
		hues_renew(s->hues, in);
	}
	s->names = request->expressions || !request->names ? &s->own_names : request->names;
	if (!request->expressions && !request->names)
		nicknames_renew(&s->own_names, s->hues, in, NULL);
	sheet_fold(s, request, request->like ? request->like->graph : graph);
	if (request->like)
		focus = request->seen;
	else if (!sheet_choose(s, request, &focus, err)) {
		scopes_release(&s->scopes);
		hues_release(&s->own_hues);
		nicknames_release(&s->own_names);
		return false;
	}
	view_make(&s->view, &s->scopes, focus);
	sheet_measure(s);
	if (request->bodies)
		sheet_open_bodies(s, request);
	sheet_place(s);
	(void)sheet_number(s, 0);
	sheet_find_legend(s);
	if (MAX(s->picture.width, s->picture.height) <= LARGEST)
		return true;
	sheet_release(s);
	return err_set(err, ERR_LIMIT,
		       "the drawing would exceed %d cells per side; export a part of it", LARGEST);
}

void sheet_release(struct sheet *s)
{
	sheet_close_bodies(s);
	picture_release(&s->picture);
	view_release(&s->view);
	scopes_release(&s->scopes);
	hues_release(&s->own_hues);
	nicknames_release(&s->own_names);
	vec_release(&s->legend);
}
