#include "sym/eval.h"

#include "base/bug.h"
#include "base/err.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "sym/float.h"
#include "sym/node.h"

enum {
	NOT_BOUND,
	BOUND,
	DERIVED,
	LEVEL_MAX = 32 /* definitions inside definitions */
};

#define INT128_MIN (-((int128)1 << 126) * 2)

static struct sym_binding *binding_at(struct sym_env *env, uint32_t id)
{
	uint32_t *place;

	if (id < SYM_NEAR) {
		while (env->near.len <= id)
			(void)vec_add(&env->near);
		return &env->near.at[id];
	}
	place = map_at(&env->places, id);
	if (!*place) {
		(void)vec_add(&env->far);
		*place = (uint32_t)env->far.len;
	}
	return &env->far.at[*place - 1];
}

static const struct sym_binding *binding_find(const struct sym_env *env, uint32_t id)
{
	const uint32_t *place;

	if (id < SYM_NEAR)
		return id < env->near.len ? &env->near.at[id] : NULL;
	place = map_find(&env->places, id);
	return place ? &env->far.at[*place - 1] : NULL;
}

bool sym_bind(struct sym_env *env, const struct sym_pool *p, uint32_t id, int64_t value,
	      struct err *err)
{
	struct sym_range r;
	struct sv name;

	BUG_ON(id >= p->symbols.len);
	r = p->symbols.at[id].origin.range;
	if (p->symbols.at[id].source == SYM_DECLARED && r.lo == 1)
		r.lo = 0;
	name = sym_name(p, id);
	if (value < r.lo || value > r.hi)
		return err_set(err, ERR_USAGE, "%.*s cannot be %lld",
			       name.len ? (int)MIN(name.len, 200) : 1, name.len ? name.at : "?",
			       (long long)value);
	*binding_at(env, id) = (struct sym_binding){.value = value, .state = BOUND};
	env->epoch++;
	return true;
}

void sym_unbind(struct sym_env *env, uint32_t id)
{
	*binding_at(env, id) = (struct sym_binding){0};
	env->epoch++;
}

void sym_env_clear(struct sym_env *env)
{
	vec_clear(&env->near);
	vec_clear(&env->far);
	map_release(&env->places);
	env->epoch++;
}

void sym_env_release(struct sym_env *env)
{
	vec_release(&env->near);
	vec_release(&env->far);
	map_release(&env->places);
	*env = (struct sym_env){0};
}

struct eval {
	const struct sym_pool *p;
	struct sym_env *env;
};

static enum sym_status eval_node(struct eval *e, struct sym s, int128 *out);
static enum sym_status eval_float(struct eval *e, struct sym s, double *out);

static enum sym_status eval_divide(bool toward_zero, int128 a, int128 b, int128 *out)
{
	if (b == 0)
		return SYM_UNDEFINED;
	if (b == -1 && a == INT128_MIN)
		return SYM_OVERFLOW;
	*out = a / b - (!toward_zero && a % b != 0 && (a % b < 0) != (b < 0));
	return SYM_OK;
}

static enum sym_status eval_broadcast(int128 a, int128 b, int128 *out)
{
	if (a != 1 && b != 1 && a != b)
		return SYM_UNDEFINED;
	*out = a == 1 ? b : a;
	return SYM_OK;
}

static enum sym_status eval_apply(enum sym_op op, int128 a, int128 b, int128 *out)
{
	switch (op) {
	case SYM_OP_ADD:
		return __builtin_add_overflow(a, b, out) ? SYM_OVERFLOW : SYM_OK;
	case SYM_OP_SUB:
		return __builtin_sub_overflow(a, b, out) ? SYM_OVERFLOW : SYM_OK;
	case SYM_OP_MUL:
		return __builtin_mul_overflow(a, b, out) ? SYM_OVERFLOW : SYM_OK;
	case SYM_OP_FLOOR:
	case SYM_OP_TRUNC:
		return eval_divide(op == SYM_OP_TRUNC, a, b, out);
	case SYM_OP_MAX:
		*out = MAX(a, b);
		return SYM_OK;
	case SYM_OP_MIN:
		*out = MIN(a, b);
		return SYM_OK;
	case SYM_OP_BROADCAST:
		return eval_broadcast(a, b, out);
	case SYM_OP_EQ:
		*out = a == b;
		return SYM_OK;
	case SYM_OP_LE:
		*out = a <= b;
		return SYM_OK;
	case SYM_OP_NONE:
	case SYM_OP_SELECT:
	case SYM_OP_CUT:
	case SYM_OP_COUNT:
		break;
	}
	return SYM_UNDEFINED;
}

static enum sym_status eval_cut(struct eval *e, struct sym f, int128 *out)
{
	double value;
	int64_t whole;
	enum sym_status status = eval_float(e, f, &value);

	if (status != SYM_OK)
		return status;
	if (!sym_float_cut(value, &whole))
		return SYM_UNDEFINED;
	*out = whole;
	return SYM_OK;
}

/* Only the selected side needs a value. */
static enum sym_status eval_select(struct eval *e, const struct sym args[3], int128 *out)
{
	int128 condition;
	enum sym_status status = eval_node(e, args[0], &condition);

	return status == SYM_OK ? eval_node(e, args[condition ? 1 : 2], out) : status;
}

static enum sym_status eval_definition(struct eval *e, const struct sym_symbol *symbol, int128 *out)
{
	int128 a, b;
	enum sym_status status;

	if (symbol->source != SYM_COMPLEX)
		return eval_node(e, symbol->origin.definition, out);
	if (symbol->op == SYM_OP_SELECT)
		return eval_select(e, symbol->args, out);
	if (symbol->op == SYM_OP_CUT)
		return eval_cut(e, symbol->args[0], out);
	status = eval_node(e, symbol->args[0], &a);
	if (status == SYM_OK)
		status = eval_node(e, symbol->args[1], &b);
	return status == SYM_OK ? eval_apply(symbol->op, a, b, out) : status;
}

static enum sym_status eval_symbol(struct eval *e, uint32_t id, int128 *out)
{
	const struct sym_binding *known = binding_find(e->env, id);
	const struct sym_symbol *symbol = &e->p->symbols.at[id];
	struct sym_binding derived = {.state = DERIVED, .epoch = e->env->epoch};

	if (known &&
	    (known->state == BOUND || (known->state == DERIVED && known->epoch == e->env->epoch))) {
		*out = known->value;
		return (enum sym_status)known->status;
	}
	if (symbol->source != SYM_COMPLEX && sym_is_unknown(symbol->origin.definition))
		return SYM_UNBOUND;
	if (e->env->level >= LEVEL_MAX)
		return SYM_UNBOUND;
	e->env->level++;
	derived.status = (uint8_t)eval_definition(e, symbol, &derived.value);
	e->env->level--;
	*binding_at(e->env, id) = derived;
	*out = derived.value;
	return (enum sym_status)derived.status;
}

static enum sym_status eval_product(struct eval *e, const struct sym_node *n, int128 *out)
{
	int128 product = 1, atom;

	for (size_t i = 0; i < n->count; i++) {
		const struct sym_factor *f = &sym_factors(n)[i];
		enum sym_status status = eval_node(e, sym_at(f->atom), &atom);

		if (status != SYM_OK)
			return status;
		for (uint32_t k = 0; k < f->power; k++) {
			if (__builtin_mul_overflow(product, atom, &product))
				return SYM_OVERFLOW;
		}
	}
	*out = product;
	return SYM_OK;
}

static enum sym_status eval_sum(struct eval *e, const struct sym_node *n, int128 *out)
{
	int128 sum = 0, part;

	for (size_t i = 0; i < n->count; i++) {
		const struct sym_term *t = &sym_terms(n)[i];
		enum sym_status status = SYM_OK;

		part = 1;
		if (t->m)
			status = eval_node(e, sym_at(t->m), &part);
		if (status != SYM_OK)
			return status;
		if (__builtin_mul_overflow(part, (int128)t->c, &part) ||
		    __builtin_add_overflow(sum, part, &sum))
			return SYM_OVERFLOW;
	}
	*out = sum;
	return SYM_OK;
}

static enum sym_status eval_members(struct eval *e, const struct sym_node *n, enum sym_op op,
				    int128 *out)
{
	int128 all = 0, next;

	for (size_t i = 0; i < n->count; i++) {
		enum sym_status status = eval_node(e, sym_args(n)[i], &next);

		if (status == SYM_OK && i)
			status = eval_apply(op, all, next, &next);
		if (status != SYM_OK)
			return status;
		all = next;
	}
	*out = all;
	return SYM_OK;
}

static enum sym_status eval_test(struct eval *e, const struct sym_node *n, int128 *out)
{
	int128 value;
	enum sym_status status = eval_node(e, sym_args(n)[0], &value);

	if (status == SYM_OK)
		*out = n->kind == SYM_KIND_ZERO ? value == 0 : value >= 0;
	return status;
}

static enum sym_status eval_node(struct eval *e, struct sym s, int128 *out)
{
	const struct sym_node *n;

	if (sym_is_small(s)) {
		*out = sym_small(s);
		return SYM_OK;
	}
	n = sym_node(e->p, s);
	switch ((enum sym_kind)n->kind) {
	case SYM_KIND_UNKNOWN:
		return SYM_UNBOUND;
	case SYM_KIND_INT:
		*out = *(const int64_t *)n->data;
		return SYM_OK;
	case SYM_KIND_SYMBOL:
		return eval_symbol(e, n->symbol - 1, out);
	case SYM_KIND_PRODUCT:
		return eval_product(e, n, out);
	case SYM_KIND_SUM:
		return eval_sum(e, n, out);
	case SYM_KIND_FLOOR:
		return eval_members(e, n, SYM_OP_FLOOR, out);
	case SYM_KIND_TRUNC:
		return eval_members(e, n, SYM_OP_TRUNC, out);
	case SYM_KIND_MAX:
		return eval_members(e, n, SYM_OP_MAX, out);
	case SYM_KIND_MIN:
		return eval_members(e, n, SYM_OP_MIN, out);
	case SYM_KIND_BROADCAST:
		return eval_members(e, n, SYM_OP_BROADCAST, out);
	case SYM_KIND_ZERO:
	case SYM_KIND_NATURAL:
		return eval_test(e, n, out);
	case SYM_KIND_SELECT:
		return eval_select(e, sym_args(n), out);
	case SYM_KIND_CUT:
		return eval_cut(e, sym_args(n)[0], out);
	case SYM_KIND_FCONST:
	case SYM_KIND_FCAST:
	case SYM_KIND_FOP:
	case SYM_KIND_COUNT:
		break;
	}
	return SYM_UNDEFINED;
}

static enum sym_status eval_cast(struct eval *e, enum sym_float type, struct sym s, double *out)
{
	enum sym_float from;
	enum sym_status status;
	int128 value;
	double x;

	if (sym_is_float(e->p, s, &from)) {
		status = eval_float(e, s, &x);
		if (status != SYM_OK)
			return status;
		return sym_float_convert(from, type, x, out) ? SYM_OK : SYM_UNDEFINED;
	}
	status = eval_node(e, s, &value);
	if (status != SYM_OK)
		return status;
	if (value < INT64_MIN || value > INT64_MAX)
		return SYM_OVERFLOW;
	return sym_float_from_int(type, (int64_t)value, out) ? SYM_OK : SYM_UNDEFINED;
}

static enum sym_status eval_float(struct eval *e, struct sym s, double *out)
{
	const struct sym_node *n = sym_node(e->p, s);
	enum sym_float type = (enum sym_float)(n->aux & 3);
	enum sym_status status;
	double a, b = 0;

	if (sym_float_value(e->p, s, out))
		return SYM_OK;
	if (n->kind == SYM_KIND_FCAST)
		return eval_cast(e, type, sym_args(n)[0], out);
	status = eval_float(e, sym_args(n)[0], &a);
	if (status == SYM_OK && n->count == 2)
		status = eval_float(e, sym_args(n)[1], &b);
	if (status == SYM_OK)
		*out = sym_float_step(type, (enum sym_fop)(n->aux >> 2), a, b);
	return status;
}

enum sym_status sym_eval(const struct sym_pool *p, struct sym_env *env, struct sym s, int64_t *out)
{
	struct eval e = {p, env};
	enum sym_status status;
	int128 value;

	if (sym_is_unknown(s))
		return SYM_UNBOUND;
	status = eval_node(&e, s, &value);
	if (status != SYM_OK)
		return status;
	if (value < INT64_MIN || value > INT64_MAX)
		return SYM_OVERFLOW;
	*out = (int64_t)value;
	return SYM_OK;
}

enum sym_status sym_eval_float(const struct sym_pool *p, struct sym_env *env, struct sym s,
			       double *out)
{
	struct eval e = {p, env};
	enum sym_float type;

	if (sym_is_unknown(s))
		return SYM_UNBOUND;
	return sym_is_float(p, s, &type) ? eval_float(&e, s, out) : SYM_UNDEFINED;
}
