#include "tests/tap.h"

#include <string.h>

#include "base/err.h"
#include "ir/build.h"
#include "ir/tensor.h"

/* A graph, one node per line: "out = in in" with one-letter values. */
static void build(struct model *m, const char *const *lines, size_t count)
{
	model_init(m);
	(void)value_define(m, 0, model_intern(m, SV("x")), 0, 0, VALUE_INPUT);
	for (size_t i = 0; i < count; i++) {
		uint32_t id = node_new(m, 0);
		struct node n = m->nodes.at[id];

		n.output_count = 1;
		n.outputs = arena_array(&m->arena, 1, uint32_t);
		n.outputs[0] = value_define(m, 0, model_intern(m, (struct sv){lines[i], 1}), id, 0,
					    0);
		m->nodes.at[id] = n;
	}
	for (size_t i = 0; i < count; i++) {
		struct node *n = &m->nodes.at[i + 1];
		const char *reads = lines[i] + 4;

		n->input_count = (uint32_t)(strlen(reads) + 1) / 2;
		n->inputs = arena_array(&m->arena, n->input_count, uint32_t);
		for (uint32_t j = 0; j < n->input_count; j++)
			n->inputs[j] = model_intern(m, (struct sv){&reads[j * 2], 1});
	}
	model_connect(m);
}

static bool order_is(const struct model *m, const char *expected)
{
	const struct graph *g = &m->graphs.at[0];
	char got[64] = "";

	for (size_t i = 0; i < g->order.len; i++) {
		const struct node *n = &m->nodes.at[g->order.at[i]];

		got[i] = model_name(m, m->values.at[n->outputs[0]].name).at[0];
	}
	if (strcmp(got, expected) != 0)
		printf("# order %s, expected %s\n", got, expected);
	return strcmp(got, expected) == 0;
}

#define BUILD(m, ...)                                              \
	do {                                                       \
		static const char *const lines[] = {__VA_ARGS__};  \
		build(m, lines, sizeof(lines) / sizeof(lines[0])); \
	} while (0)

TEST(sorted_nodes_keep_the_file_order)
{
	struct model m;

	BUILD(&m, "a = x", "b = x", "c = a b", "d = c x");
	CHECK(order_is(&m, "abcd") && m.flaws.len == 0);
	model_release(&m);
}

TEST(unsorted_nodes_are_sorted)
{
	struct model m;

	BUILD(&m, "d = c", "c = b", "a = x", "b = a");
	CHECK(order_is(&m, "abcd") && m.flaws.len == 0);
	model_release(&m);
}

TEST(a_node_that_reads_a_value_twice_waits_once_for_each)
{
	struct model m;
	uint32_t count;

	BUILD(&m, "b = a a", "a = x");
	CHECK(order_is(&m, "ab"));
	CHECK(model_readers(&m, model_find(&m, 0, SV("a")), &count)[1].port == 1 && count == 2);
	model_release(&m);
}

TEST(a_cycle_is_a_flaw_and_names_a_node_in_it)
{
	struct model m;

	BUILD(&m, "e = d", "a = x", "b = a d", "c = b", "d = c");
	/* e only depends on the cycle of b, c and d. */
	CHECK(order_is(&m, "aebcd"));
	CHECK(m.flaws.len == 1 && m.flaws.at[0].kind == FLAW_CYCLE && m.flaws.at[0].node >= 3);
	model_release(&m);
}

TEST(missing_and_duplicate_names_are_flaws)
{
	struct model m;
	uint32_t second;

	BUILD(&m, "a = m", "a = x", "b = a");
	CHECK(m.flaws.len == 2 && m.flaws.at[0].kind == FLAW_DUPLICATE &&
	      m.flaws.at[1].kind == FLAW_MISSING);
	second = m.nodes.at[2].outputs[0];
	CHECK(m.values.at[second].flags & VALUE_DUPLICATE);
	CHECK(m.nodes.at[3].inputs[0] == m.nodes.at[1].outputs[0]);
	CHECK(m.values.at[m.nodes.at[1].inputs[0]].flags & VALUE_MISSING);
	model_release(&m);
}

/* A body inside node `owner` of the main graph that reads `name` through an Identity. */
static void add_body(struct model *m, uint32_t owner, struct sv name)
{
	uint32_t body = graph_new(m, GRAPH_BODY);
	uint32_t inner;

	m->graphs.at[body].owner = owner;
	m->graphs.at[body].parent = 0;
	inner = node_new(m, body);
	m->nodes.at[inner].inputs = arena_array(&m->arena, 1, uint32_t);
	m->nodes.at[inner].inputs[0] = model_find(m, 0, name);
	m->nodes.at[inner].input_count = 1;
}

TEST(a_captured_value_makes_the_outer_node_wait)
{
	struct model m;

	BUILD(&m, "c = x", "b = a", "a = x");
	CHECK(order_is(&m, "cab"));
	add_body(&m, 1, SV("b"));
	model_index(&m);
	CHECK(order_is(&m, "abc"));
	model_release(&m);
}

TEST(a_body_that_hands_on_an_outer_value_waits_too)
{
	struct model m;
	uint32_t body;

	BUILD(&m, "b = x", "a = x");
	body = graph_new(&m, GRAPH_BODY);
	m.graphs.at[body].owner = 1;
	vec_push(&m.graphs.at[body].outputs, model_find(&m, 0, SV("a")));
	model_index(&m);
	CHECK(order_is(&m, "ab"));
	model_release(&m);
}

TEST(types_print_as_people_write_them)
{
	struct intern names = {0};
	struct dim dims[] = {{.kind = DIM_PARAM, .param = intern_add(&names, SV("batch"))},
			     {.kind = DIM_VALUE, .value = 3},
			     {.kind = DIM_PARAM},
			     {.kind = DIM_ABSENT}};
	struct type tensor = {.kind = TYPE_TENSOR,
			      .elem = ELEM_FLOAT32,
			      .has_shape = true,
			      .rank = 4,
			      .dims = dims};
	struct type sequence = {.kind = TYPE_SEQUENCE, .inner = &tensor};
	struct type map = {.kind = TYPE_MAP, .elem = ELEM_INT64, .inner = &sequence};
	struct str s = {0};

	type_print(&s, &map, &names);
	CHECK(sv_is(str_sv(&s), "map of int64 to sequence of float32 [batch, 3, ?, ?]"));
	str_clear(&s);
	type_print(&s, &(struct type){.kind = TYPE_TENSOR, .elem = 99, .has_shape = true}, &names);
	CHECK(sv_is(str_sv(&s), "type#99 []"));
	str_release(&s);
	intern_release(&names);
}

/* A file whose byte at place i is i. */
static bool read_places(void *context, const struct external *external, uint64_t at, void *out,
			size_t len, struct err *err)
{
	(void)context;
	(void)external;
	(void)err;
	for (size_t i = 0; i < len; i++)
		((unsigned char *)out)[i] = (unsigned char)(at + i);
	return true;
}

/* Reads all elements of chunks of these lengths; returns the room of the buffer, 0 if one is wrong.
 */
static size_t read_lengths(const uint64_t *lengths, uint32_t count)
{
	struct bytes_source source = {.read = read_places};
	struct chunk chunks[4];
	int64_t dim = 0;
	struct tensor t = {.elem = ELEM_UINT8, .rank = 1, .dims = &dim, .data = {chunks, count, 0}};
	struct tensor_reader r;
	struct scalar some[100];
	struct err err;
	uint64_t read = 0, place = 0;
	size_t got, room;
	uint32_t chunk = 0;
	bool good;

	for (uint32_t i = 0; i < count; i++) {
		chunks[i] = (struct chunk){
			.place = CHUNK_FILE, .coding = CODING_RAW, .at = i * 7, .len = lengths[i]};
		dim += (int64_t)lengths[i];
	}
	good = tensor_reader_init(&r, &source, &t, &err);
	while (good && read < (uint64_t)dim) {
		good = tensor_reader_next(&r, some, ARRAY_LEN(some), &got, &err) && got;
		for (size_t i = 0; good && i < got; i++, place++) {
			for (; place == lengths[chunk]; place = 0)
				chunk++;
			good = some[i].u == (unsigned char)(chunk * 7 + place);
		}
		read += got;
	}
	room = r.room;
	tensor_reader_release(&r);
	return good ? room : 0;
}

TEST(the_buffer_of_a_tensor_is_as_large_as_its_data)
{
	static const uint64_t few[] = {8}, growing[] = {3, 1, 5000, 40},
			      large[] = {200000, 1, 70000};

	CHECK(read_lengths(few, 1) == 8);
	CHECK(read_lengths(growing, 4) == 5000);
	CHECK(read_lengths(large, 3) == 64 << 10);
}

TESTS(T(the_buffer_of_a_tensor_is_as_large_as_its_data), T(sorted_nodes_keep_the_file_order),
      T(unsorted_nodes_are_sorted), T(a_node_that_reads_a_value_twice_waits_once_for_each),
      T(a_cycle_is_a_flaw_and_names_a_node_in_it), T(missing_and_duplicate_names_are_flaws),
      T(a_captured_value_makes_the_outer_node_wait),
      T(a_body_that_hands_on_an_outer_value_waits_too), T(types_print_as_people_write_them))
