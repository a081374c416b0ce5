#include "edit/conditions.h"

#include "base/str.h"
#include "sym/eval.h"

static void tell_and_clear(struct str *text, condition_told *tell, void *context)
{
	if (text->len)
		tell(context, str_sv(text));
	str_clear(text);
}

void condition_tell_sizes(const struct size_set *sizes, struct sv name, condition_told *tell,
			  void *context)
{
	struct str text = {0};

	sizes_print_multiple(sizes, name, false, &text);
	tell_and_clear(&text, tell, context);
	sizes_print_limits(sizes, name, &text);
	tell_and_clear(&text, tell, context);
	str_release(&text);
}

/* Is it a condition, and about more than the sizes of one symbol? */
static bool is_of_several(const struct finding *f)
{
	return (f->level == LEVEL_MERGE || f->level == LEVEL_SOFT || f->level == LEVEL_DIVISIBLE ||
		f->level == LEVEL_BOUND) &&
	       f->kind != FINDING_MULTIPLES && f->kind != FINDING_SIZES;
}

static bool finding_mentions(const struct infer *in, const struct finding *f,
			     const uint32_t *symbols, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (sym_mentions(&in->pool, f->a, symbols[i]) ||
		    sym_mentions(&in->pool, f->b, symbols[i]))
			return true;
	}
	return false;
}

const struct finding *condition_next(const struct infer *in, const uint32_t *symbols,
				     uint32_t count, size_t *place)
{
	while (*place < in->findings.len) {
		const struct finding *f = &in->findings.at[(*place)++];

		if (is_of_several(f) && finding_mentions(in, f, symbols, count))
			return f;
	}
	return NULL;
}
