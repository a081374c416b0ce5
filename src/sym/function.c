#include "sym/function.h"

#include "base/map.h"
#include "base/vec.h"
#include "sym/node.h"
#include "sym/sym.h"

enum {
	FUNCTION_LEVEL_MAX = 32, /* definitions inside definitions */
	FUNCTION_STEPS_MAX = 1 << 14
};

/* ---- the symbol ---- */

static bool function_is_defined(const struct sym_symbol *symbol)
{
	return symbol->source == SYM_COMPLEX || !sym_is_unknown(symbol->origin.definition);
}

bool sym_one_symbol(const struct sym_pool *p, struct sym s, uint32_t *out)
{
	bool none = sym_is_small(s) || sym_is_unknown(s);
	uint32_t only = none ? SYM_ONLY_NONE : sym_node(p, s)->only;

	if (only == SYM_ONLY_NONE || only == SYM_ONLY_SEVERAL)
		return false;
	*out = only - 1;
	return true;
}

/* ---- compiling ---- */

struct compiler {
	const struct sym_pool *p;
	struct sym_function *f;
	struct map done; /* node -> step + 1 */
	uint32_t symbol;
	unsigned level;
};

/* Collects operands first, because compiling one of them adds others. */
struct draft {
	struct sym_step step;
	struct sym_operand operands[2 * SYM_TERMS_MAX];
};

static bool compile_node(struct compiler *c, struct sym s, uint32_t *out);

static bool draft_add(struct compiler *c, struct draft *d, int64_t number, struct sym s)
{
	struct sym_operand *operand = &d->operands[d->step.count];

	if (d->step.count == ARRAY_LEN(d->operands) || !compile_node(c, s, &operand->step))
		return false;
	operand->number = number;
	d->step.count++;
	return true;
}

static bool draft_finish(struct compiler *c, struct draft *d, uint32_t *out)
{
	if (c->f->steps.len >= FUNCTION_STEPS_MAX)
		return false;
	d->step.first = (uint32_t)c->f->operands.len;
	for (size_t i = 0; i < d->step.count; i++)
		vec_push(&c->f->operands, d->operands[i]);
	*out = (uint32_t)c->f->steps.len;
	vec_push(&c->f->steps, d->step);
	return true;
}

static bool compile_pair(struct compiler *c, enum sym_kind kind, const struct sym args[2],
			 int64_t second, uint32_t *out)
{
	struct draft d = {.step.kind = (uint8_t)kind};

	return draft_add(c, &d, 1, args[0]) && draft_add(c, &d, second, args[1]) &&
	       draft_finish(c, &d, out);
}

/* ZERO or NATURAL of a difference. */
static bool compile_test(struct compiler *c, enum sym_kind kind, struct sym a, struct sym b,
			 uint32_t *out)
{
	struct draft d = {.step = {.kind = (uint8_t)kind, .count = 1}};

	return compile_pair(c, SYM_KIND_SUM, (struct sym[]){a, b}, -1, &d.operands[0].step) &&
	       draft_finish(c, &d, out);
}

static bool compile_args(struct compiler *c, enum sym_kind kind, uint8_t aux,
			 const struct sym *args, size_t count, uint32_t *out)
{
	struct draft d = {.step = {.kind = (uint8_t)kind, .aux = aux}};

	for (size_t i = 0; i < count; i++) {
		if (!draft_add(c, &d, 1, args[i]))
			return false;
	}
	return draft_finish(c, &d, out);
}

/* An operation that did not fit. */
static bool compile_op(struct compiler *c, enum sym_op op, const struct sym *args, uint32_t *out)
{
	switch (op) {
	case SYM_OP_ADD:
		return compile_pair(c, SYM_KIND_SUM, args, 1, out);
	case SYM_OP_SUB:
		return compile_pair(c, SYM_KIND_SUM, args, -1, out);
	case SYM_OP_MUL:
		return compile_pair(c, SYM_KIND_PRODUCT, args, 1, out);
	case SYM_OP_FLOOR:
		return compile_pair(c, SYM_KIND_FLOOR, args, 1, out);
	case SYM_OP_TRUNC:
		return compile_pair(c, SYM_KIND_TRUNC, args, 1, out);
	case SYM_OP_MAX:
		return compile_pair(c, SYM_KIND_MAX, args, 1, out);
	case SYM_OP_MIN:
		return compile_pair(c, SYM_KIND_MIN, args, 1, out);
	case SYM_OP_BROADCAST:
		return compile_pair(c, SYM_KIND_BROADCAST, args, 1, out);
	case SYM_OP_EQ:
		return compile_test(c, SYM_KIND_ZERO, args[0], args[1], out);
	case SYM_OP_LE:
		return compile_test(c, SYM_KIND_NATURAL, args[1], args[0], out);
	case SYM_OP_SELECT:
		return compile_args(c, SYM_KIND_SELECT, 0, args, 3, out);
	case SYM_OP_CUT:
		return compile_args(c, SYM_KIND_CUT, 0, args, 1, out);
	case SYM_OP_NONE:
	case SYM_OP_COUNT:
		break;
	}
	return false;
}

static bool compile_symbol(struct compiler *c, uint32_t id, uint32_t *out)
{
	struct draft size = {.step.kind = SYM_KIND_SYMBOL};
	const struct sym_symbol *symbol = &c->p->symbols.at[id];
	bool ok;

	if (id == c->symbol)
		return draft_finish(c, &size, out);
	if (!function_is_defined(symbol) || c->level == FUNCTION_LEVEL_MAX)
		return false;
	c->level++;
	if (symbol->source == SYM_COMPLEX)
		ok = compile_op(c, symbol->op, symbol->args, out);
	else
		ok = compile_node(c, symbol->origin.definition, out);
	c->level--;
	return ok;
}

static bool compile_sum(struct compiler *c, const struct sym_node *n, uint32_t *out)
{
	struct draft d = {.step.kind = SYM_KIND_SUM};

	for (size_t i = 0; i < n->count; i++) {
		const struct sym_term *t = &sym_terms(n)[i];

		if (t->m == 0)
			d.step.number = t->c;
		else if (!draft_add(c, &d, t->c, sym_at(t->m)))
			return false;
	}
	return draft_finish(c, &d, out);
}

static bool compile_product(struct compiler *c, const struct sym_node *n, uint32_t *out)
{
	struct draft d = {.step.kind = SYM_KIND_PRODUCT};

	for (size_t i = 0; i < n->count; i++) {
		const struct sym_factor *f = &sym_factors(n)[i];

		if (!draft_add(c, &d, f->power, sym_at(f->atom)))
			return false;
	}
	return draft_finish(c, &d, out);
}

static bool compile_new(struct compiler *c, struct sym s, uint32_t *out)
{
	struct draft d = {.step.kind = SYM_KIND_INT};
	const struct sym_node *n;

	if (sym_value(c->p, s, &d.step.number))
		return draft_finish(c, &d, out);
	n = sym_node(c->p, s);
	if (n->kind == SYM_KIND_SYMBOL)
		return compile_symbol(c, n->symbol - 1, out);
	if (n->kind == SYM_KIND_SUM)
		return compile_sum(c, n, out);
	if (n->kind == SYM_KIND_PRODUCT)
		return compile_product(c, n, out);
	if (n->kind == SYM_KIND_FCONST) {
		d.step.kind = SYM_KIND_FCONST;
		d.step.aux = n->aux;
		d.step.real = *(const double *)n->data;
		return draft_finish(c, &d, out);
	}
	return compile_args(c, (enum sym_kind)n->kind, n->aux, sym_args(n), n->count, out);
}

static bool compile_node(struct compiler *c, struct sym s, uint32_t *out)
{
	const uint32_t *done = map_find(&c->done, s.w);

	if (sym_is_unknown(s))
		return false;
	if (done) {
		*out = *done - 1;
		return true;
	}
	if (!compile_new(c, s, out))
		return false;
	*map_at(&c->done, s.w) = *out + 1;
	return true;
}

bool sym_function_init(struct sym_function *f, const struct sym_pool *p, struct sym s,
		       uint32_t symbol)
{
	struct compiler c = {.p = p, .f = f, .symbol = symbol};
	uint32_t last;
	bool ok;

	*f = (struct sym_function){0};
	ok = !sym_is_float_kind(sym_kind(p, s)) && compile_node(&c, s, &last);
	map_release(&c.done);
	for (size_t i = 0; ok && i < f->steps.len; i++)
		(void)vec_add(&f->results);
	if (ok)
		return true;
	sym_function_release(f);
	return false;
}

void sym_function_release(struct sym_function *f)
{
	vec_release(&f->steps);
	vec_release(&f->operands);
	vec_release(&f->results);
}
