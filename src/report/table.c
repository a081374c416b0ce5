#include "report/table.h"

#include <stdio.h>
#include <unistd.h>

#include "base/utf8.h"
#include "report/paint.h"
#include "report/terminal.h"

enum {
	WIDEST = 60, /* of a column; a wider cell shifts the rest of its row */
	GAP = 2,     /* between columns */
	WORD = 16,   /* a last column up to this wide is no prose: it is not left alone on a line */
	STEP = 4     /* what a line begins with that continues a row of wide columns */
};

struct str *table_cell(struct table *t)
{
	return &vec_add(&t->cells)->text;
}

void table_add(struct table *t, const struct record *r)
{
	for (uint32_t i = 0; i < t->columns; i++)
		paint_column(&t->paints, r, i, vec_add(&t->cells));
}

/* ---- columns ---- */

static size_t table_width(const struct table *t, size_t cell)
{
	return utf8_width(str_sv(&t->cells.at[cell].text));
}

static void table_measure(const struct table *t, size_t *widths)
{
	for (size_t i = 0; i < t->cells.len; i++) {
		size_t width = table_width(t, i);
		size_t *widest = &widths[i % t->columns];

		if (width <= WIDEST && width > *widest)
			*widest = width;
	}
}

/* A row ends with its last cell that is not empty. */
static size_t last_cell(const struct table *t, size_t row)
{
	size_t last = row + t->columns - 1;

	while (last > row && t->cells.at[last].text.len == 0)
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

/* Where the column that hangs begins in most rows. */
static size_t table_indent(const struct table *t, const size_t *widths)
{
	size_t indent = 0;

	for (size_t i = 0; i < t->hang; i++)
		indent += widths[i] + GAP;
	return indent;
}

/* ---- a row ---- */

/* Programs get bare cells. */
static void table_print_plain(const struct table *t, FILE *out, size_t row)
{
	size_t last = last_cell(t, row);

	for (size_t i = row; i <= last; i++) {
		const struct painted *cell = &t->cells.at[i];

		paint_print(&t->paints, cell, out);
		putc(i == last ? '\n' : '\t', out);
	}
}

/* Cells of a row, and where they go. */
struct span {
	size_t row;           /* its first cell */
	size_t first, end;    /* of the span */
	const size_t *widths; /* borrowed; NULL: as wide as they are */
	size_t spare;         /* blanks less than in other rows */
};

static size_t span_cell(const struct table *t, const struct span *s, size_t cell)
{
	size_t width = table_width(t, cell);

	return s->widths ? MAX(s->widths[cell - s->row], width) : width;
}

/* Empty cells between others take no room where columns are not kept. */
static bool span_skips(const struct table *t, const struct span *s, size_t cell)
{
	return !s->widths && t->cells.at[cell].text.len == 0;
}

static size_t span_width(const struct table *t, const struct span *s)
{
	size_t total = 0;

	for (size_t i = s->first; i < s->end; i++) {
		if (!span_skips(t, s, i))
			total += i + 1 < s->end ? span_cell(t, s, i) + GAP : table_width(t, i);
	}
	return total;
}

/* All blanks that keep columns. */
static size_t span_blanks(const struct table *t, const struct span *s)
{
	size_t blanks = 0;

	for (size_t i = s->first; i + 1 < s->end; i++)
		blanks += span_cell(t, s, i) - table_width(t, i);
	return blanks;
}

/* Columns at the left are kept as long as the blanks suffice.  *out_last: where the last cell
 * begins. */
static void span_add(const struct table *t, const struct span *s, struct painted *out,
		     size_t *out_last)
{
	size_t left = span_blanks(t, s) - s->spare;

	for (size_t i = s->first; i < s->end; i++) {
		size_t blanks;

		if (span_skips(t, s, i))
			continue;
		*out_last = out->text.len;
		painted_join(out, &t->cells.at[i]);
		if (i + 1 == s->end)
			break;
		blanks = MIN(span_cell(t, s, i) - table_width(t, i), left);
		str_repeat(&out->text, ' ', blanks + GAP);
		left -= blanks;
	}
}

/* As many cells as fit, but one at least; those of a row that fits keep its columns. */
static struct span span_fit(const struct table *t, struct span s, size_t line)
{
	struct span bare = s;
	size_t bare_width, width;

	bare.widths = NULL;
	while (bare.end > bare.first + 1 && span_width(t, &bare) > line)
		bare.end--;
	s.end = bare.end;
	bare_width = span_width(t, &bare);
	width = span_width(t, &s);
	if (s.first > s.row || bare_width > line)
		return bare;
	s.spare = width > line ? width - line : 0;
	/* The gaps beside empty cells remain. */
	return s.spare > span_blanks(t, &s) ? bare : s;
}

/* A short last cell is not left alone: what is before it goes along, or its last word. */
static void span_keep(const struct table *t, struct span *s, size_t end, bool breaks)
{
	if (s->end + 1 != end || table_width(t, s->end) > WORD)
		return;
	if (breaks || s->end == s->first + 1)
		s->end++;
	else
		s->end--;
}

static void print_span(const struct table *t, const struct span *s, size_t line, size_t indent)
{
	struct painted text = {0};
	size_t last = 0;

	if (s->first > s->row)
		str_repeat(&text.text, ' ', indent);
	span_add(t, s, &text, &last);
	paint_line(&t->paints, &text, line, indent, table_width(t, s->end - 1) <= WORD ? last : 0);
	painted_release(&text);
}

/*
 * Cells that do not fit go below the column that hangs; below wide columns there is no room, and
 * they begin at the left.  What would be broken there as well begins where it belongs.
 */
static void print_row(const struct table *t, size_t row, const size_t *widths, size_t line)
{
	size_t end = last_cell(t, row) + 1, indent = table_indent(t, widths);
	struct span s = {.row = row, .first = row, .end = end, .widths = widths};
	bool below = indent <= line / 4;

	indent = below ? indent : (size_t)STEP;
	while (s.first < end) {
		struct span now = s;

		if (line) {
			bool breaks;

			now = span_fit(t, s, s.first > row ? line - indent : line);
			breaks = below && now.end == row + t->hang && now.end < end &&
				 table_width(t, now.end) > line - indent;
			now.end += breaks;
			span_keep(t, &now, end, breaks);
		}
		print_span(t, &now, line, indent);
		s.first = now.end;
	}
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
		painted_release(&t->cells.at[i]);
	vec_release(&t->cells);
	paints_release(&t->paints);
}

void table_print(struct table *t)
{
	table_print_to(t, stdout);
}
