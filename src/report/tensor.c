#include "report/tensor.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "infer/infer.h"
#include "infer/text.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/need.h"
#include "ops/property.h"
#include "report/record.h"
#include "sym/eval.h"
#include "sym/sym.h"

enum {
	SMALL = 16 /* elements of a constant that is shown in full */
};

/* ---- a tensor ---- */

/* Leads to its producer, or from there to its readers. */
static void tensor_name(struct record *r, const struct model *m, uint32_t value, uint32_t node)
{
	const struct value *v = &m->values.at[value];
	struct sv name = model_name(m, v->name);
	uint32_t count, constant = value_constant(m, value);
	const struct reader *readers = model_readers(m, value, &count);

	if (v->producer && v->producer != node)
		record_name(r, "name", LINK_NODE, v->producer, name);
	else if (constant)
		record_name(r, "name", LINK_TENSOR, constant, name);
	else if (v->producer && !(v->flags & VALUE_OUTPUT) && count && readers[0].node)
		record_name(r, "name", LINK_NODE, readers[0].node, name);
	else if (v->flags & (VALUE_INPUT | VALUE_OUTPUT))
		record_name(r, "name", LINK_VALUE, value, name);
	else
		record_text(r, "name", name);
}

static void tensor_contents(struct record *r, const struct infer *in, uint32_t value,
			    unsigned flags)
{
	struct text_limits limits = {
		.elements = SMALL, .bytes = 1000, .digits = 6, .local = flags & REPORT_LOCAL};
	const struct info *info = &in->infos[value];
	uint32_t constant = value_constant(in->model, value);
	const struct tensor *t = &in->model->tensors.at[constant];
	uint64_t count;

	record_tone(r, TONE_NUMBER);
	if (!constant && info->contents.at && info->contents.count) {
		record_contents(r, "contents", info);
	} else if (constant && tensor_elements(t, &count) && count <= SMALL) {
		struct str *out = record_print(r, "contents");

		str_text(out, t->rank ? "[" : "");
		(void)tensor_print_elements(out, in->model, t, &limits);
		str_text(out, t->rank ? "]" : "");
		record_printed(r, LINK_NONE, 0);
	}
}

void port_record(struct record *r, const struct infer *in, uint32_t value, uint32_t node,
		 unsigned flags)
{
	const struct value *v = &in->model->values.at[value];
	const struct info *info = &in->infos[value];
	bool weight = v->tensor || v->sparse;

	record_clear(r, &in->pool);
	record_tone(r, weight ? TONE_FAINT : TONE_PLAIN);
	tensor_name(r, in->model, value, node);
	record_column(r);
	record_shape(r, "shape", info, flags & REPORT_SHORT ? INFO_SHAPE : INFO_TYPE);
	record_column(r);
	record_tone(r, TONE_FAINT);
	if (flags & REPORT_SHORT)
		record_say(r, elem_short(info->elem));
	record_column(r);
	record_tone(r, TONE_FAINT);
	if (weight)
		record_say(r, "weight");
	record_column(r);
	tensor_contents(r, in, value, flags);
}

/* ---- where it is ---- */

void role_record(struct record *r, const struct infer *in, uint32_t value)
{
	static const char *const told_by[SOURCE_COUNT] = {
		[SOURCE_NONE] = "unknown",
		[SOURCE_INPUT] = "given",
		[SOURCE_INITIALIZER] = "from its data",
		[SOURCE_INFERRED] = "inferred",
		[SOURCE_CLAIM] = "declared",
	};
	unsigned flags = in->model->values.at[value].flags;
	bool is_input = flags & VALUE_INPUT, is_output = flags & VALUE_OUTPUT;

	record_clear(r, &in->pool);
	record_tone(r, TONE_FAINT);
	record_say(r, is_input ? "input" : is_output ? "output" : "tensor");
	if (is_input && is_output)
		record_say(r, " and output");
	if (!is_input)
		record_format(r, ", shape %s", told_by[in->sources[value]]);
}

void user_record(struct record *r, const struct model *m, uint32_t node, uint32_t value)
{
	record_clear(r, NULL);
	if (!node) {
		record_name(r, NULL, LINK_VALUE, value, SV("graph output"));
		return;
	}
	record_tone(r, TONE_STRONG);
	record_text(r, "op", model_name(m, m->nodes.at[node].op));
	record_tone(r, TONE_PLAIN);
	record_say(r, " ");
	record_name(r, "node", LINK_NODE, node, node_label(m, node));
}

void declaration_record(struct record *r, const struct model *m, const struct claim *c)
{
	static const char *const places[CLAIM_KIND_COUNT] = {
		[CLAIM_INPUT] = "declared as an input",
		[CLAIM_OUTPUT] = "declared as an output",
		[CLAIM_VALUE_INFO] = "declared as value_info",
	};

	record_clear(r, NULL);
	record_tone(r, TONE_FAINT);
	record_say(r, places[c->kind]);
	record_column(r);
	type_print(record_print(r, "type"), &c->type, &m->names);
	record_printed(r, LINK_NONE, 0);
	record_column(r);
	record_tone(r, TONE_FAINT);
	record_text(r, "doc", c->doc);
}

/* ---- its symbols ---- */

struct symbols_seen {
	uint32_t *at; /* borrowed */
	size_t count;
};

static void tensor_note_symbol(void *context, uint32_t symbol)
{
	struct symbols_seen *seen = context;
	size_t k;

	for (size_t i = 0; i < seen->count; i++) {
		if (seen->at[i] == symbol)
			return;
	}
	if (seen->count == TENSOR_MAX_SYMBOLS)
		return;
	/* In order of the symbols' ids, not of their appearance. */
	for (k = seen->count++; k && seen->at[k - 1] > symbol; k--)
		seen->at[k] = seen->at[k - 1];
	seen->at[k] = symbol;
}

size_t tensor_symbols(const struct infer *in, uint32_t value, uint32_t *out)
{
	const struct info *info = &in->infos[value];
	struct symbols_seen seen = {.at = out};

	for (uint32_t i = 0; info->ranked && i < info->rank; i++)
		sym_each_symbol(&in->pool, info->dims[i], tensor_note_symbol, &seen);
	return seen.count;
}

static bool symbol_fact_is_there(const struct fact *const *facts, size_t count,
				 const struct fact *f)
{
	for (size_t i = 0; i < count; i++) {
		if (facts[i]->kind == f->kind && sym_same(facts[i]->a, f->a) &&
		    sym_same(facts[i]->b, f->b))
			return true;
	}
	return false;
}

size_t symbol_facts(const struct infer *in, uint32_t symbol, const struct fact **out)
{
	size_t count = 0;

	for (size_t i = 0; i < in->facts.len && count < SYMBOL_MAX_FACTS; i++) {
		const struct fact *f = &in->facts.at[i];

		if ((sym_mentions(&in->pool, f->a, symbol) ||
		     sym_mentions(&in->pool, f->b, symbol)) &&
		    !symbol_fact_is_there(out, count, f))
			out[count++] = f;
	}
	return count;
}

void bounds_record(struct record *r, const struct infer *in, uint32_t symbol, size_t facts)
{
	const struct sym_symbol *y = &in->pool.symbols.at[symbol];
	struct sym self = y->self;
	struct sym_range range = sym_range(&in->pool, self);

	record_clear(r, &in->pool);
	record_dim(r, "symbol", self);
	record_tone(r, TONE_FAINT);
	if (range.lo > (y->source == SYM_DECLARED ? 1 : 0))
		record_format(r, "  at least %" PRId64, range.lo);
	if (range.hi < INT64_MAX)
		record_format(r, "  at most %" PRId64, range.hi);
	if (facts == 0)
		record_say(r, "  any size");
}

void fact_record(struct record *r, const struct infer *in, const struct fact *f)
{
	static const char *const words[FACT_KIND_COUNT] = {
		[FACT_EQUAL] = " must equal ", [FACT_SOFT] = " is 1 or ",
		[FACT_PAIR] = " must equal ",  [FACT_DIVISIBLE] = " must be a multiple of ",
		[FACT_BOUND] = " is at most ", [FACT_NEVER] = " never equals ",
	};

	int64_t number;
	/* "1 is at most n" is better said the other way round. */
	bool turned = f->kind == FACT_BOUND && sym_value(&in->pool, f->a, &number);

	record_clear(r, &in->pool);
	record_tone(r, TONE_FAINT);
	record_dim(r, "a", turned ? f->b : f->a);
	record_say(r, turned ? " is at least " : words[f->kind]);
	record_dim(r, "b", turned ? f->a : f->b);
	if (f->kind == FACT_PAIR)
		record_say(r, ", or one of them 1");
	record_column(r);
	record_tone(r, TONE_FAINT);
	if (f->node)
		record_name(r, "node", LINK_NODE, f->node, node_label(in->model, f->node));
}
