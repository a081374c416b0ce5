/* The attributes of a rule's node. */
#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ops/rule.h"

const struct attr *rule_attr(const struct rule *r, const char *name)
{
	const struct attr *a = node_attr(r->model, r->node, name);

	return a && a->ref ? r->host->attr(r->host->context, a->ref) : a;
}

int64_t rule_attr_int(const struct rule *r, const char *name, int64_t otherwise)
{
	const struct attr *a = rule_attr(r, name);

	return a && a->kind == ATTR_INT ? a->i : otherwise;
}

bool rule_attr_positive(struct rule *r, const char *name, int64_t otherwise, int64_t *out)
{
	*out = rule_attr_int(r, name, otherwise);
	if (*out < 1)
		rule_error(r, "%s is %" PRId64 ", but must be positive", name, *out);
	return *out > 0;
}

double rule_attr_float(const struct rule *r, const char *name, double otherwise)
{
	const struct attr *a = rule_attr(r, name);

	return a && a->kind == ATTR_FLOAT ? (double)a->f : otherwise;
}

/* A list in memory, in one chunk. */
static bool plain_list(const struct rule *r, const char *name, enum attr_kind kind,
		       const void **out, uint32_t *out_count)
{
	const struct attr *a = rule_attr(r, name);

	*out = NULL;
	*out_count = 0;
	if (!a || (a->kind == kind && a->list.count == 0 && a->count == 0))
		return true;
	if (a->kind != kind || a->list.count != 1 || a->list.chunks[0].place != CHUNK_MEMORY ||
	    a->list.chunks[0].coding != CODING_WORDS)
		return false;
	*out = a->list.chunks[0].memory;
	*out_count = a->count;
	return true;
}

bool rule_attr_ints(const struct rule *r, const char *name, const int64_t **out,
		    uint32_t *out_count)
{
	const void *list;
	bool ok = plain_list(r, name, ATTR_INTS, &list, out_count);

	*out = list;
	return ok;
}

bool rule_attr_floats(const struct rule *r, const char *name, const float **out,
		      uint32_t *out_count)
{
	const void *list;
	bool ok = plain_list(r, name, ATTR_FLOATS, &list, out_count);

	*out = list;
	return ok;
}

struct sv rule_attr_text(const struct rule *r, const char *name)
{
	const struct attr *a = rule_attr(r, name);

	return a && a->kind == ATTR_STRING ? a->text : (struct sv){"", 0};
}

bool rule_attr_choice(struct rule *r, const char *name, uint32_t *out, const char *const *names,
		      uint32_t count)
{
	struct sv text = rule_attr_text(r, name);
	struct str all = {0};

	for (uint32_t i = 0; i < count; i++) {
		if (sv_is(text, names[i])) {
			*out = i;
			return true;
		}
	}
	if (!text.len)
		return true;
	for (uint32_t i = 0; i < count; i++)
		str_format(&all, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", names[i]);
	rule_error(r, "%s must be %s", name, str_c(&all));
	str_release(&all);
	return false;
}

uint32_t rule_attr_count(const struct rule *r, const char *name)
{
	const struct attr *a = rule_attr(r, name);

	return a ? a->count : 0;
}
