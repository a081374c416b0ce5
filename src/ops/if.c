/* If: one of two bodies. */
#include <inttypes.h>

#include "ir/type.h"
#include "ops/body.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* The condition, 0 or not; unknown when it is not tracked. */
static struct sym if_condition(struct rule *r)
{
	if (rule_elem(r, 0) != ELEM_UNDEFINED && rule_elem(r, 0) != ELEM_BOOL)
		rule_error(r, "the condition is not bool");
	if (rule_ranked(r, 0)) {
		struct sym count = sym_product(r->pool, r->in[0].dims, r->in[0].rank);

		rule_equal(r, count, rule_int(r, 1), "the condition must have one element");
	}
	return rule_single(r, 0);
}

/* One of two values, chosen by the condition. */
static struct sym if_either(struct rule *r, struct sym which, struct sym a, struct sym b)
{
	if (sym_is_unknown(a) || sym_is_unknown(b))
		return SYM_UNKNOWN;
	if (sym_eq(r->pool, a, b) == SYM_YES)
		return a;
	return sym_is_unknown(which) ? SYM_UNKNOWN : sym_select(r->pool, which, a, b);
}

static void if_join_contents(struct rule *r, struct sym which, struct info *out,
			     const struct info *yes, const struct info *no)
{
	struct contents a = body_contents(r, yes), b = body_contents(r, no);
	struct sym *at;

	if (!a.at || !b.at || a.count != b.count || a.rank != b.rank || a.rows != b.rows ||
	    a.count > RULE_MAX_VALUES)
		return;
	at = rule_values(r, a.count);
	for (uint32_t i = 0; i < a.count; i++)
		at[i] = if_either(r, which, a.at[i], b.at[i]);
	out->contents = a;
	out->contents.at = at;
	contents_set_bounds(&out->contents, SYM_UNKNOWN, SYM_UNKNOWN);
}

/* A size that depends on an unknown condition: a symbol with the larger bound. */
static struct sym if_undecided(struct rule *r, uint32_t output, uint32_t axis, struct sym a,
			       struct sym b)
{
	if (sym_is_unknown(a) || sym_is_unknown(b))
		return SYM_UNKNOWN;
	return rule_fresh(r, output, axis, sym_max(r->pool, a, b));
}

static void join_branches(struct rule *r, uint32_t output, struct sym which, const struct info *yes,
			  const struct info *no)
{
	struct info out = rule_join(r, yes, no);

	if (yes->kind == TYPE_TENSOR && no->kind == TYPE_TENSOR && yes->elem && no->elem &&
	    yes->elem != no->elem)
		rule_error(r, "the branches give output %" PRIu32 " different element types",
			   output);
	if (out.ranked) {
		struct sym *dims = rule_dims(r, out.rank);

		for (uint32_t i = 0; i < out.rank; i++) {
			dims[i] = if_either(r, which, yes->dims[i], no->dims[i]);
			if (sym_is_unknown(dims[i]))
				dims[i] = if_undecided(r, output, i, yes->dims[i], no->dims[i]);
		}
		out.dims = dims;
	}
	if (out.kind == TYPE_TENSOR && out.ranked)
		if_join_contents(r, which, &out, yes, no);
	if (out.kind == TYPE_SEQUENCE || out.kind == TYPE_OPTIONAL)
		out.length = if_either(r, which, yes->length, no->length);
	r->out[output] = out;
}

static void if_take(struct rule *r, const struct body *b)
{
	const struct info *given = body_run(r, b, NULL);

	for (uint32_t i = 0; given && i < r->out_count; i++)
		r->out[i] = given[i];
}

/* What it needs is needed only when it is the one that runs. */
static struct info *if_try(struct rule *r, const struct body *b)
{
	uint32_t outer = r->host->branch(r->host->context, b->graph);
	struct info *out = body_run(r, b, NULL);

	(void)r->host->branch(r->host->context, outer);
	return out;
}

void rule_if(struct rule *r)
{
	struct body yes, no;
	struct info *a, *b;
	struct sym which = if_condition(r);

	if (!body_find(r, "then_branch", &yes) || !body_find(r, "else_branch", &no) ||
	    !body_check_counts(r, &yes, "then_branch", 0, r->out_count) ||
	    !body_check_counts(r, &no, "else_branch", 0, r->out_count))
		return;
	if (!sym_is_unknown(which)) {
		switch (sym_eq(r->pool, which, rule_int(r, 0))) {
		case SYM_NO:
			if_take(r, &yes);
			return;
		case SYM_YES:
			if_take(r, &no);
			return;
		case SYM_MAYBE:
		case SYM_ANSWER_COUNT:
			break;
		}
	}
	a = if_try(r, &yes);
	b = if_try(r, &no);
	for (uint32_t i = 0; a && b && i < r->out_count; i++)
		join_branches(r, i, which, &a[i], &b[i]);
}
