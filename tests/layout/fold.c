/*
 * Drawings of folded, entered and focused graphs.  Arguments: [--update] FILE...; a file is a
 * model, a line of dashes, and the expected drawing.
 *
 *   ! model ../../models/if.onnx    a real one; or line by line:
 *   in x y                          inputs
 *   init w                          initializers
 *   /enc/layer.0/Add Add x w -> a   a node: name, operator, inputs, outputs; "" is no name
 *   ! scopes ['', 'enc', 'add']     torch's metadata of the node above
 *   out a                           outputs
 *   ! most 10                       fold until about 10 items are visible
 *   ! open /enc/layer.0             unfold; fold PATH folds
 *   ! unfold all                    everything
 *   ! focus /enc/layer.0/Add 1      only nearby items; path A B: those between A and B
 *   ! graph 1                       a body or a function
 *   ! lanes
 */
#include <libgen.h>
#include <stdio.h>
#include <string.h>

#include "ir/build.h"
#include "tests/layout/file.h"
#include "tests/layout/shown.h"
#include "wire/wire.h"

struct folded {
	struct model own;
	struct wire wire;
	struct infer infer;
	bool from_file;
	struct shown shown;
	struct view_focus focus;
	bool lanes;
};

/* ---- a model, line by line ---- */

static void add_inputs(struct model *m, struct sv line)
{
	struct sv word;

	while ((word = next_word(&line)).len) {
		uint32_t value = value_define(m, 0, model_intern(m, word), 0, 0, VALUE_INPUT);

		vec_push(&m->graphs.at[0].inputs, value);
	}
}

static void add_tensors(struct model *m, struct sv line)
{
	struct sv word;

	while ((word = next_word(&line)).len) {
		uint32_t tensor = tensor_new(m), name = model_intern(m, word);
		uint32_t value = value_define(m, 0, name, 0, 0, 0);

		m->tensors.at[tensor].name = name;
		m->values.at[value].tensor = tensor;
	}
}

static void add_outputs(struct model *m, struct sv line)
{
	struct sv word;

	while ((word = next_word(&line)).len)
		vec_push(&m->graphs.at[0].outputs, model_intern(m, word));
}

/* Names stand for values until model_connect; "\"\"" is no name. */
static void add_node(struct model *m, struct sv name, struct sv line)
{
	uint32_t id = node_new(m, 0), ports[64];
	struct node n = m->nodes.at[id];
	struct sv word;

	n.name = sv_is(name, "\"\"") ? 0 : model_intern(m, name);
	n.op = model_intern(m, next_word(&line));
	while ((word = next_word(&line)).len && !sv_is(word, "->"))
		ports[n.input_count++] = model_intern(m, word);
	n.inputs = arena_array(&m->arena, n.input_count + 1, uint32_t);
	memcpy(n.inputs, ports, n.input_count * sizeof(*ports));
	n.outputs = arena_array(&m->arena, 8, uint32_t);
	while ((word = next_word(&line)).len && n.output_count < 8) {
		n.outputs[n.output_count] = value_define(m, 0, model_intern(m, word), id,
							 n.output_count, 0);
		n.output_count++;
	}
	m->nodes.at[id] = n;
}

static void add_scopes(struct model *m, struct sv line)
{
	struct node *n = vec_last(&m->nodes);
	struct sv text = sv_trim(line);

	n->metadata = arena_array(&m->arena, 1, struct pair);
	n->metadata_count = 1;
	n->metadata[0] = (struct pair){model_intern(m, SV("pkg.torch.onnx.name_scopes")),
				       arena_copy(&m->arena, text), text.len};
}

static void take_line(struct model *m, struct sv line)
{
	struct sv word = next_word(&line), rest = line;

	if (sv_is(word, "in"))
		add_inputs(m, line);
	else if (sv_is(word, "init"))
		add_tensors(m, line);
	else if (sv_is(word, "out"))
		add_outputs(m, line);
	else if (sv_is(word, "!") && sv_is(next_word(&rest), "scopes"))
		add_scopes(m, rest);
	else if (!sv_is(word, "!"))
		add_node(m, word, line);
}

/* ---- options ---- */

static uint32_t number(struct sv *line)
{
	int64_t n;

	return sv_int(next_word(line), &n) ? (uint32_t)n : 0;
}

static uint32_t find_node(const struct model *m, struct sv name)
{
	for (uint32_t i = 1; i < m->nodes.len; i++) {
		if (sv_eq(model_name(m, m->nodes.at[i].name), name))
			return i;
	}
	return 0;
}

static void fold_path(struct scopes *s, struct sv path, bool folded)
{
	struct str text = {0};

	for (uint32_t i = 1; i < s->count; i++) {
		str_clear(&text);
		scope_path(&text, s, i);
		if (s->at[i].kind != SCOPE_NAME || !sv_eq(str_sv(&text), path))
			continue;
		s->at[i].folded = folded;
		if (!folded)
			scopes_reveal(s, i);
	}
	str_release(&text);
}

static void take_option(struct folded *f, struct sv line)
{
	struct scopes *s = &f->shown.scopes;
	const struct model *m = f->shown.model;
	struct sv word = next_word(&line);

	if (sv_is(word, "most")) {
		scopes_fold(s, number(&line));
	} else if (sv_is(word, "open")) {
		fold_path(s, next_word(&line), false);
	} else if (sv_is(word, "fold")) {
		fold_path(s, next_word(&line), true);
	} else if (sv_is(word, "unfold")) {
		for (uint32_t i = 0; i < s->count; i++)
			s->at[i].folded = false;
	} else if (sv_is(word, "focus") || sv_is(word, "path")) {
		f->focus.node = find_node(m, next_word(&line));
		if (sv_is(word, "focus"))
			f->focus.hops = number(&line);
		else
			f->focus.other = find_node(m, next_word(&line));
	} else if (sv_is(word, "graph")) {
		uint32_t graph = number(&line);

		scopes_release(s);
		scopes_find(s, m, graph);
	} else if (sv_is(word, "lanes")) {
		f->lanes = true;
	}
}

/* ---- a file ---- */

static bool open_model(struct folded *f, const char *path, struct sv text)
{
	struct str folder = {0}, file = {0};
	struct sv line, word;
	struct err err;
	bool ok = true;

	model_init(&f->own);
	f->shown.model = &f->own;
	while (next_line(&text, &line)) {
		struct sv rest = line;

		if (!sv_trim(line).len || line.at[0] == '#')
			continue;
		word = next_word(&rest);
		if (sv_is(word, "!") && sv_is(next_word(&rest), "model")) {
			str_text(&folder, path);
			word = next_word(&rest);
			str_format(&file, "%s/%.*s", dirname(folder.at), (int)word.len, word.at);
			ok = wire_open(&f->wire, str_c(&file), &err);
			if (!ok)
				printf("# %s\n", err.text);
			f->from_file = ok;
			break;
		}
		take_line(&f->own, line);
	}
	str_release(&folder);
	str_release(&file);
	if (f->from_file) {
		infer_run(&f->infer, &f->wire.model, (struct infer_options){0});
		f->shown.model = &f->wire.model;
		f->shown.infer = &f->infer;
	} else {
		model_connect(&f->own);
	}
	return ok;
}

static bool draw(const char *path, struct sv text, struct str *out)
{
	struct folded f = {0};
	struct sv line, word;
	bool ok = open_model(&f, path, text);

	scopes_find(&f.shown.scopes, f.shown.model, 0);
	while (next_line(&text, &line)) {
		word = next_word(&line);
		if (sv_is(word, "!"))
			take_option(&f, line);
	}
	shown_update(&f.shown, f.focus);
	if (f.lanes)
		shown_lanes(&f.shown, false, out);
	else
		shown_boxes(&f.shown, false, out);
	shown_release(&f.shown);
	if (f.from_file) {
		infer_release(&f.infer);
		wire_release(&f.wire);
	}
	model_release(&f.own);
	return ok;
}

int main(int count, char **words)
{
	return golden_main(count, words, draw);
}
