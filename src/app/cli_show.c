#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/cli_many.h"
#include "app/cli_models.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/args.h"
#include "infer/infer.h"
#include "report/fold.h"
#include "report/json.h"
#include "report/paint.h"
#include "report/record.h"
#include "report/summary.h"
#include "wire/wire.h"

enum {
	LABEL_WIDTH = 14,
	LINE_WIDTH = 96, /* without a terminal */
	LONGEST_VALUE = 160,
	WIDEST_NAME = 40
};

static const struct shown {
	enum summary_section section;
	bool wrapped; /* many records in a line */
	bool folded;  /* like-named ones in a line */
	size_t max;   /* records; 0 for all */
} show_sections[] = {
	{.section = SUMMARY_FORMAT},
	{.section = SUMMARY_PRODUCER},
	{.section = SUMMARY_DOMAIN},
	{.section = SUMMARY_VERSION},
	{.section = SUMMARY_GRAPH},
	{.section = SUMMARY_DOC},
	{.section = SUMMARY_GRAPH_DOC},
	{.section = SUMMARY_INPUTS, .folded = true},
	{.section = SUMMARY_OUTPUTS, .folded = true},
	{.section = SUMMARY_SYMBOLS, .wrapped = true},
	{.section = SUMMARY_OPERATORS, .wrapped = true},
	{.section = SUMMARY_WEIGHTS},
	{.section = SUMMARY_FUNCTIONS, .max = 40},
	{.section = SUMMARY_METADATA},
	{.section = SUMMARY_FLAWS, .max = 20},
};

struct page {
	const struct summary *summary; /* borrowed */
	struct record record;
	struct painted line;
	struct paints paints;
	struct fold fold; /* of the section */
	bool whole;       /* nothing is folded */
	size_t width;     /* of a line */
};

/* ---- a record ---- */

static void show_end_line(struct page *p)
{
	paint_line(&p->paints, &p->line, 0, 0, 0);
	painted_clear(&p->line);
}

/* Without the colours. */
static size_t show_width(const struct page *p, uint32_t column)
{
	size_t width = 0;

	for (size_t i = 0; i < p->record.cells.len; i++) {
		const struct cell *c = &p->record.cells.at[i];

		if (c->shown && c->column == column)
			width += utf8_width(cell_text(&p->record, c));
	}
	return width;
}

/* An empty column takes no room, unless the first one is aligned. */
static void show_add_columns(struct page *p, size_t widest)
{
	size_t gap = 0;

	for (uint32_t i = 0; i <= p->record.column; i++) {
		size_t width = show_width(p, i);

		if (width == 0 && (i || widest == 0))
			continue;
		str_repeat(&p->line.text, ' ', gap);
		paint_sizes(&p->paints, &p->record, i, &p->line);
		gap = 2 + (i == 0 && width < widest ? widest - width : 0);
	}
	show_end_line(p);
}

static void show_add_label(struct page *p, const char *label)
{
	painted_add(&p->line, PAINT_HEADING, sv_of(label));
	str_repeat(&p->line.text, ' ', LABEL_WIDTH - strlen(label));
}

/* ---- a section ---- */

/* The record of a row, which may say several; false if an earlier one says it. */
static bool show_record(struct page *p, enum summary_section section, size_t i)
{
	if (!fold_says(&p->fold, i))
		return false;
	summary_record(&p->record, p->summary, section, i);
	fold_record(&p->fold, i, &p->record, p->record.column + 1);
	return true;
}

static void show_fold(struct page *p, const struct shown *shown, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		summary_record(&p->record, p->summary, shown->section, i);
		fold_add(&p->fold, &p->record);
	}
	if (shown->folded && !p->whole)
		fold_find(&p->fold);
}

static size_t show_widest(struct page *p, enum summary_section section, size_t count)
{
	size_t widest = 0;

	for (size_t i = 0; i < count; i++) {
		size_t width;

		if (!show_record(p, section, i))
			continue;
		width = show_width(p, 0);
		widest = width <= WIDEST_NAME ? MAX(widest, width) : widest;
	}
	return widest;
}

static void show_add_lines(struct page *p, const struct shown *shown)
{
	size_t count = summary_count(p->summary, shown->section);
	size_t max = shown->max ? MIN(count, shown->max) : count;
	size_t widest;

	show_fold(p, shown, max);
	widest = show_widest(p, shown->section, max);
	for (size_t i = 0; i < max; i++) {
		if (!show_record(p, shown->section, i) || !record_is_shown(&p->record))
			continue;
		show_add_label(p, i ? "" : summary_label(shown->section));
		show_add_columns(p, widest);
	}
	if (count > max) {
		str_format(&p->line.text, "%*sand %zu more", LABEL_WIDTH, "", count - max);
		show_end_line(p);
	}
	fold_release(&p->fold);
	p->fold = (struct fold){0};
}

static void show_add_wrapped(struct page *p, enum summary_section section)
{
	size_t count = summary_count(p->summary, section), used = LABEL_WIDTH;

	for (size_t i = 0; i < count; i++) {
		size_t width;

		summary_record(&p->record, p->summary, section, i);
		width = show_width(p, 0);
		if (i == 0) {
			show_add_label(p, summary_label(section));
		} else if (used + 2 + width > p->width) {
			show_end_line(p);
			show_add_label(p, "");
			used = LABEL_WIDTH;
		} else {
			str_text(&p->line.text, "  ");
			used += 2;
		}
		paint_sizes(&p->paints, &p->record, 0, &p->line);
		used += width;
	}
	if (count)
		show_end_line(p);
}

/* ---- a model ---- */

static void show_add_file(struct page *p)
{
	summary_record(&p->record, p->summary, SUMMARY_FILE, 0);
	for (size_t i = 0; i < p->record.cells.len; i++) {
		const struct cell *c = &p->record.cells.at[i];

		if (!c->shown)
			continue;
		str_text(&p->line.text, c->column ? "  " : "");
		painted_add(&p->line, c->column ? PAINT_PLAIN : PAINT_HEADING,
			    cell_text(&p->record, c));
	}
	show_end_line(p);
}

static void show_text(const struct app *app, const struct summary *summary)
{
	struct page p = {.summary = summary,
			 .record = {.face = FACE_SHOWN},
			 .whole = args_has(app->args, OPTION_WHOLE),
			 .width = app->width ? app->width : LINE_WIDTH};
	struct infer in;

	/* The symbols have the colours of the screen, which go by what they mean. */
	if (app->color)
		infer_run(&in, summary->model, (struct infer_options){0});
	paints_init(&p.paints, app->color, app->color ? &in : NULL);
	show_add_file(&p);
	for (size_t i = 0; i < ARRAY_LEN(show_sections); i++) {
		if (show_sections[i].wrapped)
			show_add_wrapped(&p, show_sections[i].section);
		else
			show_add_lines(&p, &show_sections[i]);
	}
	if (app->color)
		infer_release(&in);
	paints_release(&p.paints);
	painted_release(&p.line);
	record_release(&p.record);
}

static void show_json(const struct summary *summary)
{
	struct json j;

	json_begin(&j, stdout);
	for (enum summary_section i = 0; i < SUMMARY_SECTION_COUNT; i++)
		summary_json(&j, summary, i);
	json_end_object(&j);
	json_line(&j);
}

static enum exit_code show_one(const struct app *app)
{
	struct summary summary = {.longest = LONGEST_VALUE};
	struct wire w;
	struct err err;

	if (!open_model(app, 0, &w, &err))
		return complain(&err);
	summary.model = &w.model;
	summary.path = str_sv(&w.path);
	summary.bytes = w.file.size;
	summary_init(&summary);
	if (args_has(app->args, OPTION_JSON))
		show_json(&summary);
	else
		show_text(app, &summary);
	summary_release(&summary);
	wire_release(&w);
	return EXIT_DONE;
}

enum exit_code run_show(const struct app *app)
{
	return many_run(&(struct many){
		.app = app, .one = show_one, .models = model_count(app), .named = true});
}
