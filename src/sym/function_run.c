/* Functions of one symbol at one size. */
#include "base/num.h"
#include "base/vec.h"
#include "sym/float.h"
#include "sym/function.h"
#include "sym/node.h"
#include "sym/sym.h"
#include "sym/terms.h"

static bool run_sum(const struct sym_function *f, const struct sym_step *step,
		    const struct sym_operand *o, int64_t *out)
{
	int64_t sum = step->number, part;

	for (size_t i = 0; i < step->count; i++) {
		const struct sym_result *r = &f->results.at[o[i].step];

		if (!r->ok || !num_imul(r->number, o[i].number, &part) ||
		    !num_iadd(sum, part, &sum))
			return false;
	}
	*out = sum;
	return true;
}

static bool run_product(const struct sym_function *f, const struct sym_step *step,
			const struct sym_operand *o, int64_t *out)
{
	int64_t product = 1;

	for (size_t i = 0; i < step->count; i++) {
		const struct sym_result *r = &f->results.at[o[i].step];

		for (int64_t k = 0; k < o[i].number; k++) {
			if (!r->ok || !num_imul(product, r->number, &product))
				return false;
		}
	}
	*out = product;
	return true;
}

static bool run_pair(enum sym_kind kind, int64_t a, int64_t b, int64_t *out)
{
	if (kind == SYM_KIND_MAX) {
		*out = MAX(a, b);
		return true;
	}
	if (kind == SYM_KIND_MIN) {
		*out = MIN(a, b);
		return true;
	}
	if (kind == SYM_KIND_BROADCAST) {
		*out = a == 1 ? b : a;
		return a == 1 || b == 1 || a == b;
	}
	if (b == 0 || (b == -1 && a == INT64_MIN))
		return false;
	*out = kind == SYM_KIND_TRUNC ? a / b : sym_floor_int(a, b);
	return true;
}

static bool run_members(const struct sym_function *f, const struct sym_step *step,
			const struct sym_operand *o, int64_t *out)
{
	int64_t all = 0;

	for (size_t i = 0; i < step->count; i++) {
		const struct sym_result *r = &f->results.at[o[i].step];

		if (!r->ok)
			return false;
		if (i == 0)
			all = r->number;
		else if (!run_pair((enum sym_kind)step->kind, all, r->number, &all))
			return false;
	}
	*out = all;
	return true;
}

/* Only the selected side needs a value. */
static bool run_select(const struct sym_function *f, const struct sym_operand *o, int64_t *out)
{
	const struct sym_result *condition = &f->results.at[o[0].step], *side;

	if (!condition->ok)
		return false;
	side = &f->results.at[o[condition->number ? 1 : 2].step];
	*out = side->number;
	return side->ok;
}

static bool run_cast(const struct sym_function *f, const struct sym_step *step,
		     const struct sym_operand *o, double *out)
{
	enum sym_float type = (enum sym_float)(step->aux & 3);
	const struct sym_step *from = &f->steps.at[o[0].step];
	const struct sym_result *r = &f->results.at[o[0].step];

	if (!r->ok)
		return false;
	if (sym_is_float_kind((enum sym_kind)from->kind))
		return sym_float_convert((enum sym_float)(from->aux & 3), type, r->real, out);
	return sym_float_from_int(type, r->number, out);
}

static bool run_float(const struct sym_function *f, const struct sym_step *step,
		      const struct sym_operand *o, double *out)
{
	const struct sym_result *a, *b;

	if (step->kind == SYM_KIND_FCAST)
		return run_cast(f, step, o, out);
	if (step->kind == SYM_KIND_FCONST) {
		*out = step->real;
		return true;
	}
	a = &f->results.at[o[0].step];
	b = &f->results.at[o[step->count - 1].step];
	if (!a->ok || !b->ok)
		return false;
	*out = sym_float_step((enum sym_float)(step->aux & 3), (enum sym_fop)(step->aux >> 2),
			      a->real, b->real);
	return true;
}

static bool run_step(const struct sym_function *f, const struct sym_step *step, int64_t size,
		     struct sym_result *r)
{
	const struct sym_operand *o = step->count ? f->operands.at + step->first : NULL;
	const struct sym_result *first = step->count ? &f->results.at[o[0].step] : r;

	switch ((enum sym_kind)step->kind) {
	case SYM_KIND_INT:
		r->number = step->number;
		return true;
	case SYM_KIND_SYMBOL:
		r->number = size;
		return true;
	case SYM_KIND_SUM:
		return run_sum(f, step, o, &r->number);
	case SYM_KIND_PRODUCT:
		return run_product(f, step, o, &r->number);
	case SYM_KIND_FLOOR:
	case SYM_KIND_TRUNC:
	case SYM_KIND_MAX:
	case SYM_KIND_MIN:
	case SYM_KIND_BROADCAST:
		return run_members(f, step, o, &r->number);
	case SYM_KIND_ZERO:
		r->number = first->number == 0;
		return first->ok;
	case SYM_KIND_NATURAL:
		r->number = first->number >= 0;
		return first->ok;
	case SYM_KIND_SELECT:
		return run_select(f, o, &r->number);
	case SYM_KIND_CUT:
		return first->ok && sym_float_cut(first->real, &r->number);
	case SYM_KIND_FCONST:
	case SYM_KIND_FCAST:
	case SYM_KIND_FOP:
		return run_float(f, step, o, &r->real);
	case SYM_KIND_UNKNOWN:
	case SYM_KIND_COUNT:
		break;
	}
	return false;
}

bool sym_function_run(struct sym_function *f, int64_t size, int64_t *out)
{
	const struct sym_result *last;

	for (size_t i = 0; i < f->steps.len; i++)
		f->results.at[i].ok = run_step(f, &f->steps.at[i], size, &f->results.at[i]);
	last = vec_last(&f->results);
	if (last->ok)
		*out = last->number;
	return last->ok;
}
