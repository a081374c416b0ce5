/*
 * Types and attributes as text.
 */
#include "tests/tap.h"

#include "infer/text.h"
#include "sym/text.h"

static bool printed(const struct sym_pool *p, struct sym_env *env, const struct info *info,
		    enum info_part part, const char *expected)
{
	struct str s = {0};
	bool ok;

	info_print(&s, p, env, info, part);
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
	CHECK(printed(&p, NULL, &tensor, INFO_TYPE, "float32 [a\\nb, 3, ?]"));
	CHECK(printed(&p, NULL, &tensor, INFO_SHORT_TYPE, "f32 [a\\nb, 3, ?]"));
	CHECK(printed(&p, NULL, &tensor, INFO_SHAPE, "[a\\nb, 3, ?]"));
	CHECK(printed(&p, NULL, &map, INFO_TYPE,
		      "map of int64 to sequence of float32 [a\\nb, 3, ?]"));
	CHECK(printed(&p, NULL, &map, INFO_SHAPE, "map"));
	CHECK(printed(&p, NULL, &none, INFO_TYPE, "?"));
	CHECK(printed(&p, NULL, &none, INFO_SHAPE, "?"));
	CHECK(printed(&p, NULL, &sparse, INFO_TYPE, "sparse type#99"));
	CHECK(printed(&p, NULL, &sparse, INFO_SHAPE, "[?]"));
	sym_pool_release(&p);
}

TEST(dims_print_as_numbers_where_sizes_determine_them)
{
	struct sym_pool p = {0};
	struct sym_env env = {0};
	struct sym n = sym_declare(&p, SV("N")), dims[2];
	struct info tensor = {.kind = TYPE_TENSOR, .ranked = true, .rank = 2, .dims = dims};
	struct err err;
	uint32_t id;

	dims[0] = sym_add_int(&p, sym_mul_int(&p, n, 2), 1);
	dims[1] = sym_declare(&p, SV("M"));
	CHECK(sym_symbol_id(&p, n, &id) && sym_bind(&env, &p, id, 4, &err));
	CHECK(printed(&p, NULL, &tensor, INFO_TYPE, "? [2*N + 1, M]"));
	CHECK(printed(&p, &env, &tensor, INFO_TYPE, "? [9, M]"));
	sym_env_release(&env);
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

TESTS(T(inferred_types_print_like_declared_ones),
      T(dims_print_as_numbers_where_sizes_determine_them), T(a_pen_gets_each_name_with_its_symbol))
