/* One test per promise of the headers.  One file: they share the pool and its helpers. */
#include "tests/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "sym/float.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

static struct sym_pool pool;

static struct sym read_text(const char *text)
{
	struct sym s = SYM_UNKNOWN;
	struct err err = {0};

	CHECK_THAT(sym_parse(&pool, sv_of(text), NULL, &s, &err), "%s: %s", text, err.text);
	return s;
}

static bool shows(struct sym s, const char *expected)
{
	struct str text = {0};
	bool same;

	sym_print(&pool, s, &text);
	same = sv_is(str_sv(&text), expected);
	if (!same)
		printf("# shown as %s, expected %s\n", str_c(&text), expected);
	str_release(&text);
	return same;
}

static bool fails(const char *text, const char *expected)
{
	struct sym s = SYM_UNKNOWN;
	struct err err = {0};
	bool ok = !sym_parse(&pool, sv_of(text), NULL, &s, &err) && strstr(err.text, expected);

	if (!ok)
		printf("# %s: %s, expected %s\n", text, err.text, expected);
	return ok;
}

static int64_t value_at(struct sym s, const char *name, int64_t value)
{
	struct sym_env env = {0};
	struct err err;
	uint32_t id = 0;
	int64_t out = -999;
	enum sym_status status;

	CHECK(sym_symbol_id(&pool, sym_find(&pool, sv_of(name)), &id));
	CHECK(sym_bind(&env, &pool, id, value, &err));
	status = sym_eval(&pool, &env, s, &out);
	CHECK_THAT(status == SYM_OK, "status %d", (int)status);
	sym_env_release(&env);
	return out;
}

static void start(void)
{
	static const char *const names[] = {"H", "W", "N", "a", "b", "c", "batch", "seq", "past"};

	sym_pool_release(&pool);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		sym_declare(&pool, sv_of(names[i]));
	sym_declare_range(&pool, SV("d"), SYM_RANGE_ANY);
	sym_declare_range(&pool, SV("t"), (struct sym_range){0, 1000});
	sym_declare_range(&pool, SV("z"), SYM_RANGE_SIZE);
}

TEST(words)
{
	int64_t v = 0;
	static const int64_t numbers[] = {0,
					  1,
					  -1,
					  INT64_MAX,
					  INT64_MIN,
					  INT64_MAX / 2,
					  INT64_MAX / 2 + 1,
					  INT64_MIN / 2,
					  INT64_MIN / 2 - 1};

	start();
	CHECK(sizeof(struct sym) == 8);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		struct sym s = sym_int(&pool, numbers[i]);

		CHECK(sym_value(&pool, s, &v) && v == numbers[i]);
		CHECK(sym_same(s, sym_int(&pool, numbers[i])));
		CHECK(sym_kind(&pool, s) == SYM_KIND_INT);
		CHECK(sym_range(&pool, s).lo == numbers[i] && sym_range(&pool, s).hi == numbers[i]);
	}
	CHECK(sym_is(sym_int(&pool, -3), -3) && !sym_is(SYM_UNKNOWN, 0));
	CHECK(sym_kind(&pool, SYM_UNKNOWN) == SYM_KIND_UNKNOWN);
	CHECK(sym_same(sym_sub(&pool, sym_int(&pool, INT64_MAX), sym_int(&pool, INT64_MAX)),
		       sym_int(&pool, 0)));
}

TEST(unknown_stays_unknown)
{
	struct sym u = SYM_UNKNOWN, h;

	start();
	h = sym_find(&pool, SV("H"));
	CHECK(sym_is_unknown(sym_add(&pool, u, h)) && sym_is_unknown(sym_mul(&pool, h, u)));
	CHECK(sym_is_unknown(sym_floor_div(&pool, h, sym_int(&pool, 0))));
	CHECK(sym_is_unknown(sym_trunc_div(&pool, h, sym_int(&pool, 0))));
	CHECK(sym_is_unknown(sym_mod(&pool, h, sym_int(&pool, 0))));
	CHECK(sym_is_unknown(sym_broadcast(&pool, sym_int(&pool, 2), sym_int(&pool, 3))));
	CHECK(sym_is(sym_broadcast(&pool, u, sym_int(&pool, 3)), 3));
	CHECK(sym_is_unknown(sym_broadcast(&pool, u, sym_int(&pool, 1))));
	CHECK(sym_eq(&pool, u, u) == SYM_MAYBE && sym_le(&pool, u, u) == SYM_MAYBE);
	CHECK(sym_is_unknown(sym_find(&pool, SV("nobody"))));
	CHECK(sym_is_unknown(sym_add(&pool, sym_to_float(&pool, SYM_F32, h), h)));
}

TEST(comparisons)
{
	struct {
		const char *a, *b;
		enum sym_answer eq, le, lt;
	} const table[] = {
		{"H", "H", SYM_YES, SYM_YES, SYM_NO},
		{"H", "W", SYM_MAYBE, SYM_MAYBE, SYM_MAYBE},
		{"H", "H + 1", SYM_NO, SYM_YES, SYM_YES},
		{"seq", "past + seq", SYM_NO, SYM_YES, SYM_YES},
		{"seq", "z + seq", SYM_MAYBE, SYM_YES, SYM_MAYBE},
		{"2*H", "2*W + 1", SYM_NO, SYM_MAYBE, SYM_MAYBE},
		{"H", "-1", SYM_NO, SYM_NO, SYM_NO},
		{"H", "0", SYM_NO, SYM_NO, SYM_NO},
		{"z", "0", SYM_MAYBE, SYM_MAYBE, SYM_NO},
		{"ceil(H/2) + floor(H/2)", "H", SYM_YES, SYM_YES, SYM_NO},
		{"H % 7", "6", SYM_MAYBE, SYM_YES, SYM_MAYBE},
		{"H % 7", "7", SYM_NO, SYM_YES, SYM_YES},
		{"7*ceil(H/7)", "H", SYM_MAYBE, SYM_MAYBE, SYM_NO},
		{"max(a, b)", "a", SYM_MAYBE, SYM_MAYBE, SYM_MAYBE},
		{"t", "1000", SYM_MAYBE, SYM_YES, SYM_MAYBE},
		{"t", "1001", SYM_NO, SYM_YES, SYM_YES},
		{"3", "4", SYM_NO, SYM_YES, SYM_YES},
	};

	start();
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct sym a = read_text(table[i].a), b = read_text(table[i].b);

		CHECK_THAT(sym_eq(&pool, a, b) == table[i].eq, "%s == %s", table[i].a, table[i].b);
		CHECK_THAT(sym_le(&pool, a, b) == table[i].le, "%s <= %s", table[i].a, table[i].b);
		CHECK_THAT(sym_lt(&pool, a, b) == table[i].lt, "%s < %s", table[i].a, table[i].b);
	}
}

TEST(five_strides)
{
	struct sym h = SYM_UNKNOWN;

	start();
	h = sym_find(&pool, SV("H"));
	/* kernel 3, stride 2, pad 1 on both sides */
	for (int i = 0; i < 5; i++)
		h = sym_add_int(
			&pool,
			sym_floor_div(&pool, sym_add_int(&pool, h, 2 - 3), sym_int(&pool, 2)), 1);
	CHECK(shows(h, "ceil(H/32)"));
	for (int64_t v = 1; v < 5000; v += 7)
		CHECK(value_at(h, "H", v) == (v + 31) / 32);
}

static bool quotient_is(const char *up, const char *down, const char *expected, bool exact)
{
	struct sym lists[2][8], out;
	size_t count[2] = {0};
	const char *texts[2] = {up, down};
	bool was;

	for (int k = 0; k < 2; k++) {
		char copy[200], *save = NULL;

		snprintf(copy, sizeof(copy), "%s", texts[k]);
		for (char *t = strtok_r(copy, ";", &save); t; t = strtok_r(NULL, ";", &save))
			lists[k][count[k]++] = read_text(t);
	}
	out = sym_quotient(&pool, lists[0], count[0], lists[1], count[1], &was);
	return shows(out, expected) && was == exact;
}

TEST(quotients_of_sizes)
{
	start();
	CHECK(quotient_is("batch;seq;768", "batch;seq;12", "64", true));
	CHECK(quotient_is("batch;seq;768", "batch;12;64", "seq", true));
	CHECK(quotient_is("a*c + b*c", "a + b", "c", true));
	CHECK(quotient_is("a + b;c", "a + b", "c", true));
	CHECK(quotient_is("N;7*ceil(H/7);W", "7;ceil(H/7)", "N*W", true));
	CHECK(quotient_is("H;W", "49", "floor(H*W/49)", false));
	CHECK(quotient_is("H;4", "6;H", "0", false));
	CHECK(quotient_is("N;H", "0", "?", false));
	CHECK(quotient_is("N;0", "H", "0", true));
	CHECK(quotient_is("9223372036854775807;9223372036854775807;a",
			  "9223372036854775807;9223372036854775807", "a", true));
	CHECK(quotient_is("", "", "1", true));
}

TEST(broadcasts)
{
	start();
	CHECK(shows(read_text("broadcast(a, b, a, 1)"), "broadcast(a, b)"));
	CHECK(shows(read_text("broadcast(a, 1)"), "a"));
	CHECK(shows(read_text("broadcast(a, 0)"), "0"));
	CHECK(shows(read_text("broadcast(broadcast(a, b), c)"), "broadcast(a, b, c)"));
	CHECK(value_at(read_text("broadcast(a, 1 + a - a)"), "a", 0) == 0);
}

/* Two sizes that are never 1 broadcast only when they are equal: then one stands for both. */
TEST(broadcasts_do_not_depend_on_history)
{
	static const char *const orders[][2] = {
		{"a + 1", "b + 1"}, {"b + 1", "a + 1"}, {"a + c + 1", "a + b + 1"}};

	for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
		struct sym first, second;

		start();
		first = read_text(orders[i][0]);
		second = read_text(orders[i][1]);
		CHECK(sym_same(sym_broadcast(&pool, first, second),
			       sym_broadcast(&pool, second, first)));
		CHECK(shows(sym_broadcast(&pool, first, second), i < 2 ? "a + 1" : "a + b + 1"));
	}
}

TEST(generated_symbols)
{
	struct sym_origin origin = {.node = 12, .axis = 1, .range = {0, 100}};
	struct sym u, v;
	uint32_t id = 0;
	struct err err = {0};

	start();
	u = sym_generate(&pool, &origin);
	CHECK(sym_same(u, sym_generate(&pool, &origin)));
	CHECK(sym_le(&pool, u, sym_int(&pool, 100)) == SYM_YES);
	origin.range.hi = 50;
	v = sym_generate(&pool, &origin);
	CHECK(!sym_same(u, v) && sym_eq(&pool, u, v) == SYM_MAYBE);
	CHECK(shows(u, "?12") && shows(sym_add_int(&pool, u, 1), "?12 + 1"));
	CHECK(sym_same(read_text("?12"), u));
	CHECK(sym_symbol_id(&pool, u, &id) && sym_rename(&pool, id, SV("found"), &err));
	CHECK(shows(sym_add_int(&pool, u, 1), "found + 1") && sym_same(read_text("found"), u));
	CHECK(!sym_rename(&pool, id, SV("H"), &err) && err.kind == ERR_USAGE);
	CHECK(!sym_rename(&pool, id, SV(""), &err));
	CHECK(pool.symbols.at[id].source == SYM_GENERATED && pool.symbols.at[id].origin.node == 12);
	/* A definition is followed. */
	origin.definition = read_text("2*H + 1");
	origin.range.hi = INT64_MAX;
	u = sym_generate(&pool, &origin);
	CHECK(value_at(sym_add_int(&pool, u, 1), "H", 10) == 22);
	CHECK(sym_symbol_id(&pool, read_text("H"), &id) && sym_mentions(&pool, u, id));
}

TEST(renaming)
{
	struct sym e;
	uint32_t id = 0;
	struct err err;

	start();
	e = read_text("2*H + W");
	CHECK(sym_symbol_id(&pool, read_text("H"), &id));
	CHECK(sym_rename(&pool, id, SV("height"), &err) &&
	      sym_rename(&pool, id, SV("height"), &err));
	CHECK(shows(e, "W + 2*height"));
	CHECK(sym_is_unknown(sym_find(&pool, SV("H"))));
	CHECK(!sym_same(sym_declare(&pool, SV("H")), sym_find(&pool, SV("height"))));
	CHECK(sym_rename(&pool, id, SV("1st dim"), &err));
	CHECK(shows(e, "W + 2*`1st dim`"));
}

TEST(names_alone_and_inside)
{
	struct sym s;

	start();
	s = sym_declare(&pool, SV("my axis"));
	CHECK(shows(s, "my axis") && shows(sym_add_int(&pool, s, 1), "`my axis` + 1"));
	CHECK(sym_same(read_text("my axis"), s) && sym_same(read_text("`my axis`"), s));
	/* A name that parses as something else is quoted. */
	s = sym_declare(&pool, SV("2"));
	CHECK(shows(s, "`2`") && sym_same(read_text("`2`"), s) && sym_is(read_text("2"), 2));
	s = sym_declare(&pool, SV("2*H"));
	CHECK(shows(s, "`2*H`"));
	s = sym_declare(&pool, SV("2*unheard"));
	CHECK(shows(s, "2*unheard") && sym_same(read_text("2*unheard"), s));
	s = sym_declare(&pool, SV("?"));
	CHECK(shows(s, "`?`") && sym_is_unknown(read_text("?")));
	s = sym_declare(&pool, SV("a`b"));
	CHECK(shows(sym_mul_int(&pool, s, 2), "2*`a``b`") && sym_same(read_text("`a``b`"), s));
	s = sym_declare(&pool, SV("max"));
	CHECK(shows(sym_max(&pool, s, read_text("H")), "max(H, max)"));
	CHECK(sym_same(read_text("max(H, max)"), sym_max(&pool, s, read_text("H"))));
	s = sym_declare(&pool, SV("nul\0byte"));
	CHECK(sym_same(sym_find(&pool, SV("nul\0byte")), s));
}

TEST(parse_errors)
{
	char deep[1000], many[3000];

	start();
	CHECK(fails("", "column 1") && fails("H +", "column 4") && fails("(H", "column 3"));
	CHECK(fails("H W", "column 3: expected an operator"));
	CHECK(fails("H + nobody", "column 5: unknown name nobody"));
	CHECK(fails("H/2", "not an integer") && fails("H//0", "division by zero"));
	CHECK(fails("2**H", "exponent") && fails("frob(H)", "function") &&
	      fails("max()", "arguments"));
	CHECK(fails("9223372036854775808", "too large") && fails("H % 0", "zero"));
	CHECK(fails("2H", "column 1") && fails("`", "column 1") && fails("H $ 2", "column 3"));
	CHECK(fails("floor(0.7*H)", "exact") &&
	      fails("float32(H) + H", "mix an integer expression"));
	CHECK(fails("H < W < 3", "column 7"));
	CHECK(fails("float32(H) + float64(H)", "different types"));
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = 0;
	CHECK(fails(deep, "nested too deeply"));
	memset(many, '-', sizeof(many) - 1);
	many[sizeof(many) - 1] = 0;
	CHECK(fails(many, "unexpected end"));
}

TEST(text_of_names)
{
	struct str scratch = {0}, out = {0};
	struct sv text = SV("past + max(seq, `my axis`)*2"), name;
	size_t at = 0;

	start();
	CHECK(sym_text_next_name(text, &at, &scratch, &name) && sv_is(name, "past"));
	CHECK(sym_text_next_name(text, &at, &scratch, &name) && sv_is(name, "seq"));
	CHECK(sym_text_next_name(text, &at, &scratch, &name) && sv_is(name, "my axis"));
	CHECK(!sym_text_next_name(text, &at, &scratch, &name));
	CHECK(sym_text_is_expression(SV("past + nobody")) &&
	      !sym_text_is_expression(SV("batch size")));
	CHECK(sym_text_is_known(&pool, SV("past + seq"), NULL));
	CHECK(!sym_text_is_known(&pool, SV("past + nobody"), NULL));
	CHECK(sym_text_rename(SV(" past+ seq *seq1"), SV("seq"), SV("S"), &out));
	CHECK(sv_is(str_sv(&out), " past+ S *seq1"));
	str_clear(&out);
	CHECK(sym_text_rename(SV("`my axis` // 2"), SV("my axis"), SV("n"), &out));
	CHECK(sv_is(str_sv(&out), "n // 2"));
	str_clear(&out);
	CHECK(sym_text_rename(SV("max(max, 1)"), SV("max"), SV("a b"), &out));
	CHECK(sv_is(str_sv(&out), "max(`a b`, 1)"));
	str_clear(&out);
	CHECK(!sym_text_rename(SV("batch size"), SV("batch"), SV("n"), &out));
	CHECK(sv_is(str_sv(&out), "batch size"));
	str_clear(&out);
	CHECK(sym_text_rename(SV("batch size"), SV("batch size"), SV("n"), &out));
	CHECK(sv_is(str_sv(&out), "n"));
	str_release(&scratch);
	str_release(&out);
}

TEST(too_complex_is_still_exact)
{
	struct sym s, e;
	struct str text = {0};
	uint32_t id = 0;

	start();
	s = read_text("a + b + c + H + W + N + batch + seq + past + 1");
	e = sym_mul(&pool, s, s);
	CHECK(sym_symbol_id(&pool, e, &id) && pool.symbols.at[id].source == SYM_COMPLEX);
	e = sym_mul(&pool, e, s);
	CHECK(sym_same(e, sym_mul(&pool, sym_mul(&pool, s, s), s)));
	CHECK(sym_range(&pool, e).lo == 1000);
	sym_print_definition(&pool, id, &text);
	CHECK(text.len > 10);
	/* All but one at 0: (H + 1)^3. */
	{
		struct sym_env env = {0};
		struct sym_subst subst = {0};
		struct err err;
		int64_t v = 0;

		for (uint32_t i = 0; i < 9; i++)
			CHECK(sym_bind(&env, &pool, i, i == 0 ? 4 : 0, &err));
		CHECK(sym_eval(&pool, &env, e, &v) == SYM_OK && v == 125);
		for (uint32_t i = 1; i < 9; i++)
			sym_replace(&subst, i, sym_int(&pool, 0));
		CHECK(shows(sym_substitute(&pool, &subst, e), "H**3 + 3*H**2 + 3*H + 1"));
		sym_subst_release(&subst);
		sym_env_release(&env);
	}
	/* Integers too. */
	e = sym_add_int(&pool, sym_int(&pool, INT64_MAX), 1);
	CHECK(sym_kind(&pool, e) == SYM_KIND_SYMBOL);
	CHECK(sym_eq(&pool, e, sym_int(&pool, 0)) == SYM_NO);
	e = sym_floor_div(&pool, e, sym_int(&pool, 2));
	CHECK(value_at(e, "H", 1) == INT64_MAX / 2 + 1);
	str_release(&text);
}

TEST(hostile_growth_is_bounded)
{
	struct sym s, t;
	size_t before;

	start();
	s = read_text("H");
	for (int i = 0; i < 1000; i++)
		s = sym_add(&pool, sym_mul(&pool, s, s), read_text("W"));
	t = read_text("H");
	for (int i = 0; i < 1000; i++)
		t = sym_max(&pool,
			    sym_floor_div(&pool, sym_mul_int(&pool, t, 3), sym_int(&pool, 7)),
			    sym_sub(&pool, read_text("d"), t));
	CHECK(sym_pool_bytes(&pool) < 8u << 20);
	/* The same again costs nothing. */
	before = sym_pool_bytes(&pool);
	s = read_text("H");
	for (int i = 0; i < 1000; i++)
		s = sym_add(&pool, sym_mul(&pool, s, s), read_text("W"));
	CHECK(sym_pool_bytes(&pool) == before);
	{
		struct sym_env env = {0};
		struct sym_subst subst = {0};
		int64_t v;

		CHECK(sym_eval(&pool, &env, s, &v) == SYM_UNBOUND);
		sym_replace(&subst, 0, sym_int(&pool, 1));
		(void)sym_substitute(&pool, &subst, s);
		sym_subst_release(&subst);
		sym_env_release(&env);
	}
}

TEST(evaluation)
{
	struct sym_env env = {0};
	struct err err = {0};
	int64_t v = 7;

	start();
	CHECK(sym_eval(&pool, &env, read_text("H + 1"), &v) == SYM_UNBOUND && v == 7);
	CHECK(sym_bind(&env, &pool, 0, 0, &err) && sym_bind(&env, &pool, 1, 5, &err));
	CHECK(sym_bind(&env, &pool, 11, 0, &err));
	CHECK(sym_eval(&pool, &env, read_text("floor(W/H)"), &v) == SYM_UNDEFINED);
	CHECK(sym_eval(&pool, &env, read_text("where(z == 0, 3, W//z)"), &v) == SYM_OK && v == 3);
	CHECK(sym_eval(&pool, &env, read_text("broadcast(H, W)"), &v) == SYM_UNDEFINED);
	CHECK(!sym_bind(&env, &pool, 0, -1, &err));
	CHECK(sym_bind(&env, &pool, 1, INT64_MAX, &err));
	CHECK(sym_eval(&pool, &env, read_text("2*W"), &v) == SYM_OVERFLOW);
	CHECK(sym_eval(&pool, &env, read_text("W*W // (W + 1)"), &v) == SYM_OK &&
	      v == INT64_MAX - 1);
	sym_unbind(&env, 1);
	CHECK(sym_eval(&pool, &env, read_text("W"), &v) == SYM_UNBOUND);
	sym_env_clear(&env);
	CHECK(sym_eval(&pool, &env, read_text("H"), &v) == SYM_UNBOUND);
	sym_env_release(&env);
}

TEST(substitution_is_simultaneous)
{
	struct sym_subst subst = {0};

	start();
	sym_replace(&subst, 0, read_text("W"));
	sym_replace(&subst, 1, read_text("H"));
	CHECK(shows(sym_substitute(&pool, &subst, read_text("H - W")), "W - H"));
	CHECK(shows(sym_substitute(&pool, &subst, read_text("ceil(H/2)*max(H, a)")),
		    "ceil(W/2)*max(W, a)"));
	CHECK(sym_same(sym_substitute(&pool, &subst, read_text("a*b//3")), read_text("a*b//3")));
	sym_replace(&subst, 0, SYM_UNKNOWN);
	CHECK(sym_is_unknown(sym_substitute(&pool, &subst, read_text("H + 1"))));
	sym_subst_release(&subst);
}

TEST(conditions)
{
	struct sym h;

	start();
	h = read_text("H");
	CHECK(sym_is(sym_test_eq(&pool, h, sym_int(&pool, -1)), 0));
	CHECK(shows(sym_test_eq(&pool, sym_mul_int(&pool, h, 2), sym_int(&pool, 2)), "H == 1"));
	CHECK(sym_is(sym_test_eq(&pool, sym_mul_int(&pool, h, 2), sym_int(&pool, 3)), 0));
	CHECK(shows(sym_not(&pool, sym_test_eq(&pool, h, sym_int(&pool, 1))), "H != 1"));
	CHECK(shows(sym_test_lt(&pool, h, sym_int(&pool, 5)), "H < 5"));
	CHECK(shows(sym_test_le(&pool, sym_int(&pool, 5), h), "H >= 5"));
	CHECK(sym_is(sym_test_le(&pool, sym_int(&pool, 0), h), 1));
	/* Where(Equal(shape, -1), x, shape) */
	CHECK(sym_same(sym_select(&pool, sym_test_eq(&pool, h, sym_int(&pool, -1)), SYM_UNKNOWN, h),
		       h));
	CHECK(shows(sym_select(&pool, sym_not(&pool, read_text("H == 1")), h, read_text("W")),
		    "where(H == 1, W, H)"));
	CHECK(sym_same(sym_and(&pool, read_text("H == 1"), read_text("H == 1")),
		       read_text("H == 1")));
	CHECK(sym_is(sym_or(&pool, read_text("H >= 0"), read_text("W == 1")), 1));
	CHECK(value_at(sym_or(&pool, read_text("H == 1"), read_text("H >= 3")), "H", 2) == 0);
	CHECK(value_at(sym_or(&pool, read_text("H == 1"), read_text("H >= 3")), "H", 3) == 1);
}

TEST(float_types)
{
	double x = 0;
	static const struct {
		enum sym_float type;
		double in, out;
	} table[] = {
		{SYM_F16, 65504, 65504},
		{SYM_F16, 65519, 65504},
		{SYM_F16, 65520, INFINITY},
		{SYM_F16, 2049, 2048},
		{SYM_F16, 2051, 2052},
		{SYM_F16, 0x1p-24, 0x1p-24},
		{SYM_F16, 0x1p-25, 0},
		{SYM_F16, 0x1.8p-25, 0x1p-24},
		{SYM_BF16, 257, 256},
		{SYM_BF16, 259, 260},
		{SYM_BF16, 0x1p-133, 0x1p-133},
		{SYM_F32, 16777217, 16777216},
		{SYM_F64, 0.1, 0.1},
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		CHECK_THAT(sym_float_round(table[i].type, table[i].in) == table[i].out, "row %zu",
			   i);
		CHECK_THAT(sym_float_round(table[i].type, -table[i].in) == -table[i].out, "row %zu",
			   i);
	}
	CHECK(sym_float_step(SYM_F32, SYM_FOP_MUL, 10, (double)0.7f) == 7);
	CHECK(floor(sym_float_step(SYM_F64, SYM_FOP_MUL, 10, (double)0.7f)) == 6);
	CHECK(sym_float_step(SYM_F32, SYM_FOP_ROUND, 2.5, 0) == 2);
	CHECK(!sym_float_from_int(SYM_BF16, (1 << 24) + 1, &x));
	CHECK(sym_float_from_int(SYM_F16, 1 << 30, &x) && isinf(x));
	CHECK(!sym_float_convert(SYM_F64, SYM_F16, 1 + 0x1p-11 + 0x1p-40, &x));
}

TEST(float_chains)
{
	struct sym w, f;

	start();
	/* Faster R-CNN: 319, not 320, for w = 100. */
	w = read_text("int(floor(float32(W)*((1/float32(W))*320)))");
	CHECK(shows(w, "int(floor(float32(W)*((1.0/float32(W))*320.0)))"));
	CHECK(value_at(w, "W", 100) == (int64_t)floorf(100.0f * (1.0f / 100.0f * 320.0f)));
	CHECK(value_at(w, "W", 64) == 320);
	CHECK(sym_range(&pool, w).lo == 0);
	w = read_text("int(floor(float32(W)*min((1/float32(min(W, 50)))*320, "
		      "(1/float32(max(W, 50)))*640)))");
	for (int i = 1; i < 300; i++) {
		float a = 1.0f / (float)MIN(i, 50) * 320.0f, b = 1.0f / (float)MAX(i, 50) * 640.0f;

		CHECK(value_at(w, "W", i) == (int64_t)floorf((float)i * MIN(a, b)));
	}
	CHECK(value_at(w, "W", 0) == 0 && sym_range(&pool, w).lo == 0);
	/* A minimum turns infinity into a number again; NaN stays. */
	CHECK(value_at(read_text("int(min(1/float32(z), 7.5))"), "z", 0) == 7);
	CHECK(shows(read_text("int(min(1/(float32(W)*(-0.0)), 0 - float32(H)))"),
		    "int(min(0.0 - float32(H), 1.0/(float32(W)*(-0.0))))"));
	CHECK(sym_range(&pool, read_text("int(max(1/(float32(W)*(-0.0)), -7.5))")).lo == -7);
	CHECK(isnan(sym_float_step(SYM_F32, SYM_FOP_MIN, NAN, 1)));
	CHECK(isnan(sym_float_step(SYM_F32, SYM_FOP_MAX, 1, NAN)));
	CHECK(signbit(sym_float_step(SYM_F32, SYM_FOP_MIN, 0, -0.0)));
	CHECK(!signbit(sym_float_step(SYM_F32, SYM_FOP_MAX, -0.0, 0)));
	/* Exact steps fold. */
	CHECK(shows(read_text("int(float32(t)*0.5)"), "floor(t/2)"));
	CHECK(shows(read_text("int(ceil(float32(t)*0.25 + 1.5))"), "floor((t + 1)/4) + 2"));
	CHECK(shows(read_text("int(floor(float32(t)/3))"), "floor(t/3)"));
	CHECK(shows(read_text("int(float32(t)*2/4)"), "floor(t/2)"));
	CHECK(shows(read_text("int(float32(3))"), "3"));
	/* An unbounded size does not: above 2^24 the cast rounds. */
	CHECK(shows(read_text("int(floor(float32(H)*0.5))"), "int(floor(float32(H)*0.5))"));
	CHECK(value_at(read_text("int(float32(H))"), "H", 16777217) == 16777216);
	CHECK(shows(read_text("int(bfloat16(t))"), "int(bfloat16(t))"));
	CHECK(value_at(read_text("int(round(float32(H)/2))"), "H", 5) == 2);
	CHECK(value_at(read_text("int(sqrt(float64(H)))"), "H", 99) == 9);
	/* Between types, and the type of a constant. */
	CHECK(value_at(read_text("int(float16(float32(H)))"), "H", 2049) == 2048);
	CHECK(shows(read_text("int(float16(float32(t)*0.5))"), "floor(t/2)"));
	CHECK(shows(read_text("float16(float32(0.1))"), "float16(0.1)"));
	CHECK(shows(read_text("-float32(W)"), "float32(W)*(-1.0)"));
	CHECK(value_at(read_text("int(-float32(H)/2)"), "H", 5) == -2);
	f = sym_to_float(&pool, SYM_F32, read_text("W"));
	for (int i = 0; i < 40; i++)
		f = sym_float_op(&pool, SYM_FOP_SQRT, f, SYM_UNKNOWN);
	CHECK(sym_is_unknown(f));
	CHECK(sym_is_unknown(sym_float(&pool, SYM_F32, 1e300)));
}

static double nearest_half(const double *half, size_t count, double x)
{
	size_t lo = 0, hi = count - 1;

	if (x >= 65520)
		return INFINITY;
	while (hi - lo > 1) {
		size_t mid = (lo + hi) / 2;

		if (half[mid] <= x)
			lo = mid;
		else
			hi = mid;
	}
	if (x - half[lo] == half[hi] - x)
		return lo % 2 ? half[hi] : half[lo];
	return x - half[lo] < half[hi] - x ? half[lo] : half[hi];
}

TEST(half_floats_against_a_table)
{
	static double half[0x7c00 + 1];
	uint64_t state = 12345;

	for (unsigned bits = 0; bits < 0x7c00; bits++)
		half[bits] = bits >> 10 ? ldexp(1024 + (bits & 1023), (int)(bits >> 10) - 25)
					: ldexp(bits, -24);
	half[0x7c00] = 65536;
	for (int i = 0; i < 200000; i++) {
		double x;

		state = state * 6364136223846793005u + 1442695040888963407u;
		x = ldexp((double)(state >> 40), (int)(state >> 20 & 63) - 52);
		if (sym_float_round(SYM_F16, x) != nearest_half(half, 0x7c00 + 1, x)) {
			CHECK_THAT(false, "%a: %a, not %a", x, sym_float_round(SYM_F16, x),
				   nearest_half(half, 0x7c00 + 1, x));
			return;
		}
	}
}

/* The theorem behind folding floor(a/b): checked for every pair a float16 holds. */
TEST(rounded_quotients_of_halves)
{
	for (int a = 0; a <= 2048; a++) {
		for (int b = 1; a + b <= 2048; b++) {
			double q = sym_float_step(SYM_F16, SYM_FOP_DIV, a, b);

			if (floor(q) != a / b || ceil(q) != (a + b - 1) / b) {
				CHECK_THAT(false, "%d/%d is %a", a, b, q);
				return;
			}
		}
	}
}

static bool find_doubled(void *context, struct sv name, struct sym *out)
{
	*out = sym_mul_int(context, sym_find(context, SV("H")), 2);
	return sv_is(name, "twice");
}

TEST(fractions)
{
	start();
	CHECK(shows(read_text("floor(H/2 + W/3 - 1/6)"), "ceil((3*H + 2*W)/6) - 1"));
	CHECK(shows(read_text("floor(a/b + c/b)"), "floor((a + c)/b)"));
	CHECK(shows(read_text("floor(a/b + 1/c)"), "floor((a*c + b)/(b*c))"));
	CHECK(shows(read_text("(a/b)*b"), "a"));
	CHECK(shows(read_text("1.5*2"), "3"));
	CHECK(shows(read_text("floor(1.25*H)"), "floor(5*H/4)"));
	CHECK(shows(read_text("Identity(H)"), "H") && shows(read_text("H % 2.0"), "H % 2"));
	CHECK(shows(read_text("H > 3"), "H >= 4") && shows(read_text("H <= 3"), "H < 4"));
}

TEST(smallest_coefficient)
{
	struct sym s, again = SYM_UNKNOWN;
	struct str text = {0};
	struct err err;

	start();
	s = sym_add(&pool, sym_mul_int(&pool, read_text("W"), INT64_MIN), read_text("H"));
	sym_print(&pool, s, &text);
	CHECK(sym_parse(&pool, str_sv(&text), NULL, &again, &err) && sym_same(again, s));
	str_release(&text);
	CHECK(sym_is_unknown(sym_floor_div(&pool, s, sym_int(&pool, 0))));
}

TEST(parts)
{
	struct sym s, f;
	uint32_t id = 99;
	int64_t a = 0, b = 0;

	start();
	s = read_text("2*H*W + 3*N + 5");
	CHECK(sym_part_count(&pool, s) == 3 && sym_part_count(&pool, read_text("H")) == 0);
	CHECK(sym_part(&pool, s, 0).number == 5 && sym_is(sym_part(&pool, s, 0).s, 1));
	f = read_text("floor(H/3)");
	CHECK(sym_kind(&pool, f) == SYM_KIND_FLOOR && sym_is(sym_part(&pool, f, 1).s, 3));
	CHECK(sym_part(&pool, read_text("H**3*W"), 0).number == 3);
	CHECK(sym_is_linear(&pool, read_text("3 - 2*W"), &id, &a, &b) && id == 1 && a == -2 &&
	      b == 3);
	CHECK(sym_is_linear(&pool, read_text("H"), &id, &a, &b) && id == 0 && a == 1 && b == 0);
	CHECK(!sym_is_linear(&pool, s, NULL, NULL, NULL));
	CHECK(!sym_is_linear(&pool, sym_int(&pool, 3), NULL, NULL, NULL));
}

TEST(scopes)
{
	struct sym_scope scope = {find_doubled, &pool};
	struct sym s = SYM_UNKNOWN;
	struct err err;

	start();
	CHECK(sym_parse(&pool, SV("twice + 1"), &scope, &s, &err) && shows(s, "2*H + 1"));
	CHECK(!sym_parse(&pool, SV("H + 1"), &scope, &s, &err));
	CHECK(sym_text_is_known(&pool, SV("twice*twice"), &scope));
	sym_pool_release(&pool);
}

TESTS(T(words), T(unknown_stays_unknown), T(comparisons), T(five_strides), T(quotients_of_sizes),
      T(broadcasts), T(broadcasts_do_not_depend_on_history), T(generated_symbols), T(renaming),
      T(names_alone_and_inside), T(parse_errors), T(text_of_names), T(too_complex_is_still_exact),
      T(hostile_growth_is_bounded), T(evaluation), T(substitution_is_simultaneous), T(conditions),
      T(float_types), T(float_chains), T(half_floats_against_a_table),
      T(rounded_quotients_of_halves), T(fractions), T(smallest_coefficient), T(parts), T(scopes))
