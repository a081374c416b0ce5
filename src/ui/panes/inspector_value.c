/*
 * The inspector's rows about a tensor, and helpers for its other parts.
 */
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/sentence.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/need.h"
#include "ops/property.h"
#include "report/cost.h"
#include "report/record.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"
#include "ui/canvas.h"
#include "ui/panes/inspector.h"
#include "ui/rows.h"
#include "ui/screen.h"

enum {
	MAX_READERS = 60,
	MAX_FINDINGS = 20,
	MAX_FACTS = 20,
	MAX_SYMBOLS = 8,
	SMALL = 16 /* elements of a constant that is shown in full */
};

/* ---- shared with other parts ---- */

uint32_t value_constant(const struct model *m, uint32_t value)
{
	const struct value *v = &m->values.at[value];
	const struct node *n = &m->nodes.at[v->producer];
	const struct attr *a;

	if (v->tensor || !v->producer || !op_is_constant(m, n))
		return v->tensor;
	a = node_attr(m, n, "value");
	return a && a->kind == ATTR_TENSOR ? a->tensor : 0;
}

/* Enter on a tensor goes to its producer, or from there to its readers. */
static struct row *link_tensor(struct screen *s, struct rows *r, uint32_t value)
{
	const struct model *m = s->subject.model;
	const struct value *v = &m->values.at[value];
	const struct reader *readers;
	uint32_t count;

	if (v->producer && v->producer != s->node)
		return rows_link(r, LINK_NODE, v->producer);
	if (value_constant(m, value))
		return rows_link(r, LINK_TENSOR, value_constant(m, value));
	readers = model_readers(m, value, &count);
	if (v->producer && !(v->flags & VALUE_OUTPUT) && count && readers[0].node)
		return rows_link(r, LINK_NODE, readers[0].node);
	return rows_link(r, v->flags & (VALUE_INPUT | VALUE_OUTPUT) ? LINK_VALUE : LINK_NONE,
			 value);
}

static void tell_contents(struct screen *s, struct rows *r, uint32_t value)
{
	static const struct text_limits limits = {.elements = SMALL, .bytes = 1000, .digits = 6};
	const struct model *m = s->subject.model;
	const struct info *info = &s->subject.infer->infos[value];
	uint32_t tensor = value_constant(m, value);
	struct str text = {0};
	uint64_t count;

	if (tensor) {
		if (!tensor_elements(&m->tensors.at[tensor], &count) || count > SMALL)
			return;
		(void)tensor_print_elements(&text, m, &m->tensors.at[tensor], &limits);
	} else if (!info->contents.at || info->contents.count == 0) {
		return;
	}
	(void)link_tensor(s, r, value);
	rows_label(r, "");
	rows_put(r, STYLE_DIM, SV("= "));
	if (tensor)
		rows_wrap(r, STYLE_NUMBER, str_sv(&text), 3);
	else
		rows_contents(r, &s->subject.infer->pool, info);
	str_release(&text);
}

void tell_tensor(struct screen *s, struct rows *r, const char *label, uint32_t value)
{
	const struct model *m = s->subject.model;
	const struct info *info = &s->subject.infer->infos[value];
	struct sv name = model_name(m, m->values.at[value].name);
	const char *type = elem_short(info->elem);
	bool weight = m->values.at[value].tensor || m->values.at[value].sparse;
	int width = (int)utf8_width((struct sv){name.at, MIN(name.len, 1000)});

	link_tensor(s, r, value)->value = value;
	rows_label(r, label);
	if (value_changed(s, value))
		rows_put(r, STYLE_CHANGED, SV("~ "));
	width += rows_used(r) + shape_width(s, info) + (int)strlen(type) + (weight ? 9 : 2);
	rows_name(r, weight ? STYLE_DIM : STYLE_TEXT, name,
		  r->width - rows_used(r) - (int)strlen(type) - 1);
	if (width > r->width) {
		rows_right(r, STYLE_DIM, SV(" "));
		rows_right(r, STYLE_DIM, sv_of(type));
		link_tensor(s, r, value)->value = value;
		rows_label(r, "");
	} else {
		rows_put(r, STYLE_TEXT, SV(" "));
	}
	rows_shape(r, &s->subject.infer->pool, info);
	if (weight)
		rows_right(r, STYLE_DIM, width > r->width ? SV(" weight") : SV(" weight "));
	if (width <= r->width)
		rows_right(r, STYLE_DIM, sv_of(type));
	tell_contents(s, r, value);
}

static void value_rows_put_node(struct rows *r, const struct model *m, uint32_t node)
{
	rows_put(r, STYLE_BRIGHT, model_name(m, m->nodes.at[node].op));
	rows_put(r, STYLE_TEXT, SV(" "));
	rows_name(r, STYLE_TEXT, node_label(m, node), r->width - rows_used(r));
}

void tell_readers(struct screen *s, struct rows *r, uint32_t value)
{
	const struct model *m = s->subject.model;
	uint32_t count;
	const struct reader *readers = model_readers(m, value, &count);

	for (uint32_t i = 0; i < MIN(count, (uint32_t)MAX_READERS); i++) {
		if (readers[i].node)
			(void)rows_link(r, LINK_NODE, readers[i].node);
		else
			(void)rows_link(r, LINK_VALUE, value);
		rows_label(r, i ? "" : "used by");
		if (readers[i].node)
			value_rows_put_node(r, m, readers[i].node);
		else
			rows_put(r, STYLE_TEXT, SV("graph output"));
	}
	if (count > MAX_READERS) {
		(void)rows_add(r);
		rows_label(r, "");
		rows_format(r, STYLE_DIM, "\u2026 and %" PRIu32 " more", count - MAX_READERS);
	}
}

void tell_findings(struct screen *s, struct rows *r, uint32_t node, uint32_t value)
{
	const struct infer *in = s->subject.infer;
	unsigned told = 0;

	for (size_t i = 0; i < in->findings.len && told < MAX_FINDINGS; i++) {
		const struct finding *f = &in->findings.at[i];
		struct str sentence = {0};

		if (node ? f->node != node : f->value != value)
			continue;
		if (told++ == 0)
			rows_gap(r);
		(void)rows_add(r);
		rows_format(r, level_style(f->level), "%s ",
			    gravity_mark(level_info(f->level)->gravity));
		if (f->axis >= 0)
			rows_format(r, level_style(f->level), "[%" PRId32 "] ", f->axis);
		finding_print(in, f, &sentence);
		rows_wrap(r, level_style(f->level), str_sv(&sentence), 8);
		str_release(&sentence);
	}
}

static void add_large(struct str *out, int64_t amount)
{
	static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
	double size = (double)amount;
	size_t unit = 0;

	while (size >= 1000 && unit + 1 < ARRAY_LEN(units)) {
		size /= 1000;
		unit++;
	}
	str_format(out, unit ? "%.3g %s" : "%.0f %s", size, units[unit]);
}

/* In colour if it fits into one row; else plain in several. */
static void put_expression(struct rows *r, const struct sym_pool *pool, struct sym amount,
			   struct sv text, const char *unit)
{
	int width = (int)utf8_width(text);

	if (width > r->width - rows_used(r) && width <= r->width - 2) {
		(void)rows_add(r);
		rows_put(r, STYLE_DIM, SV("  "));
	}
	if (width > r->width - rows_used(r)) {
		rows_wrap(r, STYLE_NUMBER, text, 6);
		return;
	}
	rows_dim(r, pool, amount, 0);
	rows_format(r, STYLE_DIM, " %s", unit);
}

void tell_amount(struct screen *s, struct rows *r, const char *label, struct sym amount,
		 const char *unit)
{
	const struct sym_pool *pool = &s->subject.infer->pool;
	struct str text = {0};
	int64_t number;

	if (sym_is_unknown(amount))
		return;
	(void)rows_add(r);
	rows_label(r, label);
	if (!sym_value(pool, amount, &number)) {
		sym_print(pool, amount, &text);
		str_format(&text, " %s", unit);
		put_expression(r, pool, amount, str_sv(&text), unit);
	} else {
		if (unit[0] == 'B' && number >= 0)
			str_size(&text, (uint64_t)number);
		else
			add_large(&text, number);
		rows_put(r, STYLE_NUMBER, str_sv(&text));
		rows_put(r, STYLE_DIM, unit[0] == 'B' ? SV("") : sv_of(unit));
	}
	str_release(&text);
}

/* ---- a selected tensor ---- */

static void tell_claims(struct screen *s, struct rows *r, uint32_t value)
{
	static const char *const kinds[CLAIM_KIND_COUNT] = {
		[CLAIM_INPUT] = "as an input",
		[CLAIM_OUTPUT] = "as an output",
		[CLAIM_VALUE_INFO] = "as value_info",
	};
	const struct model *m = s->subject.model;

	for (uint32_t c = m->values.at[value].first_claim; c; c = m->claims.at[c].next) {
		struct str text = {0};

		type_print(&text, &m->claims.at[c].type, &m->names);
		rows_gap(r);
		(void)rows_add(r);
		rows_format(r, STYLE_DIM, "declared %s", kinds[m->claims.at[c].kind]);
		(void)rows_add(r);
		rows_put(r, STYLE_TEXT, SV("  "));
		rows_wrap(r, STYLE_TEXT, str_sv(&text), 4);
		if (m->claims.at[c].doc.len) {
			(void)rows_add(r);
			rows_put(r, STYLE_DIM, SV("  "));
			rows_wrap(r, STYLE_DIM, m->claims.at[c].doc, 4);
		}
		str_release(&text);
	}
}

static void put_fact(struct screen *s, struct rows *r, const struct fact *f)
{
	static const char *const words[FACT_KIND_COUNT] = {
		[FACT_EQUAL] = " must equal ",     [FACT_SOFT] = " is 1 or ",
		[FACT_PAIR] = " or 1 must equal ", [FACT_DIVISIBLE] = " must be a multiple of ",
		[FACT_BOUND] = " is at most ",     [FACT_NEVER] = " never equals ",
	};

	if (f->node)
		(void)rows_link(r, LINK_NODE, f->node);
	else
		(void)rows_add(r);
	rows_put(r, STYLE_DIM, SV("    "));
	rows_dim(r, &s->subject.infer->pool, f->a, 0);
	rows_put(r, STYLE_DIM, sv_of(words[f->kind]));
	rows_dim(r, &s->subject.infer->pool, f->b, 0);
	if (f->node) {
		rows_put(r, STYLE_DIM, SV("  "));
		rows_name(r, STYLE_DIM, node_label(s->subject.model, f->node),
			  r->width - rows_used(r));
	}
}

static void tell_symbol(struct screen *s, struct rows *r, uint32_t symbol)
{
	const struct infer *in = s->subject.infer;
	struct sym self = in->pool.symbols.at[symbol].self;
	struct sym_range range = sym_range(&in->pool, self);
	unsigned told = 0;

	(void)rows_add(r);
	rows_put(r, STYLE_DIM, SV("  "));
	rows_dim(r, &in->pool, self, 0);
	if (range.lo > 0)
		rows_format(r, STYLE_DIM, "  at least %" PRId64, range.lo);
	if (range.hi < INT64_MAX)
		rows_format(r, STYLE_DIM, "  at most %" PRId64, range.hi);
	for (size_t i = 0; i < in->facts.len && told < MAX_FACTS; i++) {
		const struct fact *f = &in->facts.at[i];

		if (!sym_mentions(&in->pool, f->a, symbol) &&
		    !sym_mentions(&in->pool, f->b, symbol))
			continue;
		put_fact(s, r, f);
		told++;
	}
	if (told == 0)
		rows_put(r, STYLE_DIM, SV("  any size"));
}

struct symbols_seen {
	uint32_t at[MAX_SYMBOLS];
	size_t count;
};

static void note_symbol(void *context, uint32_t symbol)
{
	struct symbols_seen *seen = context;
	size_t k;

	for (size_t i = 0; i < seen->count; i++) {
		if (seen->at[i] == symbol)
			return;
	}
	if (seen->count == MAX_SYMBOLS)
		return;
	/* In order of the symbols' ids, not of their appearance. */
	for (k = seen->count++; k && seen->at[k - 1] > symbol; k--)
		seen->at[k] = seen->at[k - 1];
	seen->at[k] = symbol;
}

static void value_rows_tell_symbols(struct screen *s, struct rows *r, uint32_t value)
{
	const struct infer *in = s->subject.infer;
	const struct info *info = &in->infos[value];
	struct symbols_seen seen = {.count = 0};

	for (uint32_t i = 0; info->ranked && i < info->rank; i++)
		sym_each_symbol(&in->pool, info->dims[i], note_symbol, &seen);
	rows_gap(r);
	if (seen.count) {
		(void)rows_add(r);
		rows_put(r, STYLE_TITLE, SV("symbols"));
	}
	for (size_t i = 0; i < seen.count; i++)
		tell_symbol(s, r, seen.at[i]);
}

static void tell_source(struct screen *s, struct rows *r, uint32_t value)
{
	const struct model *m = s->subject.model;
	const struct value *v = &m->values.at[value];

	if (v->producer) {
		(void)rows_link(r, LINK_NODE, v->producer);
		rows_label(r, "made by");
		value_rows_put_node(r, m, v->producer);
	}
	if (v->tensor) {
		(void)rows_link(r, LINK_TENSOR, v->tensor);
		rows_label(r, "default");
		rows_put(r, STYLE_DIM, SV("a weight in the file"));
	}
}

void tell_value(struct screen *s, struct rows *r, uint32_t value)
{
	static const char *const told_by[SOURCE_COUNT] = {
		[SOURCE_NONE] = "unknown",
		[SOURCE_INPUT] = "given",
		[SOURCE_INITIALIZER] = "from its data",
		[SOURCE_INFERRED] = "inferred",
		[SOURCE_CLAIM] = "declared",
	};
	const struct model *m = s->subject.model;
	const struct value *v = &m->values.at[value];
	const struct info *info = &s->subject.infer->infos[value];
	bool in = v->flags & VALUE_INPUT, out = v->flags & VALUE_OUTPUT;

	(void)rows_add(r);
	rows_wrap(r, STYLE_BRIGHT, model_name(m, v->name), 3);
	rows_add(r)->value = value;
	rows_format(r, STYLE_DIM, "%s ", elem_short(info->elem));
	rows_shape(r, &s->subject.infer->pool, info);
	(void)rows_add(r);
	rows_put(r, STYLE_DIM,
		 in && out ? SV("input and output")
		 : in      ? SV("input")
		 : out     ? SV("output")
			   : SV("tensor"));
	if (!in)
		rows_format(r, STYLE_DIM, ", shape %s", told_by[s->subject.infer->sources[value]]);
	tell_amount(s, r, "memory", cost_bytes(s->subject.infer, info), "B");
	tell_findings(s, r, 0, value);
	tell_claims(s, r, value);
	rows_gap(r);
	tell_source(s, r, value);
	tell_readers(s, r, value);
	value_rows_tell_symbols(s, r, value);
	rows_trim(r);
}
