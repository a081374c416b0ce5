#include "ops/features.h"

#include "base/err.h"
#include "base/num.h"
#include "base/sv.h"
#include "ir/element.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "sym/sym.h"

enum {
	MAX_READ = 1 << 20, /* elements of a list that are read */
	MAX_EAGER = 1 << 12 /* where the number of features is declared: nothing is asked */
};

/* ---- lists, in memory or in the file ---- */

/* An absent list is empty; false when it is of another kind. */
static bool features_open(struct rule *r, const char *name, enum attr_kind kind,
			  struct tensor_reader *out)
{
	static const struct data nothing;
	const struct attr *a = rule_attr(r, name);

	if (a && a->kind != kind)
		return false;
	tensor_reader_list(out, &r->model->bytes, a ? &a->list : &nothing,
			   a ? attr_list_elem(a) : ELEM_INT64);
	return true;
}

bool features_count(struct rule *r, const char *list, int64_t *out)
{
	const struct attr *a = rule_attr(r, list);
	struct tensor_reader reader;
	struct scalar some[32];
	struct err ignored;
	size_t got = 1;

	*out = a ? a->count : 0;
	if (*out || !a)
		return true;
	if (!features_open(r, list, a->kind, &reader) || attr_list_elem(a) == ELEM_UNDEFINED)
		return false;
	while (got && *out <= MAX_READ &&
	       tensor_reader_next(&reader, some, ARRAY_LEN(some), &got, &ignored))
		*out += (int64_t)got;
	tensor_reader_release(&reader);
	return got == 0 && *out <= MAX_READ;
}

bool features_sum(struct rule *r, const char *list, int64_t *out)
{
	const int64_t *numbers;
	uint32_t count;

	*out = 0;
	if (!rule_attr_ints(r, list, &numbers, &count))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (!num_iadd(*out, numbers[i], out))
			return false;
	}
	return true;
}

/* ---- the needs ---- */

/* The number of features of a row; unknown when the rank is. */
static struct sym features_width(const struct rule *r)
{
	return rule_ranked(r, 0) && r->in[0].rank <= 2 && r->in[0].rank >= 1
		       ? r->in[0].dims[r->in[0].rank - 1]
		       : SYM_UNKNOWN;
}

void features_check_planes(struct rule *r, int64_t planes)
{
	struct sym width = features_width(r);
	int64_t count;

	if (planes >= 1 && !sym_is_unknown(width) && features_count(r, "coefficients", &count) &&
	    count)
		rule_bound(r, width, rule_int(r, count / planes),
			   "each feature needs a coefficient");
}

void features_check_vectors(struct rule *r, int64_t vectors, int64_t planes)
{
	struct sym width = features_width(r);
	int64_t count, parts = vectors > 0 ? vectors : planes;

	if (parts >= 1 && !sym_is_unknown(width) &&
	    features_count(r, vectors > 0 ? "support_vectors" : "coefficients", &count) && count)
		rule_equal(r, width, rule_int(r, count / parts),
			   vectors > 0 ? "features of a row and of a support vector"
				       : "features and coefficients");
}

void features_check_each(struct rule *r, const char *list)
{
	uint32_t axis = rule_ranked(r, 0) && r->in[0].rank > 1 ? 1 : 0;
	int64_t count;

	if (rule_ranked(r, 0) && r->in[0].rank && features_count(r, list, &count) && count > 1)
		rule_equal(r, rule_dim(r, 0, axis), rule_int(r, count),
			   "features and their parameters");
}

/* The largest feature that is tested; -1 for none.  False: not known. */
static bool features_largest(struct tensor_reader *ids, struct tensor_reader *modes, uint32_t max,
			     int64_t *out)
{
	struct scalar id, mode;
	struct err ignored;
	size_t got = 1, told = 1;

	*out = -1;
	for (uint32_t i = 0; i <= max; i++) {
		if (!tensor_reader_next(ids, &id, 1, &got, &ignored) ||
		    (modes && !tensor_reader_next(modes, &mode, 1, &told, &ignored)))
			return false;
		if (got == 0 || told == 0)
			return got == 0;
		if (!modes || !sv_is(mode.text, "LEAF"))
			*out = MAX(*out, id.i);
	}
	return false;
}

void features_check_trees(struct rule *r, const char *modes)
{
	struct sym width = features_width(r);
	struct tensor_reader ids, kinds;
	int64_t last = -1, size;
	bool known;

	if (sym_is_unknown(width) || !features_open(r, "nodes_featureids", ATTR_INTS, &ids))
		return;
	known = !modes || features_open(r, modes, ATTR_STRINGS, &kinds);
	if (known) {
		uint32_t max = sym_value(r->pool, width, &size) ? MAX_EAGER : MAX_READ;

		known = features_largest(&ids, modes ? &kinds : NULL, max, &last);
		if (modes)
			tensor_reader_release(&kinds);
	}
	tensor_reader_release(&ids);
	/* Runtimes take a vector as one feature. */
	if (known && last > 0 && last < INT64_MAX)
		rule_bound(r, rule_int(r, last + 1), r->in[0].rank == 1 ? rule_int(r, 1) : width,
			   "each feature that a tree tests must exist");
}
