#include "layout/constants.h"

#include <inttypes.h>

#include "ir/tensor.h"
#include "ir/text.h"
#include "ir/type.h"
#include "layout/scope/scope.h"
#include "ops/property.h"

enum {
	MAX_ELEMENTS = 6,  /* of a constant shown by value */
	MAX_COLUMNS = 22,  /* of one; beyond that its shape says more */
	MAX_CONSTANTS = 3, /* of a node */
	MAX_LISTED = 8     /* elements of an attribute */
};

static const struct text_limits constants_limits = {
	.elements = MAX_ELEMENTS, .bytes = 60, .digits = 4, .brief = true};
static const struct text_limits attr_limits = {
	.elements = MAX_LISTED, .bytes = 60, .digits = 6, .short_names = true, .brief = true};

/* How arithmetic is written. */
static const char *const constants_signs[OP_SIGN_COUNT] = {
	[OP_SIGN_NONE] = "",        [OP_SIGN_PLUS] = "+", [OP_SIGN_MINUS] = "-",
	[OP_SIGN_TIMES] = "\u00d7", [OP_SIGN_OVER] = "/", [OP_SIGN_POWER] = "^",
};

/* In parentheses: (64) is a weight of 64 elements, 64 a number. */
static void constants_add_dims(struct str *out, const struct tensor *t)
{
	str_char(out, '(');
	for (uint32_t i = 0; i < MIN(t->rank, MAX_LISTED); i++)
		str_format(out, "%s%" PRId64, i ? "\u00d7" : "", t->dims[i]);
	str_char(out, ')');
}

static void cut_to(struct str *out, size_t len)
{
	out->len = len;
	if (out->at)
		out->at[len] = '\0';
}

/* By value when it is small, else false. */
static bool add_small(const struct model *m, const struct tensor *t, struct str *out)
{
	size_t before = out->len;
	uint64_t count;

	if (!tensor_elements(t, &count) || count == 0 || count > MAX_ELEMENTS || t->rank > 1 ||
	    t->external || !data_in_memory(&t->data))
		return false;
	str_text(out, t->rank ? "[" : "");
	if (!tensor_print_elements(out, m, t, &constants_limits)) {
		cut_to(out, before);
		return false;
	}
	str_text(out, t->rank ? "]" : "");
	return true;
}

/* By value when the text is short too. */
static bool add_short(const struct model *m, const struct tensor *t, struct str *out)
{
	size_t before = out->len;

	if (!add_small(m, t, out))
		return false;
	if (out->len - before <= MAX_COLUMNS)
		return true;
	cut_to(out, before);
	return false;
}

void label_attr(const struct model *m, const struct attr *a, struct str *out)
{
	if (a->ref || a->kind != ATTR_TENSOR)
		attr_print(out, m, a, &attr_limits);
	else if (!add_small(m, &m->tensors.at[a->tensor], out))
		constants_add_dims(out, &m->tensors.at[a->tensor]);
}

/* The constant that a value is: a tensor, or an attribute of a Constant. */
static bool find_constant(const struct model *m, uint32_t value, const struct tensor **out_tensor,
			  const struct attr **out_attr)
{
	*out_tensor = NULL;
	*out_attr = NULL;
	for (int hops = 0; value && hops < 4; hops++) {
		const struct value *v = &m->values.at[value];
		const struct node *n = &m->nodes.at[v->producer];

		if (v->tensor) {
			*out_tensor = &m->tensors.at[v->tensor];
			return true;
		}
		if (!v->producer || !scope_is_constant(m, n))
			return false;
		if (n->input_count == 0) {
			*out_attr = n->attr_count ? &n->attrs[0] : NULL;
			if (*out_attr && (*out_attr)->kind == ATTR_TENSOR && !(*out_attr)->ref)
				*out_tensor = &m->tensors.at[(*out_attr)->tensor];
			return *out_attr != NULL;
		}
		value = n->inputs[0];
	}
	return false;
}

/* One weight is enough: a bias adds no information, however small. */
static bool is_bias(const struct tensor *t, bool weighed)
{
	return weighed && t->rank == 1 && elem_info(t->elem)->class == ELEM_CLASS_FLOAT;
}

void label_constants(const struct model *m, const struct node *n, struct str *out)
{
	const char *sign = constants_signs[op_sign(m, n)];
	const struct tensor *t;
	const struct attr *a;
	bool weighed = false;
	int count = 0;

	for (uint32_t i = 0; i < MIN(n->input_count, 16) && count < MAX_CONSTANTS; i++) {
		size_t before = out->len;

		if (!find_constant(m, n->inputs[i], &t, &a))
			continue;
		str_text(out, count ? " " : i ? sign : "");
		str_text(out, !count && i && *sign ? " " : "");
		if (!t)
			label_attr(m, a, out);
		else if (is_bias(t, weighed) || !add_short(m, t, out)) {
			uint64_t elements;

			if (weighed || (tensor_elements(t, &elements) && elements == 0)) {
				cut_to(out, before);
				continue;
			}
			weighed = true;
			constants_add_dims(out, t);
		}
		if (i == 0 && *sign)
			str_format(out, " %s", sign);
		count++;
	}
}
