#include "tests/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/build.h"
#include "report/counts.h"
#include "report/json.h"
#include "report/record.h"
#include "report/summary.h"

static uint32_t add_node(struct model *m, const char *domain, const char *op)
{
	uint32_t id = node_new(m, 0);

	m->nodes.at[id].domain = model_intern(m, sv_of(domain));
	m->nodes.at[id].op = model_intern(m, sv_of(op));
	return id;
}

static void add_weight(struct model *m, uint64_t bytes, struct external *external)
{
	uint32_t id = tensor_new(m);
	struct chunk *chunk = arena_array(&m->arena, 1, struct chunk);

	*chunk = (struct chunk){.place = CHUNK_FILE, .len = bytes};
	m->tensors.at[id].data = (struct data){.chunks = chunk, .count = 1};
	m->tensors.at[id].external = external;
	vec_push(&m->graphs.at[0].initializers, id);
}

/* The columns of a record, with a bar between them. */
static bool shows(const struct summary *s, enum summary_section section, size_t i,
		  const char *expected)
{
	struct record r = {0};
	struct str text = {0};
	bool same;

	summary_record(&r, s, section, i);
	for (uint32_t c = 0; c <= r.column; c++) {
		str_text(&text, c ? "|" : "");
		record_print_column(&r, c, &text);
	}
	same = CHECK_THAT(strcmp(str_c(&text), expected) == 0, "'%s', expected '%s'", str_c(&text),
			  expected);
	record_release(&r);
	str_release(&text);
	return same;
}

static bool writes(const struct summary *s, enum summary_section section, const char *expected)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	struct json j;
	bool same;

	json_init(&j, out);
	json_object(&j);
	summary_json(&j, s, section);
	json_end_object(&j);
	fclose(out);
	same = CHECK_THAT(strcmp(text, expected) == 0, "%s, expected %s", text, expected);
	free(text);
	return same;
}

TEST(operators_are_sorted_by_count_then_by_name)
{
	struct op_counts counts = {0};
	struct model m;

	model_init(&m);
	(void)add_node(&m, "", "Relu");
	(void)add_node(&m, "z", "Abs");
	(void)add_node(&m, "", "Mul");
	(void)add_node(&m, "a", "Abs");
	(void)add_node(&m, "", "Mul");
	node_unlist(&m, add_node(&m, "", "Relu"));
	op_counts_make(&counts, &m);
	CHECK(counts.len == 4 && counts.at[0].count == 2);
	CHECK(sv_eq(model_name(&m, counts.at[0].op), SV("Mul")));
	CHECK(sv_eq(model_name(&m, counts.at[1].domain), SV("a")));
	CHECK(sv_eq(model_name(&m, counts.at[2].domain), SV("z")));
	/* A node that an edit removed does not count. */
	CHECK(sv_eq(model_name(&m, counts.at[3].op), SV("Relu")) && counts.at[3].count == 1);
	op_counts_make(&counts, &m);
	CHECK(counts.len == 4);
	vec_release(&counts);
	model_release(&m);
}

TEST(weights_are_inline_or_in_files)
{
	struct external files[] = {
		{.location = SV("a.bin"), .length = UINT64_MAX, .has_length = true},
		{.location = SV("b.bin"), .length = 1, .has_length = true},
		{.location = SV("c.bin"), .has_length = true},
		{.location = SV("d.bin"), .has_length = true},
	};
	struct summary s = {0};
	struct model m;

	model_init(&m);
	add_weight(&m, 1500, NULL);
	s.model = &m;
	summary_init(&s);
	CHECK(shows(&s, SUMMARY_WEIGHTS, 0, "1 tensor, 1.5 KiB inline"));
	summary_release(&s);

	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		add_weight(&m, 0, &files[i]);
	s = (struct summary){.model = &m};
	summary_init(&s);
	CHECK(shows(&s, SUMMARY_WEIGHTS, 0,
		    "1 tensor, 1.5 KiB inline; 4 tensors, 16.0 EiB in a.bin, b.bin, c.bin "
		    "and 1 more file"));
	CHECK(writes(&s, SUMMARY_WEIGHTS,
		     "{\"initializers\": {\"inline\": 1, \"inline_bytes\": 1500, "
		     "\"external\": 4, \"external_bytes\": 18446744073709551615, "
		     "\"files\": [\"a.bin\", \"b.bin\", \"c.bin\", \"d.bin\"]}}"));
	summary_release(&s);
	model_release(&m);
}

TEST(an_empty_model_shows_little)
{
	struct summary s = {.path = SV("x.onnx"), .bytes = 7};
	struct record r = {0};
	struct model m;

	model_init(&m);
	s.model = &m;
	summary_init(&s);
	CHECK(shows(&s, SUMMARY_FILE, 0, "x.onnx|7 B"));
	CHECK(shows(&s, SUMMARY_FORMAT, 0, "no IR version|"));
	CHECK(shows(&s, SUMMARY_GRAPH, 0, "|0 nodes|(no main graph)"));
	CHECK(summary_count(&s, SUMMARY_INPUTS) == 0 && summary_count(&s, SUMMARY_GRAPHS) == 0);
	for (enum summary_section i = SUMMARY_PRODUCER; i <= SUMMARY_VERSION; i++) {
		summary_record(&r, &s, i, 0);
		CHECK(!record_is_shown(&r));
	}
	CHECK(writes(&s, SUMMARY_VERSION, "{\"model_version\": 0}"));
	CHECK(writes(&s, SUMMARY_FORMAT, "{\"ir_version\": null, \"opsets\": []}"));
	record_release(&r);
	summary_release(&s);
	model_release(&m);
}

TEST(a_long_value_is_cut_where_it_is_shown)
{
	struct pair pairs[] = {{.value = SV("short"), .value_len = 5},
			       {.value = SV("0123456789"), .value_len = 10},
			       {.value = SV("0123456789"), .value_len = 5000}};
	struct summary s = {.longest = 8};
	struct model m;

	model_init(&m);
	pairs[0].key = pairs[1].key = pairs[2].key = model_intern(&m, SV("k"));
	m.metadata = pairs;
	m.metadata_count = ARRAY_LEN(pairs);
	s.model = &m;
	summary_init(&s);
	CHECK(shows(&s, SUMMARY_METADATA, 0, "k: short"));
	CHECK(shows(&s, SUMMARY_METADATA, 1, "k: 01234567… (10 bytes)"));
	CHECK(shows(&s, SUMMARY_METADATA, 2, "k: 01234567… (5000 bytes)"));
	CHECK(writes(&s, SUMMARY_METADATA,
		     "{\"metadata\": [{\"key\": \"k\", \"value\": \"short\", \"bytes\": 5}, "
		     "{\"key\": \"k\", \"value\": \"0123456789\", \"bytes\": 10}, "
		     "{\"key\": \"k\", \"value\": null, \"bytes\": 5000}]}"));
	summary_release(&s);
	model_release(&m);
}

TEST(inputs_have_types_and_dims)
{
	struct dim dims[] = {
		{.kind = DIM_VALUE, .value = 3}, {.kind = DIM_PARAM}, {.kind = DIM_ABSENT}};
	struct summary s = {0};
	struct model m;
	uint32_t name, claim;

	model_init(&m);
	name = model_intern(&m, SV("x"));
	dims[1].param = model_intern(&m, SV("batch"));
	vec_push(&m.graphs.at[0].inputs, value_define(&m, 0, name, 0, 0, VALUE_INPUT));
	claim = claim_new(&m, 0, CLAIM_INPUT, name);
	m.claims.at[claim].type = (struct type){.kind = TYPE_TENSOR,
						.elem = ELEM_FLOAT32,
						.has_shape = true,
						.rank = 3,
						.dims = dims};
	model_connect(&m);
	s.model = &m;
	summary_init(&s);
	CHECK(shows(&s, SUMMARY_INPUTS, 0, "x|float32 [3, batch, ?]|"));
	CHECK(writes(&s, SUMMARY_INPUTS,
		     "{\"inputs\": [{\"name\": \"x\", \"type\": {\"kind\": \"tensor\", "
		     "\"elem\": \"float32\"}, \"shape\": [3, \"batch\", null], "
		     "\"default\": false}]}"));
	CHECK(shows(&s, SUMMARY_SYMBOLS, 0, "batch ×1"));
	summary_release(&s);
	model_release(&m);
}

TESTS(T(operators_are_sorted_by_count_then_by_name), T(weights_are_inline_or_in_files),
      T(an_empty_model_shows_little), T(a_long_value_is_cut_where_it_is_shown),
      T(inputs_have_types_and_dims))
