/*
 * Like-named inputs and outputs of the main graph, which have one row: the one that `shapes`
 * prints.
 */
#include "base/hash.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "report/fold.h"
#include "report/record.h"
#include "report/shapes.h"
#include "ui/panes/outline_tree.h"

static uint64_t likes_hash(const struct model *m, const struct infer *in)
{
	const struct graph *g = &m->graphs.at[0];
	uint64_t hash = hash_u64((uint64_t)(uintptr_t)m, g->inputs.len);

	for (size_t i = 0; i < g->inputs.len + g->outputs.len; i++) {
		uint32_t value = i < g->inputs.len ? g->inputs.at[i]
						   : g->outputs.at[i - g->inputs.len];
		const struct info *info = &in->infos[value];

		hash = hash_u64((uint64_t)info->kind << 32 | (uint32_t)info->elem, hash);
		hash = hash_u64(info->ranked ? info->rank + 1 : 0, hash);
		for (uint32_t k = 0; info->ranked && k < info->rank; k++)
			hash = hash_u64(info->dims[k].w, hash);
	}
	return hash;
}

/* Of the inputs or the outputs; `of` is by place in their list. */
static void likes_of(struct tree *t, const struct infer *in, const uint32_t *values, size_t count,
		     uint32_t *of)
{
	struct record r = {.face = FACE_SHOWN};
	struct fold fold = {0};

	for (size_t i = 0; i < count; i++) {
		shape_record(&r, in, values[i], SV(""));
		fold_add(&fold, &r);
	}
	fold_find(&fold);
	for (size_t i = 0; i < count; i++) {
		size_t head = fold_said_by(&fold, i);
		struct like *like;

		of[i] = 0;
		if (fold_says(&fold, head) < 2)
			continue;
		if (head == i) {
			like = vec_add(&t->likes);
			like->first = values[i];
			shape_record(&r, in, values[i], SV(""));
			fold_record(&fold, i, &r, SHAPE_NAME);
			record_print_column(&r, SHAPE_NAME, &like->label);
			of[i] = (uint32_t)t->likes.len;
		} else {
			of[i] = of[head];
		}
	}
	fold_release(&fold);
	record_release(&r);
}

void tree_forget_likes(struct tree *t)
{
	for (size_t i = 0; i < t->likes.len; i++)
		str_release(&t->likes.at[i].label);
	vec_clear(&t->likes);
	vec_clear(&t->like_of);
}

bool tree_find_likes(struct tree *t, const struct model *m, const struct infer *in)
{
	const struct graph *g = &m->graphs.at[0];
	uint64_t hash = likes_hash(m, in), was = t->likes_grouped;
	uint32_t *of;

	if (hash == t->likes_shapes)
		return false;
	tree_forget_likes(t);
	t->likes_shapes = hash;
	of = vec_extend(&t->like_of, g->inputs.len + g->outputs.len);
	likes_of(t, in, g->inputs.at, g->inputs.len, of);
	likes_of(t, in, g->outputs.at, g->outputs.len, of + g->inputs.len);
	t->likes_grouped = hash_u64(t->likes.len, 0);
	for (size_t i = 0; i < t->like_of.len; i++)
		t->likes_grouped = hash_u64(t->like_of.at[i], t->likes_grouped);
	return t->likes_grouped != was;
}

const struct like *tree_like_of(const struct tree *t, bool output, size_t at)
{
	size_t place = at + (output ? t->model->graphs.at[0].inputs.len : 0);
	uint32_t like = place < t->like_of.len ? t->like_of.at[place] : 0;

	return like ? &t->likes.at[like - 1] : NULL;
}

const struct like *tree_like_from(const struct tree *t, uint32_t first)
{
	for (size_t i = 0; i < t->likes.len; i++) {
		if (t->likes.at[i].first == first)
			return &t->likes.at[i];
	}
	return NULL;
}
