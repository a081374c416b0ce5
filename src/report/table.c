#include "report/table.h"

#include <stdio.h>
#include <unistd.h>

#include "base/sv.h"
#include "base/utf8.h"
#include "report/terminal.h"

enum {
	WIDEST = 60, /* of a column; a wider cell shifts the rest of its row */
	GAP = 2,     /* between columns */
	WORD = 16    /* a last column up to this wide is kept on the row: it is no prose */
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

/*
 * Makes the widest column narrower, by at most half, for a last column of words that the line
 * would cut off: cells that are wider shift the rest of their row.
 */
static void table_narrow(const struct table *t, size_t line, size_t *widths)
{
	size_t total = widths[t->columns - 1], widest = 0, least;

	for (size_t i = 0; i + 1 < t->columns; i++) {
		total += widths[i] + GAP;
		widest = widths[i] > widths[widest] ? i : widest;
	}
	if (!line || widths[t->columns - 1] > WORD || total <= line)
		return;
	least = widths[widest] / 2;
	widths[widest] = widths[widest] - least > total - line ? widths[widest] - (total - line)
							       : least;
}

/* The blanks that a row can do without, to keep its last cell of one word on the line. */
static size_t table_excess(const struct table *t, size_t row, const size_t *widths, size_t line)
{
	size_t last = last_cell(t, row), total = utf8_width(str_sv(&t->cells.at[last]));

	if (!line || total > WORD)
		return 0;
	for (size_t i = row; i < last; i++)
		total += MAX(widths[i - row], utf8_width(str_sv(&t->cells.at[i]))) + GAP;
	return total > line ? total - line : 0;
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

/* Where the column that hangs begins in most rows. */
static size_t table_indent(const struct table *t, const size_t *widths)
{
	size_t indent = 0;

	for (size_t i = 0; i < t->hang; i++)
		indent += widths[i] + GAP;
	return indent;
}

/* Cells from `i` to `end` of a row, with up to `excess` blanks less than in other rows. */
static void table_add_cells(const struct table *t, size_t row, const size_t *widths, size_t i,
			    size_t end, size_t excess, struct str *out)
{
	size_t last = last_cell(t, row);

	for (; i < end; i++) {
		size_t width = utf8_width(str_sv(&t->cells.at[i]));
		size_t wanted = i < last ? MAX(widths[i - row], width) + GAP : width;
		size_t spare = i < last ? MIN(wanted - width - GAP, excess) : 0;

		str_add(out, str_sv(&t->cells.at[i]));
		str_repeat(out, ' ', wanted - width - spare);
		excess -= spare;
	}
}

/* What hangs goes to a second line, if it fits there: else its last word would be alone. */
static void print_row(const struct table *t, size_t row, const size_t *widths, size_t line)
{
	size_t end = last_cell(t, row) + 1, hang = MIN(row + t->hang, end);
	size_t excess = table_excess(t, row, widths, line), indent = table_indent(t, widths);
	struct str text = {0}, rest = {0};

	table_add_cells(t, row, widths, row, end, excess, &text);
	table_add_cells(t, row, widths, hang, end, 0, &rest);
	if (excess && utf8_width(str_sv(&text)) > line &&
	    indent + utf8_width(str_sv(&rest)) <= line) {
		str_clear(&text);
		table_add_cells(t, row, widths, row, hang, 0, &text);
		line_print(sv_trim(str_sv(&text)), line, 0);
		str_clear(&text);
		str_repeat(&text, ' ', indent);
		str_add(&text, str_sv(&rest));
	}
	line_print(str_sv(&text), line, indent);
	str_release(&text);
	str_release(&rest);
}

void table_print_to(struct table *t, FILE *out)
{
	size_t widths[TABLE_MAX_COLUMNS] = {0};
	bool people = out == stdout && (t->width || isatty(STDOUT_FILENO));
	size_t line = t->width ? t->width : terminal_width();

	if (people) {
		table_measure(t, widths);
		table_narrow(t, line, widths);
	}
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
