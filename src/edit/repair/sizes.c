#include "edit/repair/sizes.h"

#include "base/err.h"
#include "edit/change.h"
#include "edit/document.h"
#include "ir/element.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

/* ---- constants ---- */

static bool read_ints(struct tensor_reader *r, int64_t *out, uint32_t max, uint32_t *out_count)
{
	struct scalar element;
	struct err ignored;
	size_t got = 0;

	for (*out_count = 0; tensor_reader_next(r, &element, 1, &got, &ignored) && got;
	     ++*out_count) {
		if (*out_count == max || element.class != ELEM_CLASS_SIGNED)
			return false;
		out[*out_count] = element.i;
	}
	return true;
}

static bool read_list(const struct model *m, const struct attr *a, int64_t *out, uint32_t max,
		      uint32_t *out_count)
{
	struct tensor_reader r;
	bool ok;

	tensor_reader_list(&r, &m->bytes, &a->list, ELEM_INT64);
	ok = read_ints(&r, out, max, out_count);
	tensor_reader_release(&r);
	return ok;
}

bool constant_ints(const struct document *d, uint32_t value, int64_t *out, uint32_t max,
		   uint32_t *out_count)
{
	const struct model *m = &d->wire.model;
	uint32_t tensor = value_constant(m, value), producer = m->values.at[value].producer;
	const struct node *n = &m->nodes.at[producer];
	const struct attr *a;
	struct tensor_reader r;
	struct err ignored;
	bool ok;

	if (tensor) {
		if (!tensor_reader_init(&r, &m->bytes, &m->tensors.at[tensor], &ignored))
			return false;
		ok = read_ints(&r, out, max, out_count);
		tensor_reader_release(&r);
		return ok;
	}
	if (!producer || !op_is_constant(m, n))
		return false;
	a = node_attr(m, n, "value_ints");
	return a && !a->ref && a->kind == ATTR_INTS && read_list(m, a, out, max, out_count);
}

bool positions_reach(const struct document *d, uint32_t value, int64_t size)
{
	const struct model *m = &d->wire.model;
	uint32_t tensor = value_constant(m, value);
	struct tensor_reader r;
	struct scalar element;
	struct err ignored;
	uint64_t count;
	size_t got = 1;
	int64_t last = -1;

	if (!tensor || size < 2 || !tensor_elements(&m->tensors.at[tensor], &count) ||
	    count < (uint64_t)size ||
	    !tensor_reader_init(&r, &m->bytes, &m->tensors.at[tensor], &ignored))
		return false;
	while (tensor_reader_next(&r, &element, 1, &got, &ignored) && got)
		last = MAX(last, element.i);
	tensor_reader_release(&r);
	return last == size - 1;
}

/* ---- inputs ---- */

static void set_numbers(struct document *d, struct sizes *out, const int64_t *numbers,
			uint32_t count)
{
	out->count = count;
	for (uint32_t i = 0; i < count; i++)
		out->at[i] = sym_int(&d->infer.pool, numbers[i]);
}

bool sizes_read(const struct edit_site *s, uint32_t port, struct sizes *out)
{
	const struct node *n = &s->document->wire.model.nodes.at[s->site->node];
	const struct info *info;
	int64_t numbers[SIZES_MAX];
	uint32_t count;

	if (port >= n->input_count || !n->inputs[port])
		return false;
	if (constant_ints(s->document, n->inputs[port], numbers, SIZES_MAX, &count)) {
		set_numbers(s->document, out, numbers, count);
		return true;
	}
	info = &s->document->infer.infos[n->inputs[port]];
	if (!info->contents.at || info->contents.rank > 1 || info->contents.count > SIZES_MAX)
		return false;
	out->count = info->contents.count;
	for (uint32_t i = 0; i < out->count; i++)
		out->at[i] = info->contents.at[i];
	return true;
}

void input_replace(struct edit_site *s, uint32_t port, uint32_t value)
{
	change_input(s->log, &s->document->wire.model, s->site->node, port, value);
}

/* It has one reader, and is no input or output of a graph. */
static bool is_own_constant(const struct model *m, uint32_t value)
{
	uint32_t readers;

	(void)model_readers(m, value, &readers);
	return readers == 1 && !(m->values.at[value].flags & (VALUE_INPUT | VALUE_OUTPUT));
}

static bool all_numbers(const struct document *d, const struct sizes *list, int64_t *out)
{
	for (uint32_t i = 0; i < list->count; i++) {
		if (!sym_value(&d->infer.pool, list->at[i], &out[i]))
			return false;
	}
	return true;
}

static int32_t elem_of(const struct edit_site *s, uint32_t value)
{
	uint32_t tensor = value_constant(&s->document->wire.model, value);

	return tensor ? s->document->wire.model.tensors.at[tensor].elem
		      : s->document->infer.infos[value].elem;
}

bool sizes_write(struct edit_site *s, uint32_t port, const struct sizes *list)
{
	struct model *m = &s->document->wire.model;
	uint32_t old = m->nodes.at[s->site->node].inputs[port], value;
	struct attr to = attr_of_int(m, "to", ELEM_INT32);
	int64_t numbers[SIZES_MAX];
	bool narrow = elem_of(s, old) == ELEM_INT32,
	     constant = all_numbers(s->document, list, numbers);

	for (uint32_t i = 0; constant && narrow && i < list->count; i++)
		numbers[i] = MIN(numbers[i], (int64_t)INT32_MAX);
	if (constant && is_own_constant(m, old) &&
	    change_constant(s->log, m, old, numbers, list->count))
		return true;
	value = constant ? emit_ints(&s->emitter, numbers, list->count)
			 : emit_sizes(&s->emitter, list->at, list->count);
	if (value && narrow)
		value = emit_node(&s->emitter, "Cast", &value, 1, &to, 1);
	if (value)
		input_replace(s, port, value);
	return value != 0;
}

/* ---- attributes ---- */

bool attr_sizes_read(const struct edit_site *s, const char *name, struct sizes *out)
{
	const struct model *m = &s->document->wire.model;
	const struct attr *a = node_attr(m, &m->nodes.at[s->site->node], name);
	int64_t numbers[SIZES_MAX];
	uint32_t count;

	*out = (struct sizes){0};
	if (!a || a->ref || a->kind != ATTR_INTS || !read_list(m, a, numbers, SIZES_MAX, &count))
		return false;
	set_numbers(s->document, out, numbers, count);
	return true;
}

bool attr_sizes_write(struct edit_site *s, const char *name, const struct sizes *list)
{
	struct model *m = &s->document->wire.model;
	int64_t numbers[SIZES_MAX];
	struct attr a;

	if (!all_numbers(s->document, list, numbers))
		return false;
	a = attr_of_ints(m, name, numbers, list->count);
	change_attr(s->log, m, s->site->node, &a);
	return true;
}
