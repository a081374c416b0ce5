/*
 * Constants of one shape: integers, each an expression of sizes, and a few real numbers.
 */
#include "base/arena.h"
#include "base/str.h"
#include "edit/fit/internal.h"
#include "flow/array.h"
#include "flow/number.h"
#include "flow/plan.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "sym/text.h"

static struct sym *number_dims(struct fitting *f, const struct array *a)
{
	struct sym *dims = arena_array(&f->arena, a->rank + 1, struct sym);

	for (uint32_t i = 0; i < a->rank; i++)
		dims[i] = sym_int(&f->document->infer.pool, a->dims[i]);
	return dims;
}

/* A list as a tensor of the constant's shape and type. */
static plan_ref number_shaped(struct fitting *f, plan_ref list, const struct array *a, int32_t elem)
{
	if (list && a->rank != 1)
		list = PLAN_OP(&f->plan, "Reshape", list, plan_ints(&f->plan, a->dims, a->rank));
	if (list && a->elem != elem)
		list = plan_op_attr(&f->plan, "Cast", &list, 1, (struct plan_attr){"to", a->elem});
	return list;
}

bool fit_solve_ints(struct fit_place *v, const struct fit_use *use,
		    const struct array *const *arrays, struct info *out, plan_ref *ref)
{
	struct fitting *f = v->f;
	const struct array *a = arrays[0];
	struct sym *list = arena_array(&f->arena, a->count + 1, struct sym);

	for (uint64_t i = 0; i < a->count; i++) {
		struct fit_vector n;

		for (uint32_t k = 0; k < f->count; k++) {
			if (!array_int(arrays[k], i, &n.at[k]))
				return fit_refuse(f, use->node, "a number is too large");
		}
		if (fit_vector_constant(f, &n))
			list[i] = sym_int(&f->document->infer.pool, n.at[0]);
		else if (!fit_explain_one(f, use->node, &n, v->near, v->near_count, &list[i]))
			return false;
	}
	*ref = number_shaped(f, plan_sizes(&f->plan, list, (uint32_t)a->count), a, ELEM_INT64);
	if (!*ref)
		return fit_refuse(f, use->node, "a size cannot be computed at run time");
	*out = (struct info){.kind = TYPE_TENSOR,
			     .elem = a->elem,
			     .ranked = true,
			     .rank = a->rank,
			     .dims = number_dims(f, a)};
	if (a->rank <= 1)
		out->contents = (struct contents){
			.at = list, .count = (uint32_t)a->count, .rank = a->rank};
	return true;
}

/* ---- real numbers ---- */

static plan_ref plan_real_constant(struct fitting *f, double number)
{
	unsigned char *bytes = arena_alloc(&f->arena, sizeof(double));
	int64_t *dims = arena_array(&f->arena, 1, int64_t);

	dims[0] = 1;
	number_store(ELEM_FLOAT64, bytes, 0, (union number){.f = number});
	return plan_array(
		&f->plan,
		(struct array){
			.elem = ELEM_FLOAT64, .rank = 1, .dims = dims, .count = 1, .bytes = bytes});
}

static plan_ref plan_as_double(struct fitting *f, struct sym size)
{
	plan_ref ref = plan_size(&f->plan, size);

	return ref ? plan_op_attr(&f->plan, "Cast", &ref, 1, (struct plan_attr){"to", ELEM_FLOAT64})
		   : 0;
}

/* In double precision, as exporters compute it. */
static plan_ref plan_real(struct fitting *f, const struct fit_real *r)
{
	plan_ref ref = plan_as_double(f, r->size);

	if (ref && r->power != 1)
		ref = PLAN_OP(&f->plan, "Pow", ref, plan_real_constant(f, r->power));
	if (ref && !sym_is_unknown(r->over)) {
		plan_ref over = plan_as_double(f, r->over);

		ref = over ? PLAN_OP(&f->plan, "Div", ref, over) : 0;
	}
	if (ref && r->factor != 1)
		ref = PLAN_OP(&f->plan, "Mul", ref, plan_real_constant(f, r->factor));
	return ref;
}

static void print_real(struct fitting *f, struct str *out, const struct fit_real *r)
{
	if (r->factor != 1)
		str_format(out, "%.6g*", r->factor);
	str_char(out, '(');
	sym_print(&f->document->infer.pool, r->size, out);
	str_char(out, ')');
	if (r->power != 1)
		str_format(out, "^%g", r->power);
	if (!sym_is_unknown(r->over)) {
		str_text(out, "/(");
		sym_print(&f->document->infer.pool, r->over, out);
		str_char(out, ')');
	}
}

static bool solve_real(struct fit_place *v, const struct fit_use *use, const double *numbers,
		       struct str *text, plan_ref *out)
{
	struct fitting *f = v->f;
	struct fit_real real;
	bool same = true;

	for (uint32_t i = 1; i < f->count; i++)
		same = same && numbers[i] == numbers[0];
	if (same) {
		str_format(text, "%.6g", numbers[0]);
		*out = plan_real_constant(f, numbers[0]);
		return true;
	}
	switch (fit_explain_real(f, numbers, v->near, v->near_count, &real)) {
	case FIT_GUESS_ONE:
		print_real(f, text, &real);
		*out = plan_real(f, &real);
		return *out || fit_refuse(f, use->node, "a size cannot be computed at run time");
	case FIT_GUESS_MANY:
		return fit_refuse(
			f, use->node,
			"%.6g, %.6g has several explanations; add an export at other sizes",
			numbers[0], numbers[1]);
	case FIT_GUESS_NONE:
	case FIT_GUESS_COUNT:
		break;
	}
	return fit_refuse(f, use->node, "no expression of the sizes gives %.6g, %.6g", numbers[0],
			  numbers[1]);
}

bool fit_solve_reals(struct fit_place *v, const struct fit_use *use,
		     const struct array *const *arrays, struct info *out, plan_ref *ref,
		     struct str *text)
{
	struct fitting *f = v->f;
	const struct array *a = arrays[0];
	plan_ref parts[FIT_MAX_REALS];

	for (uint64_t i = 0; i < a->count; i++) {
		double numbers[FIT_MAX_EXPORTS];

		str_text(text, i ? ", " : "");
		for (uint32_t k = 0; k < f->count; k++)
			numbers[k] = array_real(arrays[k], i);
		if (!solve_real(v, use, numbers, text, &parts[i]))
			return false;
	}
	*ref = a->count == 1 ? parts[0]
			     : plan_op_attr(&f->plan, "Concat", parts, (uint32_t)a->count,
					    (struct plan_attr){"axis", 0});
	*ref = number_shaped(f, *ref, a, ELEM_FLOAT64);
	*out = (struct info){.kind = TYPE_TENSOR,
			     .elem = a->elem,
			     .ranked = true,
			     .rank = a->rank,
			     .dims = number_dims(f, a)};
	return *ref != 0;
}
