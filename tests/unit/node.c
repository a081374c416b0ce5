/*
 * What is said about nodes and tensors.
 */
#include "tests/tap.h"

#include <inttypes.h>

#include "infer/infer.h"
#include "ir/build.h"
#include "report/cost.h"
#include "report/node.h"
#include "report/tensor.h"

/* y = MatMul(x, w) with x [batch, 3] and a weight of six elements. */
struct small {
	struct model m;
	struct infer in;
	uint32_t x, w, y, node;
	struct record r;
};

static uint32_t small_weight(struct model *m)
{
	static float numbers[] = {0.5f, 1, 2, 3, 4, 5};
	static struct chunk chunk = {
		.coding = CODING_WORDS, .memory = numbers, .len = sizeof(numbers)};
	static int64_t dims[] = {3, 2};
	uint32_t id = tensor_new(m);

	m->tensors.at[id] = (struct tensor){.name = model_intern(m, SV("w")),
					    .elem = ELEM_FLOAT32,
					    .rank = 2,
					    .dims = dims,
					    .data = {&chunk, 1, ELEM_FIELD_FLOAT}};
	return id;
}

static void small_claim(struct model *m)
{
	static struct dim dims[] = {{.kind = DIM_PARAM}, {.kind = DIM_VALUE, .value = 3}};
	uint32_t id = claim_new(m, 0, CLAIM_INPUT, model_intern(m, SV("x")));

	dims[0].param = model_intern(m, SV("batch"));
	m->claims.at[id].type = (struct type){.kind = TYPE_TENSOR,
					      .elem = ELEM_FLOAT32,
					      .has_shape = true,
					      .rank = 2,
					      .dims = dims};
	m->claims.at[id].doc = SV("rows");
}

static void small_init(struct small *s)
{
	static struct opset opset = {.version = 17};
	struct model *m = &s->m;
	struct node *n;

	*s = (struct small){0};
	model_init(m);
	m->has_graph = true;
	m->opsets = &opset;
	m->opset_count = 1;
	s->x = value_define(m, 0, model_intern(m, SV("x")), 0, 0, VALUE_INPUT);
	vec_push(&m->graphs.at[0].inputs, s->x);
	s->w = value_define(m, 0, model_intern(m, SV("w")), 0, 0, 0);
	m->values.at[s->w].tensor = small_weight(m);
	vec_push(&m->graphs.at[0].initializers, m->values.at[s->w].tensor);
	small_claim(m);
	s->node = node_new(m, 0);
	s->y = value_define(m, 0, model_intern(m, SV("y")), s->node, 0, 0);
	n = &m->nodes.at[s->node];
	n->op = model_intern(m, SV("MatMul"));
	n->name = model_intern(m, SV("/fc/MatMul"));
	n->doc = SV("a doc");
	n->input_count = 2;
	n->inputs = arena_array(&m->arena, 2, uint32_t);
	n->inputs[0] = model_intern(m, SV("x"));
	n->inputs[1] = model_intern(m, SV("w"));
	n->output_count = 1;
	n->outputs = arena_array(&m->arena, 1, uint32_t);
	n->outputs[0] = s->y;
	model_connect(m);
	infer_run(&s->in, m, (struct infer_options){0});
}

static void small_release(struct small *s)
{
	record_release(&s->r);
	infer_release(&s->in);
	model_release(&s->m);
}

static bool column_is(const struct record *r, uint32_t column, const char *expected)
{
	struct str s = {0};
	bool ok;

	record_print_column(r, column, &s);
	ok = sv_is(str_sv(&s), expected);
	if (!ok)
		printf("# %s, expected %s\n", str_c(&s), expected);
	str_release(&s);
	return ok;
}

static bool leads(const struct record *r, const char *key, enum link link, uint32_t id)
{
	const struct cell *c = record_find(r, key);

	return c && c->link == link && c->id == id;
}

TEST(a_node_tells_where_it_is)
{
	struct small s;

	small_init(&s);
	node_record(&s.r, &s.m, s.node, SV("/fc"), SV("body"));
	CHECK(column_is(&s.r, NODE_OPERATOR, "MatMul"));
	CHECK(column_is(&s.r, NODE_DOMAIN, "ai.onnx v17"));
	CHECK(column_is(&s.r, NODE_NAME, "/fc/MatMul"));
	CHECK(!record_has(&s.r, NODE_SCOPE)); /* the name tells it */
	CHECK(sv_is(cell_text(&s.r, record_find(&s.r, "scope")), "/fc"));
	CHECK(column_is(&s.r, NODE_GRAPH, "body") && column_is(&s.r, NODE_DOC, "a doc"));
	s.m.nodes.at[s.node].name = 0;
	node_record(&s.r, &s.m, s.node, SV("/fc"), SV(""));
	CHECK(column_is(&s.r, NODE_NAME, "(none)") && column_is(&s.r, NODE_SCOPE, "/fc"));
	CHECK(record_find(&s.r, "name")->len == 0);
	CHECK(!call_record(&s.r, &s.m, s.node));
	small_release(&s);
}

TEST(a_tensor_leads_away_from_where_it_is_shown)
{
	struct small s;

	small_init(&s);
	port_record(&s.r, &s.in, s.y, s.node, REPORT_SHORT);
	CHECK(column_is(&s.r, PORT_NAME, "y") && column_is(&s.r, PORT_SHAPE, "[batch, 2]"));
	CHECK(column_is(&s.r, PORT_ELEM, "f32") && !record_has(&s.r, PORT_CONTENTS));
	CHECK(leads(&s.r, "name", LINK_NONE, 0)); /* nobody reads it */
	port_record(&s.r, &s.in, s.y, 0, 0);
	CHECK(column_is(&s.r, PORT_SHAPE, "float32 [batch, 2]") && !record_has(&s.r, PORT_ELEM));
	CHECK(leads(&s.r, "name", LINK_NODE, s.node));
	port_record(&s.r, &s.in, s.w, s.node, REPORT_SHORT);
	CHECK(column_is(&s.r, PORT_MARK, "weight"));
	CHECK(column_is(&s.r, PORT_CONTENTS, "[0.5, 1, 2, 3, 4, 5]"));
	CHECK(leads(&s.r, "name", LINK_TENSOR, s.m.values.at[s.w].tensor));
	port_record(&s.r, &s.in, s.x, s.node, REPORT_SHORT);
	CHECK(leads(&s.r, "name", LINK_VALUE, s.x) && !record_has(&s.r, PORT_MARK));
	small_release(&s);
}

TEST(external_data_is_read_only_where_it_may_be)
{
	struct external place = {.location = SV("missing.bin")};
	struct small s;

	small_init(&s);
	s.m.tensors.at[s.m.values.at[s.w].tensor].external = &place;
	port_record(&s.r, &s.in, s.w, 0, REPORT_LOCAL);
	CHECK(column_is(&s.r, PORT_CONTENTS, "[(external data)]"));
	small_release(&s);
}

TEST(a_tensor_tells_its_role_users_and_claims)
{
	struct small s;

	small_init(&s);
	role_record(&s.r, &s.in, s.x);
	CHECK(column_is(&s.r, 0, "input"));
	role_record(&s.r, &s.in, s.y);
	CHECK(column_is(&s.r, 0, "tensor, shape inferred"));
	user_record(&s.r, &s.m, s.node, s.x);
	CHECK(column_is(&s.r, 0, "MatMul /fc/MatMul") && leads(&s.r, "node", LINK_NODE, s.node));
	user_record(&s.r, &s.m, 0, s.y);
	CHECK(column_is(&s.r, 0, "graph output"));
	declaration_record(&s.r, &s.m, &s.m.claims.at[s.m.values.at[s.x].first_claim]);
	CHECK(column_is(&s.r, CLAIM_PLACE, "declared as an input"));
	CHECK(column_is(&s.r, CLAIM_TYPE, "float32 [batch, 3]") &&
	      column_is(&s.r, CLAIM_DOC, "rows"));
	small_release(&s);
}

TEST(sizes_tell_reasons_and_constraints)
{
	uint32_t symbols[TENSOR_MAX_SYMBOLS];
	struct fact fact = {.kind = FACT_DIVISIBLE};
	struct small s;

	small_init(&s);
	reason_record(&s.r, &s.in, s.node, (struct why){.value = s.y});
	CHECK(column_is(&s.r, 0, "out[0] = in0[0] = batch"));
	CHECK(tensor_symbols(&s.in, s.y, symbols) == 1);
	bounds_record(&s.r, &s.in, symbols[0], 1);
	CHECK(sv_is(cell_text(&s.r, record_find(&s.r, "symbol")), "batch"));
	bounds_record(&s.r, &s.in, symbols[0], 0);
	CHECK(sv_is(cell_text(&s.r, vec_last(&s.r.cells)), "  any size"));
	fact.a = s.in.infos[s.y].dims[0];
	fact.b = sym_int(&s.in.pool, 8);
	fact.node = s.node;
	fact_record(&s.r, &s.in, &fact);
	CHECK(column_is(&s.r, 0, "batch must be a multiple of 8"));
	CHECK(column_is(&s.r, 1, "/fc/MatMul"));
	small_release(&s);
}

TEST(amounts_are_expressions_or_short_numbers)
{
	struct small s;
	struct sym batch;

	small_init(&s);
	amount_record(&s.r, &s.in, cost_operations(&s.in, s.node), COST_FLOP);
	CHECK(column_is(&s.r, 0, "12*batch FLOP"));
	amount_record(&s.r, &s.in, cost_outputs(&s.in, s.node), COST_BYTES);
	CHECK(column_is(&s.r, 0, "8*batch B"));
	batch = s.in.infos[s.y].dims[0];
	amount_record(&s.r, &s.in, sym_mul_int(&s.in.pool, batch, 34894909440), COST_FLOP);
	CHECK(column_is(&s.r, 0, "34.9 GFLOP\u00b7batch"));
	amount_record(&s.r, &s.in, sym_mul_int(&s.in.pool, batch, 1862832), COST_BYTES);
	CHECK(column_is(&s.r, 0, "1.8 MiB\u00b7batch"));
	amount_record(&s.r, &s.in,
		      sym_add(&s.in.pool, sym_mul_int(&s.in.pool, batch, 4096),
			      sym_int(&s.in.pool, 2048)),
		      COST_BYTES);
	CHECK(column_is(&s.r, 0, "2.0 KiB\u00b7(2*batch + 1)"));
	amount_record(&s.r, &s.in, sym_int(&s.in.pool, 1500000), COST_FLOP);
	CHECK(column_is(&s.r, 0, "1.5 MFLOP"));
	amount_record(&s.r, &s.in, sym_int(&s.in.pool, 2048), COST_BYTES);
	CHECK(column_is(&s.r, 0, "2.0 KiB"));
	small_release(&s);
}

TEST(attributes_lead_to_their_tensors_and_graphs)
{
	uint32_t ids[2] = {0};
	struct attr i = {.kind = ATTR_INT, .i = 3}, body = {.kind = ATTR_GRAPHS, .count = 2};
	struct attr weight = {.kind = ATTR_TENSOR};
	struct small s;

	small_init(&s);
	i.name = model_intern(&s.m, SV("axis"));
	ids[1] = graph_new(&s.m, GRAPH_BODY);
	body.graphs = ids;
	weight.tensor = s.m.values.at[s.w].tensor;
	attr_record(&s.r, &s.m, &i, 0, 0);
	CHECK(column_is(&s.r, ATTR_NAME, "axis") && column_is(&s.r, ATTR_VALUE, "3"));
	CHECK(attr_records(&i) == 1 && attr_records(&body) == 2);
	attr_record(&s.r, &s.m, &body, 1, 0);
	CHECK(column_is(&s.r, ATTR_VALUE, "0 nodes") && leads(&s.r, "value", LINK_GRAPH, ids[1]));
	attr_record(&s.r, &s.m, &body, 0, 0); /* a body that the file does not have */
	CHECK(column_is(&s.r, ATTR_VALUE, "?") && leads(&s.r, "value", LINK_NONE, 0));
	attr_record(&s.r, &s.m, &weight, 0, REPORT_SHORT);
	CHECK(column_is(&s.r, ATTR_VALUE, "f32 [3, 2] 0.5, 1, 2, 3, 4, 5"));
	CHECK(leads(&s.r, "value", LINK_TENSOR, weight.tensor));
	small_release(&s);
}

TESTS(T(a_node_tells_where_it_is), T(a_tensor_leads_away_from_where_it_is_shown),
      T(external_data_is_read_only_where_it_may_be), T(a_tensor_tells_its_role_users_and_claims),
      T(sizes_tell_reasons_and_constraints), T(amounts_are_expressions_or_short_numbers),
      T(attributes_lead_to_their_tensors_and_graphs))
