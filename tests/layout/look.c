/*
 * Prints a model as the layout draws it, for a person to judge.
 *
 *   look MODEL [OPTION]...
 *     boxes | lanes | map    how (boxes)
 *     ascii
 *     all                    nothing folded
 *     most N                 fold until about N items are visible (300)
 *     open PATH              unfold a scope and its parents, /encoder/layer.0
 *     graph N                a body or a function, by its number
 *     focus NODE HOPS        only items near a node
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/layout/shown.h"
#include "wire/wire.h"

struct wish {
	const char *how;
	bool ascii, all;
	uint32_t max, graph;
	const char *open;
	const char *focus;
	uint32_t hops;
};

static struct wish read_words(int count, char **words)
{
	struct wish w = {.how = "boxes", .max = SCOPE_MAX_VISIBLE};

	for (int i = 2; i < count; i++) {
		const char *word = words[i], *next = i + 1 < count ? words[i + 1] : "";

		if (!strcmp(word, "ascii"))
			w.ascii = true;
		else if (!strcmp(word, "all"))
			w.all = true;
		else if (!strcmp(word, "most"))
			w.max = (uint32_t)strtoul(next, NULL, 10);
		else if (!strcmp(word, "graph"))
			w.graph = (uint32_t)strtoul(next, NULL, 10);
		else if (!strcmp(word, "open"))
			w.open = next;
		else if (!strcmp(word, "focus"))
			w.focus = next;
		else if (!strcmp(word, "boxes") || !strcmp(word, "lanes") || !strcmp(word, "map"))
			w.how = word;
		if (w.focus && !strcmp(word, "focus") && i + 2 < count)
			w.hops = (uint32_t)strtoul(words[i + 2], NULL, 10);
	}
	return w;
}

static void open_scope(struct scopes *s, const char *path)
{
	struct str text = {0};

	for (uint32_t i = 1; i < s->count; i++) {
		str_clear(&text);
		scope_path(&text, s, i);
		if (s->at[i].kind == SCOPE_NAME && sv_is(str_sv(&text), path))
			scopes_reveal(s, i);
	}
	str_release(&text);
}

static struct view_focus find_focus(const struct model *m, const struct wish *w)
{
	struct view_focus focus = {.hops = w->hops};

	for (uint32_t i = 1; w->focus && i < m->nodes.len; i++) {
		if (sv_is(model_name(m, m->nodes.at[i].name), w->focus))
			focus.node = i;
	}
	return focus;
}

static void show(const struct model *m, const struct infer *in, const struct wish *w)
{
	struct shown s = {.model = m, .infer = in};
	struct str out = {0};

	scopes_find(&s.scopes, m, w->graph);
	scopes_fold(&s.scopes, w->max);
	for (uint32_t i = 0; w->all && i < s.scopes.count; i++)
		s.scopes.at[i].folded = false;
	if (w->open)
		open_scope(&s.scopes, w->open);
	shown_update(&s, find_focus(m, w));
	fprintf(stderr, "%zu items, %zu nets, %u scopes\n", s.view.items.len, s.view.values.len,
		s.scopes.count);
	if (!strcmp(w->how, "lanes"))
		shown_lanes(&s, w->ascii, &out);
	else if (!strcmp(w->how, "map"))
		shown_map(&s, w->ascii, &out);
	else
		shown_boxes(&s, w->ascii, &out);
	fwrite(str_c(&out), 1, out.len, stdout);
	str_release(&out);
	shown_release(&s);
}

int main(int count, char **words)
{
	struct wish w = read_words(count, words);
	struct infer in;
	struct wire wire;
	struct err err;

	if (count < 2 || !wire_open(&wire, words[1], &err)) {
		fprintf(stderr, "look: %s\n", count < 2 ? "which model?" : err.text);
		return 2;
	}
	infer_run(&in, &wire.model, (struct infer_options){0});
	if (w.graph < wire.model.graphs.len)
		show(&wire.model, &in, &w);
	infer_release(&in);
	wire_release(&wire);
	return 0;
}
