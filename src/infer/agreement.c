#include <string.h>

#include "base/bug.h"
#include "infer/cache.h"
#include "infer/internal.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"

/* What all calls of a function give for one of its values. */
struct agreed {
	struct info info;
	struct sym *own; /* borrowed; its dims once calls differ, changed in place */
	uint8_t source;
	bool seen;
};

static void agreed_join_dims(struct infer *in, struct agreed *a, const struct info *now)
{
	if (!a->own) {
		a->own = arena_array(&in->arena, a->info.rank, struct sym);
		for (uint32_t i = 0; i < a->info.rank; i++)
			a->own[i] = a->info.dims[i];
		a->info.dims = a->own;
	}
	for (uint32_t i = 0; i < a->info.rank; i++) {
		if (!sym_same(a->own[i], now->dims[i]))
			a->own[i] = SYM_UNKNOWN;
	}
}

static void agreed_join(struct infer *in, struct agreed *a, const struct info *now)
{
	struct info *info = &a->info;

	info->contents = (struct contents){0};
	info->tensor = 0;
	info->items = NULL;
	info->item_count = 0;
	if (!sym_same(info->length, now->length))
		info->length = SYM_UNKNOWN;
	if (info_same_shape(info, now))
		return;
	if (info->kind != now->kind) {
		*info = (struct info){0};
		return;
	}
	info->inner = NULL;
	if (info->elem != now->elem)
		info->elem = ELEM_UNDEFINED;
	if (!now->ranked || info->rank != now->rank)
		info->ranked = false;
	if (info->ranked)
		agreed_join_dims(in, a, now);
}

void agreed_add(struct infer *in, uint32_t value)
{
	size_t size = in->model->values.len * sizeof(*in->agreed);
	struct agreed *a;

	if (!in->agreed) {
		in->agreed = must_alloc(size);
		memset(in->agreed, 0, size);
	}
	a = &in->agreed[value];
	if (!a->seen)
		*a = (struct agreed){
			.info = in->infos[value], .source = in->sources[value], .seen = true};
	else
		agreed_join(in, a, &in->infos[value]);
	if (in->sources[value] == SOURCE_CLAIM)
		a->source = SOURCE_CLAIM;
}

void agreed_show(struct infer *in)
{
	for (size_t v = 1; in->agreed && v < in->model->values.len; v++) {
		if (!in->agreed[v].seen)
			continue;
		in->infos[v] = in->agreed[v].info;
		in->sources[v] = in->agreed[v].source;
	}
}
