#include "infer/why.h"

#include <stdlib.h>

#include "infer/inside.h"

enum {
	MARK_NODE = 0x7fffffff, /* no model has so many nodes */
	ELEMENT_BIT = 1u << 30
};

struct sym why_expression(const struct infer *in, struct why what)
{
	const struct info *info = &in->infos[what.value];

	if (what.element)
		return info->contents.at && what.index < info->contents.count
			       ? info->contents.at[what.index]
			       : SYM_UNKNOWN;
	return info->ranked && what.index < info->rank ? info->dims[what.index] : SYM_UNKNOWN;
}

/* ---- marks ---- */

static struct sym mark(struct infer *in, uint32_t port, uint32_t index, struct sym old)
{
	struct sym_origin origin = {
		.node = MARK_NODE,
		.output = port,
		.axis = index,
		.range = sym_range(&in->pool, old),
	};

	return sym_is_unknown(old) ? old : sym_generate(&in->pool, &origin);
}

static const struct sym *mark_all(struct infer *in, uint32_t port, uint32_t bit,
				  const struct sym *old, uint32_t count)
{
	struct sym *out = arena_array(&in->arena, count, struct sym);

	for (uint32_t i = 0; i < count; i++)
		out[i] = mark(in, port, i | bit, old[i]);
	return out;
}

static void mark_input(struct infer *in, struct info *info, uint32_t port, bool contents)
{
	if (info->ranked)
		info->dims = mark_all(in, port, 0, info->dims, info->rank);
	if (contents && info->contents.at)
		info->contents.at = mark_all(in, port, ELEMENT_BIT, info->contents.at,
					     info->contents.count);
}

/* ---- running the rule once more ---- */

static void ignore_error(void *context, const char *message)
{
	(void)context;
	(void)message;
}

static void ignore_equal(void *context, struct sym a, struct sym b, const char *why)
{
	(void)context;
	(void)a;
	(void)b;
	(void)why;
}

static void ignore_soft(void *context, struct sym dim, struct sym size)
{
	(void)context;
	(void)dim;
	(void)size;
}

static void ignore_assumption(void *context, struct sym condition)
{
	(void)context;
	(void)condition;
}

/* A body would overwrite the results of the values in it. */
static bool no_body(void *context, uint32_t graph, const struct info *in, uint32_t in_count,
		    struct info *out, uint32_t out_count)
{
	(void)context;
	(void)graph;
	(void)in;
	(void)in_count;
	(void)out;
	(void)out_count;
	return false;
}

static struct rule_host quiet_host(struct infer *in)
{
	struct rule_host host = infer_host(in);

	host.error = ignore_error;
	host.equal = ignore_equal;
	host.soft = ignore_soft;
	host.divisible = ignore_equal;
	host.assume = ignore_assumption;
	host.body = no_body;
	return host;
}

struct asking {
	struct why *out; /* borrowed */
	size_t count;
	size_t most;
	const struct infer *in;  /* borrowed */
	const struct node *node; /* borrowed */
};

static void note_mark(void *context, uint32_t id)
{
	struct asking *a = context;
	const struct sym_symbol *s = &a->in->pool.symbols.at[id];

	if (s->source != SYM_GENERATED || s->origin.node != MARK_NODE || a->count == a->most ||
	    s->origin.output >= a->node->input_count)
		return;
	a->out[a->count++] = (struct why){
		.value = a->node->inputs[s->origin.output],
		.element = s->origin.axis & ELEMENT_BIT,
		.index = s->origin.axis & ~(uint32_t)ELEMENT_BIT,
	};
}

static void ask(struct infer *in, const struct op *op, struct rule *r, struct why what,
		struct asking *a, bool contents)
{
	struct info *info = &r->out[in->model->values.at[what.value].port];
	struct sym found = SYM_UNKNOWN;

	for (uint32_t i = 0; i < r->in_count; i++) {
		/* Constants are read first: a mark says nothing about what is not there. */
		(void)rule_contents(r, i);
		mark_input(in, &r->in[i], i, contents);
	}
	op->rule(r);
	if (what.element && info->contents.at && what.index < info->contents.count)
		found = info->contents.at[what.index];
	else if (!what.element && info->ranked && what.index < info->rank)
		found = info->dims[what.index];
	if (!sym_is_unknown(found))
		sym_each_symbol(&in->pool, found, note_mark, a);
}

size_t why_find(struct infer *in, struct why what, struct why *out, size_t most)
{
	const struct value *v = &in->model->values.at[what.value];
	const struct node *n = &in->model->nodes.at[v->producer];
	int64_t version = model_opset(in->model, n->graph, model_name(in->model, n->domain));
	const struct op *op = v->producer ? op_find(&in->ops, in->model, n, version) : NULL;
	struct asking a = {.out = out, .most = most, .in = in, .node = n};
	struct rule_host host = quiet_host(in);

	/* With marks for numbers first; an axis that became a mark hides everything else. */
	for (int contents = 1; op && contents >= 0 && a.count == 0; contents--) {
		struct rule r = {.model = in->model,
				 .pool = &in->pool,
				 .arena = &in->arena,
				 .host = &host,
				 .node = n,
				 .node_id = v->producer,
				 .version = version};
		struct ports ports;

		infer_ports(in, &ports, n, &r);
		ask(in, op, &r, what, &a, contents);
		free(ports.many);
	}
	return a.count;
}
