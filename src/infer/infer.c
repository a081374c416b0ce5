#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/internal.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/property.h"
#include "ops/rule.h"
#include "sym/sym.h"

enum {
	MAX_INPUTS = 1 << 20 /* of one node */
};

/* ---- inputs and constants ---- */

static struct info tensor_info(struct infer *in, uint32_t tensor)
{
	const struct tensor *t = &in->model->tensors.at[tensor];
	struct info out = {.kind = TYPE_TENSOR, .elem = t->elem, .tensor = tensor};
	struct sym *dims;

	if (t->rank_lost || t->rank > RULE_MAX_RANK)
		return out;
	dims = arena_array(&in->arena, t->rank, struct sym);
	for (uint32_t i = 0; i < t->rank; i++)
		dims[i] = t->dims[i] >= 0 ? sym_int(&in->pool, t->dims[i]) : SYM_UNKNOWN;
	out.ranked = true;
	out.rank = t->rank;
	out.dims = dims;
	return out;
}

static struct info sparse_info(struct infer *in, const struct sparse *s)
{
	struct info out = {.kind = TYPE_SPARSE, .elem = in->model->tensors.at[s->values].elem};
	struct sym *dims;

	if (s->rank > RULE_MAX_RANK)
		return out;
	dims = arena_array(&in->arena, s->rank, struct sym);
	for (uint32_t i = 0; i < s->rank; i++)
		dims[i] = s->dims[i] >= 0 ? sym_int(&in->pool, s->dims[i]) : SYM_UNKNOWN;
	out.ranked = true;
	out.rank = s->rank;
	out.dims = dims;
	return out;
}

static void set_constant(struct infer *in, uint32_t value, struct info info)
{
	if (value == 0)
		return;
	in->infos[value] = info;
	in->sources[value] = SOURCE_INITIALIZER;
}

void infer_initializers(struct infer *in, uint32_t graph)
{
	const struct graph *g = &in->model->graphs.at[graph];

	for (size_t i = 0; i < g->initializers.len; i++) {
		uint32_t tensor = g->initializers.at[i];
		struct sv name = model_name(in->model, in->model->tensors.at[tensor].name);
		uint32_t value = model_find(in->model, graph, name);

		if (in->model->values.at[value].tensor != tensor)
			continue;
		infer_check_constant(in, graph, value, &in->model->tensors.at[tensor]);
		set_constant(in, value, tensor_info(in, tensor));
	}
	for (size_t i = 0; i < g->sparses.len; i++) {
		struct sv name = model_name(in->model,
					    in->model->tensors.at[g->sparses.at[i].values].name);
		uint32_t value = model_find(in->model, graph, name);

		if (in->model->values.at[value].sparse == i + 1)
			set_constant(in, value, sparse_info(in, &g->sparses.at[i]));
	}
}

/* An initializer whose name is taken: nothing reads it, but its shape is known. */
static void set_duplicates(struct infer *in)
{
	for (size_t i = 0; i < in->model->flaws.len; i++) {
		const struct flaw *f = &in->model->flaws.at[i];
		uint32_t tensor = in->model->values.at[f->value].tensor;

		if (f->kind == FLAW_DUPLICATE && tensor)
			set_constant(in, f->value, tensor_info(in, tensor));
	}
}

/* Runtimes take it as we do; other tools may not. */
static void tell_negative(struct infer *in, const struct claim *c)
{
	for (uint32_t i = 0; c->type.has_shape && i < c->type.rank; i++) {
		if (c->type.dims[i].kind == DIM_VALUE && c->type.dims[i].value < 0)
			infer_find(in, (struct finding){.level = LEVEL_UNNAMED,
							.kind = FINDING_NEGATIVE,
							.value = c->value,
							.axis = (int32_t)i,
							.n = c->type.dims[i].value});
	}
}

static void set_main_inputs(struct infer *in)
{
	const struct graph *g = &in->model->graphs.at[0];

	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &in->model->claims.at[g->claims.at[i]];

		if (c->kind != CLAIM_INPUT || c->value == 0)
			continue;
		if (in->sources[c->value] == SOURCE_INITIALIZER) {
			infer_default(in, c->value, c);
			if (!value_is_default(in->model, c->value))
				continue;
		}
		if (c->type.kind == TYPE_TENSOR && c->type.elem == ELEM_UNDEFINED)
			infer_find(in, (struct finding){.level = LEVEL_ERROR,
							.kind = FINDING_INPUT_ELEM,
							.value = c->value,
							.axis = -1});
		tell_negative(in, c);
		in->infos[c->value] = infer_declared(in, &c->type, c->value, true);
		in->sources[c->value] = SOURCE_INPUT;
		if (in->options.largest)
			infer_mark_largest(in, c->value);
	}
}

/* ---- one node ---- */

/* Domain, name and overload as a hash; the caller compares them. */
static uint64_t function_key(uint32_t domain, uint32_t name, uint32_t overload)
{
	return hash_u64((uint64_t)domain << 32 | name, overload);
}

static const struct function *infer_function_of(const struct infer *in, const struct node *n)
{
	const uint32_t *place = map_find(&in->functions,
					 function_key(n->domain, n->op, n->overload));
	const struct function *f = place ? &in->model->functions.at[*place - 1] : NULL;

	return f && f->domain == n->domain && f->name == n->op && f->overload == n->overload ? f
											     : NULL;
}

/* The opset version for the node, looked up once per domain. */
static int64_t version_of(struct infer *in, const struct node *n)
{
	uint32_t home = n->graph, *place;

	while (in->model->graphs.at[home].kind == GRAPH_BODY)
		home = in->model->graphs.at[home].parent;
	place = map_at(&in->version_places, (uint64_t)home << 32 | n->domain);
	if (*place == 0) {
		vec_push(&in->versions,
			 model_opset(in->model, home, model_name(in->model, n->domain)));
		*place = (uint32_t)in->versions.len;
	}
	return in->versions.at[*place - 1];
}

static struct finding about_node(const struct infer *in, enum level level, enum finding_kind kind)
{
	return (struct finding){
		.level = level, .kind = kind, .graph = in->graph, .node = in->node, .axis = -1};
}

static void tell_unsupported(struct infer *in, const struct node *n)
{
	uint32_t *place = map_at(&in->unsupported, (uint64_t)n->domain << 32 | n->op);

	if (!(*place)++)
		infer_find(in, about_node(in, LEVEL_UNSUPPORTED, FINDING_UNKNOWN_OPERATOR));
}

static bool infer_check_inputs(struct infer *in, const struct op *op, const struct node *n)
{
	struct finding f = about_node(in, LEVEL_ERROR, FINDING_MANY_INPUTS);

	if (n->input_count > op->max_inputs) {
		f.n = n->input_count;
		f.m = op->max_inputs;
		infer_find(in, f);
		return false;
	}
	f.kind = FINDING_MISSING_INPUT;
	for (uint32_t i = 0; i < op->min_inputs; i++) {
		if (i >= n->input_count || n->inputs[i] == 0) {
			f.n = i;
			infer_find(in, f);
			return false;
		}
	}
	return true;
}

static void tell_deprecated(struct infer *in, const struct op *op)
{
	struct finding f = about_node(in, LEVEL_ERROR, FINDING_DEPRECATED);

	f.n = op->since;
	infer_find(in, f);
}

static void run_rule(struct infer *in, const struct node *n, struct rule *r)
{
	int64_t version = version_of(in, n);
	const struct op *op = op_find(&in->ops, in->model, n, version);

	if (!op) {
		tell_unsupported(in, n);
		return;
	}
	if (op->properties & OP_DEPRECATED)
		tell_deprecated(in, op);
	if (!infer_check_inputs(in, op, n))
		return;
	r->version = version;
	op_run(op, r);
}

static void store_outputs(struct infer *in, const struct node *n, const struct rule *r)
{
	for (uint32_t i = 0; i < n->output_count; i++) {
		uint32_t value = n->outputs[i];

		if (value == 0)
			continue;
		in->infos[value] = r->out[i];
		in->infos[value].claimed = false; /* the source says so from now on */
		in->sources[value] = in->on_claim || r->out[i].claimed ? SOURCE_CLAIM
								       : SOURCE_INFERRED;
		infer_claims(in, value);
		in->roots[value] = in->root;
	}
	/* A constant read for this node is not read again for the next. */
	for (uint32_t i = 0; i < n->input_count; i++) {
		if (n->inputs[i] && r->in[i].contents.at)
			in->infos[n->inputs[i]].contents = r->in[i].contents;
	}
}

static void make_ports(struct ports *p, const struct node *n, struct rule *r)
{
	size_t in = n->input_count, out = n->output_count;
	bool *given;

	p->many = NULL;
	r->in = p->few_in;
	r->out = p->few_out;
	given = p->few_given;
	if (in > ARRAY_LEN(p->few_in) || out > ARRAY_LEN(p->few_out)) {
		p->many = must_alloc((in + out) * sizeof(struct info) + in);
		r->in = p->many;
		r->out = r->in + in;
		given = (bool *)(r->out + out);
	}
	memset(r->out, 0, out * sizeof(*r->out));
	r->given = given;
	r->in_count = (uint32_t)in;
	r->out_count = (uint32_t)out;
}

static void get_inputs(const struct infer *in, const struct node *n, struct rule *r)
{
	bool *given = (bool *)(uintptr_t)r->given;

	for (uint32_t i = 0; i < n->input_count; i++) {
		given[i] = n->inputs[i] != 0;
		r->in[i] = in->infos[n->inputs[i]];
	}
}

void infer_ports(const struct infer *in, struct ports *p, const struct node *n, struct rule *r)
{
	make_ports(p, n, r);
	get_inputs(in, n, r);
}

/* Findings that follow from an error refer to it as their root. */
static uint32_t root_of_inputs(const struct infer *in, const struct node *n)
{
	for (uint32_t i = 0; i < n->input_count; i++) {
		if (in->roots[n->inputs[i]])
			return in->roots[n->inputs[i]];
	}
	return 0;
}

static uint32_t newest_error(const struct infer *in, size_t from)
{
	for (size_t i = from; i < in->findings.len; i++) {
		if (in->findings.at[i].level == LEVEL_ERROR)
			return (uint32_t)i + 1;
	}
	return 0;
}

/* What rests on a claim is not promised, however many nodes lie between. */
static bool rests_on_claim(const struct infer *in, const struct node *n)
{
	for (uint32_t i = 0; i < n->input_count; i++) {
		if (in->sources[n->inputs[i]] == SOURCE_CLAIM)
			return true;
	}
	return false;
}

static void infer_node(struct infer *in, uint32_t id, const struct rule_host *host)
{
	const struct node *n = &in->model->nodes.at[id];
	const struct function *f = infer_function_of(in, n);
	struct ports ports;
	size_t told;
	struct rule r = {
		.model = in->model,
		.pool = &in->pool,
		.arena = &in->arena,
		.host = host,
		.node = n,
		.node_id = id,
		.instance = in->call ? in->call->instance : 0,
	};

	if (n->input_count > MAX_INPUTS || n->output_count > MAX_INPUTS)
		return;
	in->node = id;
	in->root = root_of_inputs(in, n);
	in->on_claim = rests_on_claim(in, n);
	told = in->findings.len;
	infer_ports(in, &ports, n, &r);
	if (f)
		infer_call(in, f, n, r.in, r.in_count, r.out, r.out_count);
	else
		run_rule(in, n, &r);
	in->node = id;
	in->root = root_of_inputs(in, n);
	in->on_claim = rests_on_claim(in, n);
	if (!in->root)
		in->root = newest_error(in, told);
	store_outputs(in, n, &r);
	work_note_node(in);
	in->root = 0;
	free(ports.many);
}

void infer_nodes(struct infer *in, uint32_t graph)
{
	const struct graph *g = &in->model->graphs.at[graph];
	struct rule_host host = infer_host(in);

	for (size_t i = 0; i < g->order.len; i++) {
		in->graph = graph;
		infer_node(in, g->order.at[i], &host);
	}
	/* Outputs without a producer in this graph: inputs and constants passed through. */
	for (size_t i = 0; i < g->outputs.len; i++) {
		const struct value *v = &in->model->values.at[g->outputs.at[i]];

		if (g->outputs.at[i] && v->producer == 0 && v->graph == graph &&
		    in->sources[g->outputs.at[i]] != SOURCE_INPUT)
			infer_claims(in, g->outputs.at[i]);
	}
}

/* ---- the model ---- */

/* Values that are defined twice are one finding: whatever wrote them repeats itself. */
static void tell_flaws(struct infer *in)
{
	size_t duplicates = 0;

	for (size_t i = 0; i < in->model->flaws.len; i++)
		duplicates += in->model->flaws.at[i].kind == FLAW_DUPLICATE;
	for (size_t i = 0; i < in->model->flaws.len; i++) {
		const struct flaw *f = &in->model->flaws.at[i];
		struct str s = {0};
		struct sv text;

		if (f->kind == FLAW_DUPLICATE && duplicates == 0)
			continue;
		flaw_print(&s, in->model, f);
		if (f->kind == FLAW_DUPLICATE) {
			if (--duplicates)
				str_format(&s, ", and so %s %zu %s",
					   PLURAL(duplicates, "is", "are"), duplicates,
					   PLURAL(duplicates, "other", "others"));
			duplicates = 0;
		}
		text = (struct sv){str_c(&s), s.len + 1}; /* the NUL too */
		infer_find(in, (struct finding){.level = LEVEL_ERROR,
						.kind = FINDING_RULE,
						.graph = f->graph,
						.node = f->node,
						.value = f->value,
						.axis = -1,
						.text = arena_copy(&in->arena, text).at});
		str_release(&s);
	}
}

static void index_functions(struct infer *in)
{
	for (uint32_t i = 0; i < in->model->functions.len; i++) {
		const struct function *f = &in->model->functions.at[i];
		uint32_t *place = map_at(&in->functions,
					 function_key(f->domain, f->name, f->overload));

		if (*place == 0)
			*place = i + 1;
	}
}

/* One pass over the model; only the pool and the options are set before. */
static void infer_pass(struct infer *in)
{
	const struct model *m = in->model;

	work_begin(in);
	in->infos = must_alloc(m->values.len * sizeof(*in->infos));
	memset(in->infos, 0, m->values.len * sizeof(*in->infos));
	in->sources = must_alloc(m->values.len);
	memset(in->sources, 0, m->values.len);
	in->roots = must_alloc(m->values.len * sizeof(*in->roots));
	memset(in->roots, 0, m->values.len * sizeof(*in->roots));
	sym_forget_names(&in->pool);
	op_index_init(&in->ops, m);
	index_functions(in);
	tell_flaws(in);
	infer_declared_names(m, &in->declared);
	infer_initializers(in, 0);
	infer_check_attributes(in);
	set_duplicates(in);
	set_main_inputs(in);
	infer_note_chosen(in);
	infer_nodes(in, 0);
	agreed_show(in);
	work_forget_bodies(in);
	infer_bind_generated(in);
	infer_judge_facts(in);
}

void infer_run(struct infer *in, const struct model *m, struct infer_options options)
{
	*in = (struct infer){.model = m, .options = options, .value_count = m->values.len};
	in->pool.ordinary = true;
	infer_pass(in);
}

/* Everything but the pool. */
static void release_results(struct infer *in)
{
	arena_release(&in->arena);
	op_index_release(&in->ops);
	map_release(&in->declared);
	map_release(&in->functions);
	map_release(&in->version_places);
	vec_release(&in->versions);
	map_release(&in->told);
	map_release(&in->unsupported);
	map_release(&in->bounds);
	cache_release(&in->cache);
	vec_release(&in->findings);
	vec_release(&in->facts);
	vec_release(&in->identities);
	conditions_release(in);
	map_release(&in->chosen);
	map_release(&in->named);
	map_release(&in->outer_branches);
	vec_release(&in->assumptions);
	free(in->agreed);
	free(in->infos);
	free(in->sources);
	free(in->roots);
}

void infer_update(struct infer *in, struct changed_values *out)
{
	struct infer old = *in;
	struct info nothing = {0};

	*in = (struct infer){.model = old.model,
			     .options = old.options,
			     .pool = old.pool,
			     .value_count = old.model->values.len};
	infer_pass(in);
	/* One pool: equal handles mean equal expressions, before and after. */
	for (uint32_t v = 1; v < in->value_count; v++) {
		const struct info *was = v < old.value_count ? &old.infos[v] : &nothing;

		if (!info_same_shape(was, &in->infos[v]))
			vec_push(out, v);
	}
	release_results(&old);
}

void infer_release(struct infer *in)
{
	sym_pool_release(&in->pool);
	release_results(in);
	*in = (struct infer){0};
}
