/*
 * Completion of names in a model.
 */
#include <inttypes.h>

#include "app/complete.h"
#include "base/intern.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/infer.h"
#include "ir/dims.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"

/* ---- axes and symbols ---- */

static void complete_symbols(const struct completing *c, const char *after)
{
	struct symbol_counts symbols = {0};
	struct str word = {0};

	model_symbols(c->model, &symbols);
	for (size_t i = 0; i < symbols.len; i++) {
		str_add(&word, model_name(c->model, symbols.at[i].name));
		str_text(&word, after);
		complete_offer(c, str_sv(&word), NULL);
		str_clear(&word);
	}
	str_release(&word);
	vec_release(&symbols);
}

/* input:0 and output:1 of the main graph, followed by `after`. */
static void complete_declared(const struct completing *c, uint32_t flags, const char *after)
{
	const struct model *m = c->model;
	struct str word = {0};

	for (uint32_t id = 1; id < m->values.len; id++) {
		const struct value *v = &m->values.at[id];
		uint32_t rank = m->claims.at[v->first_claim].type.rank;

		if (v->graph != 0 || !v->first_claim || !(v->flags & flags))
			continue;
		for (uint32_t i = 0; i < rank; i++) {
			str_add(&word, model_name(m, v->name));
			str_format(&word, ":%" PRIu32 "%s", i, after);
			complete_offer(c, str_sv(&word), NULL);
			str_clear(&word);
		}
	}
	str_release(&word);
}

/* `*:0` for a word that starts so, and options of a line. */
static void complete_patterns(const struct completing *c, const char *after)
{
	static const char *const options[] = {"--batch=", "--force", "--merge", "--shapes="};
	struct str word = {0};

	for (unsigned axis = 0; sv_starts(c->prefix, SV("*")) && axis < 4; axis++) {
		str_format(&word, "*:%u%s", axis, after);
		complete_offer(c, str_sv(&word), NULL);
		str_clear(&word);
	}
	for (size_t i = 0; sv_starts(c->prefix, SV("-")) && i < ARRAY_LEN(options); i++)
		complete_offer(c, sv_of(options[i]), NULL);
	str_release(&word);
}

void complete_axes(const struct completing *c)
{
	complete_declared(c, VALUE_INPUT, "");
	complete_patterns(c, "");
}

/* The usual name, and those that there are. */
void complete_batch_names(const struct completing *c)
{
	if (!intern_find(&c->model->names, SV("batch")))
		complete_offer(c, SV("batch"), NULL);
	complete_symbols(c, "");
}

void complete_sizes(const struct completing *c)
{
	complete_symbols(c, "=");
}

/* After an equals sign a name, before it an axis. */
void complete_expectations(const struct completing *c)
{
	struct completing name;

	if (complete_after(c, '=', &name))
		complete_symbols(&name, "");
	else
		complete_declared(c, VALUE_INPUT | VALUE_OUTPUT, "=");
}

/* The same, or a symbol that is to be renamed. */
void complete_edits(const struct completing *c)
{
	complete_expectations(c);
	if (sv_has(c->prefix, '='))
		return;
	complete_symbols(c, "=");
	complete_patterns(c, "=");
}

/* ---- tensors, nodes and scopes ---- */

static void complete_tensor_axes(const struct completing *c, const struct infer *in, uint32_t id,
				 struct sv name)
{
	struct str word = {0};

	for (uint32_t i = 0; in->infos[id].ranked && i < in->infos[id].rank; i++) {
		str_add(&word, name);
		str_format(&word, ":%" PRIu32, i);
		complete_offer(c, str_sv(&word), NULL);
		str_clear(&word);
	}
	str_release(&word);
}

/* A tensor's name; its axes only after a colon, to keep the list short. */
static void complete_tensor(const struct completing *c, const struct infer *in, uint32_t id)
{
	const struct value *v = &c->model->values.at[id];
	struct str word = {0};
	struct sv name;

	graph_path(&word, c->model, v->graph);
	str_text(&word, word.len ? "/" : "");
	str_add(&word, model_name(c->model, v->name));
	name = str_sv(&word);
	complete_offer(c, v->name ? name : SV(""), NULL);
	if (in && sv_starts(c->prefix, name) && sv_starts(sv_skip(c->prefix, name.len), SV(":")))
		complete_tensor_axes(c, in, id, name);
	str_release(&word);
}

/* Inference runs only when axes are asked for. */
void complete_tensors(const struct completing *c)
{
	bool runs = !c->infer && sv_has(c->prefix, ':');
	const struct infer *use = c->infer;
	struct infer in;

	if (runs) {
		infer_run(&in, c->model, (struct infer_options){0});
		use = &in;
	}
	for (uint32_t id = 1; id < c->model->values.len; id++)
		complete_tensor(c, use, id);
	if (runs)
		infer_release(&in);
}

void complete_nodes(const struct completing *c)
{
	const struct model *m = c->model;

	for (size_t i = 0; i < m->graphs.at[0].nodes.len; i++)
		complete_offer(c, model_name(m, m->nodes.at[m->graphs.at[0].nodes.at[i]].name),
			       NULL);
}

/* Nodes and tensors of every graph. */
void complete_names(const struct completing *c)
{
	const struct model *m = c->model;

	for (uint32_t i = 1; i < m->nodes.len; i++)
		complete_offer(c, model_name(m, m->nodes.at[i].name), NULL);
	for (uint32_t i = 1; i < m->values.len; i++)
		complete_offer(c, model_name(m, m->values.at[i].name), NULL);
}

/* Bodies and functions. */
void complete_graphs(const struct completing *c)
{
	struct str path = {0};

	for (uint32_t i = 1; i < c->model->graphs.len; i++) {
		graph_path(&path, c->model, i);
		complete_offer(c, str_sv(&path), NULL);
		str_clear(&path);
	}
	str_release(&path);
}

/* The scopes that are folded on the screen, /encoder/layer.0. */
void complete_scopes(const struct completing *c)
{
	struct scopes scopes;
	struct str path = {0};

	scopes_find(&scopes, c->model, 0);
	for (uint32_t i = 1; i < scopes.count; i++) {
		if (scopes.at[i].kind != SCOPE_NAME || scopes.at[i].made)
			continue;
		scope_path(&path, &scopes, i);
		complete_offer(c, str_sv(&path), NULL);
		str_clear(&path);
	}
	str_release(&path);
	scopes_release(&scopes);
}
