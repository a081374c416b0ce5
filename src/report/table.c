#include "report/table.h"

#include <stdio.h>
#include <unistd.h>

#include "base/utf8.h"
#include "report/terminal.h"

enum {
	WIDEST = 60 /* of a column; a wider cell shifts the rest of its row */
};

struct str *table_cell(struct table *t)
{
	return vec_add(&t->cells);
}

/* Only marks are coloured: their width is known without the escapes. */
static const char *const table_colors[TONE_COUNT] = {
	[TONE_PLAIN] = NULL,         [TONE_FAINT] = NULL,       [TONE_STRONG] = NULL,
	[TONE_NUMBER] = NULL,        [TONE_ADDED] = "\033[32m", [TONE_CHANGED] = "\033[33m",
	[TONE_REMOVED] = "\033[31m", [TONE_NOTE] = NULL,        [TONE_WARNING] = NULL,
	[TONE_ERROR] = NULL,
};

void table_add(struct table *t, const struct record *r)
{
	size_t first = t->cells.len;

	for (size_t i = 0; i < t->columns; i++)
		(void)table_cell(t);
	for (size_t i = 0; i < r->cells.len;) {
		const struct cell *c = &r->cells.at[i];
		const char *color = t->color ? table_colors[c->tone] : NULL;
		struct str *out = &t->cells.at[first + c->column];

		if (!c->shown) {
			i++;
			continue;
		}
		if (color)
			str_text(out, color);
		str_add_shown(out, record_run(r, &i));
		if (color)
			str_text(out, "\033[0m");
	}
}

static void table_measure(const struct table *t, size_t *widths)
{
	for (size_t i = 0; i < t->cells.len; i++) {
		size_t width = utf8_width(str_sv(&t->cells.at[i]));
		size_t *widest = &widths[i % t->columns];

		if (width <= WIDEST && width > *widest)
			*widest = width;
	}
}

/* A row ends with its last cell that is not empty. */
static size_t last_cell(const struct table *t, size_t row)
{
	size_t last = row + t->columns - 1;

	while (last > row && t->cells.at[last].len == 0)
		last--;
	return last;
}

/* Programs get bare cells. */
static void table_print_plain(const struct table *t, FILE *out, size_t row)
{
	size_t last = last_cell(t, row);

	for (size_t i = row; i <= last; i++) {
		fwrite(str_c(&t->cells.at[i]), 1, t->cells.at[i].len, out);
		putc(i == last ? '\n' : '\t', out);
	}
}

static void print_row(const struct table *t, size_t row, const size_t *widths, size_t line)
{
	size_t last = last_cell(t, row), indent = 0;
	struct str text = {0};

	for (size_t i = row; i <= last; i++) {
		size_t width = utf8_width(str_sv(&t->cells.at[i]));
		size_t wanted = i < last ? MAX(widths[i - row], width) + 2 : width;

		if (i - row == t->hang)
			indent = utf8_width(str_sv(&text));
		str_add(&text, str_sv(&t->cells.at[i]));
		str_repeat(&text, ' ', wanted - width);
	}
	line_print(str_sv(&text), line, indent);
	str_release(&text);
}

void table_print_to(struct table *t, FILE *out)
{
	size_t widths[TABLE_MAX_COLUMNS] = {0};
	bool people = out == stdout && (t->width || isatty(STDOUT_FILENO));
	size_t line = t->width ? t->width : terminal_width();

	if (people)
		table_measure(t, widths);
	for (size_t row = 0; row + t->columns <= t->cells.len; row += t->columns) {
		if (people)
			print_row(t, row, widths, line);
		else
			table_print_plain(t, out, row);
	}
	for (size_t i = 0; i < t->cells.len; i++)
		str_release(&t->cells.at[i]);
	vec_release(&t->cells);
}

void table_print(struct table *t)
{
	table_print_to(t, stdout);
}
