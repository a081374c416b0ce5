#include "export/json/value.h"

#include "base/str.h"
#include "base/sv.h"
#include "export/json/type.h"
#include "infer/text.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "sym/text.h"

void value_json_dim(struct json *j, const struct values_shown *s, struct sym dim)
{
	struct str text = {0};
	int64_t value;

	dim = dim_evaluated(&s->in->pool, s->env, dim);
	if (sym_is_unknown(dim)) {
		json_null(j);
	} else if (sym_value(&s->in->pool, dim, &value)) {
		json_int(j, value);
	} else {
		sym_print(&s->in->pool, dim, &text);
		json_text(j, str_sv(&text));
	}
	str_release(&text);
}

static void value_json_put_shape(struct json *j, const struct values_shown *s,
				 const struct info *info)
{
	if (!info->ranked) {
		json_null(j);
		return;
	}
	json_array(j);
	for (uint32_t i = 0; i < info->rank; i++)
		value_json_dim(j, s, info->dims[i]);
	json_end_array(j);
}

/* A tensor inside another type has its own shape. */
static void value_json_put_type(struct json *j, const struct values_shown *s,
				const struct info *info, bool inside)
{
	if (!put_type_start(j, info->kind, info->elem))
		return;
	if (put_type_elem(j, info->kind, info->elem, info->inner != NULL))
		value_json_put_type(j, s, info->inner, true);
	if (inside && (info->kind == TYPE_TENSOR || info->kind == TYPE_SPARSE)) {
		json_key(j, "shape");
		value_json_put_shape(j, s, info);
	}
	json_end_object(j);
}

void value_json(struct json *j, const struct values_shown *s, uint32_t value, struct sv path)
{
	const struct model *m = s->in->model;
	const struct info *info = &s->in->infos[value];

	json_object(j);
	json_key(j, "name");
	json_text(j, model_name(m, m->values.at[value].name));
	json_key(j, "graph");
	json_text(j, path);
	json_key(j, "type");
	value_json_put_type(j, s, info, false);
	json_key(j, "shape");
	value_json_put_shape(j, s, info);
	json_key(j, "from");
	json_text(j, sv_of(source_name(s->in->sources[value])));
	json_end_object(j);
}
