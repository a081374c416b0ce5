/*
 * Sets of sizes, compared with what conditions say size by size.
 */
#include "infer/sizes.h"
#include "sym/eval.h"
#include "sym/pool.h"
#include "tests/tap.h"

enum {
	LAST = 700, /* beyond every period and limit below */
	ROUNDS = 3000
};

/* Always the same numbers. */
static int64_t draw(uint64_t *state, int64_t count)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (int64_t)(*state >> 33) % count;
}

static bool holds(struct sym_pool *p, uint32_t symbol, struct sym condition, int64_t size)
{
	struct sym_env env = {0};
	struct err err;
	int64_t value = 1;

	CHECK(sym_bind(&env, p, symbol, size, &err));
	CHECK(sym_eval(p, &env, condition, &value) == SYM_OK);
	sym_env_release(&env);
	return value;
}

/* floor((a*n + b)/m), or a sum of two. */
static struct sym draw_size(struct sym_pool *p, struct sym n, uint64_t *state)
{
	struct sym s = sym_floor_div(
		p, sym_add_int(p, sym_mul_int(p, n, 1 + draw(state, 3)), draw(state, 9)),
		sym_int(p, 1 + draw(state, 8)));

	return draw(state, 3) ? s : sym_add(p, s, draw_size(p, n, state));
}

static struct sym draw_condition(struct sym_pool *p, struct sym n, uint64_t *state)
{
	struct sym a = draw_size(p, n, state);
	struct sym b = draw(state, 2) ? draw_size(p, n, state) : sym_int(p, draw(state, 40));
	struct sym one = sym_int(p, 1);

	switch (draw(state, 5)) {
	case 0:
		return sym_test_eq(p, a, b);
	case 1:
		return sym_test_le(p, a, b);
	case 2:
		return sym_test_le(p, b, a);
	case 3:
		return sym_test_eq(p, sym_mod(p, a, sym_int(p, 1 + draw(state, 6))), sym_int(p, 0));
	default:
		return sym_or(p, sym_test_eq(p, a, b),
			      sym_or(p, sym_test_eq(p, a, one), sym_test_eq(p, b, one)));
	}
}

/* Where the form cannot say it all, it says on which side it errs. */
static bool tells(const struct size_set *s, bool have, int64_t size)
{
	bool said = sizes_have(s, size);

	return said == have || (s->leaves_out_small && have) || (s->has_gaps && said);
}

TEST(conditions_become_their_sizes)
{
	uint64_t state = 1;
	unsigned found = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct sym_pool p = {0};
		struct arena a = {0};
		struct sym n = sym_declare(&p, SV("n")), condition = draw_condition(&p, n, &state);
		struct size_set s;
		size_t work = SIZE_MAX;
		uint32_t symbol = 0;

		CHECK(sym_symbol_id(&p, n, &symbol));
		if (!sym_is_small(condition) && sizes_find(&p, &a, condition, symbol, &work, &s)) {
			found++;
			for (int64_t size = 1; size <= LAST; size++)
				CHECK_THAT(tells(&s, holds(&p, symbol, condition, size), size),
					   "round %d, size %d", round, (int)size);
		}
		arena_release(&a);
		sym_pool_release(&p);
	}
	CHECK_THAT(found > ROUNDS / 2, "%u of %d", found, ROUNDS);
}

TEST(two_sets_meet)
{
	uint64_t state = 7;

	for (int round = 0; round < ROUNDS; round++) {
		struct sym_pool p = {0};
		struct arena a = {0};
		struct sym n = sym_declare(&p, SV("n"));
		struct size_set x, y, both;
		size_t work = SIZE_MAX;
		uint32_t symbol = 0;

		CHECK(sym_symbol_id(&p, n, &symbol));
		if (sizes_find(&p, &a, draw_condition(&p, n, &state), symbol, &work, &x) &&
		    sizes_find(&p, &a, draw_condition(&p, n, &state), symbol, &work, &y) &&
		    sizes_meet(&a, &x, &y, &both)) {
			for (int64_t size = 1; size <= LAST; size++)
				CHECK_THAT(sizes_have(&both, size) ==
						   (sizes_have(&x, size) && sizes_have(&y, size)),
					   "round %d, size %d", round, (int)size);
		}
		arena_release(&a);
		sym_pool_release(&p);
	}
}

/* max(0, b - n) = 7: what repeats does so from b on. */
TEST(limits_at_the_end_of_64_bits)
{
	for (int64_t off = 0; off < 4; off++) {
		struct sym_pool p = {0};
		struct arena a = {0};
		struct sym n = sym_declare(&p, SV("n"));
		struct sym left = sym_sub(&p, sym_int(&p, INT64_MAX - off), n);
		struct sym size = sym_max(&p, left, sym_int(&p, 0));
		struct size_set s;
		size_t work = SIZE_MAX;
		uint32_t symbol = 0;

		CHECK(sym_symbol_id(&p, n, &symbol));
		CHECK(!sizes_find(&p, &a, sym_test_eq(&p, size, sym_int(&p, 7)), symbol, &work,
				  &s));
		arena_release(&a);
		sym_pool_release(&p);
	}
}

TEST(what_rises_leaves_an_interval)
{
	struct sym_pool p = {0};
	struct sym n = sym_declare(&p, SV("W"));
	struct sym pooled = sym_floor_div(&p, n, sym_int(&p, 4));
	struct sym square = sym_mul(&p, pooled, pooled);
	struct size_set s;
	uint32_t symbol = 0;

	CHECK(sym_symbol_id(&p, n, &symbol));
	CHECK(sizes_rises(&p, square) && !sizes_rises(&p, sym_neg(&p, n)));
	CHECK(sizes_between(&p, pooled, symbol, 16, 16, &s) && s.lo == 64 && s.hi == 67);
	CHECK(sizes_between(&p, square, symbol, 49, 49, &s) && s.lo == 28 && s.hi == 31);
	CHECK(sizes_between(&p, square, symbol, 50, 50, &s) && sizes_are_none(&s));
	CHECK(sizes_between(&p, n, symbol, INT64_MIN, 512, &s) && s.lo == 1 && s.hi == 512);
	CHECK(sizes_between(&p, n, symbol, 3, INT64_MAX, &s) && s.lo == 3 && s.hi == INT64_MAX);
	sym_pool_release(&p);
}

TEST(a_number_divided_by_what_rises_falls)
{
	struct sym_pool p = {0};
	struct sym n = sym_declare(&p, SV("n")), hundred = sym_int(&p, 100);
	struct sym quotient = sym_floor_div(&p, hundred, n);
	struct sym twice = sym_floor_div(&p, hundred, quotient);
	struct size_set s;
	uint32_t symbol = 0;

	CHECK(sym_symbol_id(&p, n, &symbol));
	CHECK(!sizes_rises(&p, quotient) && sizes_rises(&p, sym_neg(&p, quotient)));
	CHECK(sizes_between(&p, sym_neg(&p, quotient), symbol, -7, -7, &s));
	CHECK(s.lo == 13 && s.hi == 14);
	CHECK(!sizes_rises(&p, sym_sub(&p, n, sym_mul_int(&p, quotient, -1))));
	CHECK(!sizes_rises(&p, twice)); /* 100/0, from 101 on */
	sym_pool_release(&p);
}

/* A symbol for what did not fit may go either way. */
TEST(symbols_with_a_definition_may_fall)
{
	struct sym_pool p = {0};
	struct sym n = sym_declare(&p, SV("n")), eight = sym_int(&p, 8);
	struct sym_origin origin = {.range = {0, 100},
				    .definition = sym_floor_div(&p, sym_int(&p, 100), n)};
	struct sym defined = sym_generate(&p, &origin);
	struct sym complex = sym_complex(&p, SYM_OP_SUB, (struct sym[]){eight, n, SYM_UNKNOWN});

	CHECK(!sizes_rises(&p, defined) && !sizes_rises(&p, sym_neg(&p, defined)));
	CHECK(!sizes_rises(&p, complex) && !sizes_rises(&p, sym_neg(&p, complex)));
	sym_pool_release(&p);
}

/* n*n*n passes 2^62 at 1664511, between a power of two and the end of 64 bits. */
TEST(what_rises_passes_a_number_shortly_before_64_bits_end)
{
	struct sym_pool p = {0};
	struct sym n = sym_declare(&p, SV("n")), cube = sym_mul(&p, n, sym_mul(&p, n, n));
	struct size_set s;
	uint32_t symbol = 0;

	CHECK(sym_symbol_id(&p, n, &symbol));
	CHECK(sizes_between(&p, cube, symbol, (int64_t)1 << 62, INT64_MAX, &s));
	CHECK(s.lo == 1664511 && s.hi == INT64_MAX);
	sym_pool_release(&p);
}

static bool prints(const struct size_set *s, const char *multiple, const char *limits)
{
	struct str m = {0}, l = {0};
	bool same;

	sizes_print_multiple(s, SV("n"), false, &m);
	sizes_print_limits(s, SV("n"), &l);
	same = sv_is(str_sv(&m), multiple) && sv_is(str_sv(&l), limits);
	if (!same)
		printf("# '%s' and '%s'\n", str_c(&m), str_c(&l));
	str_release(&m);
	str_release(&l);
	return same;
}

TEST(sets_are_printed_as_people_say_them)
{
	const uint64_t zero = 1, low = 0xff, high = 0xff00, some = 0x15, middle = 6;
	struct size_set all = sizes_all();

	CHECK(prints(&all, "", ""));
	CHECK(prints(&(struct size_set){.lo = 16, .hi = INT64_MAX, .mod = 16, .rem = &zero},
		     "n a multiple of 16", ""));
	CHECK(prints(&(struct size_set){.lo = 32, .hi = INT64_MAX, .mod = 16, .rem = &zero},
		     "n a multiple of 16", "n >= 32"));
	CHECK(prints(&(struct size_set){.lo = 1, .hi = INT64_MAX, .mod = 16, .rem = &low},
		     "n % 16 <= 7", ""));
	CHECK(prints(&(struct size_set){.lo = 8, .hi = INT64_MAX, .mod = 16, .rem = &high},
		     "n % 16 >= 8", ""));
	CHECK(prints(&(struct size_set){.lo = 2, .hi = INT64_MAX, .mod = 6, .rem = &some},
		     "n % 6 in {0, 2, 4}", ""));
	CHECK(prints(&(struct size_set){.lo = 1, .hi = INT64_MAX, .mod = 5, .rem = &middle},
		     "n % 5 in 1 \u2026 2", ""));
	CHECK(prints(&(struct size_set){.lo = 17, .hi = INT64_MAX, .mod = 1, .rem = NULL}, "",
		     "n >= 17"));
	CHECK(prints(&(struct size_set){.lo = 1, .hi = 512, .mod = 1, .rem = NULL}, "",
		     "n <= 512"));
	CHECK(prints(&(struct size_set){.lo = 64, .hi = 67, .mod = 1, .rem = NULL}, "",
		     "n in 64 \u2026 67"));
	CHECK(prints(&(struct size_set){.lo = 12, .hi = 12, .mod = 1, .rem = NULL, .or_one = true},
		     "", "n = 1 or 12"));
}

TESTS(T(conditions_become_their_sizes), T(two_sets_meet), T(limits_at_the_end_of_64_bits),
      T(what_rises_leaves_an_interval), T(a_number_divided_by_what_rises_falls),
      T(symbols_with_a_definition_may_fall),
      T(what_rises_passes_a_number_shortly_before_64_bits_end),
      T(sets_are_printed_as_people_say_them))
