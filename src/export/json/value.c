#include "export/json/value.h"

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "export/json/type.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

/* A number if the sizes determine one. */
static struct sym value_json_evaluated(const struct values_shown *s, struct sym dim)
{
	int64_t value;

	if (s->env && sym_eval(&s->in->pool, s->env, dim, &value) == SYM_OK &&
	    sym_fits_small(value))
		return (struct sym){(uint64_t)value << 1 | 1};
	return dim;
}

/* ---- as JSON ---- */

void value_json_dim(struct json *j, const struct values_shown *s, struct sym dim)
{
	struct str text = {0};
	int64_t value;

	dim = value_json_evaluated(s, dim);
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

/* ---- as text ---- */

static void value_json_add_shape(struct str *out, const struct values_shown *s,
				 const struct info *info)
{
	if (!info->ranked)
		return;
	str_text(out, " [");
	for (uint32_t i = 0; i < info->rank; i++) {
		struct str dim = {0};

		str_text(out, i ? ", " : "");
		sym_print(&s->in->pool, value_json_evaluated(s, info->dims[i]), &dim);
		str_add_shown(out, str_sv(&dim));
		str_release(&dim);
	}
	str_char(out, ']');
}

void value_text_type(struct str *out, const struct values_shown *s, const struct info *info)
{
	for (; info && info->kind != TYPE_TENSOR && info->kind != TYPE_SPARSE; info = info->inner) {
		str_text(out, info->kind == TYPE_NONE ? "?" : type_kind_name(info->kind));
		str_text(out, info->inner ? " of " : "");
	}
	if (!info)
		return;
	str_text(out, info->kind == TYPE_SPARSE ? "sparse " : "");
	if (info->elem)
		elem_print(out, info->elem);
	else
		str_char(out, '?');
	value_json_add_shape(out, s, info);
}
