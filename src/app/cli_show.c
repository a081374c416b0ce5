#include <stdio.h>

#include "app/app.h"
#include "app/cli_many.h"
#include "app/cli_models.h"
#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "cmd/args.h"
#include "report/json.h"
#include "report/record.h"
#include "report/summary.h"
#include "wire/wire.h"

enum {
	LABEL_WIDTH = 14,
	LINE_WIDTH = 96, /* without a terminal */
	LONGEST_VALUE = 160,
	WIDEST_NAME = 40
};

/* Hues of the 256-colour palette that read on dark and on light backgrounds. */
static const int show_hues[] = {208, 34, 135, 37, 161, 67, 142, 169, 27, 130};

static const struct shown {
	enum summary_section section;
	bool wrapped; /* many records in a line */
	size_t max;   /* records; 0 for all */
} show_sections[] = {
	{.section = SUMMARY_FORMAT},
	{.section = SUMMARY_PRODUCER},
	{.section = SUMMARY_DOMAIN},
	{.section = SUMMARY_VERSION},
	{.section = SUMMARY_GRAPH},
	{.section = SUMMARY_DOC},
	{.section = SUMMARY_GRAPH_DOC},
	{.section = SUMMARY_INPUTS},
	{.section = SUMMARY_OUTPUTS},
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
	struct str text;
	bool color;
	size_t width; /* of a line */
};

/* ---- a record ---- */

static void show_add_cell(struct page *p, const struct cell *c)
{
	int symbol = c->link == LINK_SYMBOL && p->color ? summary_symbol(p->summary, c->id) : -1;

	if (symbol >= 0)
		str_format(&p->text, "\033[1;38;5;%dm",
			   show_hues[(size_t)symbol % ARRAY_LEN(show_hues)]);
	str_add_shown(&p->text, cell_text(&p->record, c));
	if (symbol >= 0)
		str_text(&p->text, "\033[0m");
}

static void show_add_column(struct page *p, uint32_t column)
{
	for (size_t i = 0; i < p->record.cells.len; i++) {
		const struct cell *c = &p->record.cells.at[i];

		if (c->shown && c->column == column)
			show_add_cell(p, c);
	}
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
		str_repeat(&p->text, ' ', gap);
		show_add_column(p, i);
		gap = 2 + (i == 0 && width < widest ? widest - width : 0);
	}
	str_char(&p->text, '\n');
}

static void show_add_label(struct page *p, const char *label)
{
	str_format(&p->text, p->color && label[0] ? "\033[1m%-*s\033[0m" : "%-*s", LABEL_WIDTH,
		   label);
}

/* ---- a section ---- */

static size_t show_widest(struct page *p, enum summary_section section, size_t count)
{
	size_t widest = 0;

	for (size_t i = 0; i < count; i++) {
		size_t width;

		summary_record(&p->record, p->summary, section, i);
		width = show_width(p, 0);
		widest = width <= WIDEST_NAME ? MAX(widest, width) : widest;
	}
	return widest;
}

static void show_add_lines(struct page *p, const struct shown *shown)
{
	size_t count = summary_count(p->summary, shown->section);
	size_t max = shown->max ? MIN(count, shown->max) : count;
	size_t widest = show_widest(p, shown->section, max);

	for (size_t i = 0; i < max; i++) {
		summary_record(&p->record, p->summary, shown->section, i);
		if (!record_is_shown(&p->record))
			continue;
		show_add_label(p, i ? "" : summary_label(shown->section));
		show_add_columns(p, widest);
	}
	if (count > max)
		str_format(&p->text, "%*sand %zu more\n", LABEL_WIDTH, "", count - max);
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
			str_format(&p->text, "\n%*s", LABEL_WIDTH, "");
			used = LABEL_WIDTH;
		} else {
			str_text(&p->text, "  ");
			used += 2;
		}
		show_add_column(p, 0);
		used += width;
	}
	str_text(&p->text, count ? "\n" : "");
}

/* ---- a model ---- */

static void show_add_file(struct page *p)
{
	summary_record(&p->record, p->summary, SUMMARY_FILE, 0);
	str_text(&p->text, p->color ? "\033[1m" : "");
	show_add_column(p, 0);
	str_text(&p->text, p->color ? "\033[0m  " : "  ");
	show_add_column(p, 1);
	str_char(&p->text, '\n');
}

static void show_text(const struct app *app, const struct summary *summary)
{
	struct page p = {.summary = summary,
			 .record = {.face = FACE_SHOWN},
			 .color = app->color,
			 .width = app->width ? app->width : LINE_WIDTH};

	show_add_file(&p);
	for (size_t i = 0; i < ARRAY_LEN(show_sections); i++) {
		if (show_sections[i].wrapped)
			show_add_wrapped(&p, show_sections[i].section);
		else
			show_add_lines(&p, &show_sections[i]);
	}
	fwrite(p.text.at, 1, p.text.len, stdout);
	record_release(&p.record);
	str_release(&p.text);
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
