#include "tests/layout/text.h"

#include <string.h>

#include "base/bug.h"
#include "base/utf8.h"
#include "tests/layout/file.h"

static uint32_t item_of(struct text_graph *g, struct sv name)
{
	uint32_t id = intern_find(&g->names, name);

	if (id)
		return id - 1;
	vec_push(&g->labels, name);
	(void)intern_add(&g->names, name);
	return sketch_item(&g->sketch, 0, 0);
}

static int64_t number(struct sv *line)
{
	int64_t n;

	return sv_int(next_word(line), &n) ? n : 0;
}

static void take_option(struct text_graph *g, struct sv line)
{
	struct sv word = next_word(&line);

	if (sv_is(word, "longest"))
		g->longest = (uint32_t)number(&line);
	else if (sv_is(word, "ascii"))
		g->ascii = true;
	else if (sv_is(word, "lanes")) {
		g->lanes = true;
		g->max_lanes = (uint32_t)number(&line);
	} else if (sv_is(word, "select"))
		g->selected = item_of(g, next_word(&line));
	else if (sv_is(word, "map")) {
		g->map_columns = (int32_t)number(&line);
		g->map_rows = (int32_t)number(&line);
	}
}

/* Part `nth` of "title | line | line"; false if there are fewer. */
static bool part_of(struct sv label, uint32_t nth, struct sv *out)
{
	for (;; nth--) {
		const char *bar = label.len ? memchr(label.at, '|', label.len) : NULL;
		size_t len = bar ? (size_t)(bar - label.at) : label.len;

		*out = sv_trim((struct sv){label.at, len});
		if (nth == 0)
			return true;
		if (!bar)
			return false;
		label = sv_skip(label, len + 1);
	}
}

static void measure(struct text_graph *g)
{
	for (size_t i = 0; i < g->sketch.items.len; i++) {
		struct sketch_item *item = &g->sketch.items.at[i];
		struct sv part;
		uint32_t lines = 0;

		for (item->width = 0; part_of(g->labels.at[i], lines, &part); lines++) {
			uint32_t width = (uint32_t)utf8_width(part) + (lines ? 4 : 6);

			item->width = MAX(item->width, width);
		}
		item->height = lines + 1;
	}
}

static void take_line(struct text_graph *g, struct sv line)
{
	struct sv first = next_word(&line), word;
	uint32_t from;

	if (sv_is(first, "!")) {
		take_option(g, line);
		return;
	}
	if (sv_ends(first, SV(":"))) {
		from = item_of(g, (struct sv){first.at, first.len - 1});
		g->labels.at[from] = sv_trim(line);
		return;
	}
	from = item_of(g, first);
	word = next_word(&line);
	if (!sv_is(word, "->"))
		return;
	(void)sketch_net(&g->sketch, from, (uint32_t)first.len);
	while ((word = next_word(&line)).len)
		sketch_reader(&g->sketch, item_of(g, word));
}

void text_graph_parse(struct text_graph *g, struct sv text)
{
	struct sv line;

	*g = (struct text_graph){.selected = SKETCH_NONE};
	while (next_line(&text, &line)) {
		if (sv_trim(line).len && line.at[0] != '#')
			take_line(g, line);
	}
	measure(g);
	sketch_index(&g->sketch);
}

void text_graph_release(struct text_graph *g)
{
	sketch_release(&g->sketch);
	intern_release(&g->names);
	vec_release(&g->labels);
}

void text_graph_label(void *context, uint32_t item, uint32_t line, struct str *out)
{
	const struct text_graph *g = context;
	struct sv part;

	if (part_of(g->labels.at[item], line, &part))
		str_add(out, part);
}

void text_graph_name(void *context, uint32_t net, struct str *out)
{
	const struct text_graph *g = context;

	str_add(out, intern_text(&g->names, g->sketch.nets.at[net].from + 1));
}

static void draw_boxes(struct text_graph *g, struct str *out)
{
	struct drawing how = {.ascii = g->ascii,
			      .selected = g->selected,
			      .context = g,
			      .label = text_graph_label,
			      .name = text_graph_name};
	struct picture p;
	struct cell *cells;

	picture_make(&p, &g->sketch, g->longest);
	cells = must_alloc(((size_t)p.width * (size_t)p.height + 1) * sizeof(*cells));
	picture_draw(&p, (struct rect){0, 0, p.width, p.height}, &how, cells);
	cells_print(out, cells, p.width, p.height);
	free(cells);
	picture_release(&p);
}

static void draw_lanes(struct text_graph *g, struct str *out)
{
	struct drawing how = {.ascii = g->ascii,
			      .context = g,
			      .label = text_graph_label,
			      .name = text_graph_name};
	struct lanes l;
	struct cell *cells;
	int32_t columns;

	lanes_make(&l, &g->sketch, g->max_lanes);
	columns = 2 * (int32_t)l.width + 40;
	cells = must_alloc(((size_t)columns * l.rows + 1) * sizeof(*cells));
	lanes_draw(&l, &g->sketch, 0, l.rows, columns, &how, cells);
	cells_print(out, cells, columns, (int32_t)l.rows);
	free(cells);
	lanes_release(&l);
}

static void draw_map(struct text_graph *g, struct str *out)
{
	struct map_size size = {g->map_columns, g->map_rows};
	struct picture p;
	struct cell *cells;

	picture_make(&p, &g->sketch, g->longest);
	cells = must_alloc(((size_t)size.columns * (size_t)size.rows + 1) * sizeof(*cells));
	map_draw(&p, size, g->ascii, cells);
	cells_print(out, cells, size.columns, size.rows);
	free(cells);
	picture_release(&p);
}

void text_graph_draw(struct text_graph *g, struct str *out)
{
	if (g->lanes)
		draw_lanes(g, out);
	else if (g->map_columns)
		draw_map(g, out);
	else
		draw_boxes(g, out);
}
