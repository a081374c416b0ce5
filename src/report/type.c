#include "report/type.h"

#include "base/intern.h"
#include "base/str.h"
#include "base/sv.h"
#include "ir/type.h"
#include "report/json.h"

enum {
	ROOM = 3 /* levels that must be left for the type inside */
};

void type_json_elem(struct json *j, int32_t elem)
{
	struct str s = {0};

	if (elem == ELEM_UNDEFINED) {
		json_null(j);
		return;
	}
	elem_print(&s, elem);
	json_text(j, str_sv(&s));
	str_release(&s);
}

static void type_json_inner(struct json *j, const struct type *t, const struct intern *names)
{
	if (t->kind == TYPE_TENSOR || t->kind == TYPE_SPARSE)
		type_json_elem(j, t->elem);
	else if (t->inner && j->depth + ROOM < JSON_DEEPEST)
		type_json(j, t->inner, names);
	else
		json_null(j);
}

void type_json(struct json *j, const struct type *t, const struct intern *names)
{
	if (t->kind == TYPE_NONE) {
		json_null(j);
		return;
	}
	json_object(j);
	json_key(j, "kind");
	json_text(j, sv_of(type_kind_name(t->kind)));
	if (t->kind == TYPE_MAP) {
		json_key(j, "key");
		type_json_elem(j, t->elem);
	} else if (t->kind == TYPE_OPAQUE) {
		json_key(j, "domain");
		json_text(j, intern_text(names, t->domain));
		json_key(j, "name");
		json_text(j, intern_text(names, t->name));
	}
	json_key(j, "elem");
	type_json_inner(j, t, names);
	json_end_object(j);
}
