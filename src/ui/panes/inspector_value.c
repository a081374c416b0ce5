/*
 * The inspector's rows about a tensor, and helpers for its other parts.
 */
#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "report/cost.h"
#include "report/record.h"
#include "report/tensor.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/panes/inspector.h"
#include "ui/rows.h"
#include "ui/screen.h"

enum {
	MAX_READERS = 60,
	MAX_FINDINGS = 20
};

/* ---- shared with other parts ---- */

void tell_title(struct rows *r, const char *title, const char *right)
{
	rows_gap(r);
	(void)rows_add(r);
	rows_put(r, STYLE_TITLE, sv_of(title));
	if (right[0])
		rows_right(r, STYLE_DIM, sv_of(right));
}

void tell_line(struct rows *r, const char *label, const struct record *from, uint32_t column,
	       int max)
{
	if (!record_has(from, column))
		return;
	(void)rows_lead(r, from, column);
	rows_label(r, label);
	rows_record(r, from, column, max);
}

void tell_below(struct rows *r, int indent, const struct record *from, uint32_t column, int max)
{
	if (!record_has(from, column))
		return;
	(void)rows_lead(r, from, column);
	rows_format(r, STYLE_DIM, "%*s", indent, "");
	rows_record(r, from, column, max);
}

void tell_readers(struct screen *s, struct rows *r, uint32_t value)
{
	const struct model *m = s->subject.model;
	struct record user = {0};
	uint32_t count;
	const struct reader *readers = model_readers(m, value, &count);

	for (uint32_t i = 0; i < MIN(count, (uint32_t)MAX_READERS); i++) {
		user_record(&user, m, readers[i].node, value);
		tell_line(r, i ? "" : "used by", &user, 0, ROWS_NAMES);
	}
	if (count > MAX_READERS) {
		(void)rows_add(r);
		rows_label(r, "");
		rows_format(r, STYLE_DIM, "\u2026 and %" PRIu32 " more", count - MAX_READERS);
	}
	record_release(&user);
}

void tell_findings(struct screen *s, struct rows *r, uint32_t node, uint32_t value)
{
	const struct infer *in = s->subject.infer;
	unsigned told = 0;

	for (size_t i = 0; i < in->findings.len && told < MAX_FINDINGS; i++) {
		const struct finding *f = &in->findings.at[i];

		if (node ? f->node != node : f->value != value)
			continue;
		if (told++ == 0)
			rows_gap(r);
		rows_finding(r, in, f, 8);
	}
}

/* In colour if it fits into one row; else plain in several. */
static void put_amount(struct rows *r, const struct record *amount)
{
	struct str text = {0};
	int width;

	record_print_column(amount, 0, &text);
	width = (int)utf8_width(str_sv(&text));
	if (width > r->width - rows_used(r) && width <= r->width - 2) {
		(void)rows_add(r);
		rows_put(r, STYLE_DIM, SV("  "));
	}
	if (width > r->width - rows_used(r))
		rows_wrap(r, STYLE_NUMBER, str_sv(&text), 6);
	else
		rows_record(r, amount, 0, ROWS_EDGE);
	str_release(&text);
}

void tell_amount(struct screen *s, struct rows *r, const char *label, struct sym amount,
		 enum cost_unit unit)
{
	struct record record = {0};

	if (sym_is_unknown(amount))
		return;
	amount_record(&record, s->subject.infer, amount, unit);
	(void)rows_add(r);
	rows_label(r, label);
	put_amount(r, &record);
	record_release(&record);
}

/* ---- a selected tensor ---- */

static void tell_claims(struct screen *s, struct rows *r, uint32_t value)
{
	const struct model *m = s->subject.model;
	struct record claim = {0};

	for (uint32_t c = m->values.at[value].first_claim; c; c = m->claims.at[c].next) {
		declaration_record(&claim, m, &m->claims.at[c]);
		rows_gap(r);
		tell_below(r, 0, &claim, CLAIM_PLACE, ROWS_NAMES);
		(void)rows_add(r);
		rows_put(r, STYLE_TEXT, SV("  "));
		rows_record(r, &claim, CLAIM_TYPE, 4);
		tell_below(r, 2, &claim, CLAIM_DOC, 4);
	}
	record_release(&claim);
}

/* What the symbol must fit, and in the same row or the next, the node that says so. */
static void tell_fact(struct rows *r, const struct record *fact)
{
	enum {
		SENTENCE,
		NODE,
		SENTENCE_ROWS = 4,
		SHORTEST_NODE = 12
	};

	(void)rows_lead(r, fact, NODE);
	rows_put(r, STYLE_DIM, SV("    "));
	rows_sentence(r, fact, SENTENCE, SENTENCE_ROWS);
	if (!record_has(fact, NODE))
		return;
	if (r->width - rows_used(r) < SHORTEST_NODE) {
		(void)rows_lead(r, fact, NODE);
		rows_put(r, STYLE_DIM, SV("      by "));
	} else {
		rows_put(r, STYLE_DIM, SV("  "));
	}
	rows_record(r, fact, NODE, ROWS_NAMES);
}

static void value_rows_tell_symbols(struct screen *s, struct rows *r, uint32_t value)
{
	const struct infer *in = s->subject.infer;
	const struct fact *facts[SYMBOL_MAX_FACTS];
	uint32_t symbols[TENSOR_MAX_SYMBOLS];
	size_t count = tensor_symbols(in, value, symbols);
	struct record record = {0};

	if (count)
		tell_title(r, "symbols", "");
	for (size_t i = 0; i < count; i++) {
		size_t fact_count = symbol_facts(in, symbols[i], facts);

		bounds_record(&record, in, symbols[i], fact_count);
		tell_below(r, 2, &record, 0, ROWS_NAMES);
		for (size_t k = 0; k < fact_count; k++) {
			fact_record(&record, in, facts[k]);
			tell_fact(r, &record);
		}
	}
	record_release(&record);
}

static void tell_source(struct screen *s, struct rows *r, uint32_t value)
{
	const struct model *m = s->subject.model;
	const struct value *v = &m->values.at[value];
	struct record maker = {0};

	if (v->producer) {
		user_record(&maker, m, v->producer, value);
		tell_line(r, "made by", &maker, 0, ROWS_NAMES);
	}
	if (v->tensor) {
		(void)rows_link(r, LINK_TENSOR, v->tensor);
		rows_label(r, "default");
		rows_put(r, STYLE_DIM, SV("a weight in the file"));
	}
	record_release(&maker);
}

void tell_value(struct screen *s, struct rows *r, uint32_t value)
{
	const struct model *m = s->subject.model;
	const struct info *info = &s->subject.infer->infos[value];
	struct record role = {0};

	(void)rows_add(r);
	rows_wrap(r, STYLE_BRIGHT, model_name(m, m->values.at[value].name), 3);
	rows_add(r)->value = value;
	rows_format(r, STYLE_DIM, "%s ", elem_short(info->elem));
	rows_shape(r, &s->subject.infer->pool, info);
	role_record(&role, s->subject.infer, value);
	tell_below(r, 0, &role, 0, ROWS_NAMES);
	tell_amount(s, r, "memory", cost_bytes(s->subject.infer, info), COST_BYTES);
	tell_findings(s, r, 0, value);
	tell_claims(s, r, value);
	rows_gap(r);
	tell_source(s, r, value);
	tell_readers(s, r, value);
	value_rows_tell_symbols(s, r, value);
	rows_trim(r);
	record_release(&role);
}
