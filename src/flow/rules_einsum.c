/*
 * Einsum: axes with one letter go together.
 */
#include <inttypes.h>

#include "base/sv.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ops/info.h"

enum {
	MAX_TERMS = 8,
	LETTERS = 128
};

struct term {
	unsigned char at[RULE_MAX_RANK];
	uint32_t count;
};

struct equation {
	struct visit *visit;
	struct term terms[MAX_TERMS];
	struct term result;
	struct flow_axis axes[LETTERS]; /* by letter */
	bool free[LETTERS];
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Letters and spaces only, each letter once. */
static bool read_letters(struct sv text, struct term *out)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] == ' ')
			continue;
		if (!is_letter(text.at[i]) || out->count == RULE_MAX_RANK)
			return false;
		for (uint32_t k = 0; k < out->count; k++) {
			if (out->at[k] == (unsigned char)text.at[i])
				return false;
		}
		out->at[out->count++] = (unsigned char)text.at[i];
	}
	return true;
}

static bool read_equation(struct equation *e)
{
	struct visit *v = e->visit;
	struct sv text = visit_attr_text(v, "equation");
	uint32_t count = v->node->input_count;
	size_t arrow = 0;

	while (arrow + 1 < text.len && !(text.at[arrow] == '-' && text.at[arrow + 1] == '>'))
		arrow++;
	if (arrow + 1 >= text.len || count > MAX_TERMS ||
	    !read_letters((struct sv){text.at + arrow + 2, text.len - arrow - 2}, &e->result))
		return false;
	text.len = arrow;
	for (uint32_t i = 0; i < count; i++) {
		if (!read_letters(sv_cut(&text, ','), &e->terms[i]) ||
		    e->terms[i].count != v->in[i].rank)
			return false;
	}
	return true;
}

static bool is_result(const struct equation *e, unsigned char letter)
{
	for (uint32_t i = 0; i < e->result.count; i++) {
		if (e->result.at[i] == letter)
			return true;
	}
	return false;
}

/* Each letter's axis, from the first operand that has it free; else the longest. */
static bool find_axes(struct equation *e)
{
	struct visit *v = e->visit;
	struct factory *f = &v->pass->factory;

	for (uint32_t i = 0; i < v->node->input_count; i++) {
		for (uint32_t k = 0; k < e->terms[i].count; k++) {
			unsigned char letter = e->terms[i].at[k];
			struct flow_axis own = v->in[i].axes[k], *axis = &e->axes[letter];

			if (!axis_symbols(own)) {
				if (!e->free[letter] && axis_old(own) != 1)
					*axis = own;
				continue;
			}
			if (e->free[letter] && !axis_same_size(f, own, *axis))
				return flow_unequal(v, axis_size(f, own), axis_size(f, *axis),
						    "axes of one letter");
			if (e->free[letter] && !axis_same(f, own, *axis))
				return flow_refuse(v, CAUSE_ORDER,
						   "axes of one letter have their elements in "
						   "different orders");
			*axis = own;
			e->free[letter] = true;
		}
	}
	return true;
}

static bool follow_letters(struct equation *e, uint32_t port)
{
	struct visit *v = e->visit;
	struct follow spec[RULE_MAX_RANK] = {0};
	bool any = false;

	for (uint32_t k = 0; k < e->terms[port].count; k++) {
		unsigned char letter = e->terms[port].at[k];
		struct flow_axis own = v->in[port].axes[k];

		if (!e->free[letter] || axis_symbols(own))
			continue;
		if (axis_old(own) != axis_old(e->axes[letter]))
			return flow_refuse(
				v, CAUSE_UNEQUAL, "%s meets a size of %" PRId64,
				flow_text(v->pass, axis_size(&v->pass->factory, e->axes[letter])),
				axis_old(own));
		if (!v->in[port].constant)
			return flow_demand(v, port, k, e->axes[letter]);
		if (!is_result(e, letter))
			return flow_refuse_weight(v, e->axes[letter]);
		spec[k] = (struct follow){true, e->axes[letter]};
		any = true;
	}
	return !any || flow_follow(v, port, spec, false);
}

/* What is summed over meets; so does a freed size that stands for two letters. */
static void mix_letters(struct equation *e)
{
	uint64_t seen = 0, twice = 0;

	for (uint32_t i = 0; i < LETTERS; i++) {
		uint64_t symbols = e->free[i] ? axis_symbols(e->axes[i]) : 0;

		twice |= seen & symbols;
		seen |= symbols;
		if (symbols && !is_result(e, (unsigned char)i))
			flow_mix(e->visit, symbols, "a product sums over it");
	}
	flow_mix(e->visit, twice, "a product pairs each with each");
}

bool flow_einsum(struct visit *v)
{
	struct equation e = {.visit = v};
	uint32_t rank = visit_rank(v, 0);
	struct flow_axis *axes = visit_axes(v, rank);

	if (!read_equation(&e) || rank != e.result.count)
		return flow_refuse(v, CAUSE_OPERATOR,
				   "axed cannot follow an axis through this equation");
	if (!find_axes(&e))
		return false;
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		if (!follow_letters(&e, i))
			return false;
	}
	mix_letters(&e);
	for (uint32_t k = 0; k < rank; k++)
		axes[k] = e.axes[e.result.at[k]];
	return visit_put(v, 0, axes, rank);
}

bool flow_einsum_axis(struct visit *v, uint32_t axis, uint32_t port, uint32_t *out)
{
	struct equation e = {.visit = v};

	if (!read_equation(&e) || axis >= e.result.count || port >= v->node->input_count)
		return false;
	for (uint32_t k = 0; k < e.terms[port].count; k++) {
		if (e.terms[port].at[k] == e.result.at[axis]) {
			*out = k;
			return true;
		}
	}
	return false;
}
