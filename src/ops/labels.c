/* CategoryMapper and LabelEncoder: mapping labels to labels. */
#include <inttypes.h>

#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ops/rule.h"
#include "ops/rules.h"

/* Strings become integers and integers become strings. */
void rule_swap_labels(struct rule *r)
{
	int32_t elem = rule_elem(r, 0);

	if (elem && elem != ELEM_STRING && elem != ELEM_INT64)
		rule_error(r, "the element type is neither string nor int64");
	rule_out_shape_of(r, 0, 0,
			  elem == ELEM_STRING  ? ELEM_INT64
			  : elem == ELEM_INT64 ? ELEM_STRING
					       : ELEM_UNDEFINED);
}

static bool is_uncounted(const struct attr *a)
{
	return a->count == 0 && a->list.count;
}

void rule_category_mapper(struct rule *r)
{
	const struct attr *ints = rule_attr(r, "cats_int64s");
	const struct attr *strings = rule_attr(r, "cats_strings");

	if (!ints || !strings)
		rule_error(r, "both cats_int64s and cats_strings must be given");
	else if (ints->count != strings->count && !is_uncounted(ints) && !is_uncounted(strings))
		rule_error(r, "cats_int64s has %" PRIu32 " %s, cats_strings has %" PRIu32,
			   ints->count, PLURAL(ints->count, "element", "elements"), strings->count);
	rule_swap_labels(r);
}

/* One of the attributes that may hold the keys or values. */
struct list {
	const char *name;
	enum attr_kind kind;
	int32_t elem; /* 0: the tensor's */
};

/* The only one given; NULL and an error when none or several are. */
static const struct attr *labels_only(struct rule *r, const char *what, const struct list *lists,
				      size_t count, int32_t *out_elem)
{
	const struct attr *found = NULL;
	unsigned given = 0;

	for (size_t i = 0; i < count; i++) {
		const struct attr *a = rule_attr(r, lists[i].name);

		if (!a || a->kind != lists[i].kind)
			continue;
		found = a;
		given++;
		*out_elem = lists[i].elem ? lists[i].elem : r->model->tensors.at[a->tensor].elem;
	}
	if (given == 1)
		return found;
	rule_error(r, "exactly one of the attributes %s_* must be given", what);
	return NULL;
}

/* The number of keys or values; a tensor of them must be a vector.  False when unknown. */
static bool labels_count(struct rule *r, const struct attr *a, const char *what, int64_t *out)
{
	const struct tensor *t;

	if (!a)
		return false;
	if (a->kind != ATTR_TENSOR) {
		*out = a->count;
		return !is_uncounted(a);
	}
	t = &r->model->tensors.at[a->tensor];
	if (t->rank == 1)
		*out = t->dims[0];
	else
		rule_error(r, "attribute %s_tensor has rank %" PRIu32 ", but rank 1 is needed",
			   what, t->rank);
	return t->rank == 1;
}

/* One element of the values' type. */
static void check_default(struct rule *r, int32_t elem)
{
	const struct attr *a = rule_attr(r, "default_tensor");
	const struct tensor *t;

	if (!a || a->kind != ATTR_TENSOR)
		return;
	t = &r->model->tensors.at[a->tensor];
	if (t->elem == ELEM_UNDEFINED)
		return;
	if (elem && t->elem != elem)
		rule_error(r, "default_tensor is %s, but the values are %s",
			   elem_info(t->elem)->name, elem_info(elem)->name);
	if (t->rank != 1 || t->dims[0] != 1)
		rule_error(r, "default_tensor must be a vector of one element");
}

void rule_label_encoder(struct rule *r)
{
	static const struct list keys[] = {{"keys_strings", ATTR_STRINGS, ELEM_STRING},
					   {"keys_int64s", ATTR_INTS, ELEM_INT64},
					   {"keys_floats", ATTR_FLOATS, ELEM_FLOAT32},
					   {"keys_tensor", ATTR_TENSOR, 0}};
	static const struct list values[] = {{"values_strings", ATTR_STRINGS, ELEM_STRING},
					     {"values_int64s", ATTR_INTS, ELEM_INT64},
					     {"values_floats", ATTR_FLOATS, ELEM_FLOAT32},
					     {"values_tensor", ATTR_TENSOR, 0}};
	int32_t from = ELEM_UNDEFINED, to = ELEM_UNDEFINED;
	const struct attr *key = labels_only(r, "keys", keys, ARRAY_LEN(keys), &from);
	const struct attr *value = labels_only(r, "values", values, ARRAY_LEN(values), &to);
	int64_t key_count = 0, value_count = 0;

	if (from && rule_elem(r, 0) && from != rule_elem(r, 0))
		rule_error(r, "the keys and the input have different element types");
	if (labels_count(r, key, "keys", &key_count) &&
	    labels_count(r, value, "values", &value_count) && key_count != value_count)
		rule_error(r, "%" PRId64 " %s, but %" PRId64 " %s", key_count,
			   PLURAL(key_count, "key", "keys"), value_count,
			   PLURAL(value_count, "value", "values"));
	check_default(r, to);
	rule_out_shape_of(r, 0, 0, to);
}
