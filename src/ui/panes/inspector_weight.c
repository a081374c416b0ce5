/*
 * The inspector's rows about a weight: where its data is, and its statistics.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/str.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ui/canvas.h"
#include "ui/panes/inspector.h"
#include "ui/panes/outline.h"
#include "ui/panes/weight.h"
#include "ui/rows.h"
#include "ui/screen.h"

static void weight_rows_put_dims(struct rows *r, const struct tensor *t)
{
	rows_format(r, STYLE_DIM, "%s ", elem_short(t->elem));
	rows_put(r, STYLE_DIM, SV("["));
	for (uint32_t i = 0; i < MIN(t->rank, 16); i++) {
		rows_put(r, STYLE_DIM, i ? SV(", ") : SV(""));
		rows_format(r, STYLE_NUMBER, "%" PRId64, t->dims[i]);
	}
	rows_put(r, STYLE_DIM, t->rank > 16 || t->rank_lost ? SV(", \u2026]") : SV("]"));
}

static void tell_size(struct rows *r, const struct tensor *t, uint64_t elements)
{
	struct str text = {0};

	str_size(&text, weight_bytes(t));
	str_text(&text, ", ");
	str_count(&text, elements);
	str_text(&text, elements == 1 ? " element" : " elements");
	(void)rows_add(r);
	rows_label(r, "size");
	rows_put(r, STYLE_TEXT, str_sv(&text));
	str_release(&text);
}

static void tell_where(struct rows *r, const struct tensor *t)
{
	(void)rows_add(r);
	rows_label(r, "data");
	if (!t->external) {
		rows_put(r, STYLE_TEXT, SV("in the model file"));
		return;
	}
	rows_wrap(r, STYLE_TEXT, t->external->location, 3);
	rows_format(r, STYLE_DIM, " at %" PRIu64, t->external->offset);
}

/* One character per bar, the tallest full; bars are merged to fit. */
static void tell_bars(struct screen *s, struct rows *r, const struct weighing *w)
{
	static const char *const blocks[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
					     "\u2585", "\u2586", "\u2587", "\u2588"};
	static const char *const plain[] = {" ", ".", ":", "-", "=", "+", "*", "%", "#"};
	size_t joined = r->width >= WEIGH_BARS ? 1 : r->width >= WEIGH_BARS / 2 ? 2 : 4;
	uint64_t sums[WEIGH_BARS] = {0}, max = 1;
	char max_text[32];

	for (size_t i = 0; i < WEIGH_BARS; i++) {
		sums[i / joined] += w->bars[i];
		max = MAX(max, sums[i / joined]);
	}
	(void)rows_add(r);
	for (size_t i = 0; i < WEIGH_BARS / joined; i++) {
		size_t height = (size_t)((sums[i] * 8 + max - 1) / max);

		rows_put(r, STYLE_BRIGHT, sv_of((s->canvas.ascii ? plain : blocks)[height]));
	}
	(void)rows_add(r);
	rows_format(r, STYLE_DIM, "%.3g", w->min);
	/* Right-align the maximum. */
	snprintf(max_text, sizeof(max_text), "%.3g", w->max);
	rows_format(r, STYLE_DIM, "%*s", MAX((int)(WEIGH_BARS / joined) - rows_used(r), 1),
		    max_text);
}

static void weight_rows_tell_number(struct rows *r, const char *label, double number)
{
	(void)rows_add(r);
	rows_label(r, label);
	rows_format(r, STYLE_NUMBER, "%.6g", number);
}

static void tell_progress(struct rows *r, const struct weighing *w)
{
	uint64_t percent = w->wanted ? w->taken * 100 / w->wanted : 100;

	rows_gap(r);
	if (w->done && !w->gap)
		return;
	(void)rows_add(r);
	if (!w->done)
		rows_format(r, STYLE_INFO, "reading: %" PRIu64 "%%   Esc stops", percent);
	else
		rows_wrap(r, STYLE_INFO, SV("sampled: a million elements, in evenly spaced blocks"),
			  4);
}

static void tell_statistics(struct screen *s, struct rows *r, const struct weighing *w)
{
	tell_progress(r, w);
	if (!w->finite)
		return;
	rows_gap(r);
	weight_rows_tell_number(r, "min", w->min);
	weight_rows_tell_number(r, "max", w->max);
	weight_rows_tell_number(r, "mean", w->mean);
	weight_rows_tell_number(r, "std dev", weighing_deviation(w));
	if (w->strange) {
		(void)rows_add(r);
		rows_format(r, STYLE_WARNING, "! %" PRIu64 " are not finite", w->strange);
	}
	rows_gap(r);
	if (w->done && w->max > w->min)
		tell_bars(s, r, w);
}

/* The values of a sparse tensor: only the elements that are not zero. */
static void tell_sparse(struct screen *s, struct rows *r, uint32_t tensor)
{
	const struct model *m = s->subject.model;

	for (size_t g = 0; g < m->graphs.len; g++) {
		for (size_t i = 0; i < m->graphs.at[g].sparses.len; i++) {
			const struct sparse *sparse = &m->graphs.at[g].sparses.at[i];

			if (sparse->values != tensor)
				continue;
			(void)rows_add(r);
			rows_label(r, "sparse");
			rows_put(r, STYLE_DIM, SV("nonzeros of ["));
			for (uint32_t k = 0; k < MIN(sparse->rank, 16); k++)
				rows_format(r, STYLE_NUMBER, "%s%" PRId64, k ? ", " : "",
					    sparse->dims[k]);
			rows_put(r, STYLE_DIM, SV("]"));
		}
	}
}

void tell_weight(struct screen *s, struct rows *r, const struct weighing *w)
{
	const struct model *m = s->subject.model;
	const struct tensor *t = &m->tensors.at[w->tensor];
	uint32_t value = inspector_tensor_value(s);

	(void)rows_add(r);
	rows_wrap(r, STYLE_BRIGHT, t->name ? model_name(m, t->name) : SV("constant"), 3);
	(void)rows_add(r);
	weight_rows_put_dims(r, t);
	rows_right(r, STYLE_DIM, SV(" weight"));
	tell_sparse(s, r, w->tensor);
	tell_size(r, t, w->elements);
	tell_where(r, t);
	if (w->trouble.kind) {
		rows_gap(r);
		(void)rows_add(r);
		rows_wrap(r, STYLE_CONFLICT, sv_of(w->trouble.text), 6);
	} else if (w->numbers) {
		tell_statistics(s, r, w);
	}
	if (w->first.len && !w->trouble.kind) {
		rows_gap(r);
		(void)rows_add(r);
		rows_label(r, "first");
		rows_wrap(r, STYLE_NUMBER, str_sv(&w->first), 6);
	}
	rows_gap(r);
	if (value)
		tell_readers(s, r, value);
	rows_trim(r);
}
