#include "report/shapes.h"

#include "base/str.h"
#include "base/sv.h"
#include "infer/infer.h"
#include "infer/text.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "report/record.h"
#include "sym/sym.h"

enum {
	DEEPEST_TYPE = 50 /* of sequences in sequences */
};

static bool shapes_has_shape(const struct info *info)
{
	return info->kind == TYPE_TENSOR || info->kind == TYPE_SPARSE;
}

static void shapes_elem(struct record *r, const char *key, int32_t elem)
{
	struct str name = {0};

	if (elem)
		elem_print(&name, elem);
	if (elem)
		record_text(r, key, str_sv(&name));
	else
		record_null(r, key);
	str_release(&name);
}

/* `[batch, 3]`, data and shown at once. */
static void shapes_shape(struct record *r, const struct info *info)
{
	if (!info->ranked) {
		record_null(r, "shape");
		return;
	}
	record_list(r, "shape");
	record_say(r, "[");
	for (uint32_t i = 0; i < info->rank; i++) {
		if (i)
			record_say(r, ", ");
		record_dim(r, "", info->dims[i]);
	}
	record_say(r, "]");
	record_end(r);
}

/* An object; a tensor inside another type has its own shape. */
static void shapes_type(struct record *r, const char *key, const struct info *info, unsigned depth)
{
	if (info->kind == TYPE_NONE) {
		record_null(r, key);
		return;
	}
	record_group(r, key);
	record_text(r, "kind", sv_of(type_kind_name(info->kind)));
	if (info->kind == TYPE_MAP)
		shapes_elem(r, "key", info->elem);
	if (shapes_has_shape(info))
		shapes_elem(r, "elem", info->elem);
	else if (info->inner && depth < DEEPEST_TYPE)
		shapes_type(r, "elem", info->inner, depth + 1);
	else
		record_null(r, "elem");
	if (depth && shapes_has_shape(info))
		shapes_shape(r, info);
	record_end(r);
}

static void shapes_pen_text(void *context, struct sv text, bool known)
{
	(void)known;
	record_text(context, NULL, text);
}

static bool shapes_pen_dim(void *context, struct sym dim, uint32_t axis)
{
	(void)axis;
	record_dim(context, NULL, dim);
	return true;
}

/* The words before the shape of a tensor; everything of another type. */
static void shapes_words(struct record *r, const struct info *info)
{
	struct str head = {0};

	if (shapes_has_shape(info)) {
		type_print_head(&head, info->kind, info->elem, false, false);
		str_text(&head, info->ranked ? " " : "");
		record_text(r, NULL, str_sv(&head));
	} else {
		info_walk(info, INFO_TYPE, &(struct info_pen){shapes_pen_text, shapes_pen_dim, r});
	}
	str_release(&head);
}

static void shapes_name(struct record *r, const struct model *m, uint32_t value, struct sv path)
{
	struct sv name = model_name(m, m->values.at[value].name);

	if (path.len)
		record_hide(r);
	record_name(r, "name", LINK_VALUE, value, name);
	if (path.len)
		record_show(r);
	else
		record_hide(r);
	record_text(r, "graph", path);
	if (path.len) {
		record_say(r, "/");
		record_name(r, NULL, LINK_VALUE, value, name);
	}
}

void shape_record(struct record *r, const struct infer *in, uint32_t value, struct sv path)
{
	const struct info *info = &in->infos[value];

	record_clear(r, &in->pool);
	shapes_name(r, in->model, value, path);
	record_column(r);
	record_hide(r);
	if (r->face != FACE_SHOWN)
		shapes_type(r, "type", info, 0);
	record_show(r);
	record_tone(r, TONE_FAINT);
	shapes_words(r, info);
	if (!shapes_has_shape(info))
		record_hide(r);
	record_tone(r, TONE_PLAIN);
	shapes_shape(r, info);
	record_column(r);
	record_tone(r, in->sources[value] == SOURCE_CLAIM ? TONE_WARNING : TONE_FAINT);
	record_text(r, "from", sv_of(source_name(in->sources[value])));
}
