#include "tests/fuzz/look.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/utf8.h"
#include "ir/dims.h"

enum {
	ELEMENTS = 64,      /* read of each tensor and list */
	SKIPPED = 1000,     /* passed over, then one more is read */
	MAX_TENSORS = 500,  /* read in one model: each needs a buffer */
	MAX_TEXT = 1 << 18, /* bytes of paths and flaws; deep ones repeat each other */
	MAX_LOOKUPS = 100   /* by walking a list: attributes by name, operator sets */
};

struct look {
	const struct model *model; /* borrowed */
	struct str text;           /* printed, never read */
	size_t printed;            /* bytes, in paths and flaws */
	size_t tensors;
	bool cyclic; /* some graph has a cycle: then no order is right */
	after_tensor *after;
	void *context; /* borrowed */
};

static void forget_text(struct look *l)
{
	l->printed += l->text.len;
	str_clear(&l->text);
}

static void look_at_text(struct look *l, struct sv text)
{
	str_add_shown(&l->text, text);
	BUG_ON(utf8_width(text) > 10 * text.len); /* the longest escape: \U0010ffff */
	str_clear(&l->text);
}

static void look_at_name(struct look *l, uint32_t name)
{
	BUG_ON(name >= intern_count(&l->model->names));
	BUG_ON(intern_find(&l->model->names, model_name(l->model, name)) != name);
}

static void look_at_type(struct look *l, const struct type *t)
{
	type_print(&l->text, t, &l->model->names);
	str_clear(&l->text);
}

static void look_at_pairs(struct look *l, const struct pair *pairs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		look_at_name(l, pairs[i].key);
		look_at_text(l, pairs[i].value);
		BUG_ON(pairs[i].value.len > pairs[i].value_len);
	}
}

/* ---- elements ---- */

/* A reader from the start; failing to read is allowed. */
struct elements {
	const struct tensor *tensor; /* borrowed; NULL for a list */
	const struct data *list;     /* borrowed */
	int32_t elem;                /* of the list */
};

static bool start_reading(const struct look *l, const struct elements *e, struct tensor_reader *r)
{
	struct err err;

	if (e->tensor)
		return tensor_reader_init(r, &l->model->bytes, e->tensor, &err);
	tensor_reader_list(r, &l->model->bytes, e->list, e->elem);
	return true;
}

/* Prints the element `which`, skipping those before it. */
static void read_one(const struct look *l, const struct elements *e, uint64_t which,
		     struct str *out)
{
	struct tensor_reader r;
	struct scalar element;
	struct err err;
	size_t got;

	if (!start_reading(l, e, &r))
		return;
	if (tensor_reader_skip(&r, which, &err) &&
	    tensor_reader_next(&r, &element, 1, &got, &err) && got)
		scalar_print(out, &element, 9);
	tensor_reader_release(&r);
}

/* The last of the first elements, read in order, and how many there are. */
static size_t read_first(const struct look *l, const struct elements *e, struct str *out)
{
	struct scalar scalars[ELEMENTS];
	struct tensor_reader r;
	struct err err;
	size_t read = 0, got = 1;

	if (!start_reading(l, e, &r))
		return 0;
	for (; got && read < ELEMENTS; read += got) {
		if (!tensor_reader_next(&r, scalars, ELEMENTS - read, &got, &err))
			break;
		for (size_t i = 0; i < got; i++) {
			str_clear(out);
			scalar_print(out, &scalars[i], 9);
		}
	}
	tensor_reader_release(&r);
	return read;
}

static void look_at_elements(struct look *l, const struct elements *e)
{
	struct str passed = {0};
	size_t count;

	if (l->tensors++ >= MAX_TENSORS)
		return;
	count = read_first(l, e, &l->text);
	if (count) {
		read_one(l, e, count - 1, &passed);
		BUG_ON(!sv_eq(str_sv(&l->text), str_sv(&passed)));
	}
	if (count == ELEMENTS)
		read_one(l, e, SKIPPED, &l->text);
	str_clear(&l->text);
	str_release(&passed);
}

static void look_at_tensor(struct look *l, uint32_t tensor)
{
	const struct model *m = l->model;
	const struct tensor *t = &m->tensors.at[tensor];
	struct elements all = {.tensor = t};
	uint64_t count;

	BUG_ON(tensor >= m->tensors.len);
	look_at_name(l, t->name);
	look_at_pairs(l, t->metadata, t->metadata_count);
	elem_print(&l->text, t->elem);
	str_size(&l->text, tensor_stored_bytes(t));
	if (tensor_elements(t, &count))
		str_count(&l->text, count);
	str_clear(&l->text);
	look_at_elements(l, &all);
	if (l->after)
		l->after(l->context);
}

static void look_at_list(struct look *l, const struct attr *a)
{
	struct elements all = {
		.list = &a->list,
		.elem = a->kind == ATTR_FLOATS ? ELEM_FLOAT32
			: a->kind == ATTR_INTS ? ELEM_INT64
					       : ELEM_STRING,
	};

	look_at_elements(l, &all);
}

static void look_at_sparse(struct look *l, const struct sparse *s)
{
	look_at_tensor(l, s->values);
	look_at_tensor(l, s->indices);
}

/* ---- attributes ---- */

static void look_at_body(const struct look *l, uint32_t graph, uint32_t parent)
{
	BUG_ON(graph >= l->model->graphs.len);
	BUG_ON(graph && (l->model->graphs.at[graph].kind != GRAPH_BODY ||
			 l->model->graphs.at[graph].parent != parent));
}

static void look_at_attr(struct look *l, const struct attr *a, uint32_t graph)
{
	look_at_name(l, a->name);
	look_at_name(l, a->ref);
	look_at_text(l, a->doc);
	if (a->ref)
		return;
	switch (a->kind) {
	case ATTR_STRING:
		look_at_text(l, a->text);
		BUG_ON(a->text.len > a->text_len);
		break;
	case ATTR_TENSOR:
		look_at_tensor(l, a->tensor);
		break;
	case ATTR_GRAPH:
		look_at_body(l, a->graph, graph);
		break;
	case ATTR_FLOATS:
	case ATTR_INTS:
	case ATTR_STRINGS:
		look_at_list(l, a);
		break;
	case ATTR_TENSORS:
		for (uint32_t i = 0; i < a->count; i++)
			look_at_tensor(l, a->tensors[i]);
		break;
	case ATTR_GRAPHS:
		for (uint32_t i = 0; i < a->count; i++)
			look_at_body(l, a->graphs[i], graph);
		break;
	case ATTR_SPARSE:
	case ATTR_SPARSES:
		for (uint32_t i = 0; i < a->count; i++)
			look_at_sparse(l, &a->sparses[i]);
		break;
	case ATTR_TYPE:
	case ATTR_TYPES:
		for (uint32_t i = 0; i < a->count; i++)
			look_at_type(l, &a->types[i]);
		break;
	case ATTR_FLOAT:
	case ATTR_INT:
	case ATTR_UNDEFINED:
	case ATTR_KIND_COUNT:
		break;
	}
}

/* ---- nodes, values, graphs ---- */

static void look_at_node(struct look *l, uint32_t id)
{
	const struct model *m = l->model;
	const struct node *n = &m->nodes.at[id];

	BUG_ON(m->graphs.at[n->graph].nodes.at[n->index] != id);
	look_at_text(l, model_name(m, n->name));
	look_at_text(l, model_name(m, n->op));
	look_at_name(l, n->overload);
	look_at_pairs(l, n->metadata, n->metadata_count);
	if (id < MAX_LOOKUPS)
		(void)model_opset(m, n->graph, model_name(m, n->domain));
	for (uint32_t i = 0; i < n->input_count; i++)
		BUG_ON(n->inputs[i] >= m->values.len);
	for (uint32_t i = 0; i < n->output_count; i++)
		BUG_ON(n->outputs[i] && (m->values.at[n->outputs[i]].producer != id ||
					 m->values.at[n->outputs[i]].port != i));
	for (uint32_t i = 0; i < n->attr_count; i++)
		look_at_attr(l, &n->attrs[i], n->graph);
	if (n->attr_count < MAX_LOOKUPS)
		(void)node_attr(m, n, "axis");
	for (uint32_t i = 0; i < n->sharding_count; i++)
		look_at_name(l, n->shardings[i].tensor_name);
}

static void look_at_value(const struct look *l, uint32_t id)
{
	const struct model *m = l->model;
	const struct value *v = &m->values.at[id];
	uint32_t count, steps = 0;
	const struct reader *readers = model_readers(m, id, &count);

	for (uint32_t i = 0; i < count; i++)
		BUG_ON(readers[i].node >= m->nodes.len || readers[i].graph >= m->graphs.len);
	for (uint32_t claim = v->first_claim; claim; claim = m->claims.at[claim].next)
		BUG_ON(m->claims.at[claim].value != id || ++steps > m->claims.len);
	BUG_ON(!(v->flags & VALUE_DUPLICATE) &&
	       model_find(m, v->graph, model_name(m, v->name)) != id);
	BUG_ON(v->sparse > m->graphs.at[v->graph].sparses.len);
}

/* Does the node read only outputs of earlier nodes of its graph, or of other graphs? */
static bool is_ready(const struct look *l, const struct node *n, const bool *seen)
{
	for (uint32_t i = 0; i < n->input_count; i++) {
		const struct value *v = &l->model->values.at[n->inputs[i]];

		if (v->producer && v->graph == n->graph &&
		    !seen[l->model->nodes.at[v->producer].index])
			return false;
	}
	return true;
}

/* Each node once, none of another graph, and none before its producers. */
static void look_at_order(const struct look *l, uint32_t graph)
{
	const struct graph *g = &l->model->graphs.at[graph];
	bool *seen = must_alloc(g->nodes.len);

	memset(seen, 0, g->nodes.len);
	BUG_ON(g->order.len != g->nodes.len);
	for (size_t i = 0; i < g->order.len; i++) {
		const struct node *n = &l->model->nodes.at[g->order.at[i]];

		BUG_ON(n->graph != graph || seen[n->index]);
		BUG_ON(!l->cyclic && !is_ready(l, n, seen));
		seen[n->index] = true;
	}
	free(seen);
}

static void look_at_graph(struct look *l, uint32_t id)
{
	const struct graph *g = &l->model->graphs.at[id];

	look_at_order(l, id);
	look_at_name(l, g->name);
	look_at_text(l, g->doc);
	look_at_pairs(l, g->metadata, g->metadata_count);
	if (l->printed < MAX_TEXT) {
		graph_path(&l->text, l->model, id);
		forget_text(l);
	}
	for (size_t i = 0; i < g->initializers.len; i++)
		look_at_tensor(l, g->initializers.at[i]);
	for (size_t i = 0; i < g->sparses.len; i++)
		look_at_sparse(l, &g->sparses.at[i]);
	for (uint32_t i = 0; i < g->annotation_count; i++)
		look_at_pairs(l, g->annotations[i].parameters, g->annotations[i].count);
}

static void look_at_function(struct look *l, const struct function *f)
{
	BUG_ON(l->model->graphs.at[f->graph].kind != GRAPH_FUNCTION);
	for (uint32_t i = 0; i < f->attribute_count; i++)
		look_at_name(l, f->attributes[i]);
	for (uint32_t i = 0; i < f->default_count; i++)
		look_at_attr(l, &f->defaults[i], f->graph);
}

static void look_at_claim(struct look *l, const struct claim *c)
{
	look_at_type(l, &c->type);
	look_at_text(l, c->doc);
	look_at_pairs(l, c->metadata, c->metadata_count);
}

static void look_at_symbols(struct look *l)
{
	struct symbol_counts symbols = {0};

	model_symbols(l->model, &symbols);
	for (size_t i = 0; i < symbols.len; i++)
		look_at_name(l, symbols.at[i].name);
	vec_release(&symbols);
}

void look_at_model(const struct model *m, after_tensor *after, void *context)
{
	struct look l = {.model = m, .after = after, .context = context};

	for (size_t i = 0; i < m->flaws.len; i++)
		l.cyclic |= m->flaws.at[i].kind == FLAW_CYCLE;
	for (uint32_t i = 0; i < m->graphs.len; i++)
		look_at_graph(&l, i);
	for (uint32_t i = 1; i < m->nodes.len; i++)
		look_at_node(&l, i);
	for (uint32_t i = 1; i < m->values.len; i++)
		look_at_value(&l, i);
	for (size_t i = 1; i < m->claims.len; i++)
		look_at_claim(&l, &m->claims.at[i]);
	for (size_t i = 0; i < m->functions.len; i++)
		look_at_function(&l, &m->functions.at[i]);
	for (size_t i = 0; i < m->flaws.len && l.printed < MAX_TEXT; i++) {
		flaw_print(&l.text, m, &m->flaws.at[i]);
		forget_text(&l);
	}
	look_at_pairs(&l, m->metadata, m->metadata_count);
	look_at_symbols(&l);
	str_release(&l.text);
}
