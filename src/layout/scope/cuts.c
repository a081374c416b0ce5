/*
 * Where a graph without scopes may be cut.  A tensor crosses a cut when it is made before and read
 * after; the fewer cross, the more the two sides are parts of their own.  Between the blocks of a
 * ResNet it is one, inside of them two: the sum waits for the first.
 */
#include "base/hash.h"
#include "base/intern.h"
#include "base/str.h"
#include "base/vec.h"
#include "layout/scope/blocks.h"
#include "layout/scope/internal.h"
#include "layout/scope/scope.h"

enum {
	SHORT = 12, /* nodes of a step that may join another */
	MOST_TRIES = 4
};

/* The fewest that are at least so many; between shape arithmetic and what it is for is no cut. */
static uint32_t fewest_across(const struct sequence *q, uint32_t first, uint32_t end,
			      uint32_t least)
{
	uint32_t fewest = UINT32_MAX;

	for (uint32_t i = first + 1; i < end; i++) {
		if (!(q->traits[i - 1] & BLOCK_ASIDE) && q->across[i] >= least)
			fewest = MIN(fewest, q->across[i]);
	}
	return fewest;
}

static uint8_t traits_among(const struct sequence *q, uint32_t first, uint32_t end)
{
	uint8_t traits = 0;

	for (uint32_t i = first; i < end; i++)
		traits |= q->traits[i];
	return traits;
}

/* Steps from cut to cut become blocks. */
struct joining {
	const struct sequence *q; /* borrowed */
	struct blocks *out;       /* borrowed */
	uint32_t tail;            /* nodes that joined the last one after it led */
	bool prepares;            /* the last one has nothing that leads */
};

/* Activations and sums go with what is before them, a reshape or concatenation with what follows.
 */
static bool step_joins(const struct joining *w, const struct block *step, uint8_t traits)
{
	const struct block *last = w->out->len ? vec_last(w->out) : NULL;

	if (!last)
		return false;
	if (w->prepares)
		return step->end - last->first <= SHORT;
	return !(traits & BLOCK_LEADS) && !(w->q->traits[step->first] & BLOCK_PREPARES) &&
	       w->tail + step->end - step->first <= SHORT;
}

static void join_step(struct joining *w, struct block step)
{
	uint8_t traits = traits_among(w->q, step.first, step.end);
	bool leads = traits & BLOCK_LEADS;

	step.resizes = traits & BLOCK_RESIZES;
	if (step_joins(w, &step, traits)) {
		struct block *last = vec_last(w->out);

		last->end = step.end;
		last->resizes |= step.resizes;
		w->tail = leads ? 0 : w->tail + step.end - step.first;
		w->prepares &= !leads;
		return;
	}
	vec_push(w->out, step);
	w->tail = 0;
	w->prepares = !leads;
}

static void cut_where(const struct sequence *q, uint32_t first, uint32_t end, uint32_t most,
		      struct blocks *out)
{
	struct joining w = {.q = q, .out = out};
	uint32_t at = first;

	for (uint32_t i = first + 1; i <= end; i++) {
		if (i < end && (q->across[i] > most || q->traits[i - 1] & BLOCK_ASIDE))
			continue;
		join_step(&w, (struct block){.first = at, .end = i});
		at = i;
	}
}

void sequence_cut(const struct sequence *q, uint32_t first, uint32_t end, struct blocks *out)
{
	uint32_t most = 0;

	/* What is cut off may join again. */
	for (int tries = 0; tries < MOST_TRIES && out->len < 2; tries++) {
		most = fewest_across(q, first, end, most);
		vec_clear(out);
		cut_where(q, first, end, most, out);
		if (most == UINT32_MAX)
			break;
		most++;
	}
	for (size_t i = 0; i < out->len; i++)
		out->at[i].sign = sequence_sign(q, out->at[i].first, out->at[i].end);
}

uint64_t sequence_sign(const struct sequence *q, uint32_t first, uint32_t end)
{
	uint64_t sign = end - first;

	for (uint32_t i = first; i < end; i++)
		sign = hash_u64(q->mark[i], sign);
	return sign;
}

uint32_t sequence_scope(const struct sequence *q, const struct block *b, uint32_t parent)
{
	struct folding *f = q->f;
	struct str name = {0};
	uint32_t made;

	if (b->end - b->first < 2)
		return parent;
	block_name(&name, q, b);
	made = (uint32_t)f->scopes.len;
	vec_push(&f->scopes,
		 ((struct scope){
			 .made = true,
			 .parent = parent,
			 .depth = f->scopes.at[parent].depth + 1,
			 .name = intern_text(&f->names, intern_add(&f->names, str_sv(&name))),
			 .node = f->graph->nodes.at[q->index[b->first]],
			 .after = b->end < q->count ? f->graph->nodes.at[q->index[b->end]] : 0}));
	str_release(&name);
	for (uint32_t i = b->first; i < b->end; i++) {
		uint32_t *of_node = &f->s->of_node[q->index[i]];
		struct scope *own = &f->scopes.at[*of_node];

		if (own->kind == SCOPE_SHAPES || own->kind == SCOPE_FAN)
			own->parent = made;
		else
			*of_node = made;
	}
	return made;
}
