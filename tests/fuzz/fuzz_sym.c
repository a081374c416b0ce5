/*
 * The input is an expression.  It is printed and parsed back as the same one; in every binding
 * that gives it a value, the value is within its range and modulus, and so says its function;
 * replacing a name and restoring it leaves every byte unchanged.
 */
#include "base/bug.h"
#include "base/num.h"
#include "sym/eval.h"
#include "sym/function.h"
#include "sym/text.h"
#include "tests/fuzz/target.h"

static const char *const names[] = {"a", "b", "H", "seq", "my axis", "x.1", "max", "a`b", "\x1b"};

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	return 0;
}

static void declare_all(struct sym_pool *pool)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		(void)sym_declare(pool, sv_of(names[i]));
}

static void check_print(struct sym_pool *pool, struct sym s)
{
	struct str text = {0}, second = {0};
	struct sym back;
	struct err err;

	sym_print(pool, s, &text);
	BUG_ON(!sym_parse(pool, str_sv(&text), NULL, &back, &err));
	BUG_ON(!sym_same(s, back));
	sym_print(pool, back, &second);
	BUG_ON(!sv_eq(str_sv(&text), str_sv(&second)));
	str_release(&text);
	str_release(&second);
}

static void check_value(const struct sym_pool *pool, struct sym s, int64_t value)
{
	struct sym_range range = sym_range(pool, s);
	struct sym_modulus modulus = sym_modulus(pool, s);

	BUG_ON(value < range.lo || value > range.hi);
	BUG_ON(modulus.mod == 0 && value != modulus.rem);
	BUG_ON(modulus.mod > 1 && ((int128)value - modulus.rem) % modulus.mod != 0);
}

/* A few sizes for all names; ignores those of float expressions. */
static void check_values(struct sym_pool *pool, struct sym s)
{
	static const int64_t sizes[] = {1, 2, 3, 7, 64, 1000003, INT64_MAX};
	struct sym_env env = {0};
	struct err err;
	int64_t value;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		for (size_t k = 0; k < ARRAY_LEN(names); k++) {
			uint32_t id;

			BUG_ON(!sym_symbol_id(pool, sym_find(pool, sv_of(names[k])), &id));
			BUG_ON(!sym_bind(&env, pool, id, sizes[(i + k) % ARRAY_LEN(sizes)], &err));
		}
		if (sym_eval(pool, &env, s, &value) == SYM_OK)
			check_value(pool, s, value);
		sym_env_clear(&env);
	}
	sym_env_release(&env);
}

/* A function of one name has the values of the expression; its period can be told or not. */
static void check_function(struct sym_pool *pool, struct sym s)
{
	static const int64_t sizes[] = {1, 2, 3, 7, 64, 1000003};
	struct sym_function f;
	struct sym_env env = {0};
	struct err err;
	uint32_t id;
	int64_t want, got, period, start;

	if (!sym_one_symbol(pool, s, &id) || !sym_function_init(&f, pool, s, id))
		return;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		BUG_ON(!sym_bind(&env, pool, id, sizes[i], &err));
		if (sym_function_run(&f, sizes[i], &got))
			BUG_ON(sym_eval(pool, &env, s, &want) != SYM_OK || want != got);
	}
	if (sym_function_period(&f, &period, &start))
		BUG_ON(period < 1 || start < 0);
	sym_function_release(&f);
	sym_env_release(&env);
}

static void check_factor(struct sym_pool *pool, struct sym s)
{
	struct sym factor, rest;

	if (sym_common_factor(pool, s, 1, &factor, &rest))
		BUG_ON(sym_range(pool, factor).lo < 1 ||
		       sym_eq(pool, sym_mul(pool, factor, rest), s) == SYM_NO);
}

/* Its names are found in order; one of them is replaced and restored. */
static void check_names(struct sv text)
{
	struct sv unused = SV("zz_new"), name;
	struct str scratch = {0}, changed = {0}, back = {0}, old = {0};
	size_t at = 0, before = 0;
	bool taken = false, any = false;

	while (sym_text_next_name(text, &at, &scratch, &name)) {
		BUG_ON(at <= before || at > text.len || name.len == 0);
		before = at;
		taken |= sv_eq(name, unused);
		if (!any && sym_is_identifier(name))
			str_add(&old, name);
		any = any || sym_is_identifier(name);
	}
	if (any && !taken && sym_text_rename(text, str_sv(&old), unused, &changed)) {
		BUG_ON(!sym_text_rename(str_sv(&changed), unused, str_sv(&old), &back));
		BUG_ON(sym_text_is_expression(text) != sym_text_is_expression(str_sv(&back)));
		str_clear(&changed);
		BUG_ON(!sym_text_rename(str_sv(&back), str_sv(&old), unused, &changed));
	}
	str_release(&scratch);
	str_release(&changed);
	str_release(&back);
	str_release(&old);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = {(const char *)data, size};
	struct sym_pool pool = {0};
	struct sym s = {0};
	struct err err = {0};

	declare_all(&pool);
	if (sym_parse(&pool, text, NULL, &s, &err)) {
		check_print(&pool, s);
		if (!sym_is_unknown(s)) {
			check_values(&pool, s);
			check_function(&pool, s);
			check_factor(&pool, s);
		}
	} else {
		BUG_ON(!sym_is_unknown(s) || err.text[0] == 0);
	}
	BUG_ON(sym_text_is_known(&pool, text, NULL) && !sym_text_is_expression(text));
	check_names(text);
	sym_pool_release(&pool);
	return 0;
}
