/*
 * The texts on a sheet.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "export/sheet/internal.h"
#include "export/sheet/sheet.h"
#include "infer/cache.h"
#include "infer/hues.h"
#include "infer/nicknames.h"
#include "infer/text.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "layout/carried.h"
#include "layout/constants.h"
#include "layout/scope/scope.h"
#include "layout/scope/title.h"
#include "layout/view/shown.h"
#include "layout/view/view.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

enum {
	TITLE_MAX = 40, /* columns */
	SHAPE_MAX = 96,
	COMPUTED_MAX = 48, /* columns of sizes as a title, as on the screen */
	CONSTANTS_MAX = 28,
	FUNCTIONS_MAX = 100, /* above this, calls are not marked */
	NAME_BYTES_MAX = 400,
	MORE_THAN_FITS = 600,
	NETS_MAX = 8 /* tensor names per net */
};

/* ---- names ---- */

size_t sheet_fitting(struct sv text, size_t columns)
{
	size_t at = 0, used = 0;

	while (at < text.len) {
		struct sv rest = sv_skip(text, at);
		size_t len = utf8_next(rest).len;

		used += utf8_width((struct sv){rest.at, len});
		if (used > columns)
			break;
		at += len;
	}
	return at;
}

static void sheet_labels_add_name(struct str *out, struct sv name)
{
	size_t fits = sheet_fitting((struct sv){name.at, MIN(name.len, NAME_BYTES_MAX)}, TITLE_MAX);

	str_add_shown(out, (struct sv){name.at, fits});
	if (fits < name.len)
		str_text(out, "\u2026");
}

/* ---- sizes ---- */

void label_clear(struct label *l)
{
	str_clear(&l->text);
	vec_clear(&l->runs);
}

void label_release(struct label *l)
{
	str_release(&l->text);
	vec_release(&l->runs);
}

static void sheet_labels_add_run(struct label *l, struct sv text, uint32_t colour)
{
	str_add_shown(&l->text, text);
	vec_push(&l->runs, ((struct label_run){l->text.len, colour}));
}

static uint32_t colour_of(const struct sheet *s, uint32_t symbol)
{
	return hue_colour(hues_find(s->hues, s->in, symbol));
}

/* Each name in the colour of its symbol. */
struct label_pen {
	const struct sheet *sheet; /* borrowed */
	struct label *out;         /* borrowed */
	bool *used;                /* short names; borrowed; NULL */
};

static void label_put_text(void *context, struct sv text, bool known)
{
	const struct label_pen *p = context;

	(void)known;
	sheet_labels_add_run(p->out, text, 0);
}

static void label_put_piece(void *context, struct sv text, const uint32_t *symbol)
{
	const struct label_pen *p = context;

	sheet_labels_add_run(p->out, text, symbol ? colour_of(p->sheet, *symbol) : 0);
}

static bool label_put_dim(void *context, struct sym dim, uint32_t axis)
{
	const struct label_pen *p = context;

	(void)axis;
	if (p->out->text.len >= MORE_THAN_FITS)
		return false;
	nicknames_walk(p->sheet->names, &p->sheet->in->pool, dim, 0, label_put_piece, context);
	if (p->used)
		nicknames_mark(p->sheet->names, &p->sheet->in->pool, dim, 0, p->used);
	return true;
}

/* The result of folded shape arithmetic: more useful than an operator.  A number is bare. */
static bool label_computed(const struct sheet *s, uint32_t scope, bool *used, struct label *out)
{
	const struct node *n = &s->in->model->nodes.at[scope_title_node(&s->scopes, scope)];
	const struct info *info = &s->in->infos[n->output_count ? n->outputs[0] : 0];
	struct label_pen p = {s, out, used};
	struct info_pen pen = {label_put_text, label_put_dim, &p};
	bool list = info->contents.rank > 0 || info->contents.count != 1;

	if (!n->output_count || !n->outputs[0] || !info->contents.at || info->contents.rank > 1)
		return false;
	sheet_labels_add_run(out, list ? SV("[") : SV(""), 0);
	dims_walk(info->contents.at, info->contents.count, &pen);
	sheet_labels_add_run(out, list ? SV("]") : SV(""), 0);
	return true;
}

/* It is the title, unless it is long: as on the screen. */
static bool title_is_computed(const struct sheet *s, uint32_t scope, struct label *out)
{
	return label_computed(s, scope, NULL, out) &&
	       utf8_width(str_sv(&out->text)) <= COMPUTED_MAX;
}

static bool is_computed(const struct sheet *s, uint32_t scope)
{
	struct label title = {0};
	bool is = title_is_computed(s, scope, &title);

	label_release(&title);
	return is;
}

/* ---- titles ---- */

static struct sv sheet_labels_value_name(const struct sheet *s, uint32_t value)
{
	return model_cut_name(s->in->model, s->in->model->values.at[value].name);
}

static void sheet_labels_scope_title(const struct sheet *s, uint32_t id, struct str *out)
{
	struct label computed = {0};

	str_text(out, scope_mark(&s->scopes.at[id]));
	if (title_is_computed(s, id, &computed))
		str_add(out, str_sv(&computed.text));
	else
		scope_title(&s->scopes, id, out);
	label_release(&computed);
}

/* After the first of many ends: …11v (22) */
static void sheet_labels_add_last(const struct sheet *s, const struct view_item *at,
				  struct str *out)
{
	struct sv first = sheet_labels_value_name(s, at->id);
	struct sv last = sheet_labels_value_name(s, at->last);

	str_text(out, "\u2026");
	sheet_labels_add_name(out, sv_skip(last, sv_same_start(first, last)));
	str_format(out, " (%" PRIu32 ")", at->count);
}

void sheet_title(const struct sheet *s, uint32_t item, struct str *out)
{
	const struct view_item *at = &s->view.items.at[item];
	const struct model *m = s->in->model;

	switch (at->kind) {
	case VIEW_NODE:
		sheet_labels_add_name(out, model_name(m, m->nodes.at[at->id].op));
		break;
	case VIEW_SCOPE:
		sheet_labels_scope_title(s, at->id, out);
		break;
	case VIEW_INPUT:
	case VIEW_OUTER:
	case VIEW_OUTPUT:
		sheet_labels_add_name(out, sheet_labels_value_name(s, at->id));
		if (at->count > 1)
			sheet_labels_add_last(s, at, out);
		break;
	case VIEW_KIND_COUNT:
		break;
	}
	/* It has edges to items outside the requested part. */
	if (at->cut)
		str_text(out, " \u2026");
}

enum op_kind sheet_kind(const struct sheet *s, uint32_t item)
{
	const struct view_item *at = &s->view.items.at[item];
	const struct model *m = s->in->model;

	return at->kind == VIEW_NODE ? op_kind(m, &m->nodes.at[at->id]) : OP_KIND_NONE;
}

static bool has_inside(const struct model *m, uint32_t node)
{
	uint32_t graph;

	return m->functions.len <= FUNCTIONS_MAX && view_inside(m, node, 0, &graph);
}

/* What an end of a body is to its node: its state, and what goes in or comes out there. */
static void sheet_labels_add_end(const struct sheet *s, uint32_t item, struct str *out)
{
	const struct view_item *at = &s->view.items.at[item];
	bool output = at->kind == VIEW_OUTPUT;
	size_t before = out->len;
	uint32_t partner;

	if ((at->kind != VIEW_INPUT && !output) || at->count > 1)
		return;
	carried_text(s->in->model, s->scopes.graph, at->id, output, out);
	partner = carried_partner(s->in->model, s->scopes.graph, at->id, output);
	if (!partner)
		return;
	str_text(out, out->len > before ? " " : "");
	str_text(out, output ? "\u25b8 " : "\u25c2 ");
	sheet_labels_add_name(out, sheet_labels_value_name(s, partner));
}

static bool is_open(const struct sheet *s, uint32_t item)
{
	return s->body_of && s->body_of[item];
}

void sheet_constants(const struct sheet *s, uint32_t item, struct str *out)
{
	const struct view_item *at = &s->view.items.at[item];
	const struct model *m = s->in->model;
	size_t fits, before = out->len;

	if (at->kind == VIEW_NODE)
		label_constants(m, &m->nodes.at[at->id], out);
	else if (at->kind == VIEW_SCOPE && !is_computed(s, at->id))
		scope_title_more(&s->scopes, at->id, out);
	else
		sheet_labels_add_end(s, item, out);
	fits = sheet_fitting(sv_skip(str_sv(out), before), CONSTANTS_MAX);
	if (before + fits < out->len) {
		out->len = before + fits;
		str_text(out, "\u2026");
	}
	if (at->kind == VIEW_NODE && has_inside(m, at->id)) {
		str_text(out, out->len > before ? " " : "");
		str_text(out, is_open(s, item) ? "\u25be" : "\u25b8");
	}
}

void sheet_name(const struct sheet *s, uint32_t item, struct str *out)
{
	const struct view_item *at = &s->view.items.at[item];
	const struct model *m = s->in->model;
	struct str path = {0};

	if (at->kind == VIEW_NODE) {
		str_add_shown(out, model_cut_name(m, m->nodes.at[at->id].name));
	} else if (at->kind == VIEW_SCOPE) {
		scope_path(&path, &s->scopes, at->id);
		str_add_shown(out, str_sv(&path));
		str_release(&path);
	} else {
		str_add_shown(out, sheet_labels_value_name(s, at->id));
	}
}

void sheet_net(const struct sheet *s, uint32_t net, struct str *out)
{
	const struct view_net *n = &s->view.nets.at[net];
	uint32_t named = MIN(n->count, NETS_MAX);

	for (uint32_t i = 0; i < named; i++) {
		str_text(out, i ? ", " : "");
		sheet_labels_add_name(out,
				      sheet_labels_value_name(s, s->view.values.at[n->first + i]));
	}
	if (named < n->count)
		str_format(out, " +%" PRIu32, n->count - named);
}

/* ---- shapes ---- */

static bool sheet_labels_is_wide(const void *context, uint32_t value)
{
	return ((const struct info *)context)[value].rank > 1;
}

static bool sheet_labels_are_same(const void *context, uint32_t a, uint32_t b)
{
	const struct info *infos = context;

	return info_same_shape(&infos[a], &infos[b]);
}

static uint32_t shown_value(const struct sheet *s, uint32_t item)
{
	const struct shown_shapes shapes = {sheet_labels_is_wide, sheet_labels_are_same, NULL,
					    s->in->infos};

	return view_shown(&s->view, item, &shapes);
}

static void cut_label(struct label *l)
{
	size_t fits = sheet_fitting(str_sv(&l->text), SHAPE_MAX);

	if (fits == l->text.len)
		return;
	l->text.at[fits] = '\0';
	l->text.len = fits;
	for (size_t i = 0; i < l->runs.len; i++)
		l->runs.at[i].end = MIN(l->runs.at[i].end, fits);
	sheet_labels_add_run(l, SV("\u2026"), 0);
}

static void label_shape(struct sheet *s, uint32_t item, bool *used, struct label *out)
{
	const struct view_item *at = &s->view.items.at[item];
	const struct info *info = &s->in->infos[shown_value(s, item)];
	struct label_pen p = {s, out, used};
	struct info_pen pen = {label_put_text, label_put_dim, &p};

	if (at->kind != VIEW_SCOPE || !label_computed(s, at->id, used, out))
		info_walk(info, INFO_SHAPE, &pen);
	else if (is_computed(s, at->id))
		label_clear(out);
	cut_label(out);
	/* As on the screen: the type of what enters and leaves. */
	if (at->kind != VIEW_NODE && at->kind != VIEW_SCOPE && elem_short(info->elem)[0]) {
		sheet_labels_add_run(out, SV(" "), 0);
		sheet_labels_add_run(out, sv_of(elem_short(info->elem)), 0);
	}
}

void sheet_shape(struct sheet *s, uint32_t item, struct label *out)
{
	label_shape(s, item, NULL, out);
}

/* ---- short names ---- */

void sheet_meaning(struct sheet *s, uint32_t i, struct label *out)
{
	uint32_t index = s->legend.at[i];
	struct sym of = s->names->at.at[index].of;
	struct label_pen p = {s, out, NULL};

	nicknames_walk(s->names, &s->in->pool, of, 0, label_put_piece, &p);
	sheet_labels_add_run(out, SV(" = "), 0);
	nicknames_walk(s->names, &s->in->pool, of, index + 1, label_put_piece, &p);
}

size_t sheet_line(struct sv text, size_t columns)
{
	size_t fits = sheet_fitting(text, columns), at = fits;

	if (fits == text.len)
		return fits;
	while (at > fits / 2 && !(text.at[at - 1] && strchr(" ,*+-/(", text.at[at - 1])))
		at--;
	return MAX(at > fits / 2 ? at : fits, 1);
}

static void sheet_labels_mark_names(struct sheet *s, bool *used)
{
	struct label shape = {0};

	for (uint32_t i = 0; i < s->view.items.len; i++) {
		label_clear(&shape);
		label_shape(s, i, used, &shape);
	}
	label_release(&shape);
	for (size_t i = 0; i < s->bodies.len; i++)
		sheet_labels_mark_names(s->bodies.at[i].sheet, used);
}

/* Those in shapes, and those that they are told with. */
void sheet_find_legend(struct sheet *s)
{
	size_t count = s->names->at.len;
	bool *used;

	if (!count || s->names->off)
		return;
	used = must_alloc(count * sizeof(*used));
	memset(used, 0, count * sizeof(*used));
	sheet_labels_mark_names(s, used);
	for (size_t pass = 0, was = SIZE_MAX, now = 0; was != now && pass < count; pass++) {
		was = now;
		now = 0;
		for (size_t i = 0; i < count; i++) {
			now += used[i];
			if (used[i])
				nicknames_mark(s->names, &s->in->pool, s->names->at.at[i].of,
					       (uint32_t)i + 1, used);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		if (used[i])
			vec_push(&s->legend, i);
	}
	free(used);
}
