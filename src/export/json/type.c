#include "export/json/type.h"

#include "base/str.h"
#include "base/sv.h"

void put_elem(struct json *j, int32_t elem)
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

bool put_type_start(struct json *j, enum type_kind kind, int32_t elem)
{
	if (kind == TYPE_NONE) {
		json_null(j);
		return false;
	}
	json_object(j);
	json_key(j, "kind");
	json_text(j, sv_of(type_kind_name(kind)));
	if (kind == TYPE_MAP) {
		json_key(j, "key");
		put_elem(j, elem);
	}
	return true;
}

bool put_type_elem(struct json *j, enum type_kind kind, int32_t elem, bool has_inner)
{
	enum {
		ROOM = 3 /* levels for the type inside and its shape */
	};

	json_key(j, "elem");
	if (kind == TYPE_TENSOR || kind == TYPE_SPARSE)
		put_elem(j, elem);
	else if (has_inner && j->depth + ROOM < JSON_DEEPEST)
		return true;
	else
		json_null(j);
	return false;
}
