/* Classical machine learning: rows of features in, labels and scores out. */
#include <inttypes.h>

#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ops/features.h"
#include "ops/indices.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* The length of a list attribute; unknown when it was left in the file uncounted. */
static struct sym ml_list_length(struct rule *r, const char *name)
{
	const struct attr *a = rule_attr(r, name);

	return a && a->count == 0 && a->list.count ? SYM_UNKNOWN
						   : rule_int(r, rule_attr_count(r, name));
}

/* Is a non-empty list given? */
static bool has_list(struct rule *r, const char *name)
{
	return !sym_is(ml_list_length(r, name), 0);
}

/* The number of rows of features: a vector is one row.  False when it is unknown. */
static bool ml_rows(struct rule *r, uint32_t input, struct sym *out)
{
	if (!rule_ranked(r, input) || r->in[input].rank < 1 || r->in[input].rank > 2)
		return false;
	*out = r->in[input].rank == 1 ? rule_int(r, 1) : r->in[input].dims[0];
	return true;
}

/* Rows of that width. */
static void give_rows(struct rule *r, uint32_t output, int32_t elem, struct sym width)
{
	struct sym count;

	if (ml_rows(r, 0, &count))
		RULE_OUT(r, output, elem, count, width);
	else
		rule_out_unranked(r, output, elem);
}

/* One label per row. */
static void give_labels(struct rule *r, int32_t elem)
{
	struct sym count;

	if (ml_rows(r, 0, &count))
		RULE_OUT(r, 0, elem, count);
	else
		rule_out_unranked(r, 0, elem);
}

/* Sets the labels, output 0; returns the number of classes. */
static struct sym ml_classify(struct rule *r, const char *strings, const char *ints)
{
	bool text = has_list(r, strings);

	give_labels(r, text ? ELEM_STRING : ELEM_INT64);
	return ml_list_length(r, text ? strings : ints);
}

void rule_linear_classifier(struct rule *r)
{
	struct sym classes = ml_classify(r, "classlabels_strings", "classlabels_ints");
	struct sym planes = ml_list_length(r, "intercepts");

	rule_check_rank(r, 0, 1, 2);
	/* Without labels, or with one plane for many classes, runtimes differ. */
	if (sym_is(classes, 0) || !(sym_same(planes, classes) || sym_is(planes, 0) ||
				    (sym_is(planes, 1) && sym_is(classes, 2))))
		classes = SYM_UNKNOWN;
	give_rows(r, 1, ELEM_FLOAT32, classes);
	features_check_planes(r, rule_attr_count(r, "intercepts"));
}

/* The number of scores for two classes depends on the kernel's parameters. */
void rule_svm_classifier(struct rule *r)
{
	int64_t classes, vectors;

	rule_check_rank(r, 0, 1, 2);
	if (!sym_value(r->pool, ml_classify(r, "classlabels_strings", "classlabels_ints"),
		       &classes))
		classes = 0;
	give_rows(r, 1, ELEM_FLOAT32, SYM_UNKNOWN);
	if (features_sum(r, "vectors_per_class", &vectors))
		features_check_vectors(r, vectors, classes);
}

/* Since version 3 a single row needs rank 2. */
static void check_trees(struct rule *r)
{
	rule_check_rank(r, 0, r->version < 3 ? 1 : 2, 2);
}

void rule_tree_ensemble_classifier(struct rule *r)
{
	struct sym classes = ml_classify(r, "classlabels_strings", "classlabels_int64s");

	check_trees(r);
	give_rows(r, 1, ELEM_FLOAT32, sym_is(classes, 0) ? SYM_UNKNOWN : classes);
	features_check_trees(r, "nodes_modes");
}

/* A number of targets, which must be positive. */
static struct sym ml_targets(struct rule *r, const char *name, int64_t otherwise)
{
	int64_t count = otherwise;

	if (rule_attr(r, name) && !rule_attr_positive(r, name, otherwise, &count))
		return SYM_UNKNOWN;
	return count ? rule_int(r, count) : SYM_UNKNOWN;
}

void rule_linear_regressor(struct rule *r)
{
	rule_check_rank(r, 0, 1, 2);
	give_rows(r, 0, ELEM_FLOAT32, ml_targets(r, "targets", 1));
	features_check_planes(r, rule_attr_int(r, "targets", 1));
}

void rule_svm_regressor(struct rule *r)
{
	rule_check_rank(r, 0, 1, 2);
	give_rows(r, 0, ELEM_FLOAT32, rule_int(r, 1));
	features_check_vectors(r, rule_attr_int(r, "n_supports", 0), 1);
}

void rule_tree_ensemble_regressor(struct rule *r)
{
	check_trees(r);
	give_rows(r, 0, ELEM_FLOAT32, ml_targets(r, "n_targets", 0));
	features_check_trees(r, "nodes_modes");
}

/* A list of a tree: the attribute, its element type (0: that of the input). */
struct tree_list {
	const char *name;
	int32_t elem;
	bool tensor;
	bool needed;
};

/* Its length; false when it is absent, left in the file, or, with an error, of a wrong type. */
static bool tree_length(struct rule *r, const struct tree_list *l, int64_t *out)
{
	const struct attr *a = rule_attr(r, l->name);
	int32_t elem = l->elem ? l->elem : rule_elem(r, 0);
	const struct tensor *t;

	if (!a) {
		/* Inside a function, the caller may leave it out. */
		if (l->needed && !node_attr(r->model, r->node, l->name))
			rule_error(r, "attribute %s is missing", l->name);
		return false;
	}
	if (a->kind != (l->tensor ? ATTR_TENSOR : ATTR_INTS)) {
		rule_error(r, "attribute %s is not a %s", l->name,
			   l->tensor ? "tensor" : "list of integers");
		return false;
	}
	*out = a->count;
	if (!l->tensor)
		return a->count || !a->list.count;
	t = &r->model->tensors.at[a->tensor];
	if (elem && t->elem != elem)
		rule_error(r, "attribute %s is %s, but %s is needed", l->name,
			   elem_info(t->elem)->name, elem_info(elem)->name);
	if (t->rank != 1)
		rule_error(r, "attribute %s has rank %" PRIu32 ", but rank 1 is needed", l->name,
			   t->rank);
	*out = t->rank == 1 ? t->dims[0] : 0;
	return t->rank == 1;
}

/* All lists have the length of the first. */
static void check_lists(struct rule *r, const struct tree_list *lists, size_t count)
{
	int64_t first = 0, length;
	bool known = tree_length(r, &lists[0], &first);

	for (size_t i = 1; i < count; i++) {
		if (tree_length(r, &lists[i], &length) && known && length != first)
			rule_error(r, "attribute %s has %" PRId64 " %s, but %s has %" PRId64,
				   lists[i].name, length, PLURAL(length, "element", "elements"),
				   lists[0].name, first);
	}
}

static void check_tree(struct rule *r)
{
	static const struct tree_list nodes[] = {
		{"nodes_splits", 0, true, true},
		{"nodes_featureids", 0, false, true},
		{"nodes_modes", ELEM_UINT8, true, true},
		{"nodes_truenodeids", 0, false, true},
		{"nodes_falsenodeids", 0, false, true},
		{"nodes_trueleafs", 0, false, true},
		{"nodes_falseleafs", 0, false, true},
		{"nodes_hitrates", ELEM_FLOAT32, true, false},
		{"nodes_missing_value_tracks_true", 0, false, false}};
	static const struct tree_list leaves[] = {{"leaf_weights", 0, true, true},
						  {"leaf_targetids", 0, false, true}};
	static const struct tree_list members = {"membership_values", 0, true, false};
	static const struct tree_list roots = {"tree_roots", 0, false, true};
	int64_t ignored;

	check_lists(r, nodes, ARRAY_LEN(nodes));
	check_lists(r, leaves, ARRAY_LEN(leaves));
	(void)tree_length(r, &members, &ignored);
	(void)tree_length(r, &roots, &ignored);
}

void rule_tree_ensemble(struct rule *r)
{
	check_tree(r);
	if (!rule_check_rank(r, 0, 2, 2)) {
		rule_out_unranked(r, 0, rule_elem(r, 0));
		return;
	}
	give_rows(r, 0, rule_elem(r, 0), ml_targets(r, "n_targets", 1));
	features_check_trees(r, NULL);
}

void rule_scaler(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, ELEM_FLOAT32);
	rule_check_rank(r, 0, 1, RULE_MAX_RANK);
	features_check_each(r, "offset");
	features_check_each(r, "scale");
}

void rule_normalizer(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, ELEM_FLOAT32);
	rule_check_rank(r, 0, 1, 2);
}

/* Other than elsewhere, indices do not count from the end. */
static void ml_check_columns(struct rule *r)
{
	struct contents c = rule_contents(r, 1);
	struct sym least = contents_least(r->pool, &c);

	if (!sym_is_unknown(least) && sym_range(r->pool, least).hi < 0)
		rule_error(r, "an index is negative");
	else
		indices_check(r, r->in[0].rank - 1);
}

void rule_array_feature_extractor(struct rule *r)
{
	const struct info *in = &r->in[0];
	uint32_t rank = MAX(in->rank, 2u);
	struct sym *dims;

	if (rule_elem(r, 1) && rule_elem(r, 1) != ELEM_INT64)
		rule_error(r, "the indices are not int64");
	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_ranked(r, 0) || !rule_check_rank(r, 0, 1, RULE_MAX_RANK))
		return;
	dims = rule_dims(r, rank);
	dims[0] = rule_int(r, 1); /* a vector is one row */
	for (uint32_t i = 0; i + 1 < in->rank; i++)
		dims[i] = in->dims[i];
	if (rule_ranked(r, 1))
		dims[rank - 1] = sym_product(r->pool, r->in[1].dims, r->in[1].rank);
	rule_out(r, 0, rule_elem(r, 0), rank, dims);
	ml_check_columns(r);
}

static void need_map(struct rule *r)
{
	if (rule_has(r, 0) && r->in[0].kind != TYPE_NONE && r->in[0].kind != TYPE_MAP)
		rule_error(r, "the input is not a map");
}

void rule_cast_map(struct rule *r)
{
	static const int32_t elems[] = {ELEM_FLOAT32, ELEM_STRING, ELEM_INT64};
	uint32_t to = 0;

	need_map(r);
	if (RULE_CHOICE(r, "cast_to", &to, "TO_FLOAT", "TO_STRING", "TO_INT64"))
		rule_out_unranked(r, 0, elems[to]);
}

/* The specification has one axis, runtimes return two: the rank stays unknown. */
void rule_dict_vectorizer(struct rule *r)
{
	const struct info *in = &r->in[0];

	need_map(r);
	if (has_list(r, "string_vocabulary") == has_list(r, "int64_vocabulary"))
		rule_error(r, "exactly one vocabulary attribute must be given");
	rule_out_unranked(r, 0, in->kind == TYPE_MAP && in->inner ? in->inner->elem : 0);
}

void rule_feature_vectorizer(struct rule *r)
{
	const int64_t *widths;
	struct sym *dims = rule_dims(r, 2);
	struct sym count;
	uint32_t n;
	bool known = true;

	for (uint32_t i = 0; i < r->in_count; i++) {
		if (ml_rows(r, i, &count) || !sym_is_unknown(count = rule_dim(r, i, 0)))
			dims[0] = rule_equal(r, dims[0], count, "rows of the inputs");
		else
			known = false;
	}
	/* Inputs are padded to the listed sizes, so the list alone decides. */
	if (rule_attr_ints(r, "inputdimensions", &widths, &n) && n == r->in_count) {
		dims[1] = rule_int(r, 0);
		for (uint32_t i = 0; i < n; i++) {
			if (widths[i] < 0)
				rule_error(r, "inputdimensions has a negative number");
			dims[1] = sym_add(r->pool, dims[1],
					  widths[i] < 0 ? SYM_UNKNOWN : rule_int(r, widths[i]));
		}
	}
	if (known || !sym_is_unknown(dims[0]))
		rule_out(r, 0, ELEM_FLOAT32, 2, dims);
	else
		rule_out_rank(r, 0, ELEM_FLOAT32, 2);
}

void rule_one_hot_encoder(struct rule *r)
{
	bool text = has_list(r, "cats_strings");
	struct sym *dims;
	uint32_t rank;

	rule_out_unranked(r, 0, ELEM_FLOAT32);
	if (text == has_list(r, "cats_int64s")) {
		rule_error(r, "exactly one of cats_strings and cats_int64s must be given");
		return;
	}
	if (!rule_ranked(r, 0))
		return;
	rank = r->in[0].rank;
	dims = rule_copy_dims(r, 0, 1);
	dims[rank] = ml_list_length(r, text ? "cats_strings" : "cats_int64s");
	rule_out(r, 0, ELEM_FLOAT32, rank + 1, dims);
}

void rule_zip_map(struct rule *r)
{
	bool text = has_list(r, "classlabels_strings");
	struct info value = {.kind = TYPE_TENSOR, .elem = ELEM_FLOAT32};
	struct info map = {.kind = TYPE_MAP, .elem = text ? ELEM_STRING : ELEM_INT64};
	const char *list = text ? "classlabels_strings" : "classlabels_int64s";
	struct sym count = SYM_UNKNOWN;

	if (text == has_list(r, "classlabels_int64s"))
		rule_error(
			r,
			"exactly one of classlabels_strings and classlabels_int64s must be given");
	else if (rule_ranked(r, 0) && r->in[0].rank)
		rule_equal(r, r->in[0].dims[r->in[0].rank - 1], ml_list_length(r, list),
			   "columns and labels");
	if (!rule_check_rank(r, 0, 1, 2) || r->out_count == 0)
		return;
	ml_rows(r, 0, &count);
	map.inner = rule_keep(r, &value);
	r->out[0] = (struct info){.kind = TYPE_SEQUENCE, .length = count};
	r->out[0].inner = rule_keep(r, &map);
}
