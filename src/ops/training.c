/* Optimizers: each updated tensor has the type of the old one. */
#include <inttypes.h>

#include "ops/rule.h"
#include "ops/rules.h"

/*
 * After the learning rate and the count come groups of n tensors each: the values, their gradients,
 * then the optimizer's state.  All but the gradients are outputs too.
 */
void rule_optimize(struct rule *r)
{
	uint32_t groups = (uint32_t)r->argument;
	uint32_t given = r->in_count > 2 ? r->in_count - 2 : 0;
	uint32_t n = given / groups;

	if (given % groups) {
		rule_error(r, "%" PRIu32 " %s cannot be divided into %" PRIu32 " groups", given,
			   PLURAL(given, "tensor", "tensors"), groups);
		return;
	}
	if (r->out_count > n * (groups - 1))
		rule_error(r, "%" PRIu32 " %s, but only %" PRIu32 " %s to optimize", r->out_count,
			   PLURAL(r->out_count, "output", "outputs"), n,
			   PLURAL(n, "tensor", "tensors"));
	for (uint32_t i = 0; i < r->out_count && i < n * (groups - 1); i++)
		rule_out_like(r, i, 2 + i + (i < n ? 0 : n));
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t g = 1; g < groups; g++) {
			if (rule_ranked(r, 2 + i) && rule_ranked(r, 2 + g * n + i) &&
			    r->in[2 + i].rank != r->in[2 + g * n + i].rank)
				rule_error(r, "tensor %" PRIu32 " and its %s have different ranks",
					   i, g == 1 ? "gradient" : "state");
		}
	}
}

/* The gradient with respect to each of the first inputs. */
void rule_gradient(struct rule *r)
{
	uint32_t count = rule_attr_count(r, "xs");

	if (count && (count > r->in_count || count < r->out_count))
		rule_error(r,
			   "xs names %" PRIu32 " %s, but the node has %" PRIu32 " %s and %" PRIu32
			   " %s",
			   count, PLURAL(count, "tensor", "tensors"), r->in_count,
			   PLURAL(r->in_count, "input", "inputs"), r->out_count,
			   PLURAL(r->out_count, "output", "outputs"));
	for (uint32_t i = 0; i < r->out_count && i < r->in_count; i++)
		rule_out_like(r, i, i);
}
