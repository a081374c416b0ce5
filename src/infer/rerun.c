#include "infer/rerun.h"

#include "ir/graph.h"
#include "ops/info.h"
#include "ops/ops.h"
#include "ops/rule.h"
#include "sym/sym.h"

enum {
	ELEMENT_BIT = 1u << 30
};

/*
 * What to mark.  A marked axis, index or list length hides everything else, so the ways
 * are tried until one yields something.
 */
struct marking {
	bool dims;
	bool numbers;
	bool constants; /* constant numbers too */
	bool others;    /* numbers of inputs after the first too */
	bool loose;     /* a number above 1 may be any such number */
};

/*
 * A mark has the range of what it stands for, so that a rule takes the same path.  Two equal
 * numbers that are broadcast become that number and lose their marks: then a loose one helps.
 */
static struct sym rerun_mark(struct infer *in, uint32_t port, uint32_t index, struct sym old,
			     bool loose)
{
	struct sym_origin origin = {
		.node = SYM_NODE_MARK,
		.output = port,
		.axis = index,
		.range = sym_range(&in->pool, old),
	};

	if (loose && origin.range.lo > 1)
		origin.range = (struct sym_range){.lo = 2, .hi = INT64_MAX};
	return sym_is_unknown(old) ? old : sym_generate(&in->pool, &origin);
}

static const struct marking rerun_markings[RERUN_WAYS] = {
	{.dims = true, .numbers = true, .constants = true, .others = true},
	{.dims = true, .numbers = true, .constants = false, .others = true},
	{.dims = true, .numbers = true, .constants = true, .others = false},
	{.dims = false, .numbers = true, .constants = false, .others = true},
	{.dims = false, .numbers = true, .constants = true, .others = false},
	{.dims = true},
	{.numbers = true, .constants = true, .others = true},
	{.dims = true, .loose = true},
};

static const struct sym *mark_dims(struct infer *in, uint32_t port, const struct info *info,
				   bool loose)
{
	struct sym *out = arena_array(&in->arena, info->rank, struct sym);

	for (uint32_t i = 0; i < info->rank; i++)
		out[i] = rerun_mark(in, port, i, info->dims[i], loose);
	return out;
}

static const struct sym *mark_numbers(struct infer *in, uint32_t port, const struct contents *c,
				      bool constants)
{
	struct sym *out = arena_array(&in->arena, c->count, struct sym);
	int64_t ignored;

	for (uint32_t i = 0; i < c->count; i++) {
		bool keep = !constants && sym_value(&in->pool, c->at[i], &ignored);

		out[i] = keep ? c->at[i] : rerun_mark(in, port, i | ELEMENT_BIT, c->at[i], false);
	}
	return out;
}

static void mark_input(struct infer *in, struct info *info, uint32_t port,
		       const struct marking *how)
{
	if (info->ranked && how->dims)
		info->dims = mark_dims(in, port, info, how->loose);
	if (!how->numbers || (port > 0 && !how->others))
		return;
	if (info->contents.at)
		info->contents.at = mark_numbers(in, port, &info->contents, how->constants);
	else
		contents_set_bounds(&info->contents, contents_min(&info->contents),
				    rerun_mark(in, port, MARK_LARGEST | ELEMENT_BIT,
					       contents_max(&info->contents), false));
}

static void ignore_error(void *context, const char *message)
{
	(void)context;
	(void)message;
}

static void ignore_assumption(void *context, struct sym condition)
{
	(void)context;
	(void)condition;
}

static uint32_t ignore_branch(void *context, uint32_t graph)
{
	(void)context;
	(void)graph;
	return 0;
}

/* Running a body would overwrite the results of its values. */
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

static struct rule_host quiet_host(struct infer *in, rerun_heard *heard)
{
	struct rule_host host = infer_host(in);

	host.error = ignore_error;
	host.need = heard;
	host.assume = ignore_assumption;
	host.body = no_body;
	host.branch = ignore_branch;
	return host;
}

/* Like the walk: no rule runs without its required inputs. */
static bool has_inputs(const struct op *op, const struct node *n)
{
	if (n->input_count > op->max_inputs)
		return false;
	for (uint32_t i = 0; i < op->min_inputs; i++) {
		if (i >= n->input_count || n->inputs[i] == 0)
			return false;
	}
	return true;
}

/* A reference to the caller's attribute cannot be read: the call is over. */
static bool has_references(const struct node *n)
{
	for (uint32_t i = 0; i < n->attr_count; i++) {
		if (n->attrs[i].ref)
			return true;
	}
	return false;
}

bool rerun_begin(struct infer *in, uint32_t node, rerun_heard *heard, struct rerun *out)
{
	const struct node *n = &in->model->nodes.at[node];
	int64_t version = model_opset(in->model, n->graph, model_name(in->model, n->domain));

	out->op = node ? op_find(&in->ops, in->model, n, version) : NULL;
	if (!out->op || !has_inputs(out->op, n) || has_references(n))
		return false;
	out->host = quiet_host(in, heard);
	out->rule = (struct rule){.model = in->model,
				  .pool = &in->pool,
				  .arena = &in->arena,
				  .host = &out->host,
				  .node = n,
				  .node_id = node,
				  .version = version};
	infer_ports(in, &out->ports, n, &out->rule);
	return true;
}

void rerun_end(struct rerun *r)
{
	op_run(r->op, &r->rule);
}

bool rerun(struct infer *in, uint32_t node, size_t way, rerun_heard *heard, struct rerun *out)
{
	if (!rerun_begin(in, node, heard, out))
		return false;
	for (uint32_t i = 0; i < out->rule.in_count; i++) {
		/* Read constants first: only numbers that are there get a mark. */
		(void)rule_contents(&out->rule, i);
		mark_input(in, &out->rule.in[i], i, &rerun_markings[way]);
	}
	rerun_end(out);
	return true;
}

bool rerun_is_mark(const struct infer *in, uint32_t id, const struct node *n, struct mark *out)
{
	const struct sym_symbol *s = &in->pool.symbols.at[id];

	if (s->source != SYM_GENERATED || s->origin.node != SYM_NODE_MARK ||
	    s->origin.output >= n->input_count)
		return false;
	*out = (struct mark){
		.port = s->origin.output,
		.element = s->origin.axis & ELEMENT_BIT,
		.index = s->origin.axis & ~(uint32_t)ELEMENT_BIT,
	};
	return true;
}
