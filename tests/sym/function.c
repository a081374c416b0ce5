/* Functions of one symbol against evaluation, their periods by brute force, common factors. */
#include "tests/tap.h"

#include "base/str.h"
#include "sym/eval.h"
#include "sym/float.h"
#include "sym/function.h"
#include "sym/sym.h"
#include "sym/text.h"

#define RANDOM_SEED 0x9e3779b97f4a7c15u
#include "tests/random.h"

enum {
	ROUNDS = 4000,
	EXPRESSIONS = 16,
	SIZES = 40,
	HORIZON = 400 /* sizes beyond the start that are compared */
};

static struct sym parsed(struct sym_pool *p, const char *text)
{
	struct sym s = SYM_UNKNOWN;
	struct err err = {0};

	CHECK_THAT(sym_parse(p, sv_of(text), NULL, &s, &err), "%s: %s", text, err.text);
	return s;
}

static void declare(struct sym_pool *p)
{
	static const char *const names[] = {"n", "b", "s", "p"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		(void)sym_declare_range(p, sv_of(names[i]), (struct sym_range){1, INT64_MAX});
	(void)sym_declare_range(p, SV("d"), SYM_RANGE_ANY);
	(void)sym_declare_range(p, SV("z"), SYM_RANGE_SIZE);
}

/* Only operations that a period is promised for, unless `wild`. */
static struct sym random_expression(struct sym_pool *p, const struct sym *old, int count, bool wild)
{
	static const int64_t numbers[] = {1, 1, 2, 2, 3, 4, 7, 8, 16, -1, -2, 5, 0};
	struct sym a = old[random_below(count)], b = old[random_below(count)];
	struct sym c = old[random_below(count)];
	int64_t number = numbers[random_below((int)ARRAY_LEN(numbers))];
	struct sym divisor = sym_int(p, number > 0 ? number : 3);

	switch (random_below(wild ? 16 : 13)) {
	case 0:
		return sym_int(p, number);
	case 1:
		return sym_add(p, a, b);
	case 2:
		return sym_sub(p, a, b);
	case 3:
		return sym_mul_int(p, a, number);
	case 4:
	case 5:
		return sym_floor_div(p, a, divisor);
	case 6:
		return sym_trunc_div(p, a, divisor);
	case 7:
		return sym_max(p, a, b);
	case 8:
		return sym_min(p, a, b);
	case 9:
		return sym_broadcast(p, a, b);
	case 10:
		return sym_test_eq(p, a, random_below(2) ? b : divisor);
	case 11:
		return sym_test_le(p, a, b);
	case 12:
		return sym_select(p, a, b, c);
	case 13:
		return sym_mul(p, a, b);
	case 14:
		return sym_mod(p, a, b);
	default:
		a = sym_float_op(p, SYM_FOP_MUL, sym_to_float(p, SYM_F32, a),
				 sym_float(p, SYM_F32, 0.7));
		return sym_cut(p, a);
	}
}

static void explain(struct sym_pool *p, struct sym s)
{
	struct str text = {0};

	sym_print(p, s, &text);
	printf("# %s\n", str_c(&text));
	str_release(&text);
}

static bool check_values(struct sym_pool *p, struct sym s, struct sym_function *f)
{
	struct sym_env env = {0};
	struct err err;
	bool ok = true;

	for (int i = 0; i < SIZES && ok; i++) {
		int64_t size = i < SIZES / 2 ? i + 1 : 1 + random_below(100000), want, got = 0;
		enum sym_status status;
		bool has;

		ok = CHECK(sym_bind(&env, p, 0, size, &err));
		status = sym_eval(p, &env, s, &want);
		has = sym_function_run(f, size, &got);
		/* A step may exceed 64 bits where the result does not. */
		ok = ok && CHECK_THAT(status == SYM_OVERFLOW || (!has && size > SIZES) ||
					      (has == (status == SYM_OK) && (!has || got == want)),
				      "at %lld: %d %lld, not %lld", (long long)size, has,
				      (long long)got, (long long)want);
	}
	sym_env_release(&env);
	return ok;
}

static bool check_period(struct sym_function *f, int64_t period, int64_t start)
{
	int64_t rise = 0;
	bool any = false, ok = true;

	for (int64_t size = start; size < start + HORIZON + period && ok; size++) {
		int64_t a = 0, b = 0;
		bool has_a = sym_function_run(f, size, &a);
		bool has_b = sym_function_run(f, size + period, &b);

		if (has_a && has_b && !any) {
			rise = b - a;
			any = true;
		}
		ok = CHECK_THAT(has_a == has_b && (!has_a || b - a == rise),
				"period %lld from %lld: %lld at %lld, then %lld", (long long)period,
				(long long)start, (long long)a, (long long)size, (long long)b);
	}
	return ok;
}

TEST(random_functions)
{
	unsigned long functions = 0, periods = 0;
	bool ok = true;

	for (int round = 0; round < ROUNDS && ok; round++) {
		struct sym_pool pool = {0};
		struct sym all[2 + EXPRESSIONS];
		int count = 2;

		declare(&pool);
		all[0] = sym_find(&pool, SV("n"));
		all[1] = sym_int(&pool, 1 + random_below(4));
		for (int i = 0; i < EXPRESSIONS && ok; i++) {
			struct sym s = random_expression(&pool, all, count, round % 2);
			struct sym_function f;
			int64_t period, start;

			if (sym_is_unknown(s))
				continue;
			all[count++] = s;
			ok = CHECK(sym_function_init(&f, &pool, s, 0)) &&
			     check_values(&pool, s, &f);
			functions++;
			if (ok && sym_function_period(&f, &period, &start) && start < 10000) {
				ok = check_period(&f, period, start);
				periods++;
			}
			if (!ok)
				explain(&pool, s);
			sym_function_release(&f);
		}
		sym_pool_release(&pool);
	}
	printf("# %lu functions, %lu with a period\n", functions, periods);
	CHECK(periods * 2 > functions);
}

TEST(one_symbol)
{
	struct sym_pool pool = {0};
	struct sym_origin origin = {.node = 1, .range = SYM_RANGE_SIZE};
	struct sym_function f;
	uint32_t id = 99;
	int64_t value;

	declare(&pool);
	CHECK(sym_one_symbol(&pool, parsed(&pool, "2*n + floor(n/3)"), &id) && id == 0);
	CHECK(!sym_one_symbol(&pool, parsed(&pool, "n + b"), &id));
	CHECK(!sym_one_symbol(&pool, parsed(&pool, "7"), &id));
	CHECK(!sym_one_symbol(&pool, SYM_UNKNOWN, &id));
	CHECK(!sym_function_init(&f, &pool, parsed(&pool, "n + b"), 0));
	CHECK(!sym_function_init(&f, &pool, SYM_UNKNOWN, 0));
	CHECK(!sym_function_init(&f, &pool, parsed(&pool, "float32(n)"), 0));
	origin.definition = parsed(&pool, "3*b + 1");
	CHECK(sym_one_symbol(&pool, sym_generate(&pool, &origin), &id) && id == 1);
	CHECK(sym_function_init(&f, &pool, sym_mul_int(&pool, sym_generate(&pool, &origin), 2), 1));
	CHECK(sym_function_run(&f, 4, &value) && value == 26);
	sym_function_release(&f);
	CHECK(sym_function_init(&f, &pool, parsed(&pool, "7"), 0));
	CHECK(sym_function_run(&f, 4, &value) && value == 7);
	sym_function_release(&f);
	sym_pool_release(&pool);
}

TEST(periods)
{
	static const struct {
		const char *text;
		int64_t period, start; /* 0: none */
	} table[] = {
		{"3*n + 1", 1, 0},
		{"floor(n/4) == 16", 4, 68},
		{"ceil(n/8) - floor(n/8)", 8, 0},
		{"max(n - 100, floor(n/2))", 2, 200},
		{"floor(n/2)*floor(n/3)", 0, 0},
		{"n//70000", 0, 0},
		{"where(n >= 10, n, 2*n)", 1, 10},
		{"where(n % 2 == 0, n, 2*n)", 0, 0},
		{"broadcast(n, ceil(n/2))", 2, 4},
	};
	struct sym_pool pool = {0};

	declare(&pool);
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct sym_function f;
		int64_t period = 0, start = 0;
		bool ok;

		CHECK(sym_function_init(&f, &pool, parsed(&pool, table[i].text), 0));
		ok = sym_function_period(&f, &period, &start);
		CHECK_THAT(ok == (table[i].period > 0) &&
				   (!ok || (period == table[i].period && start >= table[i].start &&
					    start <= table[i].start + 8)),
			   "%s: period %lld from %lld", table[i].text, (long long)period,
			   (long long)start);
		sym_function_release(&f);
	}
	sym_pool_release(&pool);
}

TEST(random_assumptions)
{
	unsigned long simpler = 0, values = 0;
	bool ok = true;

	for (int round = 0; round < ROUNDS && ok; round++) {
		struct sym_pool pool = {0};
		struct sym all[2 + EXPRESSIONS];
		int64_t multiple = 1 + random_below(8), min = 1 + random_below(40);
		int count = 2;

		declare(&pool);
		all[0] = sym_find(&pool, SV("n"));
		all[1] = sym_int(&pool, 1 + random_below(4));
		for (int i = 0; i < EXPRESSIONS && ok; i++) {
			struct sym s = random_expression(&pool, all, count, round % 2), t;
			struct sym_function f, g;

			if (sym_is_unknown(s))
				continue;
			all[count++] = s;
			t = sym_assume(&pool, s, 0, (struct sym_range){min, INT64_MAX}, multiple);
			simpler += !sym_same(s, t);
			ok = CHECK(sym_function_init(&f, &pool, s, 0)) &&
			     CHECK(sym_function_init(&g, &pool, t, 0));
			for (int64_t n = multiple; ok && n < 20 * multiple; n += multiple) {
				int64_t want, got = 0;

				if (n < min || !sym_function_run(&f, n, &want))
					continue;
				values++;
				ok = CHECK_THAT(sym_function_run(&g, n, &got) && got == want,
						"%lld at %lld, not %lld, a multiple of %lld",
						(long long)got, (long long)n, (long long)want,
						(long long)multiple);
			}
			if (!ok) {
				explain(&pool, s);
				explain(&pool, t);
			}
			sym_function_release(&f);
			sym_function_release(&g);
		}
		sym_pool_release(&pool);
	}
	printf("# %lu of the expressions changed, %lu values compared\n", simpler, values);
}

TEST(assumptions)
{
	static const struct {
		const char *text, *want;
		int64_t min, multiple;
	} table[] = {
		{"broadcast(ceil(n/8), floor(n/8))", "floor(n/8)", 1, 8},
		{"b*broadcast(ceil(n/8), floor(n/8))*8", "b*n", 1, 8},
		{"trunc((n - 3)/2) + 1", "ceil(n/2) - 1", 3, 1},
		{"max(0, floor(n/4) - 1)", "floor(n/4) - 1", 4, 1},
		{"n + floor(n/4)", "n + floor(n/4)", 1, 2},
		{"4*ceil(n/4) - n", "0", 1, 4},
		{"b + 1", "b + 1", 1, 4},
	};
	struct sym_pool pool = {0};

	declare(&pool);
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct sym got = sym_assume(&pool, parsed(&pool, table[i].text), 0,
					    (struct sym_range){table[i].min, INT64_MAX},
					    table[i].multiple);

		if (!CHECK_THAT(sym_same(got, parsed(&pool, table[i].want)), "%s", table[i].text))
			explain(&pool, got);
	}
	sym_pool_release(&pool);
}

TEST(common_factors)
{
	static const struct {
		const char *text, *factor, *rest; /* no factor: it is 1 */
		int64_t min;
	} table[] = {
		{"16*b*s - 112*b", "16*b", "s - 7", 1},
		{"6*b", "6*b", "1", 1},
		{"4*n + 6", "2", "2*n + 3", 1},
		{"n + 1", NULL, NULL, 1},
		{"z*b - z", "z", "b - 1", 0},
		{"z*b - z", NULL, NULL, 1},
		{"d*n*z - 3*n*d", "n", "d*z - 3*d", 0},
		{"12*b*b*floor(s/2) - 8*b*b*b*floor(s/2)", "4*b*b*floor(s/2)", "3 - 2*b", 0},
		{"12*b*b*floor(s/2) - 8*b*b*b*floor(s/2)", "4*b*b", "3*floor(s/2) - 2*b*floor(s/2)",
		 1},
		{"-5", "5", "-1", 1},
	};
	struct sym_pool pool = {0};
	struct sym factor, rest;

	declare(&pool);
	CHECK(!sym_common_factor(&pool, SYM_UNKNOWN, 0, &factor, &rest));
	CHECK(!sym_common_factor(&pool, sym_int(&pool, 0), 0, &factor, &rest));
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct sym s = parsed(&pool, table[i].text);
		bool ok = sym_common_factor(&pool, s, table[i].min, &factor, &rest);

		CHECK_THAT(ok == (table[i].factor != NULL), "%s", table[i].text);
		if (!ok || !table[i].factor)
			continue;
		CHECK_THAT(sym_same(factor, parsed(&pool, table[i].factor)), "%s", table[i].text);
		CHECK_THAT(sym_same(rest, parsed(&pool, table[i].rest)), "%s", table[i].text);
		CHECK(sym_same(sym_mul(&pool, factor, rest), s));
	}
	sym_pool_release(&pool);
}

TESTS(T(random_functions), T(one_symbol), T(periods), T(random_assumptions), T(assumptions),
      T(common_factors))
