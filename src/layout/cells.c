#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "layout/draw.h"

/* By the directions up, down, left, right as bits. */
static const uint32_t cells_glyphs[2][16] = {
	{' ', 0x2575, 0x2577, 0x2502, 0x2500, 0x256f, 0x256e, 0x2524, 0x2500, 0x2570, 0x256d,
	 0x251c, 0x2500, 0x2534, 0x252c, 0x253c},
	{' ', '|', '|', '|', '-', '+', '+', '+', '-', '+', '+', '+', '-', '+', '+', '+'},
};

uint32_t line_glyph(unsigned directions, bool ascii)
{
	return cells_glyphs[ascii][directions & 15];
}

/* A character that is safe to print, and its columns. */
static uint32_t cells_shown(struct sv text, struct utf8_char c, bool ascii, size_t *out_columns)
{
	*out_columns = 1;
	if (c.code < 0 || utf8_is_hostile(c.code) || (ascii && c.code > 126))
		return '?';
	*out_columns = utf8_width((struct sv){text.at, c.len});
	return (uint32_t)c.code;
}

static int32_t text_columns(struct sv text, bool ascii)
{
	int32_t sum = 0;

	while (text.len) {
		struct utf8_char c = utf8_next(text);
		size_t columns;

		(void)cells_shown(text, c, ascii, &columns);
		sum += (int32_t)columns;
		text = sv_skip(text, c.len);
	}
	return sum;
}

static void cells_put(struct cell *cell, const struct cell *like, uint32_t glyph)
{
	*cell = *like;
	cell->glyph = glyph;
}

void cells_text(struct cell *cells, int32_t columns, struct sv text, struct cell like, bool ascii)
{
	bool cut = text_columns(text, ascii) > columns;
	int32_t at = 0, end = cut ? columns - 1 : columns;

	while (text.len && columns > 0) {
		struct utf8_char c = utf8_next(text);
		size_t wide;
		uint32_t glyph = cells_shown(text, c, ascii, &wide);

		/* Characters of width 0 (combining marks) are left out. */
		if (at + (int32_t)wide > end)
			break;
		for (size_t i = 0; i < wide; i++)
			cells_put(&cells[at++], &like, i ? 0 : glyph);
		text = sv_skip(text, c.len);
	}
	if (cut && columns > 0)
		cells_put(&cells[at], &like, ascii ? '~' : 0x2026);
}

void cells_print(struct str *s, const struct cell *cells, int32_t width, int32_t height)
{
	for (int32_t y = 0; y < height; y++, cells += width) {
		int32_t end = width;

		while (end && cells[end - 1].glyph == ' ')
			end--;
		for (int32_t x = 0; x < end; x++) {
			if (cells[x].glyph)
				str_code(s, cells[x].glyph);
		}
		str_char(s, '\n');
	}
}
