/*
 * Any bytes as an expression: what parses must print and parse back as itself, and still
 * parse after renaming a name.  The first byte selects the symbols' ranges.
 */
#include <stdlib.h>

#include "base/bug.h"
#include "sym/eval.h"
#include "sym/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void declare(struct sym_pool *p, uint8_t pick)
{
	static const struct sym_range ranges[] = {
		{0, INT64_MAX}, {INT64_MIN, INT64_MAX}, {0, 1000}, {-5, 5}};

	for (char c = 'a'; c <= 'f'; c++)
		sym_declare_range(p, (struct sv){&c, 1}, ranges[(pick + c) % 4]);
	sym_declare(p, SV("my axis"));
}

static void check_text(struct sym_pool *p, struct sym s)
{
	struct str shown = {0};
	struct err err = {0};
	struct sym again = SYM_UNKNOWN;

	sym_print(p, s, &shown);
	BUG_ON(!sym_parse(p, str_sv(&shown), NULL, &again, &err));
	BUG_ON(!sym_same(s, again));
	str_release(&shown);
}

static void check_value(struct sym_pool *p, struct sym s)
{
	struct sym_env env = {0};
	struct sym_range r = sym_range(p, s);
	struct err err;
	int64_t v;

	for (uint32_t i = 0; i < p->symbols.len && i < 7; i++) {
		if (!sym_bind(&env, p, i, 3, &err))
			abort();
	}
	if (sym_eval(p, &env, s, &v) == SYM_OK)
		BUG_ON(v < r.lo || v > r.hi);
	sym_env_release(&env);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sym_pool pool = {0};
	struct str renamed = {0}, scratch = {0};
	struct sym s = SYM_UNKNOWN;
	struct err err = {0};
	struct sv text, name;
	size_t at = 0;

	if (size == 0)
		return 0;
	declare(&pool, data[0]);
	text = (struct sv){(const char *)data + 1, size - 1};
	while (sym_text_next_name(text, &at, &scratch, &name))
		BUG_ON(name.len == 0);
	if (sym_text_rename(text, SV("a"), SV("new name"), &renamed) && !sv_is(text, "a"))
		BUG_ON(!sym_text_is_expression(str_sv(&renamed)));
	if (sym_parse(&pool, text, NULL, &s, &err)) {
		check_text(&pool, s);
		check_value(&pool, s);
	}
	str_release(&renamed);
	str_release(&scratch);
	sym_pool_release(&pool);
	return 0;
}
