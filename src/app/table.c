#include "app/table.h"

#include <stdio.h>
#include <unistd.h>

#include "base/utf8.h"

enum {
	WIDEST = 60 /* a column; what is wider pushes its row to the right */
};

struct str *table_cell(struct table *t)
{
	return vec_add(&t->cells);
}

static void measure(const struct table *t, size_t *widths)
{
	for (size_t i = 0; i < t->cells.len; i++) {
		size_t width = utf8_width(str_sv(&t->cells.at[i]));
		size_t *widest = &widths[i % t->columns];

		if (width <= WIDEST && width > *widest)
			*widest = width;
	}
}

/* The last cell of a row that says something ends it. */
static size_t last_cell(const struct table *t, size_t row)
{
	size_t last = row + t->columns - 1;

	while (last > row && t->cells.at[last].len == 0)
		last--;
	return last;
}

static void print_row(const struct table *t, FILE *out, size_t row, const size_t *widths,
		      bool people)
{
	size_t last = last_cell(t, row);

	for (size_t i = row; i <= last; i++) {
		const struct str *cell = &t->cells.at[i];
		size_t width = people ? utf8_width(str_sv(cell)) : 0;
		size_t wanted = people ? widths[i - row] : 0;

		fputs(str_c(cell), out);
		if (i == last)
			break;
		if (people)
			fprintf(out, "%*s", (int)((wanted > width ? wanted - width : 0) + 2), "");
		else
			fputc('\t', out);
	}
	fputc('\n', out);
}

void table_print_to(struct table *t, FILE *out)
{
	size_t widths[TABLE_MOST_COLUMNS] = {0};
	bool people = isatty(fileno(out));

	if (people)
		measure(t, widths);
	for (size_t row = 0; row + t->columns <= t->cells.len; row += t->columns)
		print_row(t, out, row, widths, people);
	for (size_t i = 0; i < t->cells.len; i++)
		str_release(&t->cells.at[i]);
	vec_release(&t->cells);
}

void table_print(struct table *t)
{
	table_print_to(t, stdout);
}
