/*
 * Sizes and names in sentences.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "base/str.h"
#include "flow/axis.h"
#include "flow/visit.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

/* Names stand for a part of their sizes.  As sizes: 4*H + 2 is H + 2, and H is floor(H/4). */
static struct sym in_whole_sizes(struct pass *p, struct sym s)
{
	struct sym_pool *pool = &p->in->pool;
	struct sym_subst subst = {0};
	int64_t a, b;
	uint32_t symbol = UINT32_MAX;
	bool linear = sym_is_linear(pool, s, &symbol, &a, &b);

	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		uint32_t id = p->factory.symbols[i];
		struct sym self = pool->symbols.at[id].self;

		if (linear && id == symbol && a % p->multiple[i] == 0) {
			sym_subst_release(&subst);
			return sym_add_int(pool, sym_mul_int(pool, self, a / p->multiple[i]), b);
		}
		if (p->multiple[i] > 1)
			sym_replace(&subst, id,
				    sym_floor_div(pool, self, sym_int(pool, p->multiple[i])));
	}
	s = sym_substitute(pool, &subst, s);
	sym_subst_release(&subst);
	return s;
}

const char *flow_text(struct pass *p, struct sym s)
{
	struct str text = {0};
	const char *kept;

	sym_print(&p->in->pool, in_whole_sizes(p, s), &text);
	str_char(&text, '\0');
	kept = arena_copy(&p->arena, str_sv(&text)).at;
	str_release(&text);
	return kept;
}

const char *flow_texts(struct pass *p, const struct sym *list, uint32_t count)
{
	struct str text = {0};
	const char *kept;

	for (uint32_t i = 0; i < count; i++) {
		str_text(&text, i == 0 ? "" : i + 1 < count ? ", " : " or ");
		str_text(&text, flow_text(p, list[i]));
	}
	str_char(&text, '\0');
	kept = arena_copy(&p->arena, str_sv(&text)).at;
	str_release(&text);
	return kept;
}

bool flow_meant(const struct pass *p, struct flow_axis a)
{
	return axis_symbols(a) & ~p->stand_ins;
}

const char *flow_was(struct pass *p, struct flow_axis a)
{
	struct str text = {0};
	const char *kept;

	str_text(&text, flow_text(p, axis_size(&p->factory, a)));
	if (flow_meant(p, a))
		str_format(&text, ", which was %" PRId64, axis_old(a));
	str_char(&text, '\0');
	kept = arena_copy(&p->arena, str_sv(&text)).at;
	str_release(&text);
	return kept;
}

const char *flow_names(struct pass *p, uint64_t symbols)
{
	struct str text = {0};
	const char *kept;

	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (!(symbols >> i & 1))
			continue;
		str_text(&text, text.len ? " and " : "");
		str_add(&text, sym_name(&p->in->pool, p->factory.symbols[i]));
	}
	str_char(&text, '\0');
	kept = arena_copy(&p->arena, str_sv(&text)).at;
	str_release(&text);
	return kept;
}
