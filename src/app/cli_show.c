#include <inttypes.h>
#include <stdio.h>

#include "app/app.h"
#include "app/cli_many.h"
#include "app/cli_models.h"
#include "app/cli_show_json.h"
#include "app/cli_summary.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/args.h"
#include "ir/dims.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "wire/wire.h"

enum {
	LABEL_WIDTH = 14,
	LINE_WIDTH = 96, /* without a terminal */
	MAX_FLAWS = 20,
	MAX_FUNCTIONS = 40,
	WIDEST_NAME = 40
};

/* Hues of the 256-colour palette that read on dark and on light backgrounds. */
static const int show_hues[] = {208, 34, 135, 37, 161, 67, 142, 169, 27, 130};

struct page {
	const struct model *model; /* borrowed */
	const struct summary *summary;
	struct str text;
	bool color;
	size_t width; /* of a line */
};

static void show_add_shown(struct page *p, uint32_t name)
{
	str_add_shown(&p->text, model_name(p->model, name));
}

static void show_add_symbol(struct page *p, int which, uint32_t name)
{
	if (p->color && which >= 0)
		str_format(&p->text, "\033[1;38;5;%dm",
			   show_hues[(size_t)which % ARRAY_LEN(show_hues)]);
	show_add_shown(p, name);
	if (p->color && which >= 0)
		str_text(&p->text, "\033[0m");
}

static void add_label(struct page *p, const char *label)
{
	str_format(&p->text, p->color ? "\033[1m%-*s\033[0m" : "%-*s", LABEL_WIDTH, label);
}

static void add_indent(struct page *p)
{
	str_repeat(&p->text, ' ', LABEL_WIDTH);
}

/* ---- tensors ---- */

static void show_add_dim(void *context, struct str *out, const struct dim *d)
{
	struct page *p = context;
	int symbol = summary_symbol(p->summary, d);

	if (symbol >= 0)
		show_add_symbol(p, symbol, d->param);
	else
		dim_print(out, d, &p->model->names);
}

static size_t widest_name(const struct page *p, enum claim_kind kind)
{
	const struct graph *g = &p->model->graphs.at[0];
	size_t widest = 0;

	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &p->model->claims.at[g->claims.at[i]];
		size_t width;

		if (c->kind != kind)
			continue;
		width = utf8_width(model_name(p->model, p->model->values.at[c->value].name));
		widest = width <= WIDEST_NAME ? MAX(widest, width) : widest;
	}
	return widest;
}

static void add_claim(struct page *p, const struct claim *c, size_t widest)
{
	const struct value *v = &p->model->values.at[c->value];
	size_t width = utf8_width(model_name(p->model, v->name));

	show_add_shown(p, v->name);
	str_repeat(&p->text, ' ', (width < widest ? widest - width : 0) + 2);
	type_print_dims(&p->text, &c->type, &p->model->names, show_add_dim, p);
	if (c->kind == CLAIM_INPUT && (v->tensor || v->sparse))
		str_text(&p->text, "  (has a default value)");
	str_char(&p->text, '\n');
}

static void add_claims(struct page *p, enum claim_kind kind, const char *label)
{
	const struct graph *g = &p->model->graphs.at[0];
	size_t widest = widest_name(p, kind);
	bool first = true;

	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &p->model->claims.at[g->claims.at[i]];

		if (c->kind != kind)
			continue;
		if (first)
			add_label(p, label);
		else
			add_indent(p);
		first = false;
		add_claim(p, c, widest);
	}
}

/* ---- lists that wrap ---- */

struct wrapped {
	struct page *page; /* borrowed */
	size_t column;
};

static void wrap_item(struct wrapped *w, struct sv item, size_t width)
{
	if (w->column && w->column + width + 2 > w->page->width) {
		str_char(&w->page->text, '\n');
		add_indent(w->page);
		w->column = LABEL_WIDTH;
	} else if (w->column) {
		str_text(&w->page->text, "  ");
		w->column += 2;
	} else {
		w->column = LABEL_WIDTH;
	}
	str_add(&w->page->text, item);
	w->column += width;
}

static void show_add_symbols(struct page *p)
{
	const struct symbol_counts *symbols = &p->summary->symbols;
	struct wrapped w = {.page = p};

	if (symbols->len == 0)
		return;
	add_label(p, "symbols");
	for (size_t i = 0; i < symbols->len; i++) {
		struct page item = {.model = p->model, .color = p->color};
		size_t width = utf8_width(model_name(p->model, symbols->at[i].name));
		char uses[32];

		show_add_symbol(&item, (int)i, symbols->at[i].name);
		(void)snprintf(uses, sizeof(uses), " ×%" PRIu64, symbols->at[i].count);
		str_text(&item.text, uses);
		wrap_item(&w, str_sv(&item.text), width + utf8_width(sv_of(uses)));
		str_release(&item.text);
	}
	str_char(&p->text, '\n');
}

static void add_op_name(struct str *s, const struct model *m, uint32_t domain, uint32_t op)
{
	if (!domain_is_standard(model_name(m, domain))) {
		str_add_shown(s, model_name(m, domain));
		str_char(s, '.');
	}
	str_add_shown(s, model_name(m, op));
}

static void add_ops(struct page *p)
{
	const struct op_counts *ops = &p->summary->ops;
	struct wrapped w = {.page = p};

	if (ops->len == 0)
		return;
	add_label(p, "operators");
	for (size_t i = 0; i < ops->len; i++) {
		struct str item = {0};

		add_op_name(&item, p->model, ops->at[i].domain, ops->at[i].op);
		str_format(&item, " %" PRIu64, ops->at[i].count);
		wrap_item(&w, str_sv(&item), utf8_width(str_sv(&item)));
		str_release(&item);
	}
	str_char(&p->text, '\n');
}

/* ---- one line each ---- */

static void add_header(struct page *p, const struct wire *w)
{
	str_text(&p->text, p->color ? "\033[1m" : "");
	str_add_shown(&p->text, str_sv(&w->path));
	str_text(&p->text, p->color ? "\033[0m  " : "  ");
	str_size(&p->text, w->file.size);
	str_char(&p->text, '\n');
}

static void show_add_origin(struct page *p)
{
	const struct model *m = p->model;

	add_label(p, "format");
	if (m->has_ir_version)
		str_format(&p->text, "IR %" PRId64, m->ir_version);
	else
		str_text(&p->text, "no IR version");
	for (uint32_t i = 0; i < m->opset_count; i++) {
		struct sv domain = model_name(m, m->opsets[i].domain);

		str_text(&p->text, i ? ", " : "  opset ");
		if (domain.len) {
			str_add_shown(&p->text, domain);
			str_char(&p->text, ' ');
		}
		str_format(&p->text, "%" PRId64, m->opsets[i].version);
	}
	str_char(&p->text, '\n');
	if (m->producer_name.len || m->producer_version.len) {
		add_label(p, "producer");
		str_add_shown(&p->text, m->producer_name);
		str_text(&p->text, m->producer_name.len && m->producer_version.len ? " " : "");
		str_add_shown(&p->text, m->producer_version);
		str_char(&p->text, '\n');
	}
}

static void show_add_graph(struct page *p)
{
	add_label(p, "graph");
	if (p->model->graphs.at[0].name) {
		show_add_shown(p, p->model->graphs.at[0].name);
		str_text(&p->text, "  ");
	}
	str_count(&p->text, p->summary->nodes);
	str_text(&p->text, p->summary->nodes == 1 ? " node" : " nodes");
	if (p->summary->bodies)
		str_format(&p->text, ", %" PRIu32 " subgraph%s", p->summary->bodies,
			   p->summary->bodies == 1 ? "" : "s");
	if (p->model->functions.len)
		str_format(&p->text, ", %zu function%s", p->model->functions.len,
			   p->model->functions.len == 1 ? "" : "s");
	if (p->model->trainings.len)
		str_text(&p->text, ", training information");
	str_text(&p->text, p->model->has_graph ? "\n" : "  (no main graph)\n");
}

static void add_weight_count(struct page *p, uint64_t count, uint64_t bytes, const char *where)
{
	str_count(&p->text, count);
	str_text(&p->text, count == 1 ? " tensor, " : " tensors, ");
	str_size(&p->text, bytes);
	str_char(&p->text, ' ');
	str_text(&p->text, where);
}

static void add_weights(struct page *p)
{
	const struct weight_counts *w = &p->summary->weights;

	if (w->inline_count || w->external_count)
		add_label(p, "weights");
	if (w->inline_count)
		add_weight_count(p, w->inline_count, w->inline_bytes,
				 w->external_count ? "inline; " : "inline\n");
	if (w->external_count == 0)
		return;
	add_weight_count(p, w->external_count, w->external_bytes, "in ");
	for (uint32_t i = 1; i < intern_count(&w->files) && i <= 3; i++) {
		str_text(&p->text, i > 1 ? ", " : "");
		str_add_shown(&p->text, intern_text(&w->files, i));
	}
	if (intern_count(&w->files) > 4)
		str_format(&p->text, " and %" PRIu32 " more file%s", intern_count(&w->files) - 4,
			   intern_count(&w->files) == 5 ? "" : "s");
	str_char(&p->text, '\n');
}

static void add_functions(struct page *p)
{
	const struct model *m = p->model;

	for (size_t i = 0; i < m->functions.len && i < MAX_FUNCTIONS; i++) {
		const struct function *f = &m->functions.at[i];
		size_t nodes = m->graphs.at[f->graph].nodes.len;

		add_label(p, i ? "" : "functions");
		add_op_name(&p->text, m, f->domain, f->name);
		if (f->overload) {
			str_char(&p->text, ':');
			show_add_shown(p, f->overload);
		}
		str_format(&p->text, "  %zu node%s\n", nodes, nodes == 1 ? "" : "s");
	}
	if (m->functions.len > MAX_FUNCTIONS) {
		add_indent(p);
		str_format(&p->text, "and %zu more\n", m->functions.len - MAX_FUNCTIONS);
	}
}

static void add_metadata(struct page *p)
{
	const struct model *m = p->model;

	for (uint32_t i = 0; i < m->metadata_count; i++) {
		struct sv value = m->metadata[i].value;

		add_label(p, i ? "" : "metadata");
		show_add_shown(p, m->metadata[i].key);
		str_text(&p->text, ": ");
		str_add_shown(&p->text, (struct sv){value.at, MIN(value.len, 160)});
		if (m->metadata[i].value_len > 160)
			str_format(&p->text, "… (%" PRIu64 " bytes)", m->metadata[i].value_len);
		str_char(&p->text, '\n');
	}
}

static void add_flaws(struct page *p)
{
	const struct model *m = p->model;

	for (size_t i = 0; i < m->flaws.len && i < MAX_FLAWS; i++) {
		add_label(p, i ? "" : "flaws");
		flaw_print(&p->text, m, &m->flaws.at[i]);
		str_char(&p->text, '\n');
	}
	if (m->flaws.len > MAX_FLAWS) {
		add_indent(p);
		str_format(&p->text, "and %zu more\n", m->flaws.len - MAX_FLAWS);
	}
}

static void show_text(const struct app *app, const struct wire *w, const struct summary *summary)
{
	struct page p = {.model = &w->model,
			 .summary = summary,
			 .color = app->color,
			 .width = app->width ? app->width : LINE_WIDTH};

	add_header(&p, w);
	show_add_origin(&p);
	show_add_graph(&p);
	add_claims(&p, CLAIM_INPUT, "inputs");
	add_claims(&p, CLAIM_OUTPUT, "outputs");
	show_add_symbols(&p);
	add_ops(&p);
	add_weights(&p);
	add_functions(&p);
	add_metadata(&p);
	add_flaws(&p);
	fwrite(p.text.at, 1, p.text.len, stdout);
	str_release(&p.text);
}

static enum exit_code show_one(const struct app *app)
{
	struct summary summary;
	struct wire w;
	struct err err;

	if (!open_model(app, 0, &w, &err))
		return complain(&err);
	summary_init(&summary, &w.model);
	if (args_has(app->args, OPTION_JSON))
		show_json(stdout, &w, &summary);
	else
		show_text(app, &w, &summary);
	summary_release(&summary);
	wire_release(&w);
	return EXIT_DONE;
}

enum exit_code run_show(const struct app *app)
{
	return many_run(&(struct many){
		.app = app, .one = show_one, .models = model_count(app), .named = true});
}
