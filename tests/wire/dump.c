#include "tests/wire/dump.h"

#include <inttypes.h>
#include <string.h>

enum {
	MAX_ELEMENTS = 3000
};

static void dump_name(struct str *s, const struct model *m, const char *label, uint32_t name)
{
	struct sv text = model_name(m, name);

	str_format(s, " %s='", label);
	for (size_t i = 0; i < text.len; i++)
		str_char(s, text.at[i] == '\n' ? ' ' : text.at[i]);
	str_char(s, '\'');
}

static void dump_text(struct str *s, struct sv text, uint64_t true_len)
{
	str_format(s, " (%" PRIu64 ")", true_len);
	for (size_t i = 0; i < text.len; i++)
		str_format(s, "%02x", (unsigned char)text.at[i]);
}

static void dump_pairs(struct str *s, const struct model *m, const struct pair *pairs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		dump_name(s, m, "key", pairs[i].key);
		dump_text(s, pairs[i].value, pairs[i].value_len);
	}
}

static void dump_read(struct str *s, struct tensor_reader *r)
{
	struct scalar value;
	struct err err;
	size_t got = 1;

	for (size_t i = 0; i < MAX_ELEMENTS && got; i++) {
		if (!tensor_reader_next(r, &value, 1, &got, &err)) {
			str_text(s, " unread");
			break;
		}
		str_char(s, ' ');
		if (got && value.class == ELEM_CLASS_STRING)
			dump_text(s, value.text, value.text.len);
		else if (got)
			scalar_print(s, &value, 9);
	}
	tensor_reader_release(r);
}

static void dump_list(struct str *s, const struct model *m, const struct attr *a)
{
	int32_t elem = a->kind == ATTR_FLOATS ? ELEM_FLOAT32
		       : a->kind == ATTR_INTS ? ELEM_INT64
					      : ELEM_STRING;
	struct tensor_reader r;

	str_format(s, " %" PRIu32 " elements:", a->count);
	tensor_reader_list(&r, &m->bytes, &a->list, elem);
	dump_read(s, &r);
}

static void tensor_line(struct str *s, const struct model *m, const struct tensor *t)
{
	struct tensor_reader r;
	struct err err;

	dump_name(s, m, "tensor", t->name);
	str_format(s, " elem %d [", t->elem);
	for (uint32_t i = 0; i < t->rank; i++)
		str_format(s, "%" PRId64 " ", t->dims[i]);
	str_text(s, "]:");
	if (tensor_reader_init(&r, &m->bytes, t, &err))
		dump_read(s, &r);
	else
		str_text(s, " unreadable");
	dump_text(s, t->doc, t->doc.len);
	dump_pairs(s, m, t->metadata, t->metadata_count);
}

void dump_tensor(struct str *s, const struct model *m, const struct tensor *t)
{
	tensor_line(s, m, t);
	str_char(s, '\n');
}

static void dump_type(struct str *s, const struct model *m, const struct type *t)
{
	type_print(s, t, &m->names);
	for (; t; t = t->inner) {
		dump_name(s, m, "denoted", t->denotation);
		for (uint32_t i = 0; i < t->rank; i++) {
			str_format(s, " dim %d", (int)t->dims[i].kind);
			dump_name(s, m, "denoted", t->dims[i].denotation);
		}
	}
}

static void dump_sparse(struct str *s, const struct model *m, const struct sparse *sparse)
{
	tensor_line(s, m, &m->tensors.at[sparse->values]);
	tensor_line(s, m, &m->tensors.at[sparse->indices]);
}

static void dump_value(struct str *s, const struct model *m, const struct attr *a)
{
	if (a->kind == ATTR_INT)
		str_format(s, " %" PRId64, a->i);
	else if (a->kind == ATTR_FLOAT)
		str_format(s, " %a", (double)a->f);
	else if (a->kind == ATTR_STRING)
		dump_text(s, a->text, a->text_len);
	else if (a->kind == ATTR_INTS || a->kind == ATTR_FLOATS || a->kind == ATTR_STRINGS)
		dump_list(s, m, a);
	else if (a->kind == ATTR_TENSOR)
		tensor_line(s, m, &m->tensors.at[a->tensor]);
	for (uint32_t i = 0; a->kind == ATTR_TENSORS && i < a->count; i++)
		tensor_line(s, m, &m->tensors.at[a->tensors[i]]);
	for (uint32_t i = 0; (a->kind == ATTR_SPARSE || a->kind == ATTR_SPARSES) && i < a->count;
	     i++)
		dump_sparse(s, m, &a->sparses[i]);
	for (uint32_t i = 0; (a->kind == ATTR_TYPE || a->kind == ATTR_TYPES) && i < a->count; i++)
		dump_type(s, m, &a->types[i]);
}

void dump_node(struct str *s, const struct model *m, const struct node *n)
{
	str_text(s, "node");
	dump_name(s, m, "op", n->op);
	dump_name(s, m, "name", n->name);
	dump_name(s, m, "domain", n->domain);
	dump_name(s, m, "overload", n->overload);
	for (uint32_t i = 0; i < n->input_count; i++)
		dump_name(s, m, "in", m->values.at[n->inputs[i]].name);
	for (uint32_t i = 0; i < n->output_count; i++)
		dump_name(s, m, "out", m->values.at[n->outputs[i]].name);
	for (uint32_t i = 0; i < n->attr_count; i++) {
		const struct attr *a = &n->attrs[i];

		dump_name(s, m, "attr", a->name);
		dump_name(s, m, "ref", a->ref);
		str_format(s, " kind %d", (int)a->kind);
		if (!a->ref)
			dump_value(s, m, a);
		dump_text(s, a->doc, a->doc.len);
	}
	dump_text(s, n->doc, n->doc.len);
	dump_pairs(s, m, n->metadata, n->metadata_count);
	str_format(s, " sharded %" PRIu32 "\n", n->sharding_count);
}

void dump_claim(struct str *s, const struct model *m, const struct claim *c)
{
	str_format(s, "claim %d", (int)c->kind);
	dump_name(s, m, "name", c->name);
	dump_type(s, m, &c->type);
	dump_text(s, c->doc, c->doc.len);
	dump_pairs(s, m, c->metadata, c->metadata_count);
	str_char(s, '\n');
}

void dump_model(struct str *s, const struct model *m)
{
	str_format(s, "ir %" PRId64 " opsets %" PRIu32 "\n", m->ir_version, m->opset_count);
	for (size_t g = 0; g < m->graphs.len; g++) {
		const struct graph *graph = &m->graphs.at[g];

		str_format(s, "graph %d", (int)graph->kind);
		dump_name(s, m, "name", graph->name);
		dump_pairs(s, m, graph->metadata, graph->metadata_count);
		str_char(s, '\n');
		for (size_t i = 0; i < graph->claims.len; i++)
			dump_claim(s, m, &m->claims.at[graph->claims.at[i]]);
		for (size_t i = 0; i < graph->initializers.len; i++)
			dump_tensor(s, m, &m->tensors.at[graph->initializers.at[i]]);
		for (size_t i = 0; i < graph->sparses.len; i++)
			dump_sparse(s, m, &graph->sparses.at[i]);
		str_char(s, '\n');
		for (size_t i = 0; i < graph->nodes.len; i++)
			dump_node(s, m, &m->nodes.at[graph->nodes.at[i]]);
	}
}

void dump_difference(struct sv before, struct sv after, struct sv *out_gone, struct sv *out_new)
{
	size_t shorter = MIN(before.len, after.len), start = 0, line = 0, end = 0;

	while (start < shorter && before.at[start] == after.at[start]) {
		if (before.at[start++] == '\n')
			line = start;
	}
	/* From the end, whole lines only. */
	for (size_t i = 1; i <= shorter - line; i++) {
		if (before.at[before.len - i] == '\n')
			end = i - 1;
		if (before.at[before.len - i] != after.at[after.len - i])
			break;
		if (i == shorter - line)
			end = i;
	}
	*out_gone = (struct sv){before.at + line, before.len - line - end};
	*out_new = (struct sv){after.at + line, after.len - line - end};
}
