/*
 * Types and attributes as text.
 */
#include "tests/tap.h"

#include "infer/text.h"
#include "ir/build.h"
#include "ir/text.h"

static bool printed(const struct sym_pool *p, const struct info *info, enum info_part part,
		    const char *expected)
{
	struct str s = {0};
	bool ok;

	info_print(&s, p, info, part);
	ok = sv_is(str_sv(&s), expected);
	if (!ok)
		printf("# %s, expected %s\n", str_c(&s), expected);
	str_release(&s);
	return ok;
}

TEST(inferred_types_print_like_declared_ones)
{
	struct sym_pool p = {0};
	struct sym dims[3];
	struct info tensor = {.kind = TYPE_TENSOR, .elem = ELEM_FLOAT32, .ranked = true};
	struct info list = {.kind = TYPE_SEQUENCE, .inner = &tensor};
	struct info map = {.kind = TYPE_MAP, .elem = ELEM_INT64, .inner = &list};
	struct info none = {0}, sparse = {.kind = TYPE_SPARSE, .elem = 99};

	dims[0] = sym_declare(&p, SV("a\nb"));
	dims[1] = sym_int(&p, 3);
	dims[2] = (struct sym){0};
	tensor.rank = 3;
	tensor.dims = dims;
	CHECK(printed(&p, &tensor, INFO_TYPE, "float32 [a\\nb, 3, ?]"));
	CHECK(printed(&p, &tensor, INFO_SHORT_TYPE, "f32 [a\\nb, 3, ?]"));
	CHECK(printed(&p, &tensor, INFO_SHAPE, "[a\\nb, 3, ?]"));
	CHECK(printed(&p, &map, INFO_TYPE, "map of int64 to sequence of float32 [a\\nb, 3, ?]"));
	CHECK(printed(&p, &map, INFO_SHAPE, "map"));
	CHECK(printed(&p, &none, INFO_TYPE, "?"));
	CHECK(printed(&p, &none, INFO_SHAPE, "?"));
	CHECK(printed(&p, &sparse, INFO_TYPE, "sparse type#99"));
	CHECK(printed(&p, &sparse, INFO_SHAPE, "[?]"));
	sym_pool_release(&p);
}

/* What a pen received: dims as their pieces, symbols between angle brackets. */
struct marks {
	struct sym_pool *pool; /* borrowed */
	struct str out;
	uint32_t room; /* dims */
};

static void mark_text(void *context, struct sv text, bool known)
{
	struct marks *m = context;

	str_text(&m->out, known ? "" : "!");
	str_add(&m->out, text);
}

static void mark_piece(void *context, struct sv text, const uint32_t *symbol)
{
	struct marks *m = context;

	str_text(&m->out, symbol ? "<" : "");
	str_add(&m->out, text);
	str_text(&m->out, symbol ? ">" : "");
}

static bool mark_dim(void *context, struct sym dim, uint32_t axis)
{
	struct marks *m = context;

	if (axis == m->room)
		return false;
	dim_walk(m->pool, dim, mark_piece, m);
	return true;
}

TEST(a_pen_gets_each_name_with_its_symbol)
{
	struct sym_pool p = {0};
	struct sym n = sym_declare(&p, SV("N")), dims[3];
	struct marks m = {.pool = &p, .room = 2};
	struct info_pen pen = {mark_text, mark_dim, &m};
	struct info tensor = {.kind = TYPE_TENSOR, .ranked = true, .rank = 2, .dims = dims};

	dims[0] = n;
	dims[1] = sym_add_int(&p, sym_mul(&p, n, sym_declare(&p, SV("M"))), 7);
	dims[2] = sym_int(&p, 3);
	info_walk(&tensor, INFO_SHAPE, &pen);
	CHECK_THAT(sv_is(str_sv(&m.out), "[<N>, <M>*<N> + 7]"), "got %s", str_c(&m.out));
	str_clear(&m.out);
	tensor.rank = 3;
	info_walk(&tensor, INFO_SHAPE, &pen);
	CHECK_THAT(sv_is(str_sv(&m.out), "[<N>, <M>*<N> + 7, \u2026]"), "got %s", str_c(&m.out));
	str_clear(&m.out);
	tensor.ranked = false;
	info_walk(&tensor, INFO_SHAPE, &pen);
	CHECK(sv_is(str_sv(&m.out), "![?]"));
	str_release(&m.out);
	sym_pool_release(&p);
}

/* ---- attributes ---- */

static bool attr_is(const struct model *m, const struct attr *a, const struct text_limits *l,
		    const char *expected)
{
	struct str s = {0};
	bool ok;

	attr_print(&s, m, a, l);
	ok = sv_is(str_sv(&s), expected);
	if (!ok)
		printf("# %s, expected %s\n", str_c(&s), expected);
	str_release(&s);
	return ok;
}

static const struct text_limits few = {.elements = 3, .bytes = 8, .digits = 6};

static struct attr list_of(enum attr_kind kind, struct chunk *chunk, uint32_t count)
{
	enum elem_field field = kind == ATTR_INTS ? ELEM_FIELD_INT64 : ELEM_FIELD_STRING;

	return (struct attr){.kind = kind, .count = count, .list = {chunk, chunk != NULL, field}};
}

TEST(attributes_with_one_value)
{
	static const struct text_limits pane = {.bytes = 8, .digits = 6, .quotes = true};
	struct attr f = {.kind = ATTR_FLOAT, .f = 0.1f}, i = {.kind = ATTR_INT, .i = -7}, to;
	struct attr text = {.kind = ATTR_STRING, .text = SV("a\x1b"), .text_len = 2};
	struct attr wide = {.kind = ATTR_STRING, .text = SV("1234567\u00e9"), .text_len = 4000};
	struct attr none = {0}, from, graph = {.kind = ATTR_GRAPH};
	struct model m;

	model_init(&m);
	to = (struct attr){.name = model_intern(&m, SV("to")), .kind = ATTR_INT, .i = 10};
	from = (struct attr){.ref = model_intern(&m, SV("alpha")), .kind = ATTR_INT};
	CHECK(attr_is(&m, &f, &few, "0.1") && attr_is(&m, &i, &few, "-7"));
	CHECK(attr_is(&m, &to, &few, "10 (float16)"));
	CHECK(attr_is(&m, &text, &few, "a\\x1b") && attr_is(&m, &text, &pane, "\"a\\x1b\""));
	CHECK(attr_is(&m, &wide, &pane, "\"1234567\" \u2026 (4,000 bytes)"));
	CHECK(attr_is(&m, &from, &few, "caller's alpha"));
	CHECK(attr_is(&m, &none, &few, "?") && attr_is(&m, &graph, &few, "?"));
	none.kind = ATTR_TYPE;
	CHECK(attr_is(&m, &none, &few, "?"));
	model_release(&m);
}

TEST(lists_say_how_much_is_left_out)
{
	static const struct text_limits brief = {
		.elements = 3, .bytes = 60, .digits = 4, .brief = true};
	static int64_t numbers[] = {INT64_MAX, 2, 3, 4};
	struct sv texts[] = {SV("one"), SV("a longer one")};
	struct chunk whole = {.coding = CODING_WORDS, .memory = numbers, .len = sizeof(numbers)};
	struct chunk some = {.coding = CODING_WORDS, .memory = numbers + 1, .len = 16};
	struct chunk words = {.coding = CODING_VIEWS, .memory = texts, .len = sizeof(texts)};
	struct chunk file = {.place = CHUNK_FILE, .len = 1000};
	struct attr four = list_of(ATTR_INTS, &whole, 4), two = list_of(ATTR_INTS, &some, 2);
	struct attr both = list_of(ATTR_STRINGS, &words, 2), left = list_of(ATTR_INTS, &file, 0);
	struct attr empty = list_of(ATTR_INTS, NULL, 0);
	struct model m;

	model_init(&m);
	CHECK(attr_is(&m, &two, &few, "[2, 3]") && attr_is(&m, &empty, &few, "[]"));
	CHECK(attr_is(&m, &four, &few, "[9223372036854775807, \u2026 (4)]")); /* 8 bytes at most */
	CHECK(attr_is(&m, &four, &brief, "[max, 2, 3, \u2026 (4)]"));
	four.count = 0; /* unknown */
	CHECK(attr_is(&m, &four, &brief, "[max, 2, 3, \u2026]"));
	CHECK(attr_is(&m, &both, &few, "[\"one\", \"a longer\" \u2026 (12 bytes)]"));
	CHECK(attr_is(&m, &left, &brief, "\u2026"));
	model_release(&m);
}

TEST(tensors_print_type_and_elements)
{
	static const struct text_limits short_names = {
		.elements = 2, .bytes = 60, .digits = 4, .short_names = true};
	static float numbers[] = {0.5f, 1.0f / 3.0f, 2.0f};
	int64_t dims[] = {3};
	struct chunk chunk = {.coding = CODING_WORDS, .memory = numbers, .len = sizeof(numbers)};
	struct tensor t = {.elem = ELEM_FLOAT32,
			   .rank = 1,
			   .dims = dims,
			   .data = {&chunk, 1, ELEM_FIELD_FLOAT}};
	struct attr a = {.kind = ATTR_TENSOR}, list = {.kind = ATTR_TENSORS, .count = 5};
	uint32_t ids[5];
	struct model m;

	model_init(&m);
	for (size_t i = 0; i < 5; i++) {
		a.tensor = ids[i] = (uint32_t)m.tensors.len;
		vec_push(&m.tensors, t);
	}
	list.tensors = ids;
	CHECK(attr_is(&m, &a, &few, "float32 [3] 0.5, 0.333333, \u2026 (3)"));
	CHECK(attr_is(&m, &a, &short_names, "f32 [3] 0.5, 0.3333, \u2026 (3)"));
	m.tensors.at[a.tensor].elem = ELEM_UNDEFINED;
	CHECK(attr_is(&m, &a, &few, "undefined [3] (unknown element type)"));
	list.count = 2;
	CHECK(attr_is(
		&m, &list, &few,
		"float32 [3] 0.5, 0.333333, \u2026 (3); float32 [3] 0.5, 0.333333, \u2026 (3)"));
	model_release(&m);
}

TESTS(T(inferred_types_print_like_declared_ones), T(a_pen_gets_each_name_with_its_symbol),
      T(attributes_with_one_value), T(lists_say_how_much_is_left_out),
      T(tensors_print_type_and_elements))
