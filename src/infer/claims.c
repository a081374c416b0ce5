#include "base/err.h"
#include "base/map.h"
#include "base/sv.h"
#include "infer/finding.h"
#include "infer/internal.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "sym/text.h"

/* One value and its claim; differences are reported to `in`. */
struct claiming {
	struct infer *in;          /* borrowed */
	const struct claim *claim; /* borrowed */
	struct info *info;         /* borrowed */
	uint32_t value;
	bool main_output;
	bool in_body;
	bool formal; /* an input of a body, which may have another shape in each run */
};

static struct finding claims_at(const struct claiming *c, enum level level, int32_t axis)
{
	const struct value *v = &c->in->model->values.at[c->value];

	return (struct finding){.level = level,
				.graph = v->graph,
				.node = v->producer,
				.value = c->value,
				.of_claim = true,
				.axis = axis};
}

static void tell_dim(const struct claiming *c, enum level level, uint32_t axis, struct sym claimed)
{
	struct finding f = claims_at(c, level, (int32_t)axis);

	f.kind = level == LEVEL_LOSS ? FINDING_LOST : FINDING_CLAIM;
	f.a = c->info->dims[axis];
	f.b = claimed;
	infer_find(c->in, f);
}

/* The graph gives n, the file says m. */
static void tell_numbers(const struct claiming *c, enum level level, enum finding_kind kind,
			 int64_t n, int64_t m)
{
	struct finding f = claims_at(c, level, -1);

	f.kind = kind;
	f.n = n;
	f.m = m;
	infer_find(c->in, f);
}

/*
 * A dim_param promises something if an input declares it, or all names in it when it is an
 * expression.  Exporters invent other names: aliases of whatever the graph gives.
 */
static bool is_promise(const struct claiming *c, const struct dim *d, bool *out_declared)
{
	struct sym ignored;

	*out_declared = infer_is_declared(c->in, d->param);
	return *out_declared || infer_parse_dim(c->in, d->param, &ignored);
}

/* A promise, and a graph that gives a number. */
static void compare_promise(const struct claiming *c, uint32_t axis, struct sym claimed,
			    bool declared)
{
	/* When the name is bound to a size, the same number is no loss. */
	if (c->main_output && !sym_same(c->info->dims[axis], claimed))
		tell_dim(c, declared ? LEVEL_LOSS : LEVEL_STALE, axis, claimed);
}

/* Compares a claimed name or expression with a known dim. */
static void compare_name(const struct claiming *c, uint32_t axis, const struct dim *d,
			 struct sym claimed)
{
	struct sym have = c->info->dims[axis];
	int64_t ignored;
	bool declared;

	if (!is_promise(c, d, &declared))
		return;
	if (sym_value(&c->in->pool, have, &ignored)) {
		compare_promise(c, axis, claimed, declared);
		return;
	}
	switch (sym_eq(&c->in->pool, have, claimed)) {
	case SYM_NO:
		tell_dim(c, LEVEL_STALE, axis, claimed);
		break;
	case SYM_MAYBE:
		if (declared)
			tell_dim(c, LEVEL_MERGE, axis, claimed);
		else if (equation_differs(c->in, have, claimed))
			tell_dim(c, LEVEL_STALE, axis, claimed);
		break;
	case SYM_YES:
	case SYM_ANSWER_COUNT:
		break;
	}
}

/* The author's name of a data-dependent size: kept, unless another size has it. */
static bool adopt_name(const struct claiming *c, uint32_t axis, const struct dim *d)
{
	struct sym_pool *pool = &c->in->pool;
	struct sv name = model_name(c->in->model, d->param);
	struct err ignored;
	uint32_t symbol;

	if (d->kind != DIM_PARAM || !d->param || infer_is_declared(c->in, d->param) ||
	    !sym_symbol_id(pool, c->info->dims[axis], &symbol) ||
	    pool->symbols.at[symbol].source != SYM_GENERATED)
		return false;
	if (!pool->symbols.at[symbol].name && sym_is_identifier(name) &&
	    infer_free_name(c->in, name) && sym_rename(pool, symbol, name, &ignored))
		*map_at(&c->in->named, symbol) = 1;
	return true;
}

/* A number that the graph computes in a way beyond the prover is not called wrong. */
static void compare_number(const struct claiming *c, uint32_t axis, struct sym claimed)
{
	struct sym have = c->info->dims[axis];
	int64_t ignored;

	if (sym_same(have, claimed))
		return;
	/* A body may run several times, each time with another size. */
	if (sym_value(&c->in->pool, have, &ignored) && !c->in_body)
		tell_dim(c, LEVEL_ERROR, axis, claimed);
	else if (!equation_holds(c->in, have, claimed))
		tell_dim(c, LEVEL_STALE, axis, claimed);
}

/* An unknown dim takes the claim. */
static void compare_dims(struct claiming *c)
{
	const struct type *t = &c->claim->type;
	struct sym *filled = NULL;

	for (uint32_t i = 0; i < t->rank; i++) {
		struct sym claimed, have = c->info->dims[i];

		if (adopt_name(c, i, &t->dims[i]))
			continue;
		claimed = infer_dim(c->in, &t->dims[i]);
		if (sym_is_unknown(claimed))
			continue;
		if (sym_is_unknown(have)) {
			if (!filled) {
				filled = arena_array(&c->in->arena, t->rank, struct sym);
				for (uint32_t j = 0; j < t->rank; j++)
					filled[j] = c->info->dims[j];
			}
			filled[i] = claimed;
		} else if (c->formal) {
			continue;
		} else if (t->dims[i].kind == DIM_VALUE) {
			compare_number(c, i, claimed);
		} else {
			compare_name(c, i, &t->dims[i], claimed);
		}
	}
	if (filled) {
		c->info->dims = filled;
		c->in->sources[c->value] = SOURCE_CLAIM;
	}
}

/* Elements that the file describes are claims; of an empty sequence, any description holds. */
static void claim_inner(struct claiming *c, const struct info *inner)
{
	c->info->inner = inner;
	if (inner->ranked && !sym_is(c->info->length, 0))
		c->in->sources[c->value] = SOURCE_CLAIM;
}

static void compare_inner(struct claiming *c)
{
	struct info claimed = infer_declared(c->in, &c->claim->type, c->value, false);
	struct info *merged;

	if (!claimed.inner)
		return;
	if (!c->info->inner) {
		claim_inner(c, claimed.inner);
		return;
	}
	if (c->info->inner->kind == claimed.inner->kind && !c->info->inner->ranked &&
	    claimed.inner->ranked) {
		merged = arena_new(&c->in->arena, struct info);
		*merged = *c->info->inner;
		merged->ranked = true;
		merged->rank = claimed.inner->rank;
		merged->dims = claimed.inner->dims;
		merged->elem = merged->elem ? merged->elem : claimed.inner->elem;
		claim_inner(c, merged);
	}
}

static bool same_elem(struct claiming *c)
{
	const struct type *t = &c->claim->type;
	bool same = c->info->elem == t->elem || !t->elem || !c->info->elem;

	if (!same)
		tell_numbers(c, LEVEL_ERROR, FINDING_CLAIMED_ELEM, c->info->elem, t->elem);
	if (!c->info->elem)
		c->info->elem = t->elem;
	return same;
}

static void claims_compare(struct claiming *c)
{
	const struct type *t = &c->claim->type;
	struct info *info = c->info;

	if (t->kind == TYPE_NONE)
		return;
	if (info->kind == TYPE_NONE) {
		struct info declared = infer_declared(c->in, t, c->value, false);

		declared.contents = info->contents;
		*info = declared;
		c->in->sources[c->value] = SOURCE_CLAIM;
		return;
	}
	if (info->kind != t->kind) {
		tell_numbers(c, LEVEL_ERROR, FINDING_CLAIMED_KIND, info->kind, t->kind);
		return;
	}
	if (t->kind != TYPE_TENSOR && t->kind != TYPE_SPARSE) {
		compare_inner(c);
		return;
	}
	if (!same_elem(c) || !t->has_shape || t->rank > RULE_MAX_RANK)
		return;
	if (!info->ranked) {
		struct info declared = infer_declared(c->in, t, c->value, false);

		info->ranked = true;
		info->rank = declared.rank;
		info->dims = declared.dims;
		c->in->sources[c->value] = SOURCE_CLAIM;
	} else if (info->rank != t->rank && c->formal) {
		return; /* a Loop may replace a state by one of another rank */
	} else if (info->rank != t->rank) {
		/* ONNX Runtime runs it: it warns, and goes by the graph. */
		tell_numbers(c, LEVEL_STALE, FINDING_CLAIMED_RANK, info->rank, t->rank);
	} else {
		compare_dims(c);
	}
}

void infer_claims(struct infer *in, uint32_t value)
{
	const struct value *v = &in->model->values.at[value];

	for (uint32_t id = v->first_claim; id; id = in->model->claims.at[id].next) {
		const struct claim *claim = &in->model->claims.at[id];
		struct claiming c = {
			.in = in,
			.claim = claim,
			.info = &in->infos[value],
			.value = value,
			.main_output = claim->kind == CLAIM_OUTPUT &&
				       in->model->graphs.at[v->graph].kind == GRAPH_MAIN,
			.in_body = in->model->graphs.at[v->graph].kind == GRAPH_BODY,
			.formal = v->flags & VALUE_INPUT &&
				  in->model->graphs.at[v->graph].kind == GRAPH_BODY,
		};

		claims_compare(&c);
	}
}

void infer_default(struct infer *in, uint32_t value, const struct claim *claim)
{
	const struct type *t = &claim->type;
	struct claiming c = {.in = in, .claim = claim, .info = &in->infos[value], .value = value};

	if (t->kind != TYPE_TENSOR || !same_elem(&c) || !t->has_shape)
		return;
	if (c.info->rank != t->rank) {
		tell_numbers(&c, LEVEL_ERROR, FINDING_DEFAULT_RANK, c.info->rank, t->rank);
		return;
	}
	for (uint32_t i = 0; i < t->rank; i++) {
		struct sym claimed = infer_dim(in, &t->dims[i]);

		if (t->dims[i].kind == DIM_VALUE && !sym_is_unknown(claimed))
			compare_number(&c, i, claimed);
	}
}
