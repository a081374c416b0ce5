#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/sv.h"
#include "infer/internal.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

struct sym bounds_compared(struct infer *in, struct sym condition, bool *out_below)
{
	*out_below = sym_kind(&in->pool, condition) != SYM_KIND_NATURAL;
	if (*out_below) /* not >= 0 */
		condition = sym_sub(&in->pool, sym_int(&in->pool, 1), condition);
	return sym_kind(&in->pool, condition) == SYM_KIND_NATURAL
		       ? sym_part(&in->pool, condition, 0).s
		       : SYM_UNKNOWN;
}

bool bound_is_one(struct infer *in, struct sym condition)
{
	bool ignored;

	return !sym_is_unknown(bounds_compared(in, condition, &ignored));
}

/* Prints n < 513 as n <= 512, the number that people know. */
void bound_print(const struct infer *in, struct sym condition, struct str *out)
{
	struct str text = {0};
	const char *below;
	int64_t number;

	sym_print(&in->pool, condition, &text);
	below = strrchr(str_c(&text), '<');
	if (below && below[1] == ' ' && sv_int(sv_of(below + 2), &number) && number > INT64_MIN) {
		str_add(out, (struct sv){str_c(&text), (size_t)(below - str_c(&text))});
		str_format(out, "<= %" PRId64, number - 1);
	} else {
		str_add(out, str_sv(&text));
	}
	str_release(&text);
}

struct bound_trial {
	struct sym_env env;
	const struct sym_pool *pool; /* borrowed */
	int64_t size;
	bool ok;
};

static void bounds_set_size(void *context, uint32_t symbol)
{
	struct bound_trial *s = context;
	struct err ignored;

	s->ok = s->ok && sym_bind(&s->env, s->pool, symbol, s->size, &ignored);
}

/* Does the condition hold when every symbol in it has this size? */
static bool bounds_holds(const struct infer *in, struct sym condition, int64_t size)
{
	struct bound_trial s = {.pool = &in->pool, .size = size, .ok = true};
	int64_t value = 1;

	sym_each_symbol(&in->pool, condition, bounds_set_size, &s);
	s.ok = s.ok && sym_eval(&in->pool, &s.env, condition, &value) == SYM_OK;
	sym_env_release(&s.env);
	return !s.ok || value;
}

static bool has_one_size(struct infer *in, struct sym condition)
{
	bool ignored;

	return sym_is_linear(&in->pool, bounds_compared(in, condition, &ignored), NULL, NULL, NULL);
}

bool bound_is_ordinary(struct infer *in, struct sym condition)
{
	enum {
		ORDINARY = 1 << 20,
		ORDINARY_FACTOR = 1 << 10 /* where several sizes may be multiplied */
	};

	return bounds_holds(in, condition, 1) &&
	       bounds_holds(in, condition,
			    has_one_size(in, condition) ? ORDINARY : ORDINARY_FACTOR);
}

bool bound_tells(struct infer *in, const struct fact *f)
{
	enum {
		SMALL = 64,
		LARGE = 1024
	};
	struct sym condition = sym_test_le(&in->pool, f->a, f->b);

	return !bounds_holds(in, condition, SMALL) || !bounds_holds(in, condition, LARGE) ||
	       !sym_value(&in->pool, f->a, &(int64_t){0});
}
