#include "edit/description.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "edit/change.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

/* The first change of each thing has its original state. */
struct firsts {
	const struct document *document; /* borrowed */
	struct map dims;                 /* address -> change, plus 1 */
	struct map claims;               /* id -> change, plus 1 */
	struct map nodes;
	struct map tensors;
	VEC(const struct change *) changes;
};

static void note_first(struct firsts *f, struct map *map, uint64_t key, const struct change *c)
{
	uint32_t *place = map_at(map, key);

	if (*place)
		return;
	vec_push(&f->changes, c);
	*place = (uint32_t)f->changes.len;
}

static const struct change *first_of(const struct firsts *f, const struct map *map, uint64_t key)
{
	const uint32_t *place = map_find(map, key);

	return place ? f->changes.at[*place - 1] : NULL;
}

static void describe_note(struct firsts *f, const struct change *c)
{
	switch (c->kind) {
	case CHANGE_DIM:
		note_first(f, &f->dims, (uintptr_t)c->dim, c);
		break;
	case CHANGE_CLAIM:
		note_first(f, &f->claims, c->id, c);
		break;
	case CHANGE_NODE:
	case CHANGE_INSERT:
	case CHANGE_REMOVE:
		note_first(f, &f->nodes, c->id, c);
		break;
	case CHANGE_TENSOR:
		note_first(f, &f->tensors, c->id, c);
		break;
	case CHANGE_DROP:
		note_first(f, &f->tensors, f->document->wire.model.values.at[c->id].tensor, c);
		break;
	case CHANGE_KIND_COUNT:
		break;
	}
}

/* ---- claims ---- */

static void add_path(struct str *s, const struct model *m, uint32_t graph)
{
	graph_path(s, m, graph);
	if (s->len)
		str_char(s, '/');
}

static struct description *describe_add(struct descriptions *out)
{
	return vec_add(out);
}

/* A type with its original dims. */
static struct type old_type(struct arena *a, const struct firsts *f, const struct type *t)
{
	struct type old = *t;

	old.dims = arena_array(a, t->rank, struct dim);
	for (uint32_t i = 0; i < t->rank; i++) {
		const struct change *c = first_of(f, &f->dims, (uintptr_t)&t->dims[i]);

		old.dims[i] = c ? c->dim_before : t->dims[i];
	}
	if (t->inner) {
		old.inner = arena_new(a, struct type);
		*old.inner = old_type(a, f, t->inner);
	}
	return old;
}

static void print_old(struct str *s, const struct firsts *f, const struct type *t)
{
	struct arena scratch = {0};
	struct type old = old_type(&scratch, f, t);

	type_print(s, &old, &f->document->wire.model.names);
	arena_release(&scratch);
}

static bool dims_changed(const struct firsts *f, const struct type *t)
{
	for (; t; t = t->inner) {
		for (uint32_t i = 0; i < t->rank; i++) {
			const struct change *c = first_of(f, &f->dims, (uintptr_t)&t->dims[i]);

			if (c && !dim_same(&c->dim_before, &t->dims[i]))
				return true;
		}
	}
	return false;
}

static void describe_claim(struct descriptions *out, const struct firsts *f, uint32_t id)
{
	const struct model *m = &f->document->wire.model;
	const struct claim *c = &m->claims.at[id];
	const struct change *first = first_of(f, &f->claims, id);
	const struct type *old = first ? &first->type_before : &c->type;
	struct description *d;

	if (!dims_changed(f, old) && (!first || type_same(old, &c->type)))
		return;
	d = describe_add(out);
	d->inside = c->kind == CLAIM_VALUE_INFO;
	add_path(&d->what, m, m->values.at[c->value].graph);
	str_add(&d->what, model_name(m, c->name));
	if (old->kind != TYPE_NONE)
		print_old(&d->before, f, old);
	if (c->type.kind != TYPE_NONE)
		type_print(&d->after, &c->type, &m->names);
}

/* ---- constants and nodes ---- */

static void describe_print_elements(struct str *s, const struct model *m, const struct tensor *t)
{
	static const struct text_limits limits = {.elements = 16, .bytes = 300, .digits = 9};

	str_char(s, '[');
	(void)tensor_print_elements(s, m, t, &limits);
	str_char(s, ']');
}

/* The value that is this constant: an initializer, or the output of a Constant node. */
static uint32_t tensor_value(const struct model *m, uint32_t id)
{
	for (uint32_t i = 1; i < m->values.len; i++) {
		if (m->values.at[i].tensor == id)
			return i;
	}
	for (uint32_t i = 1; i < m->nodes.len; i++) {
		const struct node *n = &m->nodes.at[i];

		for (uint32_t j = 0; j < n->attr_count; j++) {
			if (n->attrs[j].kind == ATTR_TENSOR && n->attrs[j].tensor == id &&
			    n->output_count && n->outputs[0])
				return n->outputs[0];
		}
	}
	return 0;
}

static bool has_zero(const struct contents *c)
{
	for (uint32_t i = 0; c->at && i < c->count; i++) {
		if (sym_is(c->at[i], 0))
			return true;
	}
	return false;
}

static bool reads_zero_as_copy(const struct model *m, const struct reader *r)
{
	const struct node *n = &m->nodes.at[r->node];
	const struct attr *literal = node_attr(m, n, "allowzero");

	return op_sizes(m, n) == OP_SIZES_RESHAPE && r->port == 1 &&
	       (!literal || (literal->kind == ATTR_INT && literal->i == 0));
}

static bool copies_size(const struct firsts *f, uint32_t value)
{
	const struct model *m = &f->document->wire.model;
	uint32_t count;
	const struct reader *readers = model_readers(m, value, &count);
	bool copies = has_zero(&f->document->infer.infos[value].contents);

	for (uint32_t i = 0; copies && i < count; i++)
		copies = readers[i].node && reads_zero_as_copy(m, &readers[i]);
	return copies && count;
}

static void describe_tensor(struct descriptions *out, const struct firsts *f, uint32_t id,
			    const struct change *c)
{
	const struct model *m = &f->document->wire.model;
	struct description *d = describe_add(out);
	const struct tensor *now = &m->tensors.at[id];
	bool dropped = c->kind == CHANGE_DROP;
	uint32_t value = tensor_value(m, id);

	d->kind = DESCRIPTION_CONSTANT;
	str_text(&d->what, "constant ");
	str_add(&d->what, model_name(m, now->name ? now->name : m->values.at[value].name));
	d->copies = !dropped && value && copies_size(f, value);
	describe_print_elements(&d->before, m, dropped ? now : &c->tensor_before);
	if (!dropped)
		describe_print_elements(&d->after, m, now);
}

/* Scopes begin alike and tell little: of a long name both ends are shown. */
static void describe_name(struct str *s, struct sv name)
{
	enum {
		HEAD = 24,
		TAIL = 48
	};
	size_t from = name.len - MIN(name.len, (size_t)TAIL);

	if (name.len <= HEAD + TAIL) {
		str_add(s, name);
		return;
	}
	while (from < name.len && (name.at[from] & 0xc0) == 0x80) /* within a character */
		from++;
	str_add(s, utf8_cut(name, HEAD));
	str_text(s, "\u2026");
	str_add(s, sv_skip(name, from));
}

/* The elements of a Constant, which has no inputs to tell it by. */
static bool describe_constant(struct str *s, const struct model *m, const struct node_parts *p)
{
	for (uint32_t i = 0; p->input_count == 0 && i < p->attr_count; i++) {
		if (p->attrs[i].kind != ATTR_TENSOR)
			continue;
		describe_print_elements(s, m, &m->tensors.at[p->attrs[i].tensor]);
		return true;
	}
	return false;
}

static void print_node(struct str *s, const struct model *m, const struct node *n,
		       const struct node_parts *p)
{
	str_add(s, model_name(m, n->op));
	str_char(s, '(');
	if (!op_is_constant(m, n) || !describe_constant(s, m, p)) {
		for (uint32_t i = 0; i < p->input_count; i++) {
			str_text(s, i ? ", " : "");
			if (p->inputs[i])
				describe_name(s, model_name(m, m->values.at[p->inputs[i]].name));
			else
				str_text(s, "\"\"");
		}
	}
	str_char(s, ')');
}

static void describe_node(struct descriptions *out, const struct firsts *f, uint32_t id,
			  const struct change *c)
{
	const struct model *m = &f->document->wire.model;
	const struct node *n = &m->nodes.at[id];
	struct node_parts now = {n->inputs, n->attrs, n->input_count, n->attr_count};
	struct description *d;

	if (c->kind == CHANGE_INSERT && n->dead)
		return;
	d = describe_add(out);
	d->kind = DESCRIPTION_NODE;
	add_path(&d->what, m, n->graph);
	str_add(&d->what, model_name(m, n->name           ? n->name
					: n->output_count ? m->values.at[n->outputs[0]].name
							  : n->op));
	if (c->kind != CHANGE_INSERT)
		print_node(&d->before, m, n, c->kind == CHANGE_NODE ? &c->parts_before : &now);
	if (!n->dead)
		print_node(&d->after, m, n, &now);
}

/* In the order of the first change, claims last: they follow from the rest. */
static void describe_rest(struct descriptions *out, const struct firsts *f)
{
	for (size_t i = 0; i < f->changes.len; i++) {
		const struct change *c = f->changes.at[i];
		const struct model *m = &f->document->wire.model;

		switch (c->kind) {
		case CHANGE_NODE:
		case CHANGE_INSERT:
		case CHANGE_REMOVE:
			describe_node(out, f, c->id, c);
			break;
		case CHANGE_TENSOR:
			describe_tensor(out, f, c->id, c);
			break;
		case CHANGE_DROP:
			describe_tensor(out, f, m->values.at[c->id].tensor, c);
			break;
		case CHANGE_DIM:
		case CHANGE_CLAIM:
		case CHANGE_KIND_COUNT:
			break;
		}
	}
}

void describe_actions(struct descriptions *out, const struct document *d, size_t from)
{
	struct firsts f = {.document = d};

	for (size_t i = from; i < d->done; i++) {
		const struct change_log *log = &d->actions.at[i].log;

		for (size_t j = 0; j < log->list.len; j++)
			describe_note(&f, &log->list.at[j]);
	}
	for (uint32_t id = 1; id < d->wire.model.claims.len; id++)
		describe_claim(out, &f, id);
	describe_rest(out, &f);
	map_release(&f.dims);
	map_release(&f.claims);
	map_release(&f.nodes);
	map_release(&f.tensors);
	vec_release(&f.changes);
}

void descriptions_release(struct descriptions *list)
{
	for (size_t i = 0; i < list->len; i++) {
		str_release(&list->at[i].what);
		str_release(&list->at[i].before);
		str_release(&list->at[i].after);
	}
	vec_release(list);
}
