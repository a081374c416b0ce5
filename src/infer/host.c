#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/cache.h"
#include "infer/finding.h"
#include "infer/internal.h"
#include "ir/element.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/need.h"
#include "ops/rule.h"
#include "sym/float.h"
#include "sym/sym.h"

enum {
	MAX_INDICES = 1 << 16 /* elements of a constant whose bounds are found */
};

/* ---- callbacks for rules ---- */

const char *infer_keep_text(struct arena *a, const char *text)
{
	struct sv whole = sv_of(text);

	whole.len++; /* the NUL too */
	return arena_copy(a, whole).at;
}

static void host_error(void *context, const char *message)
{
	struct infer *in = context;

	infer_find(in, (struct finding){.level = LEVEL_ERROR,
					.kind = FINDING_RULE,
					.graph = in->graph,
					.node = in->node,
					.axis = -1,
					.text = infer_keep_text(&in->arena, message)});
}

/* Sizes of which none can be 1 are broadcast only if they are equal. */
static enum fact_kind kind_of_need(const struct infer *in, const struct need *need)
{
	bool one = sym_range(&in->pool, need->a).lo <= 1 ||
		   (need->kind == FACT_PAIR && sym_range(&in->pool, need->b).lo <= 1);

	return !one && (need->kind == FACT_PAIR || need->kind == FACT_SOFT) ? FACT_EQUAL
									    : need->kind;
}

static void host_need(void *context, const struct need *need)
{
	struct infer *in = context;
	struct fact *f = vec_add(&in->facts);

	*f = (struct fact){
		.kind = kind_of_need(in, need),
		.a = need->a,
		.b = need->b,
		.graph = in->graph,
		.node = in->node,
		.branch = in->branch,
		.of_state = need->of_state,
		.on_claim = in->on_claim,
		.why = infer_keep_text(&in->arena, need->why),
		.in = need->in,
		.out = need->out,
	};
	if (need->kind == FACT_NEVER)
		infer_find(in, (struct finding){.level = LEVEL_ERROR,
						.kind = FINDING_DIFFERENCE,
						.graph = in->graph,
						.node = in->node,
						.axis = -1,
						.a = f->a,
						.b = f->b,
						.text = f->why,
						.fact = (uint32_t)in->facts.len});
}

static void host_assume(void *context, struct sym condition)
{
	struct infer *in = context;

	*vec_add(&in->assumptions) = (struct assumption){condition, in->node, in->branch};
}

static uint32_t host_branch(void *context, uint32_t graph)
{
	struct infer *in = context;
	uint32_t outer = in->branch;

	if (graph && graph != outer && !map_find(&in->outer_branches, graph))
		*map_at(&in->outer_branches, graph) = outer;
	in->branch = graph;
	return outer;
}

static struct sym scalar_sym(struct infer *in, int32_t elem, const struct scalar *s)
{
	static const struct {
		int32_t elem;
		enum sym_float type;
	} floats[] = {{ELEM_FLOAT16, SYM_F16},
		      {ELEM_BFLOAT16, SYM_BF16},
		      {ELEM_FLOAT32, SYM_F32},
		      {ELEM_FLOAT64, SYM_F64}};

	switch (s->class) {
	case ELEM_CLASS_BOOL:
		return sym_int(&in->pool, s->truth);
	case ELEM_CLASS_SIGNED:
		return sym_int(&in->pool, s->i);
	case ELEM_CLASS_UNSIGNED:
		return s->u <= INT64_MAX ? sym_int(&in->pool, (int64_t)s->u) : SYM_UNKNOWN;
	case ELEM_CLASS_FLOAT:
		for (size_t i = 0; i < ARRAY_LEN(floats); i++) {
			if (floats[i].elem == elem)
				return sym_float(&in->pool, floats[i].type, s->f);
		}
		break;
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_COMPLEX:
	case ELEM_CLASS_STRING:
	case ELEM_CLASS_COUNT:
		break;
	}
	return SYM_UNKNOWN;
}

static bool worth_reading(const struct tensor *t, uint64_t *out_count)
{
	enum elem_class class = elem_info(t->elem)->class;
	uint64_t max = class == ELEM_CLASS_FLOAT ? RULE_MAX_VALUES : RULE_MAX_CONSTANTS;

	return (class == ELEM_CLASS_BOOL || class == ELEM_CLASS_SIGNED ||
		class == ELEM_CLASS_UNSIGNED || class == ELEM_CLASS_FLOAT) &&
	       (t->rank <= 2 || t->elem == ELEM_INT64) && tensor_elements(t, out_count) &&
	       *out_count <= max;
}

/* Of indices with more than two axes, only the bounds are kept. */
static struct contents contents_of(struct infer *in, const struct tensor *t,
				   const struct sym *values, uint32_t count)
{
	struct contents c = {.at = values, .count = count, .rank = t->rank}, bounds = {0};

	if (t->rank <= 2) {
		c.rows = t->rank == 2 ? (uint32_t)t->dims[0] : 0;
		return c;
	}
	contents_set_bounds(&bounds, contents_least(&in->pool, &c),
			    contents_largest(&in->pool, &c));
	return bounds;
}

static struct contents host_constant(void *context, uint32_t tensor)
{
	struct infer *in = context;
	const struct tensor *t = &in->model->tensors.at[tensor];
	struct tensor_reader reader;
	struct scalar some[32];
	struct sym *values;
	struct err err;
	uint64_t count;
	size_t done = 0, got = 1;

	if (!worth_reading(t, &count))
		return (struct contents){0};
	if (!tensor_reader_init(&reader, &in->model->bytes, t, &err)) {
		/* Missing external data is no contradiction. */
		if (!t->external)
			host_error(in, err.text);
		return (struct contents){0};
	}
	values = arena_array(&in->arena, count, struct sym);
	while (got && tensor_reader_next(&reader, some, ARRAY_LEN(some), &got, &err)) {
		for (size_t i = 0; i < got && done < count; i++)
			values[done++] = scalar_sym(in, t->elem, &some[i]);
	}
	tensor_reader_release(&reader);
	if (done != count)
		return (struct contents){0};
	return contents_of(in, t, values, (uint32_t)count);
}

/* Indices are read to their end: what a gather needs of its data is not known otherwise. */
static bool host_columns(void *context, uint32_t tensor, uint32_t columns, int64_t *out_min,
			 int64_t *out_max)
{
	struct infer *in = context;
	const struct tensor *t = &in->model->tensors.at[tensor];
	struct tensor_reader reader;
	struct scalar some[32];
	struct err err;
	uint64_t count, done = 0;
	size_t got = 1;

	if (elem_info(t->elem)->class != ELEM_CLASS_SIGNED || !tensor_elements(t, &count) ||
	    count == 0 || count > MAX_INDICES || columns == 0 || count % columns ||
	    !tensor_reader_init(&reader, &in->model->bytes, t, &err))
		return false;
	for (uint32_t i = 0; i < columns; i++) {
		out_min[i] = INT64_MAX;
		out_max[i] = INT64_MIN;
	}
	while (got && tensor_reader_next(&reader, some, ARRAY_LEN(some), &got, &err)) {
		for (size_t i = 0; i < got && done < count; i++, done++) {
			out_min[done % columns] = MIN(out_min[done % columns], some[i].i);
			out_max[done % columns] = MAX(out_max[done % columns], some[i].i);
		}
	}
	tensor_reader_release(&reader);
	return done == count;
}

static const struct attr *attr_in(const struct attr *attrs, uint32_t count, uint32_t name)
{
	for (uint32_t i = 0; i < count; i++) {
		if (attrs[i].name == name)
			return &attrs[i];
	}
	return NULL;
}

/* The caller's attribute or the function's default; references may span several calls. */
static const struct attr *host_attr(void *context, uint32_t name)
{
	struct infer *in = context;

	for (struct call *c = in->call; c; c = c->caller) {
		const struct attr *a = attr_in(c->node->attrs, c->node->attr_count, name);

		if (!a)
			a = attr_in(c->function->defaults, c->function->default_count, name);
		if (!a || !a->ref)
			return a;
		name = a->ref;
	}
	return NULL;
}

/* ---- bodies ---- */

static void set_inputs(struct infer *in, const struct graph *g, const struct info *inputs,
		       uint32_t count)
{
	for (uint32_t i = 0; i < g->inputs.len; i++) {
		uint32_t value = g->inputs.at[i];

		if (value == 0)
			continue;
		in->infos[value] = i < count ? inputs[i] : (struct info){0};
		in->sources[value] = in->on_claim ? SOURCE_CLAIM : SOURCE_INFERRED;
		infer_claims(in, value);
	}
}

static void get_outputs(const struct infer *in, const struct graph *g, struct info *out,
			uint32_t count)
{
	for (uint32_t i = 0; i < count && i < g->outputs.len; i++) {
		out[i] = in->infos[g->outputs.at[i]];
		out[i].claimed = in->sources[g->outputs.at[i]] == SOURCE_CLAIM && !in->on_claim;
	}
}

static bool run_graph(struct infer *in, uint32_t graph, const struct info *inputs,
		      uint32_t in_count, struct info *out, uint32_t out_count)
{
	uint32_t outer_graph = in->graph, outer_node = in->node;
	bool on_claim = in->on_claim;

	if (!work_may_run(in, graph))
		return false;
	in->depth++;
	infer_initializers(in, graph);
	set_inputs(in, &in->model->graphs.at[graph], inputs, in_count);
	infer_nodes(in, graph);
	in->on_claim = on_claim;
	get_outputs(in, &in->model->graphs.at[graph], out, out_count);
	in->graph = outer_graph;
	in->node = outer_node;
	in->depth--;
	return true;
}

static bool host_body(void *context, uint32_t graph, const struct info *inputs, uint32_t in_count,
		      struct info *out, uint32_t out_count)
{
	struct infer *in = context;

	memset(out, 0, out_count * sizeof(*out));
	if (graph == 0 || graph >= in->model->graphs.len)
		return false;
	return run_graph(in, graph, inputs, in_count, out, out_count);
}

struct rule_host infer_host(struct infer *in)
{
	return (struct rule_host){
		.context = in,
		.error = host_error,
		.need = host_need,
		.constant = host_constant,
		.columns = host_columns,
		.body = host_body,
		.attr = host_attr,
		.assume = host_assume,
		.branch = host_branch,
	};
}

/* ---- functions ---- */

static bool is_running(const struct infer *in, const struct function *f)
{
	for (const struct call *c = in->call; c; c = c->caller) {
		if (c->function == f)
			return true;
	}
	return false;
}

/* The main or function graph that contains this graph. */
static uint32_t home_of(const struct model *m, uint32_t graph)
{
	while (m->graphs.at[graph].kind == GRAPH_BODY)
		graph = m->graphs.at[graph].parent;
	return graph;
}

/* A function's values belong to one call at a time: cleared before and after. */
static void forget_values(struct infer *in, uint32_t graph, bool called)
{
	const struct graph *g = &in->model->graphs.at[graph];

	for (uint32_t v = g->first_value; v && v < in->model->values.len; v++) {
		if (home_of(in->model, in->model->values.at[v].graph) != graph)
			break;
		if (called)
			agreed_add(in, v);
		in->infos[v] = (struct info){0};
		in->sources[v] = SOURCE_NONE;
	}
}

/* Attributes change a function's result, so calls with attributes are not cached. */
static bool can_cache(const struct node *n, const struct function *f)
{
	return n->attr_count == 0 && f->default_count == 0 && f->attribute_count == 0;
}

/* Side effects of a call. */
struct traces {
	size_t findings, facts, assumptions, symbols;
};

static struct traces traces_of(const struct infer *in)
{
	return (struct traces){in->findings.len, in->facts.len, in->assumptions.len,
			       in->pool.symbols.len};
}

static bool left_nothing(struct traces before, struct traces after)
{
	return before.findings == after.findings && before.facts == after.facts &&
	       before.assumptions == after.assumptions && before.symbols == after.symbols;
}

static bool may_call(struct infer *in, const struct function *f)
{
	if (is_running(in, f)) {
		host_error(in, "the function calls itself");
		return false;
	}
	in->instances++;
	return true;
}

static void run_call(struct infer *in, const struct function *f, const struct node *n,
		     const struct info *inputs, uint32_t in_count, struct info *outputs,
		     uint32_t out_count)
{
	struct call call = {
		.caller = in->call, .node = n, .function = f, .instance = in->instances};

	forget_values(in, f->graph, false);
	in->call = &call;
	(void)run_graph(in, f->graph, inputs, in_count, outputs, out_count);
	in->call = call.caller;
	forget_values(in, f->graph, true);
}

void infer_call(struct infer *in, const struct function *f, const struct node *n,
		struct info *inputs, uint32_t in_count, struct info *outputs, uint32_t out_count)
{
	const struct graph *g = &in->model->graphs.at[f->graph];
	uint32_t id = (uint32_t)(f - in->model->functions.at);
	struct traces before = traces_of(in);
	const struct cached_call *known;

	if (g->outputs.len != out_count)
		host_error(in, "the node and its function differ in the number of outputs");
	if (g->inputs.len < in_count)
		host_error(in, "the node has more inputs than its function");
	out_count = MIN(out_count, (uint32_t)g->outputs.len);
	known = can_cache(n, f) ? cache_find(&in->cache, id, inputs, in_count, out_count) : NULL;
	if (known) {
		memcpy(outputs, known->out, out_count * sizeof(*outputs));
		return;
	}
	if (!may_call(in, f))
		return;
	run_call(in, f, n, inputs, in_count, outputs, out_count);
	/* On a claim, it is not said which outputs rest on claims of the function. */
	if (can_cache(n, f) && !in->on_claim && left_nothing(before, traces_of(in)))
		cache_keep(&in->cache, &in->arena, id, inputs, in_count, outputs, out_count);
}
