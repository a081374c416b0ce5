#include <inttypes.h>
#include <string.h>

#include "base/sv.h"
#include "infer/internal.h"
#include "infer/trial.h"
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

	sym_say(&in->pool, condition, &text);
	below = strrchr(str_c(&text), '<');
	if (below && below[1] == ' ' && sv_int(sv_of(below + 2), &number) && number > INT64_MIN) {
		str_add(out, (struct sv){str_c(&text), (size_t)(below - str_c(&text))});
		str_format(out, "<= %" PRId64, number - 1);
	} else {
		str_add(out, str_sv(&text));
	}
	str_release(&text);
}

/* Does the condition hold when every symbol in it has this size? */
static bool bounds_holds(const struct infer *in, struct sym condition, int64_t size)
{
	struct trial t = {.first = size, .any_symbol = true};
	int64_t value = 1;

	return trial_run(in, &t, condition, &value) != SYM_OK || value;
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
