#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/num.h"
#include "base/sv.h"
#include "infer/finding.h"
#include "infer/internal.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"

/* One cause makes many initializers wrong: a model without weights, a file that is too short. */
static void constants_tell_once(struct infer *in, const struct finding *f, struct sv cause)
{
	if (!(*map_at(&in->told, hash_bytes(cause, f->kind)))++)
		infer_find(in, *f);
}

/* ---- data in the file ---- */

/* Are the stored bytes those of the elements, neither varints nor tagged? */
static bool constants_are_plain(const struct tensor *t)
{
	if (t->data.field != ELEM_FIELD_NONE && t->elem != ELEM_FLOAT32 &&
	    t->elem != ELEM_FLOAT64 && t->elem != ELEM_INT64)
		return false;
	for (uint32_t i = 0; i < t->data.count; i++) {
		enum chunk_coding coding = t->data.chunks[i].coding;

		if (coding != CODING_RAW && coding != CODING_WORDS)
			return false;
	}
	return elem_info(t->elem)->bits != 0;
}

static void check_stored(struct infer *in, struct finding f, const struct tensor *t, uint64_t bytes)
{
	f.kind = FINDING_CONSTANT_BYTES;
	f.n = (int64_t)tensor_stored_bytes(t);
	f.m = (int64_t)bytes;
	if (t->data.count == 0) {
		f.kind = FINDING_CONSTANT_EMPTY;
		constants_tell_once(in, &f, SV(""));
	} else if (constants_are_plain(t) && f.n != f.m) {
		infer_find(in, f);
	}
}

/* ---- external data ---- */

/*
 * A location that leads out, or a file that is too short.  A file that is missing is no
 * contradiction, but told: models are moved without their weights.
 */
static void check_file(struct infer *in, struct finding f, const struct tensor *t, uint64_t bytes)
{
	const struct bytes_source *source = &in->model->bytes;
	uint64_t size, end;
	struct err err;

	if (!source->size)
		return;
	if (source->size(source->context, t->external, &size, &err)) {
		if (num_add(t->external->offset, bytes, &end) && end <= size)
			return;
		f.kind = FINDING_EXTERNAL_END;
		f.n = (int64_t)size;
		f.m = num_add(t->external->offset, bytes, &end) ? (int64_t)end : INT64_MAX;
	} else {
		if (err.kind == ERR_LIMIT)
			return;
		if (err.kind == ERR_SYSTEM)
			f.level = LEVEL_MISSING;
		f.kind = FINDING_EXTERNAL;
		f.text = infer_keep_text(&in->arena, err.text);
	}
	constants_tell_once(in, &f, t->external->location);
}

static void check_external(struct infer *in, struct finding f, const struct tensor *t,
			   uint64_t bytes)
{
	const struct external *e = t->external;

	if (e->bad_numbers) {
		f.kind = FINDING_EXTERNAL_NUMBERS;
		infer_find(in, f);
	} else if (e->has_length && e->length != bytes) {
		f.kind = f.node ? FINDING_EXTERNAL_BYTES : FINDING_CONSTANT_BYTES;
		f.n = (int64_t)e->length;
		f.m = (int64_t)bytes;
		infer_find(in, f);
	} else if (!in->options.fresh) { /* the model's, not one of many trials */
		check_file(in, f, t, bytes);
	}
}

/* ---- both ---- */

void infer_check_constant(struct infer *in, uint32_t graph, uint32_t value, const struct tensor *t)
{
	struct finding f = {.level = LEVEL_ERROR, .graph = graph, .value = value, .axis = -1};
	unsigned bits = elem_info(t->elem)->bits;
	uint64_t elements, total;

	if (t->elem == ELEM_UNDEFINED) {
		f.kind = FINDING_CONSTANT_ELEM;
		infer_find(in, f);
	} else if (!tensor_elements(t, &elements) || !num_mul(elements, MAX(bits, 1), &total)) {
		f.kind = FINDING_CONSTANT_SHAPE;
		infer_find(in, f);
	} else if (t->external && elements && bits) {
		check_external(in, f, t, total / 8 + (total % 8 != 0));
	} else if (!t->external && elements) {
		check_stored(in, f, t, total / 8 + (total % 8 != 0));
	}
}

/* ---- attributes ---- */

static void check_attribute_tensor(struct infer *in, uint32_t node, uint32_t tensor)
{
	const struct tensor *t = &in->model->tensors.at[tensor];
	struct finding f = {.level = LEVEL_ERROR,
			    .graph = in->model->nodes.at[node].graph,
			    .node = node,
			    .axis = -1};
	unsigned bits = elem_info(t->elem)->bits;
	uint64_t elements, total;

	/* Other faults of it are told by the rule that takes it. */
	if (t->external && bits && tensor_elements(t, &elements) && elements &&
	    num_mul(elements, bits, &total))
		check_external(in, f, t, total / 8 + (total % 8 != 0));
}

static void check_attribute(struct infer *in, uint32_t node, const struct attr *a)
{
	if (a->ref)
		return;
	if (a->kind == ATTR_TENSOR) {
		check_attribute_tensor(in, node, a->tensor);
	} else if (a->kind == ATTR_SPARSE) {
		check_attribute_tensor(in, node, a->sparses[0].values);
		check_attribute_tensor(in, node, a->sparses[0].indices);
	} else if (a->kind == ATTR_TENSORS) {
		for (uint32_t i = 0; i < a->count; i++)
			check_attribute_tensor(in, node, a->tensors[i]);
	}
}

void infer_check_attributes(struct infer *in)
{
	const struct model *m = in->model;
	bool any = false;

	for (size_t i = 0; i < m->tensors.len && !any; i++)
		any = m->tensors.at[i].external != NULL;
	for (uint32_t id = 1; id < m->nodes.len && any; id++) {
		const struct node *n = &m->nodes.at[id];

		for (uint32_t i = 0; i < n->attr_count && !n->dead; i++)
			check_attribute(in, id, &n->attrs[i]);
	}
}
