/*
 * What few models have: devices, tensor sharding, quantization.
 */
#include <inttypes.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/diff/internal.h"
#include "ir/graph.h"
#include "ir/type.h"

static void add_devices(struct str *s, const struct model *m)
{
	for (size_t i = 0; i < m->devices.len && s->len <= COMPARE_TEXT; i++) {
		str_text(s, i ? ", " : "");
		str_add(s, model_cut_name(m, m->devices.at[i].name));
		str_format(s, " of %" PRId32, m->devices.at[i].devices);
	}
}

void compare_devices(struct comparison *c)
{
	struct str before = {0}, after = {0};

	add_devices(&before, c->a.m);
	add_devices(&after, c->b.m);
	compare_texts(c, DIFFERENCE_MODEL, SV(""), "devices", str_sv(&before), str_sv(&after));
	str_release(&before);
	str_release(&after);
}

/* Parameters of tensors' annotations; the first annotation of a tensor counts. */
void compare_annotations(struct comparison *c, struct graph_pair g)
{
	const struct graph *a = &c->a.m->graphs.at[g.a], *b = &c->b.m->graphs.at[g.b];
	struct map places = {0};

	for (uint32_t i = b->annotation_count; i-- > 0;)
		*map_at(&places, c->b.name_tokens[b->annotations[i].tensor_name]) = i + 1;
	for (uint32_t i = 0; i < a->annotation_count; i++) {
		const struct annotation *x = &a->annotations[i];
		const uint32_t *place = map_find(&places, c->a.name_tokens[x->tensor_name]);
		const struct annotation *y = place && *place ? &b->annotations[*place - 1] : NULL;

		if (place && !*place)
			continue;
		compare_pairs(c, DIFFERENCE_TENSOR, model_name(c->a.m, x->tensor_name),
			      x->parameters, x->count, y ? y->parameters : NULL, y ? y->count : 0);
		*map_at(&places, c->a.name_tokens[x->tensor_name]) = 0;
	}
	for (uint32_t i = 0; i < b->annotation_count; i++) {
		const struct annotation *y = &b->annotations[i];

		if (*map_find(&places, c->b.name_tokens[y->tensor_name]) == i + 1)
			compare_pairs(c, DIFFERENCE_TENSOR, model_name(c->b.m, y->tensor_name),
				      NULL, 0, y->parameters, y->count);
	}
	map_release(&places);
}

static uint64_t sharding_hash(const struct side *s, const struct sharding *sharding, uint64_t seed)
{
	uint64_t h = hash_u64(s->name_tokens[sharding->configuration], seed);

	h = hash_u64(s->name_tokens[sharding->tensor_name], h);
	for (uint32_t i = 0; i < sharding->count; i++) {
		const struct sharded_dim *d = &sharding->dims[i];

		h = hash_u64((uint64_t)d->axis, h);
		h = hash_u64((uint64_t)d->shards, h);
		h = hash_u64((uint64_t)d->dim.kind, h);
		h = hash_u64(d->dim.kind == DIM_PARAM ? s->name_tokens[d->dim.param]
						      : (uint64_t)d->dim.value,
			     h);
	}
	return h;
}

void compare_shardings(struct comparison *c, struct sv name, const struct node *a,
		       const struct node *b)
{
	struct str before = {0}, after = {0};
	uint64_t x = c->seed, y = c->seed;

	for (uint32_t i = 0; i < a->sharding_count; i++)
		x = hash_u64(sharding_hash(&c->a, &a->shardings[i], c->seed), x);
	for (uint32_t i = 0; i < b->sharding_count; i++)
		y = hash_u64(sharding_hash(&c->b, &b->shardings[i], c->seed), y);
	if (x == y)
		return;
	str_things(&before, a->sharding_count, "tensor");
	str_things(&after, b->sharding_count, "tensor");
	compare_tell(c, (struct telling){DIFFERENCE_NODE, name, "sharding", &before, &after});
	str_release(&before);
	str_release(&after);
}
