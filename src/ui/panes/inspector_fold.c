/*
 * The inspector's rows about a folded scope: what is in it, and what enters and leaves it.
 */
#include "base/map.h"
#include "base/num.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "layout/scope/scope.h"
#include "report/cost.h"
#include "report/counts.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/graph/graph.h"
#include "ui/panes/inspector.h"
#include "ui/panes/outline.h"
#include "ui/rows.h"
#include "ui/screen.h"

enum {
	FOLD_PORTS = 20,  /* tensors that enter, or leave */
	FOLD_OPS = 12,    /* kinds of operators */
	COST_NODES = 4000 /* of more the cost is not summed */
};

/* What is in a fold, and at its border. */
struct inside {
	const struct scopes *scopes; /* borrowed */
	const struct model *m;       /* borrowed */
	uint32_t scope;
	VEC(uint32_t) nodes;
	VEC(uint32_t) in, out; /* values */
	uint64_t parameters, bytes;
	struct map seen; /* value -> 1 */
};

static bool contents_has(const struct inside *c, uint32_t node)
{
	const struct node *n = &c->m->nodes.at[node];

	return node && n->graph == c->scopes->graph &&
	       scope_has(c->scopes, c->scope, c->scopes->of_node[n->index]);
}

static void add_weight(struct inside *c, const struct tensor *t)
{
	uint64_t elements;

	if (!tensor_elements(t, &elements) || !num_add(c->parameters, elements, &c->parameters))
		c->parameters = UINT64_MAX;
	if (!num_add(c->bytes, weight_bytes(t), &c->bytes))
		c->bytes = UINT64_MAX;
}

static void add_input(struct inside *c, uint32_t value)
{
	const struct value *v = &c->m->values.at[value];
	uint32_t *seen;

	if (!value || contents_has(c, v->producer))
		return;
	seen = map_at(&c->seen, value);
	if (*seen)
		return;
	*seen = 1;
	if (v->tensor)
		add_weight(c, &c->m->tensors.at[v->tensor]);
	else if (!v->producer || !scope_is_constant(c->m, &c->m->nodes.at[v->producer]))
		vec_push(&c->in, value);
}

/* Readers in bodies count as outside unless their node is inside. */
static bool leaves_fold(const struct inside *c, uint32_t value)
{
	uint32_t count;
	const struct reader *r = model_readers(c->m, value, &count);

	for (uint32_t i = 0; i < count; i++) {
		if (r[i].graph == c->scopes->graph && !contents_has(c, r[i].node))
			return true;
	}
	return false;
}

static void find_contents(struct inside *c)
{
	const struct graph *g = &c->m->graphs.at[c->scopes->graph];

	for (size_t i = 0; i < g->nodes.len; i++) {
		const struct node *n = &c->m->nodes.at[g->nodes.at[i]];

		if (!contents_has(c, g->nodes.at[i]))
			continue;
		vec_push(&c->nodes, g->nodes.at[i]);
		for (uint32_t k = 0; k < n->input_count; k++)
			add_input(c, n->inputs[k]);
		for (uint32_t k = 0; k < n->output_count && !scope_is_constant(c->m, n); k++) {
			if (n->outputs[k] && leaves_fold(c, n->outputs[k]))
				vec_push(&c->out, n->outputs[k]);
		}
	}
}

static void tell_ends(struct screen *s, struct rows *r, const char *label, const uint32_t *values,
		      size_t count)
{
	for (size_t i = 0; i < MIN(count, (size_t)FOLD_PORTS); i++)
		tell_port(s, r, i ? "" : label, values[i], 0);
	if (count > FOLD_PORTS) {
		(void)rows_add(r);
		rows_format(r, STYLE_DIM, "\u2026 and %zu more", count - FOLD_PORTS);
	}
}

static void tell_ops(struct rows *r, const struct inside *c)
{
	struct op_counts counts = {0};
	struct str number = {0};

	op_counts_of(&counts, c->m, c->nodes.at, c->nodes.len);
	str_format(&number, "%zu", counts.len);
	tell_title(r, "operators", str_c(&number));
	for (size_t i = 0; i < MIN(counts.len, (size_t)FOLD_OPS); i++) {
		(void)rows_add(r);
		rows_put(r, STYLE_DIM, SV("  "));
		rows_put(r, STYLE_TEXT, model_cut_name(c->m, counts.at[i].op));
		str_clear(&number);
		str_count(&number, counts.at[i].count);
		rows_right(r, STYLE_NUMBER, str_sv(&number));
	}
	if (counts.len > FOLD_OPS) {
		(void)rows_add(r);
		rows_format(r, STYLE_DIM, "  \u2026 and %zu more", counts.len - FOLD_OPS);
	}
	vec_release(&counts);
	str_release(&number);
}

static void tell_weights(struct rows *r, const struct inside *c)
{
	struct str text = {0};

	if (c->parameters == 0)
		return;
	str_count(&text, c->parameters);
	str_text(&text, " (");
	str_size(&text, c->bytes);
	str_char(&text, ')');
	(void)rows_add(r);
	rows_label(r, "weights");
	rows_put(r, STYLE_TEXT, str_sv(&text));
	str_release(&text);
}

/* Nodes without a formula do not count; the sum is of what is known. */
static void tell_cost(struct screen *s, struct rows *r, const struct inside *c)
{
	struct infer *in = s->subject.infer;
	struct sym sum = sym_int(&in->pool, 0);
	bool any = false;

	if (c->nodes.len > COST_NODES)
		return;
	for (size_t i = 0; i < c->nodes.len; i++) {
		struct sym cost = cost_operations(in, c->nodes.at[i]);

		if (!sym_is_unknown(cost)) {
			sum = sym_add(&in->pool, sum, cost);
			any = true;
		}
	}
	/* None known is not 0. */
	if (any)
		tell_amount(s, r, "cost", sum, COST_FLOP);
}

static void tell_fold_head(struct screen *s, struct rows *r, const struct inside *c)
{
	struct str text = {0};

	fold_title(s, c->scopes, c->scope, &text);
	(void)rows_add(r);
	rows_put(r, STYLE_SCOPE, str_sv(&text));
	str_clear(&text);
	str_count(&text, c->nodes.len);
	str_text(&text, c->nodes.len == 1 ? " node" : " nodes");
	rows_right(r, STYLE_DIM, str_sv(&text));
	str_clear(&text);
	scope_path(&text, c->scopes, c->scope);
	if (text.len) {
		(void)rows_add(r);
		rows_label(r, "scope");
		rows_wrap(r, STYLE_TEXT, str_sv(&text), 3);
	}
	str_release(&text);
}

void tell_fold(struct screen *s, struct rows *r, const struct scopes *scopes, uint32_t scope)
{
	struct inside c = {.scopes = scopes, .m = s->subject.model, .scope = scope};

	find_contents(&c);
	tell_fold_head(s, r, &c);
	tell_weights(r, &c);
	tell_cost(s, r, &c);
	rows_gap(r);
	tell_ends(s, r, "in", c.in.at, c.in.len);
	tell_ends(s, r, "out", c.out.at, c.out.len);
	tell_ops(r, &c);
	rows_trim(r);
	vec_release(&c.nodes);
	vec_release(&c.in);
	vec_release(&c.out);
	map_release(&c.seen);
}
