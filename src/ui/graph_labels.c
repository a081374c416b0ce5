/*
 * What is written in boxes and rows.
 */
#include <inttypes.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "sym/text.h"
#include "ui/graphing.h"

enum {
	TITLE_MOST = 40, /* columns */
	SHAPE_MOST = 44,
	NAME_MOST = 40,
	NET_MOST = 24,
	ATTRS_MOST = 6, /* lines */
	FUNCTIONS_MOST = 100,
	BYTES_MOST = 400 /* of a name that are looked at */
};

/* Names are plain nearly always, and there are many of them. */
static bool is_plain(struct sv text)
{
	unsigned char odd = 0;

	for (size_t i = 0; i < text.len; i++)
		odd |= (unsigned char)text.at[i] - 0x20U > 0x5eU;
	return !odd;
}

size_t label_width(struct sv text)
{
	return is_plain(text) ? text.len : utf8_width(text);
}

struct sv label_tail(struct sv name, int columns)
{
	size_t most = (size_t)MAX(columns, 1), width;

	if (name.len > BYTES_MOST)
		name = sv_skip(name, name.len - BYTES_MOST);
	if (is_plain(name))
		return sv_skip(name, name.len - MIN(name.len, most));
	/* Not from the middle of a character. */
	while (name.len && ((unsigned char)name.at[0] & 0xc0) == 0x80)
		name = sv_skip(name, 1);
	for (width = utf8_width(name); name.len && width > most;) {
		struct sv first = {name.at, utf8_next(name).len};

		width -= MIN(width, utf8_width(first));
		name = sv_skip(name, first.len);
	}
	return name;
}

static struct sv value_name(const struct model *m, uint32_t value)
{
	return model_cut_name(m, m->values.at[value].name);
}

/* The end of a name, with a sign that there is more before it. */
static void add_tail(struct str *out, struct sv name, int columns)
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
	add_tail(out, value_name(s->subject.model, st->view.values.at[n->first]), NET_MOST);
	if (n->count > 1)
		str_format(out, " +%" PRIu32, n->count - 1);
}

/* ---- titles ---- */

static void scope_title(const struct stage *st, uint32_t id, struct str *out, struct str *more)
{
	const struct scope *scope = &st->scopes.at[id];
	const struct model *m = st->scopes.model;
	uint32_t last = scope->first_child;

	switch (scope->kind) {
	case SCOPE_NAME:
		str_text(out, "\u25b8 ");
		str_add_shown(out, label_tail(scope->name, TITLE_MOST - 8));
		str_format(more, "(%" PRIu32 ")", scope->node_count);
		break;
	case SCOPE_REPEAT:
		while (last && st->scopes.at[last].next)
			last = st->scopes.at[last].next;
		str_text(out, "\u2261 ");
		str_add_shown(out, label_tail(scope->name, 16));
		if (last != scope->first_child) {
			str_text(out, "\u2026");
			str_add_shown(out, label_tail(st->scopes.at[last].name, 12));
		}
		str_text(more, "= ");
		str_add_shown(more, label_tail(st->scopes.at[scope->like].name, 12));
		break;
	case SCOPE_SHAPES:
		str_text(out, "\u25b8 ");
		str_add_shown(out, model_cut_name(m, m->nodes.at[scope->node].op));
		str_format(more, "(%" PRIu32 ")", scope->node_count);
		break;
	case SCOPE_KIND_COUNT:
		break;
	}
}

/* Looking for a function takes time: where there are many, a call is not told from a node. */
static bool can_be_entered(const struct model *m, uint32_t node)
{
	const struct node *n = &m->nodes.at[node];
	uint32_t graph;

	for (uint32_t i = 0; i < n->attr_count; i++) {
		if (n->attrs[i].kind == ATTR_GRAPH || n->attrs[i].kind == ATTR_GRAPHS)
			return true;
	}
	return m->functions.len && m->functions.len <= FUNCTIONS_MOST &&
	       view_inside(m, node, 0, &graph);
}

void label_title(const struct screen *s, const struct stage *st, uint32_t item, struct str *out,
		 struct str *more)
{
	static const char *const marks[VIEW_KIND_COUNT] = {
		[VIEW_INPUT] = "\u25cf ", [VIEW_OUTER] = "\u25b2 ", [VIEW_OUTPUT] = "\u25cf "};
	const struct view_item *at = &st->view.items.at[item];
	const struct model *m = s->subject.model;

	switch (at->kind) {
	case VIEW_NODE:
		str_add_shown(out, label_tail(model_name(m, m->nodes.at[at->id].op), TITLE_MOST));
		label_constants(m, &m->nodes.at[at->id], more);
		if (can_be_entered(m, at->id))
			str_text(more, more->len ? " \u25b8" : "\u25b8");
		break;
	case VIEW_SCOPE:
		scope_title(st, at->id, out, more);
		break;
	case VIEW_INPUT:
	case VIEW_OUTER:
	case VIEW_OUTPUT:
		str_text(out, marks[at->kind]);
		str_add_shown(out, label_tail(value_name(m, at->id), TITLE_MOST));
		if (at->count > 1)
			str_format(more, "\u2026 (%" PRIu32 ")", at->count);
		break;
	case VIEW_KIND_COUNT:
		break;
	}
	/* Lines go on to what the focus leaves out. */
	if (at->cut)
		str_text(more, more->len ? " \u2026" : "\u2026");
}

/* ---- shapes ---- */

static uint32_t first_output(const struct node *n)
{
	for (uint32_t i = 0; i < n->output_count; i++) {
		if (n->outputs[i])
			return n->outputs[i];
	}
	return 0;
}

/* Of what leaves a folded scope, what is made last: as a rule its result. */
static uint32_t last_leaving(const struct screen *s, const struct stage *st, uint32_t item)
{
	const struct model *m = s->subject.model;
	const struct sketch *k = &st->view.sketch;
	uint32_t best = 0, best_index = 0;

	for (uint32_t i = k->out_at[item]; i < k->out_at[item + 1]; i++) {
		const struct view_net *n = &st->view.nets.at[k->out[i]];
		uint32_t value = n->count ? st->view.values.at[n->first] : 0;
		uint32_t node = m->values.at[value].producer;

		if (value && (!best || m->nodes.at[node].index >= best_index)) {
			best = value;
			best_index = m->nodes.at[node].index;
		}
	}
	return best;
}

uint32_t label_value(const struct screen *s, const struct stage *st, uint32_t item)
{
	const struct view_item *at = &st->view.items.at[item];
	const struct scope *scope;

	if (at->kind == VIEW_NODE)
		return first_output(&s->subject.model->nodes.at[at->id]);
	if (at->kind != VIEW_SCOPE)
		return at->id;
	scope = &st->scopes.at[at->id];
	if (scope->kind == SCOPE_SHAPES)
		return first_output(&s->subject.model->nodes.at[scope->node]);
	return last_leaving(s, st, item);
}

bool label_computed(const struct screen *s, const struct stage *st, uint32_t item, struct info *out)
{
	const struct view_item *at = &st->view.items.at[item];
	uint32_t value;

	if (at->kind != VIEW_SCOPE || st->scopes.at[at->id].kind != SCOPE_SHAPES)
		return false;
	value = label_value(s, st, item);
	*out = s->subject.infer->infos[value];
	if (!value || !out->contents.at || out->contents.rank > 1)
		return false;
	out->kind = TYPE_TENSOR;
	out->ranked = true;
	out->rank = out->contents.count;
	out->dims = out->contents.at;
	return true;
}

/* Behind the shape: the type of what enters or leaves; how many outputs there are besides. */
static void add_behind(const struct screen *s, const struct stage *st, uint32_t item,
		       struct str *out)
{
	const struct view_item *at = &st->view.items.at[item];
	const struct model *m = s->subject.model;
	uint32_t more = 0;

	if (at->kind == VIEW_INPUT || at->kind == VIEW_OUTPUT || at->kind == VIEW_OUTER) {
		str_format(out, " %s", elem_short(s->subject.infer->infos[at->id].elem));
		return;
	}
	if (at->kind != VIEW_NODE)
		return;
	for (uint32_t i = 0; i < m->nodes.at[at->id].output_count; i++)
		more += m->nodes.at[at->id].outputs[i] != 0;
	if (more > 1)
		str_format(out, " +%" PRIu32, more - 1);
}

void label_shape_text(const struct screen *s, const struct stage *st, uint32_t item,
		      struct str *out)
{
	uint32_t value = label_value(s, st, item);
	struct info computed;

	if (!label_computed(s, st, item, &computed)) {
		if (value)
			shape_text(s, &s->subject.infer->infos[value], out);
	} else if (computed.contents.rank == 0 && computed.rank == 1) {
		sym_print(&s->subject.infer->pool, computed.dims[0], out);
	} else {
		shape_text(s, &computed, out);
	}
	add_behind(s, st, item, out);
}

/* A computed number stands alone, a computed list in brackets. */
static int draw_any(struct screen *s, const struct stage *st, uint32_t item, int x, int y,
		    int columns)
{
	uint32_t value = label_value(s, st, item);
	struct info computed;

	if (!label_computed(s, st, item, &computed))
		return value ? draw_shape(s, x, y, columns, &s->subject.infer->infos[value]) : 0;
	if (computed.contents.rank == 0 && computed.rank == 1)
		return draw_dim(s, x, y, columns, computed.dims[0]);
	return draw_shape(s, x, y, columns, &computed);
}

int label_shape(struct screen *s, const struct stage *st, uint32_t item, int x, int y, int columns)
{
	struct str behind = {0}, whole = {0};
	int used = draw_any(s, st, item, x, y, columns);

	add_behind(s, st, item, &behind);
	label_shape_text(s, st, item, &whole);
	if (used < columns)
		used += canvas_text(&s->canvas, x + used, y, columns - used, str_sv(&behind),
				    STYLE_DIM);
	if (columns > 0 && label_width(str_sv(&whole)) > (size_t)columns)
		canvas_put(&s->canvas, x + columns - 1, y, 0x2026, STYLE_DIM);
	str_release(&behind);
	str_release(&whole);
	return used;
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
	if (at->kind != VIEW_NODE || line > MIN(n->attr_count, ATTRS_MOST))
		return false;
	if (line == 0) {
		add_tail(out, node_label(m, at->id), NAME_MOST);
		return true;
	}
	if (line == ATTRS_MOST && n->attr_count > ATTRS_MOST) {
		str_format(out, "\u2026 %" PRIu32 " more", n->attr_count - ATTRS_MOST + 1);
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
				  MIN((uint32_t)label_width(str_sv(&line)), NAME_MOST) + 4);
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
	return (uint32_t)MIN(wide, TITLE_MOST);
}

static uint32_t shape_width(const struct screen *s, const struct stage *st, uint32_t item)
{
	struct str shape = {0};
	size_t wide;

	label_shape_text(s, st, item, &shape);
	wide = label_width(str_sv(&shape));
	str_release(&shape);
	return (uint32_t)MIN(wide, SHAPE_MOST);
}

/* Thousands of nodes have a few dozen shapes: each is printed once. */
static uint32_t known_width(const struct screen *s, const struct stage *st, uint32_t item,
			    struct map *widths)
{
	const struct view_item *at = &st->view.items.at[item];
	const struct info *info = &s->subject.infer->infos[label_value(s, st, item)];
	uint64_t key = hash_u64(info->rank, (uint64_t)info->kind << 1 | info->ranked);
	uint32_t *place;

	if (at->kind != VIEW_NODE || s->subject.model->nodes.at[at->id].output_count != 1)
		return shape_width(s, st, item);
	for (uint32_t i = 0; info->ranked && i < info->rank; i++)
		key = hash_u64(info->dims[i].w, key);
	place = map_at(widths, key);
	if (*place == 0)
		*place = shape_width(s, st, item) + 1;
	return *place - 1;
}

struct sketch_item label_size(const struct screen *s, const struct stage *st, uint32_t item,
			      struct map *widths)
{
	uint32_t wide = known_width(s, st, item, widths);
	struct sketch_item size = {.height = 3};
	struct info computed;

	/* A border, a place for a mark, and a blank on either side of the title. */
	size.width = MAX(st->titles.at[item] + 6, wide + 4);
	if (label_computed(s, st, item, &computed))
		size = (struct sketch_item){.width = wide + 8, .height = 2};
	if (st->zoom == ZOOM_DETAILS && size.height > 2)
		size_details(s, st, item, &size);
	return size;
}
