#include "flow/plan.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "flow/array.h"
#include "ir/type.h"
#include "sym/sym.h"

enum {
	MAX_LIST = 64 /* entries of one list of sizes */
};

void plan_clear(struct plan *p)
{
	vec_clear(&p->sources);
	vec_clear(&p->nodes);
	vec_clear(&p->inputs);
	vec_clear(&p->removals);
	vec_clear(&p->lists);
	vec_clear(&p->notes);
	plan_forget(p);
}

void plan_forget(struct plan *p)
{
	map_release(&p->shapes);
	map_release(&p->sizes);
	p->shapes = (struct map){0};
	p->sizes = (struct map){0};
}

void plan_release(struct plan *p)
{
	vec_release(&p->sources);
	vec_release(&p->nodes);
	vec_release(&p->inputs);
	vec_release(&p->removals);
	vec_release(&p->lists);
	vec_release(&p->notes);
	map_release(&p->shapes);
	map_release(&p->sizes);
}

static struct plan_node *plan_add(struct plan *p, const char *op, const plan_ref *inputs,
				  uint32_t count)
{
	plan_ref *kept = arena_array(p->arena, count, plan_ref);
	struct plan_node *n = vec_add(&p->nodes);

	for (uint32_t i = 0; i < count; i++)
		kept[i] = inputs[i];
	n->op = op;
	n->before = p->before;
	n->inputs = kept;
	n->input_count = count;
	return n;
}

static plan_ref newest_node(const struct plan *p)
{
	return PLAN_MADE | (uint32_t)(p->nodes.len - 1);
}

/* An input that cannot be computed makes the whole node impossible. */
static bool all_there(const plan_ref *inputs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!inputs[i])
			return false;
	}
	return true;
}

plan_ref plan_op(struct plan *p, const char *op, const plan_ref *inputs, uint32_t count)
{
	if (!all_there(inputs, count))
		return 0;
	(void)plan_add(p, op, inputs, count);
	return newest_node(p);
}

plan_ref plan_op_attr(struct plan *p, const char *op, const plan_ref *inputs, uint32_t count,
		      struct plan_attr attr)
{
	plan_ref ref = plan_op(p, op, inputs, count);

	if (ref) {
		vec_last(&p->nodes)->attrs[0] = attr;
		vec_last(&p->nodes)->attr_count = 1;
	}
	return ref;
}

plan_ref plan_array(struct plan *p, struct array array)
{
	struct plan_node *n = plan_add(p, "Constant", NULL, 0);

	n->array = array;
	n->is_constant = true;
	return newest_node(p);
}

static plan_ref plan_numbers(struct plan *p, const int64_t *numbers, uint32_t count, bool scalar)
{
	int64_t *dims = arena_array(p->arena, 1, int64_t);
	unsigned char *bytes = arena_alloc(p->arena, count * sizeof(int64_t));

	dims[0] = count;
	for (uint32_t i = 0; i < count; i++) {
		for (unsigned b = 0; b < sizeof(int64_t); b++)
			bytes[i * sizeof(int64_t) + b] = (unsigned char)((uint64_t)numbers[i] >>
									 (8 * b));
	}
	return plan_array(p, (struct array){.elem = ELEM_INT64,
					    .rank = scalar ? 0 : 1,
					    .dims = dims,
					    .count = count,
					    .bytes = bytes});
}

plan_ref plan_ints(struct plan *p, const int64_t *numbers, uint32_t count)
{
	return plan_numbers(p, numbers, count, false);
}

plan_ref plan_int(struct plan *p, int64_t number)
{
	return plan_numbers(p, &number, 1, true);
}

/* ---- sizes ---- */

static plan_ref shape_of(struct plan *p, uint32_t input)
{
	uint32_t *made = map_find(&p->shapes, input);
	plan_ref ref;

	if (made)
		return PLAN_MADE | (*made - 1);
	ref = PLAN_OP(p, "Shape", input);
	*map_at(&p->shapes, input) = (ref & ~PLAN_MADE) + 1;
	return ref;
}

static plan_ref size_of_symbol(struct plan *p, uint32_t symbol)
{
	for (size_t i = 0; i < p->sources.len; i++) {
		const struct plan_source *s = &p->sources.at[i];
		int64_t axis = s->axis;
		plan_ref ref;

		if (s->symbol != symbol)
			continue;
		ref = shape_of(p, s->input);
		ref = PLAN_OP(p, "Gather", ref, plan_ints(p, &axis, 1));
		return s->multiple == 1 ? ref
					: PLAN_OP(p, "Div", ref, plan_ints(p, &s->multiple, 1));
	}
	return 0;
}

/* The operands one after the other: a + b + c. */
static plan_ref fold_parts(struct plan *p, const char *op, struct sym s)
{
	plan_ref ref = 0;

	for (size_t i = 0; i < sym_part_count(p->pool, s); i++) {
		plan_ref operand = plan_size(p, sym_part(p->pool, s, i).s);

		if (!operand)
			return 0;
		ref = ref ? PLAN_OP(p, op, ref, operand) : operand;
	}
	return ref;
}

static plan_ref plan_product(struct plan *p, struct sym s)
{
	plan_ref ref = 0;

	for (size_t i = 0; i < sym_part_count(p->pool, s); i++) {
		struct sym_part part = sym_part(p->pool, s, i);

		for (int64_t power = 0; power < part.number; power++) {
			plan_ref factor = plan_size(p, part.s);

			if (!factor)
				return 0;
			ref = ref ? PLAN_OP(p, "Mul", ref, factor) : factor;
		}
	}
	return ref;
}

static plan_ref plan_term(struct plan *p, struct sym_part part)
{
	plan_ref ref;

	if (sym_is(part.s, 1))
		return plan_ints(p, &part.number, 1);
	ref = plan_size(p, part.s);
	return part.number == 1 ? ref : PLAN_OP(p, "Mul", ref, plan_ints(p, &part.number, 1));
}

static plan_ref plan_sum(struct plan *p, struct sym s)
{
	plan_ref ref = 0;

	for (size_t i = 0; i < sym_part_count(p->pool, s); i++) {
		plan_ref term = plan_term(p, sym_part(p->pool, s, i));

		if (!term)
			return 0;
		ref = ref ? PLAN_OP(p, "Add", ref, term) : term;
	}
	return ref;
}

static plan_ref compute_size(struct plan *p, struct sym size)
{
	uint32_t symbol;
	int64_t number;

	if (sym_value(p->pool, size, &number))
		return plan_ints(p, &number, 1);
	if (sym_symbol_id(p->pool, size, &symbol))
		return size_of_symbol(p, symbol);
	switch (sym_kind(p->pool, size)) {
	case SYM_KIND_PRODUCT:
		return plan_product(p, size);
	case SYM_KIND_SUM:
		return plan_sum(p, size);
	case SYM_KIND_FLOOR:
		/* Div rounds toward zero, which is down only if nothing is negative. */
		return sym_range(p->pool, sym_part(p->pool, size, 0).s).lo < 0
			       ? 0
			       : fold_parts(p, "Div", size);
	case SYM_KIND_MAX:
		return fold_parts(p, "Max", size);
	case SYM_KIND_MIN:
		return fold_parts(p, "Min", size);
	default: /* other kinds take more than a few nodes */
		return 0;
	}
}

plan_ref plan_size(struct plan *p, struct sym size)
{
	uint32_t *made = map_find(&p->sizes, size.w);
	plan_ref ref;

	if (made)
		return PLAN_MADE | (*made - 1);
	ref = compute_size(p, size);
	if (ref)
		*map_at(&p->sizes, size.w) = (ref & ~PLAN_MADE) + 1;
	return ref;
}

/* Neighbouring numbers are one piece. */
plan_ref plan_sizes(struct plan *p, const struct sym *sizes, uint32_t count)
{
	plan_ref pieces[MAX_LIST];
	int64_t numbers[MAX_LIST] = {0};
	uint32_t piece_count = 0;

	if (count > MAX_LIST)
		return 0;
	for (uint32_t i = 0; i < count;) {
		uint32_t run = 0;

		while (i + run < count && sym_value(p->pool, sizes[i + run], &numbers[run]))
			run++;
		pieces[piece_count++] = run ? plan_ints(p, numbers, run) : plan_size(p, sizes[i]);
		i += run ? run : 1;
	}
	if (piece_count == 0)
		return plan_ints(p, numbers, 0);
	return piece_count == 1 ? pieces[0]
				: plan_op_attr(p, "Concat", pieces, piece_count,
					       (struct plan_attr){"axis", 0});
}

plan_ref plan_range(struct plan *p, struct sym size)
{
	plan_ref list = plan_size(p, size);
	plan_ref end = list ? PLAN_OP(p, "Reshape", list, plan_ints(p, NULL, 0)) : 0;

	return end ? PLAN_OP(p, "Range", plan_int(p, 0), end, plan_int(p, 1)) : 0;
}

/* ---- changes ---- */

void plan_replace(struct plan *p, uint32_t node, uint32_t port, plan_ref ref)
{
	vec_push(&p->inputs, ((struct plan_input){node, port, ref}));
}

void plan_set_attr(struct plan *p, uint32_t node, const char *attr, const int64_t *numbers,
		   uint32_t count)
{
	int64_t *kept = arena_array(p->arena, count, int64_t);

	for (uint32_t i = 0; i < count; i++)
		kept[i] = numbers[i];
	vec_push(&p->lists, ((struct plan_numbers){node, attr, kept, count}));
}

void plan_remove_attr(struct plan *p, uint32_t node, const char *attr)
{
	vec_push(&p->removals, ((struct plan_removal){node, attr}));
}

void plan_note(struct plan *p, uint32_t node, const char *format, ...)
{
	char text[SENTENCE_BYTES];
	va_list args;

	va_start(args, format);
	text_print(text, sizeof(text), format, args);
	va_end(args);
	vec_push(&p->notes,
		 ((struct plan_note){
			 node, arena_copy(p->arena, (struct sv){text, strlen(text) + 1}).at}));
}
