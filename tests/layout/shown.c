#include "tests/layout/shown.h"

#include "base/bug.h"
#include "base/utf8.h"
#include "layout/lanes.h"
#include "layout/map.h"
#include "sym/text.h"

enum {
	WIDEST = 44,
	MAP_COLUMNS = 60,
	MAP_ROWS = 40
};

static void add_dims(struct str *out, const struct infer *in, const struct sym *dims,
		     uint32_t count)
{
	str_char(out, '[');
	for (uint32_t i = 0; i < count; i++) {
		str_text(out, i ? ", " : "");
		sym_print(&in->pool, dims[i], out);
	}
	str_char(out, ']');
}

static void add_shape(struct str *out, const struct shown *s, uint32_t value)
{
	const struct info *info;

	if (!s->infer || !value)
		return;
	info = &s->infer->infos[value];
	if (info->ranked)
		add_dims(out, s->infer, info->dims, info->rank);
	else
		str_char(out, '?');
}

static uint32_t first_value(const struct shown *s, uint32_t net)
{
	return s->view.values.at[s->view.nets.at[net].first];
}

/* The output of a scope: of its last node that is read from outside. */
static uint32_t value_out(const struct shown *s, uint32_t item)
{
	const struct sketch *k = &s->view.sketch;
	uint32_t end = k->out_at[item + 1];

	return end > k->out_at[item] ? first_value(s, k->out[end - 1]) : 0;
}

static void add_scope_title(struct str *out, const struct shown *s, const struct scope *scope)
{
	uint32_t last = scope->first_child;

	switch (scope->kind) {
	case SCOPE_SHAPES:
		str_text(out, "▸ shape");
		break;
	case SCOPE_GROUP:
		str_format(out, "▸ group (%u)", scope->node_count);
		break;
	case SCOPE_FAN:
		str_format(out, "≡ fan ×%u", scope->node_count);
		break;
	case SCOPE_REPEAT:
		while (s->scopes.at[last].next)
			last = s->scopes.at[last].next;
		str_text(out, "≡ ");
		str_add_shown(out, scope->name);
		if (scope->made) {
			str_format(out, " ×%u more", scope->child_count);
			break;
		}
		str_text(out, " … ");
		str_add_shown(out, s->scopes.at[last].name);
		str_text(out, " = ");
		str_add_shown(out, s->scopes.at[scope->like].name);
		break;
	case SCOPE_NAME:
	case SCOPE_KIND_COUNT:
		str_text(out, "▸ ");
		str_add_shown(out, scope->name);
		str_format(out, " (%u)", scope->node_count);
		break;
	}
}

static void add_last(struct str *out, const struct model *m, const struct view_item *item)
{
	str_text(out, " … ");
	str_add_shown(out, model_name(m, m->values.at[item->last].name));
	str_format(out, " (%u)", item->count);
}

static void add_title(struct str *out, const struct shown *s, const struct view_item *item)
{
	const struct model *m = s->model;

	switch (item->kind) {
	case VIEW_OUTER:
		str_text(out, "◂ ");
		/* fallthrough */
	case VIEW_INPUT:
	case VIEW_OUTPUT:
		str_add_shown(out, model_name(m, m->values.at[item->id].name));
		if (item->count > 1)
			add_last(out, m, item);
		break;
	case VIEW_NODE:
		str_add_shown(out, model_name(m, m->nodes.at[item->id].op));
		break;
	case VIEW_SCOPE:
		add_scope_title(out, s, &s->scopes.at[item->id]);
		break;
	case VIEW_KIND_COUNT:
		break;
	}
}

void shown_label(void *context, uint32_t item, uint32_t line, struct str *out)
{
	const struct shown *s = context;
	const struct view_item *it = &s->view.items.at[item];
	const struct node *n = &s->model->nodes.at[it->id];

	if (line == 0)
		add_title(out, s, it);
	else if (it->kind == VIEW_SCOPE)
		add_shape(out, s, value_out(s, item));
	else if (it->kind == VIEW_NODE)
		add_shape(out, s, n->output_count ? n->outputs[0] : 0);
	else
		add_shape(out, s, it->id);
}

/* Title and shape in one line, for lanes. */
static void lane_label(void *context, uint32_t item, uint32_t line, struct str *out)
{
	size_t start = out->len;

	shown_label(context, item, line, out);
	while (utf8_width((struct sv){str_c(out) + start, out->len - start}) < 30)
		str_char(out, ' ');
	str_char(out, ' ');
	shown_label(context, item, 1, out);
}

void shown_name(void *context, uint32_t net, struct str *out)
{
	const struct shown *s = context;
	struct str text = {0};

	str_add_shown(&text, model_name(s->model, s->model->values.at[first_value(s, net)].name));
	str_add(out, str_sv(&text));
	str_release(&text);
}

uint32_t shown_mark(void *context, uint32_t item)
{
	static const uint32_t marks[VIEW_KIND_COUNT] = {0x25cf, 0x25cf, 0x25c6, 0x25a3, 0x25cf};
	const struct shown *s = context;

	return marks[s->view.items.at[item].kind];
}

static void measure(struct shown *s)
{
	struct sketch *k = &s->view.sketch;
	struct str text = {0};

	for (uint32_t i = 0; i < k->items.len; i++) {
		uint32_t title, shape;

		str_clear(&text);
		shown_label(s, i, 0, &text);
		title = (uint32_t)utf8_width(str_sv(&text)) + 6;
		str_clear(&text);
		shown_label(s, i, 1, &text);
		shape = (uint32_t)utf8_width(str_sv(&text)) + 4;
		k->items.at[i].width = MIN(MAX(title, shape), WIDEST);
		k->items.at[i].height = s->infer ? 3 : 2;
	}
	for (uint32_t i = 0; i < k->nets.len; i++) {
		str_clear(&text);
		shown_name(s, i, &text);
		k->nets.at[i].label = MIN((uint32_t)utf8_width(str_sv(&text)), 24);
	}
	str_release(&text);
}

void shown_update(struct shown *s, struct view_focus focus)
{
	view_make(&s->view, &s->scopes, focus);
	measure(s);
}

void shown_release(struct shown *s)
{
	view_release(&s->view);
	scopes_release(&s->scopes);
}

void shown_boxes(struct shown *s, bool ascii, struct str *out)
{
	struct drawing how = {.ascii = ascii,
			      .selected = SKETCH_NONE,
			      .label = shown_label,
			      .name = shown_name,
			      .context = s};
	struct picture p;
	struct cell *cells;

	picture_make(&p, &s->view.sketch, 0);
	cells = must_alloc(((size_t)p.width * 100 + 1) * sizeof(*cells));
	for (int32_t y = 0; y < p.height; y += 100) {
		int32_t rows = MIN(100, p.height - y);

		picture_draw(&p, (struct rect){0, y, p.width, rows}, &how, cells);
		cells_print(out, cells, p.width, rows);
	}
	free(cells);
	picture_release(&p);
}

void shown_lanes(struct shown *s, bool ascii, struct str *out)
{
	struct drawing how = {.ascii = ascii,
			      .label = lane_label,
			      .name = shown_name,
			      .mark = ascii ? NULL : shown_mark,
			      .context = s};
	struct lanes l;
	struct cell *cells;
	int32_t columns;

	lanes_make(&l, &s->view.sketch, 0);
	columns = 2 * (int32_t)l.width + 70;
	cells = must_alloc((size_t)columns * sizeof(*cells));
	for (uint32_t row = 0; row < l.rows; row++) {
		lanes_draw(&l, &s->view.sketch, row, 1, columns, &how, cells);
		cells_print(out, cells, columns, 1);
	}
	free(cells);
	lanes_release(&l);
}

void shown_map(struct shown *s, bool ascii, struct str *out)
{
	struct map_size size = {MAP_COLUMNS, MAP_ROWS};
	struct cell cells[MAP_COLUMNS * MAP_ROWS];
	struct picture p;

	picture_make(&p, &s->view.sketch, 0);
	map_draw(&p, size, ascii, cells);
	cells_print(out, cells, size.columns, size.rows);
	picture_release(&p);
}
