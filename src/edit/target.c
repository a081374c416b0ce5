#include "edit/target.h"

#include "base/err.h"
#include "base/intern.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "edit/pattern.h"
#include "edit/rewrite.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/place.h"

/* Does it have the form x:0? */
static bool looks_like_place(struct sv text)
{
	struct sv name, number;
	int64_t axis;

	return sv_split_last(text, ':', &name, &number) && sv_int(number, &axis);
}

static bool target_needs_axis(struct sv left, struct err *err)
{
	return err_set(err, ERR_USAGE, "'%.*s' is a tensor; give an axis, as in %.*s:0",
		       (int)MIN(left.len, 200), left.at, (int)MIN(left.len, 200), left.at);
}

static bool target_find_name(const struct model *m, struct sv left, struct target *out,
			     struct err *err)
{
	uint32_t name = intern_find(&m->names, left);
	struct place place;

	if (looks_like_place(left) && place_find(m, left, &place, err) && place.has_axis) {
		vec_push(&out->axes, place);
		return true;
	}
	out->symbol = name;
	if (symbol_exists(m, name))
		return true;
	if (looks_like_place(left))
		return place_find(m, left, &place, err) && target_needs_axis(left, err);
	if (model_find(m, 0, left))
		return target_needs_axis(left, err);
	return infer_no_symbol(m, left, err);
}

/* The name as it is, else without its back-quotes. */
static bool target_find_quoted(const struct model *m, struct sv left, struct target *out,
			       struct err *err)
{
	struct str name = {0};
	bool ok = target_find_name(m, left, out, err);

	if (!ok && name_unquote(&name, left))
		ok = target_find_name(m, str_sv(&name), out, err);
	str_release(&name);
	return ok;
}

static bool target_find_pattern(const struct model *m, struct sv left, struct target *out,
				struct err *err)
{
	return pattern_is(left) && pattern_find(m, left, &out->axes, err);
}

static bool target_find_by(const struct model *m, struct sv edit, struct target *out,
			   bool (*find)(const struct model *m, struct sv left, struct target *out,
					struct err *err),
			   struct err *err)
{
	for (size_t i = edit.len; i-- > 1;) {
		struct sv left = sv_trim((struct sv){edit.at, i});

		if (edit.at[i] != '=' || left.len == 0)
			continue;
		out->wanted = sv_skip(edit, i + 1);
		if (find(m, left, out, err))
			return true;
	}
	return false;
}

bool target_find(const struct model *m, struct sv edit, struct target *out, struct err *err)
{
	err_set(err, ERR_USAGE, "'%.*s' is not an edit; use TENSOR:AXIS=DIM or SYMBOL=DIM",
		(int)MIN(edit.len, 200), edit.at);
	return target_find_by(m, edit, out, target_find_quoted, err) ||
	       target_find_by(m, edit, out, target_find_pattern, err);
}

void target_release(struct target *t)
{
	places_release(&t->axes);
}
