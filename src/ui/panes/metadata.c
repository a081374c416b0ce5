/*
 * Pane 9: the metadata of the file.
 */
#include <inttypes.h>
#include <sys/stat.h>

#include "base/num.h"
#include "base/str.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "report/record.h"
#include "ui/canvas.h"
#include "ui/panes/outline.h"
#include "ui/rows.h"
#include "ui/screen.h"

enum {
	MAX_PAIRS = 200,
	MAX_FUNCTIONS = 500,
	MAX_LINES = 12 /* per text */
};

static void metadata_tell(struct rows *r, const char *label, struct sv text)
{
	if (text.len == 0)
		return;
	(void)rows_add(r);
	rows_format(r, STYLE_DIM, "%-11s", label);
	rows_wrap(r, STYLE_TEXT, text, MAX_LINES);
}

static void metadata_tell_number(struct rows *r, const char *label, int64_t number)
{
	(void)rows_add(r);
	rows_format(r, STYLE_DIM, "%-11s", label);
	rows_format(r, STYLE_NUMBER, "%" PRId64, number);
}

static void tell_sizes(struct screen *s, struct rows *r)
{
	const struct model *m = s->subject.model;
	struct str path = {0}, text = {0};
	uint64_t bytes = 0;
	size_t count = 0;
	struct stat st;

	str_add(&path, s->subject.path);
	if (stat(str_c(&path), &st) == 0 && S_ISREG(st.st_mode)) {
		str_size(&text, (uint64_t)st.st_size);
		metadata_tell(r, "file size", str_sv(&text));
	}
	for (size_t g = 0; g < m->graphs.len; g++) {
		count += m->graphs.at[g].initializers.len + m->graphs.at[g].sparses.len;
		if (!num_add(bytes, graph_weight_bytes(m, (uint32_t)g), &bytes))
			bytes = UINT64_MAX;
	}
	str_clear(&text);
	str_size(&text, bytes);
	str_format(&text, " in %zu tensor%s", count, count == 1 ? "" : "s");
	metadata_tell(r, "weights", str_sv(&text));
	str_release(&path);
	str_release(&text);
}

static void tell_opsets(struct screen *s, struct rows *r)
{
	const struct model *m = s->subject.model;

	for (uint32_t i = 0; i < MIN(m->opset_count, (uint32_t)MAX_PAIRS); i++) {
		struct sv domain = model_name(m, m->opsets[i].domain);

		(void)rows_add(r);
		rows_format(r, STYLE_DIM, "%-11s", i ? "" : "opsets");
		rows_put(r, STYLE_TEXT, domain.len ? domain : SV("ai.onnx"));
		rows_format(r, STYLE_NUMBER, " %" PRId64, m->opsets[i].version);
	}
}

static void metadata_tell_head(struct screen *s, struct rows *r)
{
	const struct model *m = s->subject.model;
	struct str producer = {0};

	metadata_tell(r, "file", s->subject.path);
	tell_sizes(s, r);
	str_add(&producer, m->producer_name);
	str_text(&producer, m->producer_version.len ? " " : "");
	str_add(&producer, m->producer_version);
	metadata_tell(r, "producer", str_sv(&producer));
	metadata_tell(r, "domain", m->domain);
	if (m->has_ir_version)
		metadata_tell_number(r, "ir version", m->ir_version);
	if (m->model_version)
		metadata_tell_number(r, "version", m->model_version);
	tell_opsets(s, r);
	metadata_tell(r, "graph", model_name(m, m->graphs.at[0].name));
	metadata_tell(r, "doc", m->doc);
	metadata_tell(r, "graph doc", m->graphs.at[0].doc);
	str_release(&producer);
}

static void tell_pairs(struct screen *s, struct rows *r, const char *title,
		       const struct pair *pairs, uint32_t count)
{
	if (count == 0)
		return;
	rows_gap(r);
	(void)rows_add(r);
	rows_format(r, STYLE_TITLE, "%s (%" PRIu32 ")", title, count);
	for (uint32_t i = 0; i < MIN(count, (uint32_t)MAX_PAIRS); i++) {
		(void)rows_add(r);
		rows_put(r, STYLE_TEXT, SV("  "));
		rows_put(r, STYLE_DIM, model_name(s->subject.model, pairs[i].key));
		rows_put(r, STYLE_DIM, SV(" = "));
		rows_wrap(r, STYLE_TEXT, pairs[i].value, MAX_LINES);
		if (pairs[i].value_len > pairs[i].value.len)
			rows_format(r, STYLE_DIM, " (%" PRIu64 " bytes)", pairs[i].value_len);
	}
}

static void tell_functions(struct screen *s, struct rows *r)
{
	const struct model *m = s->subject.model;

	if (m->functions.len == 0)
		return;
	rows_gap(r);
	(void)rows_add(r);
	rows_format(r, STYLE_TITLE, "functions (%zu)", m->functions.len);
	for (size_t i = 0; i < MIN(m->functions.len, (size_t)MAX_FUNCTIONS); i++) {
		const struct function *f = &m->functions.at[i];
		size_t nodes = m->graphs.at[f->graph].nodes.len;

		(void)rows_link(r, LINK_GRAPH, f->graph);
		rows_put(r, STYLE_TEXT, SV("  "));
		rows_put(r, STYLE_BRIGHT, model_name(m, f->name));
		rows_put(r, STYLE_DIM, SV(" "));
		rows_put(r, STYLE_DIM, model_name(m, f->domain));
		rows_format(r, STYLE_DIM, "  %zu node%s", nodes, nodes == 1 ? "" : "s");
	}
}

static void metadata_fill(struct pane *p, struct rows *r)
{
	struct screen *s = p->screen;
	const struct model *m = s->subject.model;

	metadata_tell_head(s, r);
	tell_pairs(s, r, "metadata", m->metadata, m->metadata_count);
	tell_pairs(s, r, "graph metadata", m->graphs.at[0].metadata,
		   m->graphs.at[0].metadata_count);
	tell_functions(s, r);
	rows_trim(r);
}

const struct pane_kind metadata_pane = {
	.title = "Metadata",
	.hint = "j/k move  Enter open a function  Esc back  ? help",
	.fill = metadata_fill,
};
