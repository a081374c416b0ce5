#include "infer/hues.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/sym.h"

/* Not of an input. */
#define HUE_OTHER (UINT32_C(1) << 31)

/* A generated symbol without a name is known by its place. */
static uint32_t hues_name(struct hues *h, const struct sym_pool *p, uint32_t symbol)
{
	const struct sym_origin *from = &p->symbols.at[symbol].origin;
	struct sv name = sym_name(p, symbol);
	struct str place = {0};
	uint32_t number;

	if (!name.len) {
		str_format(&place, "?%" PRIu32 ".%" PRIu32 ".%" PRIu32, from->node, from->output,
			   from->axis);
		name = str_sv(&place);
	}
	number = intern_add(&h->names, name);
	while (h->by_name.len <= number)
		vec_push(&h->by_name, 0);
	str_release(&place);
	return number;
}

/* ---- inputs ---- */

struct hue_axis {
	uint64_t place;
	uint32_t symbol;
};

typedef void hue_visit(struct hues *h, const struct infer *in, struct hue_axis axis);

static void hues_each_axis(struct hues *h, const struct infer *in, hue_visit *visit)
{
	const struct model *m = in->model;
	const struct graph *g = &m->graphs.at[0];

	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *info = &in->infos[g->inputs.at[i]];
		uint64_t input = 0;

		for (uint32_t axis = 0; info->ranked && axis < info->rank; axis++) {
			uint32_t symbol;

			if (!sym_symbol_id(&in->pool, info->dims[axis], &symbol))
				continue;
			if (!input)
				input = intern_add(
						&h->inputs,
						model_name(m, m->values.at[g->inputs.at[i]].name)) +
					1;
			visit(h, in, (struct hue_axis){input << 32 | axis, symbol});
		}
	}
}

static void hues_give(struct hues *h, uint32_t symbol, uint32_t hue)
{
	*map_at(&h->now, symbol) = hue;
	*map_at(&h->taken, hue) = 1;
}

static void hues_keep(struct hues *h, const struct infer *in, struct hue_axis axis)
{
	uint32_t name = hues_name(h, &in->pool, axis.symbol), hue = h->by_name.at[name];

	if (hue && !(hue & HUE_OTHER) && !map_find(&h->now, axis.symbol) &&
	    !map_find(&h->taken, hue))
		hues_give(h, axis.symbol, hue);
}

/* A new name: renamed, or new. */
static void hues_assign(struct hues *h, const struct infer *in, struct hue_axis axis)
{
	const uint32_t *last = map_find(&h->places, axis.place);
	uint32_t hue = last ? *last : 0, name;

	if (map_find(&h->now, axis.symbol))
		return;
	if (!hue || map_find(&h->taken, hue))
		hue = ++h->declared;
	name = hues_name(h, &in->pool, axis.symbol);
	h->by_name.at[name] = hue;
	hues_give(h, axis.symbol, hue);
}

static void hues_remember(struct hues *h, const struct infer *in, struct hue_axis axis)
{
	(void)in;
	*map_at(&h->places, axis.place) = *map_find(&h->now, axis.symbol);
}

void hues_renew(struct hues *h, const struct infer *in)
{
	map_release(&h->now);
	map_release(&h->taken);
	hues_each_axis(h, in, hues_keep);
	hues_each_axis(h, in, hues_assign);
	hues_each_axis(h, in, hues_remember);
}

/* ---- all ---- */

uint32_t hues_find(struct hues *h, const struct infer *in, uint32_t symbol)
{
	const uint32_t *known = map_find(&h->now, symbol);
	uint32_t name, hue;

	if (known)
		return *known;
	name = hues_name(h, &in->pool, symbol);
	hue = h->by_name.at[name];
	if (!hue)
		hue = h->by_name.at[name] = ++h->others | HUE_OTHER;
	*map_at(&h->now, symbol) = hue;
	return hue;
}

bool hues_symbol(struct hues *h, const struct infer *in, uint32_t hue, uint32_t *out)
{
	for (uint32_t i = 0; i < in->pool.symbols.len; i++) {
		const uint32_t *known = map_find(&h->now, i);
		struct sv name = sym_name(&in->pool, i);

		if (known ? *known != hue
			  : !name.len || h->by_name.len <= intern_find(&h->names, name) ||
				    h->by_name.at[intern_find(&h->names, name)] != hue ||
				    !(hue & HUE_OTHER))
			continue;
		*out = i;
		return true;
	}
	return false;
}

uint32_t hue_colour(uint32_t hue)
{
	uint32_t nth = ((hue & ~HUE_OTHER) - 1) % HUES;

	return hue & HUE_OTHER ? HUES - nth : nth + 1;
}

void hues_release(struct hues *h)
{
	intern_release(&h->names);
	intern_release(&h->inputs);
	vec_release(&h->by_name);
	map_release(&h->places);
	map_release(&h->now);
	map_release(&h->taken);
}
