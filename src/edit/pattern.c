#include "edit/pattern.h"

#include <inttypes.h>

#include "base/err.h"
#include "base/glob.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/place.h"

static bool pattern_split(struct sv text, struct sv *pattern, int64_t *axis)
{
	struct sv number;

	return sv_split_last(text, ':', pattern, &number) && sv_int(number, axis);
}

bool pattern_is(struct sv text)
{
	struct sv pattern;
	int64_t axis;

	return pattern_split(text, &pattern, &axis) && glob_is(pattern);
}

static bool has_axis(const struct model *m, uint32_t input, int64_t axis)
{
	for (uint32_t id = m->values.at[input].first_claim; id; id = m->claims.at[id].next) {
		const struct claim *c = &m->claims.at[id];
		int64_t rank = c->type.rank;

		if (c->kind == CLAIM_INPUT)
			return c->type.has_shape && -rank <= axis && axis < rank;
	}
	return false;
}

/* The number of inputs with such a name. */
static size_t pattern_match(const struct model *m, struct sv pattern, int64_t axis,
			    struct places *out)
{
	const struct graph *g = &m->graphs.at[0];
	size_t count = 0;

	for (size_t i = 0; i < g->inputs.len; i++) {
		uint32_t input = g->inputs.at[i];
		const struct value *v = &m->values.at[input];

		if (v->tensor || !glob_matches(pattern, model_name(m, v->name)))
			continue;
		count++;
		if (has_axis(m, input, axis))
			*vec_add(out) = (struct place){input, true, axis};
	}
	return count;
}

bool pattern_find(const struct model *m, struct sv text, struct places *out, struct err *err)
{
	struct sv pattern;
	int64_t axis;

	if (!pattern_split(text, &pattern, &axis))
		return err_set(err, ERR_USAGE, "'%.*s' is not PATTERN:AXIS",
			       (int)MIN(text.len, 200), text.at);
	if (!pattern_match(m, pattern, axis, out))
		return err_set(err, ERR_USAGE, "no input matches '%.*s'",
			       (int)MIN(pattern.len, 200), pattern.at);
	return out->len ||
	       err_set(err, ERR_USAGE, "no input that matches '%.*s' has an axis %" PRId64,
		       (int)MIN(pattern.len, 200), pattern.at, axis);
}

bool pattern_find_batch(const struct model *m, struct places *out, struct err *err)
{
	(void)pattern_match(m, SV("*"), 0, out);
	return out->len || err_set(err, ERR_USAGE, "no input has an axis 0");
}

void places_release(struct places *p)
{
	vec_release(p);
}
