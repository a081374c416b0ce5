#include "flow/literal.h"

#include <inttypes.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/visit.h"
#include "ir/graph.h"
#include "ops/property.h"
#include "sym/sym.h"

enum {
	MAX_MEANINGS = 16,
	SMALL_PART = 3,  /* a third of the axis or less */
	MAX_READERS = 64 /* a tensor with more is not cut in two */
};

/* ---- the other slices of the tensor ---- */

struct ends {
	int64_t begin, end, axis;
};

/* Of a Slice along one axis; false when it is none, or its numbers are not known. */
static bool read_ends(const struct visit *v, struct ends *out)
{
	int64_t *const numbers[] = {&out->begin, &out->end, &out->axis};

	if (op_flow(v->pass->in->model, v->node) != OP_FLOW_SLICE ||
	    v->node->input_count <= ARRAY_LEN(numbers))
		return false;
	for (uint32_t i = 0; i < ARRAY_LEN(numbers); i++) {
		const struct array *a = visit_array(v, i + 1);

		if (!a || a->count != 1 || !array_int(a, 0, numbers[i]))
			return false;
	}
	return true;
}

/* Do two slices cut the axis in two at the literal?  Then it is rolled, or the like. */
static bool is_halved(const struct visit *v, uint32_t axis, int64_t literal, int64_t old)
{
	const struct model *m = v->pass->in->model;
	uint32_t count;
	const struct reader *readers = model_readers(m, v->node->inputs[0], &count);
	bool first = false, second = false;

	for (uint32_t k = 0; k < count && count <= MAX_READERS; k++) {
		struct visit other = {.pass = v->pass,
				      .id = readers[k].node,
				      .node = &m->nodes.at[readers[k].node]};
		struct ends e;

		if (!readers[k].node || !read_ends(&other, &e) || e.axis != axis)
			continue;
		first |= e.begin == 0 && e.end == literal;
		second |= e.begin == literal && e.end >= old;
	}
	return first && second;
}

/* ---- meanings ---- */

/* Such a size is met where an axis is cut into windows; a literal of it is rather a shift. */
static bool is_small_part(struct pass *p, struct sym size, struct sym part)
{
	struct sym quotient;
	int64_t number;

	return sym_divide(&p->in->pool, size, part, &quotient) &&
	       sym_value(&p->in->pool, quotient, &number) && number >= SMALL_PART;
}

static void add_meaning_once(struct sym *list, uint32_t *count, struct sym size)
{
	for (uint32_t i = 0; i < *count; i++) {
		if (sym_same(list[i], size))
			return;
	}
	if (*count < MAX_MEANINGS)
		list[(*count)++] = size;
}

/* Sizes that were the literal. */
static void add_known(struct visit *v, int64_t literal, struct sym size, struct sym *list,
		      uint32_t *count)
{
	struct pass *p = v->pass;

	for (size_t k = 0; k < p->known.len; k++) {
		const struct factor *known = &p->known.at[k];

		if (known->old != literal || literal < 2)
			continue;
		if (is_small_part(p, size, known->size))
			flow_assume(v, "the literal %" PRId64 " is not %s", literal,
				    flow_text(p, known->size));
		else
			add_meaning_once(list, count, known->size);
	}
}

static struct sym choose_meaning(struct visit *v, uint32_t axis, int64_t literal, struct sym size,
				 int64_t old)
{
	struct pass *p = v->pass;
	struct sym meanings[MAX_MEANINGS + 2], chosen;
	struct sym from_end = sym_add_int(&p->in->pool, size, literal - old);
	uint32_t count = 0;

	if ((old - literal) * SMALL_PART <= old && is_halved(v, axis, literal, old)) {
		chosen = from_end;
	} else {
		add_known(v, literal, size, meanings, &count);
		if (2 * literal >= old)
			add_meaning_once(meanings, &count, from_end);
		meanings[count++] = sym_int(&p->in->pool, literal);
		if (count == 1)
			return meanings[0];
		chosen = meanings[flow_choose(
			v, count, 0,
			"the literal %" PRId64 " of %s, which was %" PRId64 ", may be %s", literal,
			flow_text(p, size), old, flow_texts(p, meanings, count))];
	}
	flow_assume(v, "the literal %" PRId64 " is %s", literal, flow_text(p, chosen));
	return chosen;
}

static uint64_t literal_hash(const struct literal *l)
{
	return hash_u64((uint64_t)l->number, (uint64_t)l->value << 32 | l->axis);
}

void pass_add_literal(struct pass *p, struct literal l)
{
	uint32_t *newest = map_at(&p->literals_by, literal_hash(&l));

	l.before = *newest;
	vec_push(&p->literals, l);
	*newest = (uint32_t)p->literals.len;
}

static const struct literal *literal_find(const struct pass *p, const struct literal *like)
{
	const uint32_t *newest = map_find(&p->literals_by, literal_hash(like));

	for (uint32_t i = newest ? *newest : 0; i; i = p->literals.at[i - 1].before) {
		const struct literal *l = &p->literals.at[i - 1];

		if (l->value == like->value && l->axis == like->axis && l->number == like->number)
			return l;
	}
	return NULL;
}

struct sym literal_meaning(struct visit *v, uint32_t axis, int64_t literal, struct sym size,
			   int64_t old)
{
	struct literal new = {.value = v->node->inputs[0], .axis = axis, .number = literal};
	const struct literal *found = literal_find(v->pass, &new);

	if (found)
		return found->meaning;
	new.meaning = choose_meaning(v, axis, literal, size, old);
	pass_add_literal(v->pass, new);
	return new.meaning;
}
