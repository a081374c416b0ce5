#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "app/verify/internal.h"
#include "base/err.h"
#include "base/num.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "report/json.h"
#include "sym/sym.h"

#define MAX_INPUT_BYTES ((uint64_t)8 << 30)

/* ---- inputs ---- */

static bool name_has(struct sv name, const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; i + len <= name.len; i++) {
		if (strncasecmp(name.at + i, word, len) == 0)
			return true;
	}
	return false;
}

/* What to make for it; the names are those of runner.py. */
static const char *input_kind(const struct side_input *in)
{
	switch (elem_info(in->elem)->class) {
	case ELEM_CLASS_STRING:
		return "text";
	case ELEM_CLASS_BOOL:
		return "truth";
	case ELEM_CLASS_FLOAT:
	case ELEM_CLASS_COMPLEX:
		return name_has(in->name, "mask") ? "truth" : "normal";
	case ELEM_CLASS_SIGNED:
	case ELEM_CLASS_UNSIGNED:
		if (name_has(in->name, "mask"))
			return "truth";
		if (name_has(in->name, "position"))
			return "position";
		return elem_info(in->elem)->bits == 8 ? "byte" : "number";
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_COUNT:
		break;
	}
	return "normal";
}

static void script_inputs(struct json *j, const struct verify_plan *p)
{
	json_key(j, "inputs");
	json_array(j);
	for (size_t i = 0; i < p->model.inputs.len; i++) {
		const struct side_input *in = &p->model.inputs.at[i];

		json_object(j);
		json_key(j, "name");
		json_text(j, in->name);
		json_key(j, "type");
		json_text(j, sv_of(elem_info(in->elem)->name));
		json_key(j, "kind");
		json_text(j, sv_of(input_kind(in)));
		json_end_object(j);
	}
	json_end_array(j);
}

/* ---- outputs ---- */

static struct sv value_name(const struct side *s, uint32_t value)
{
	const struct model *m = &s->wire->model;

	return model_name(m, m->values.at[value].name);
}

static bool script_output(struct json *j, const struct verify_plan *p, uint32_t value,
			  struct err *err)
{
	struct sv name = value_name(&p->model, value);

	if (p->original.open) {
		uint32_t its = model_find(&p->original.wire->model, 0, name);

		if (!its || !(p->original.wire->model.values.at[its].flags & VALUE_OUTPUT))
			return err_set(err, ERR_REFUSED, "only the second model has an output %.*s",
				       (int)MIN(name.len, 80), name.at);
	}
	json_object(j);
	json_key(j, "name");
	json_text(j, name);
	json_key(j, "a");
	json_text(j, name);
	json_key(j, "b");
	json_text(j, name);
	json_end_object(j);
	return true;
}

static bool script_outputs(struct json *j, const struct verify_plan *p, struct err *err)
{
	const struct graph *g = &p->model.wire->model.graphs.at[0];

	if (p->original.open && p->original.wire->model.graphs.at[0].outputs.len != g->outputs.len)
		return err_set(err, ERR_REFUSED, "the models have %zu and %zu outputs",
			       p->original.wire->model.graphs.at[0].outputs.len, g->outputs.len);
	json_key(j, "outputs");
	json_array(j);
	for (size_t i = 0; i < g->outputs.len; i++) {
		if (!script_output(j, p, g->outputs.at[i], err))
			return false;
	}
	json_end_array(j);
	return true;
}

/* A tensor of the main graph that is no output yet. */
static bool is_more(const struct verify_plan *p, uint32_t value)
{
	const struct model *m = &p->model.wire->model;
	const struct value *v = &m->values.at[value];

	return p->request->all && value && v->graph == 0 && v->producer && v->name &&
	       model_name(m, v->name).len &&
	       !(v->flags &
		 (VALUE_OUTPUT | VALUE_DEAD | VALUE_DUPLICATE | VALUE_MISSING | VALUE_CLAIMED));
}

/* ---- runs ---- */

static void script_shape(struct json *j, const struct infer *in, uint32_t value)
{
	const struct info *info = &in->infos[value];
	int64_t size;

	/* What rests on a claim is not promised. */
	if (info->kind != TYPE_TENSOR || !info->ranked || in->sources[value] == SOURCE_CLAIM) {
		json_null(j);
		return;
	}
	json_array(j);
	for (uint32_t i = 0; i < info->rank; i++) {
		if (sym_value(&in->pool, info->dims[i], &size))
			json_int(j, size);
		else
			json_null(j);
	}
	json_end_array(j);
}

static void script_shapes(struct json *j, const struct verify_plan *p, const struct infer *in)
{
	const struct model *m = &p->model.wire->model;

	json_key(j, "expected");
	json_array(j);
	for (size_t i = 0; i < m->graphs.at[0].outputs.len; i++)
		script_shape(j, in, m->graphs.at[0].outputs.at[i]);
	json_end_array(j);
	json_key(j, "more");
	json_array(j);
	for (uint32_t i = 0; i < m->values.len; i++) {
		if (is_more(p, i))
			script_shape(j, in, i);
	}
	json_end_array(j);
}

/* The largest numbers that the inputs may have, by both models. */
static void script_most(struct json *j, const struct verify_plan *p, struct infer *mine,
			struct infer *its)
{
	json_key(j, "most");
	json_array(j);
	for (size_t i = 0; i < p->model.inputs.len; i++) {
		const struct side_input *in = &p->model.inputs.at[i];
		int64_t most = INT64_MAX, other;

		if (infer_largest(mine, in->value, &other))
			most = other;
		if (its && infer_largest(its, model_find(its->model, 0, in->name), &other))
			most = MIN(most, other);
		if (most < INT64_MAX)
			json_int(j, most);
		else
			json_null(j);
	}
	json_end_array(j);
}

static bool script_input_shapes(struct json *j, const struct verify_plan *p, const struct sizes *s,
				struct err *err)
{
	uint64_t total = 0;

	json_key(j, "shapes");
	json_array(j);
	for (size_t i = 0; i < p->model.inputs.len; i++) {
		const struct side_input *in = &p->model.inputs.at[i];
		uint64_t bytes = 8;

		json_array(j);
		for (uint32_t k = 0; k < in->rank; k++) {
			int64_t size = side_dim(&p->model, s->at.at, in->dims[k]);

			if (size < 0)
				return err_set(err, ERR_USAGE,
					       "axis %.*s:%u has no size at these sizes",
					       (int)MIN(in->name.len, 80), in->name.at, k);
			if (!num_mul(bytes, (uint64_t)size, &bytes))
				bytes = MAX_INPUT_BYTES + 1;
			json_int(j, size);
		}
		json_end_array(j);
		if (!num_add(total, bytes, &total) || total > MAX_INPUT_BYTES)
			return err_set(err, ERR_LIMIT, "the inputs exceed 8 GiB at these sizes");
	}
	json_end_array(j);
	return true;
}

/* The axis of the items; null when there is none. */
static void script_axis(struct json *j, const struct verify_plan *p, uint32_t rank,
			const struct sym *dims)
{
	struct sym items = p->model.plain.pool.symbols.at[p->model.symbols.at[p->items - 1]].self;

	for (uint32_t i = 0; i < rank; i++) {
		if (sym_same(dims[i], items)) {
			json_count(j, i);
			return;
		}
	}
	json_null(j);
}

static void script_items(struct json *j, const struct verify_plan *p, const struct sizes *s)
{
	const struct graph *g = &p->model.wire->model.graphs.at[0];

	json_key(j, "group");
	json_int(j, p->group);
	json_key(j, "count");
	json_int(j, s->at.at[p->items - 1]);
	json_key(j, "input_axes");
	json_array(j);
	for (size_t i = 0; i < p->model.inputs.len; i++)
		script_axis(j, p, p->model.inputs.at[i].rank, p->model.inputs.at[i].dims);
	json_end_array(j);
	json_key(j, "output_axes");
	json_array(j);
	for (size_t i = 0; i < g->outputs.len; i++) {
		const struct info *info = &p->model.plain.infos[g->outputs.at[i]];

		script_axis(j, p, info->ranked ? info->rank : 0, info->dims);
	}
	json_end_array(j);
}

static bool script_run(struct json *j, struct verify_plan *p, size_t run, struct err *err)
{
	const struct sizes *s = &p->runs.at[run];
	enum verify_kind kind = p->result->trials.at[run].kind;
	bool both = kind == VERIFY_SAME || kind == VERIFY_ITEMS;
	VEC(int64_t) its = {0};
	struct infer mine, theirs;
	bool ok;

	(void)side_infer(&p->model, s->at.at, &mine);
	(void)vec_extend(&its, p->original.symbols.len + 1);
	both = both && chooser_translate(&p->chooser, s->at.at, kind == VERIFY_ITEMS ? p->items : 0,
					 p->group, its.at);
	if (both)
		(void)side_infer(&p->original, its.at, &theirs);
	json_object(j);
	json_key(j, "kind");
	json_text(j, sv_of(verify_kind_name(kind)));
	ok = script_input_shapes(j, p, s, err);
	if (ok) {
		script_most(j, p, &mine, both ? &theirs : NULL);
		script_shapes(j, p, &mine);
	}
	if (ok && kind == VERIFY_ITEMS)
		script_items(j, p, s);
	if (ok)
		json_end_object(j);
	infer_release(&mine);
	if (both)
		infer_release(&theirs);
	vec_release(&its);
	return ok;
}

/* ---- the whole ---- */

static void script_head(struct json *j, const struct verify_plan *p)
{
	const struct verify_request *r = p->request;
	const struct model *m = &p->model.wire->model;

	json_key(j, "seed");
	json_count(j, r->seed);
	json_key(j, "tolerance");
	json_float(j, r->tolerance);
	json_key(j, "bytes");
	if (r->has_bytes)
		json_int(j, r->bytes);
	else
		json_null(j);
	json_key(j, "more");
	json_array(j);
	for (uint32_t i = 0; i < m->values.len; i++) {
		if (is_more(p, i))
			json_text(j, value_name(&p->model, i));
	}
	json_end_array(j);
}

bool script_write(struct verify_plan *p, FILE *out, struct err *err)
{
	struct json j;

	json_init(&j, out);
	json_object(&j);
	script_head(&j, p);
	script_inputs(&j, p);
	if (!script_outputs(&j, p, err))
		return false;
	json_key(&j, "runs");
	json_array(&j);
	for (size_t i = 0; i < p->runs.len; i++) {
		if (!script_run(&j, p, i, err))
			return false;
	}
	json_end_array(&j);
	json_end_object(&j);
	json_line(&j);
	return (fflush(out) == 0 && !ferror(out)) || err_system(err, "cannot store the plan");
}
