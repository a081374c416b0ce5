#include "ui/canvas.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/width.h"

void canvas_resize(struct canvas *c, int width, int height)
{
	free(c->cells);
	c->width = MAX(width, 1);
	c->height = MAX(height, 1);
	c->cells = must_alloc((size_t)c->width * (size_t)c->height * sizeof(*c->cells));
	canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
	for (int i = 0; i < c->width * c->height; i++)
		c->cells[i] = (struct glyph){.code = ' '};
	c->ground = STYLE_TEXT;
	c->target = 0;
}

void canvas_release(struct canvas *c)
{
	free(c->cells);
	*c = (struct canvas){0};
}

struct glyph *canvas_at(struct canvas *c, int x, int y)
{
	return x >= 0 && y >= 0 && x < c->width && y < c->height ? &c->cells[y * c->width + x]
								 : NULL;
}

/* ---- characters ---- */

uint32_t canvas_mark(const struct canvas *c, uint32_t code)
{
	static const struct {
		uint32_t code;
		char plain;
	} marks[] = {
		{0x2500, '-'}, {0x2501, '='},  {0x2502, '|'},  {0x2503, '|'}, {0x256d, '.'},
		{0x256e, '.'}, {0x256f, '\''}, {0x2570, '\''}, {0x250f, '#'}, {0x2513, '#'},
		{0x2517, '#'}, {0x251b, '#'},  {0x251c, '+'},  {0x2524, '+'}, {0x252c, '+'},
		{0x2534, '+'}, {0x253c, '+'},  {0x25b8, '>'},  {0x25be, 'v'}, {0x25c2, '<'},
		{0x25b4, '^'}, {0x25cf, '*'},  {0x25c6, 'o'},  {0x25a3, '#'}, {0x25a0, '#'},
		{0x2026, '~'}, {0x2192, '>'},  {0x203a, '>'},  {0x2261, '='}, {0x2717, 'x'},
		{0x00d7, 'x'}, {0x00b7, '.'},  {0x2588, '#'},  {0x2581, '_'}, {0x2715, 'x'},
		{0x21ba, '@'}, {0x250a, ':'},  {0x2504, '.'},  {0x25bc, 'v'}, {0x25b2, '^'},
		{0x2713, 'v'}, {0x25cb, 'o'},  {0x2260, '!'},
	};

	if (!c->ascii || code < 0x80)
		return code;
	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		if (marks[i].code == code)
			return (uint32_t)marks[i].plain;
	}
	return '?';
}

/* The other half of an overwritten wide glyph becomes a space. */
static void canvas_unpair(struct canvas *c, int x, int y)
{
	struct glyph *here = canvas_at(c, x, y), *last = canvas_at(c, x - 1, y),
		     *next = canvas_at(c, x + 1, y);

	if (here && here->code == 0 && last)
		last->code = ' ';
	if (here && here->code && next && next->code == 0)
		next->code = ' ';
}

void canvas_put(struct canvas *c, int x, int y, uint32_t code, enum style style)
{
	struct glyph *g = canvas_at(c, x, y);

	if (!g)
		return;
	canvas_unpair(c, x, y);
	*g = (struct glyph){canvas_mark(c, code), (uint8_t)style, c->ground, c->target};
}

/* As wide in ASCII as without: what was measured must fit. */
static int canvas_put_char(struct canvas *c, int x, int y, int columns, uint32_t code,
			   enum style style)
{
	int width = width_of((int32_t)code);
	struct glyph *right;

	if (width == 0 || width > columns)
		return width == 0 ? 0 : -1;
	canvas_put(c, x, y, code, style);
	if (width == 2 && c->ascii)
		canvas_put(c, x + 1, y, code, style);
	right = width == 2 && !c->ascii ? canvas_at(c, x + 1, y) : NULL;
	if (right) {
		canvas_unpair(c, x + 1, y);
		*right = (struct glyph){0, (uint8_t)style, c->ground, c->target};
		if (canvas_at(c, x, y))
			canvas_at(c, x, y)->code = code;
	}
	return width;
}

int canvas_text(struct canvas *c, int x, int y, int columns, struct sv text, enum style style)
{
	struct str shown = {0};
	struct sv rest;
	int used = 0;

	/* Names may be huge: read no more than could ever fit. */
	if (columns > 0)
		str_add_shown(&shown, (struct sv){text.at, MIN(text.len, (size_t)columns * 8)});
	rest = str_sv(&shown);
	while (rest.len) {
		struct utf8_char next = utf8_next(rest);
		bool last = rest.len == next.len;
		/* The last column is for the ellipsis, unless the text ends here. */
		int room = columns - used - (last ? 0 : 1);
		int width = canvas_put_char(c, x + used, y, room,
					    next.code < 0 ? '?' : (uint32_t)next.code, style);

		if (width < 0 || (room <= 0 && !last)) {
			if (columns > used)
				canvas_put(c, x + used, y, 0x2026, style);
			used = columns;
			break;
		}
		used += width;
		rest = sv_skip(rest, next.len);
	}
	str_release(&shown);
	return MAX(used, 0);
}

void canvas_right(struct canvas *c, int x, int y, int columns, struct sv text, enum style style)
{
	int width = (int)MIN(utf8_width(text), (size_t)MAX(columns, 0));

	canvas_text(c, x + columns - width, y, width, text, style);
}

/* ---- areas ---- */

void canvas_fill(struct canvas *c, struct box box, uint32_t code, enum style style)
{
	for (int y = box.y; y < box.y + box.height; y++) {
		for (int x = box.x; x < box.x + box.width; x++)
			canvas_put(c, x, y, code, style);
	}
}

void canvas_ground(struct canvas *c, struct box box, enum style style)
{
	for (int y = box.y; y < box.y + box.height; y++) {
		for (int x = box.x; x < box.x + box.width; x++) {
			struct glyph *g = canvas_at(c, x, y);

			if (g && g->ground != STYLE_POINTED)
				g->ground = (uint8_t)style;
		}
	}
}

void canvas_restyle(struct canvas *c, struct box box, enum style style)
{
	for (int y = box.y; y < box.y + box.height; y++) {
		for (int x = box.x; x < box.x + box.width; x++) {
			struct glyph *g = canvas_at(c, x, y);

			if (g)
				g->style = (uint8_t)style;
		}
	}
}

static void frame_row(struct canvas *c, struct box box, int y, const uint32_t glyphs[3],
		      enum style style)
{
	canvas_put(c, box.x, y, glyphs[0], style);
	for (int x = box.x + 1; x < box.x + box.width - 1; x++)
		canvas_put(c, x, y, glyphs[1], style);
	canvas_put(c, box.x + box.width - 1, y, glyphs[2], style);
}

void canvas_frame(struct canvas *c, struct box box, struct sv title, enum style frame,
		  enum style title_style)
{
	static const uint32_t top[] = {0x256d, 0x2500, 0x256e}, bottom[] = {0x2570, 0x2500, 0x256f};

	if (box.width < 2 || box.height < 2)
		return;
	frame_row(c, box, box.y, top, frame);
	for (int y = box.y + 1; y < box.y + box.height - 1; y++) {
		canvas_put(c, box.x, y, 0x2502, frame);
		canvas_put(c, box.x + box.width - 1, y, 0x2502, frame);
	}
	frame_row(c, box, box.y + box.height - 1, bottom, frame);
	if (title.len && box.width > 6) {
		int used;

		canvas_put(c, box.x + 2, box.y, ' ', frame);
		used = canvas_text(c, box.x + 3, box.y, box.width - 6, title, title_style);
		canvas_put(c, box.x + 3 + used, box.y, ' ', frame);
	}
}

/* Is there a straight piece of a frame, or its title? */
static bool canvas_goes_on(const struct canvas *c, int x, int y, uint32_t line)
{
	const struct glyph *at = x >= 0 && y >= 0 && x < c->width && y < c->height
					 ? &c->cells[y * c->width + x]
					 : NULL;

	if (at && at->style == STYLE_TITLE)
		return at->code != ' ';
	return at && at->code == canvas_mark(c, line) &&
	       (at->style == STYLE_FRAME || at->style == STYLE_FRAME_ACTIVE);
}

void canvas_popup(struct canvas *c, struct box box, struct sv title, enum style title_style)
{
	/* By corner: what it becomes if a frame goes on beside it, above or below it, or both. */
	static const uint32_t joints[2][2][2] = {{{0x252c, 0x251c}, {0x252c, 0x2524}},
						 {{0x2534, 0x251c}, {0x2534, 0x2524}}};

	canvas_frame(c, box, title, STYLE_FRAME_ACTIVE, title_style);
	for (int i = 0; i < 4 && box.width > 1 && box.height > 1; i++) {
		bool low = i & 1, right = i & 2;
		int x = box.x + (right ? box.width - 1 : 0);
		int y = box.y + (low ? box.height - 1 : 0);
		bool beside = canvas_goes_on(c, right ? x + 1 : x - 1, y, 0x2500);
		bool along = canvas_goes_on(c, x, low ? y + 1 : y - 1, 0x2502);

		if (beside || along)
			canvas_put(c, x, y, beside && along ? 0x253c : joints[low][right][along],
				   STYLE_FRAME_ACTIVE);
	}
}

/* ---- as text ---- */

static const char *const canvas_names[STYLE_COUNT] = {
#define STYLE(id, name, help) name,
#include "ui/roles.def"
#undef STYLE
};

const char *style_name(enum style style)
{
	return canvas_names[style];
}

bool style_find(struct sv name, enum style *out)
{
	for (int i = 0; i < STYLE_COUNT; i++) {
		if (sv_is(name, canvas_names[i])) {
			*out = (enum style)i;
			return true;
		}
	}
	return false;
}

static int row_end(const struct canvas *c, int y)
{
	int end = c->width;

	while (end > 0 && c->cells[y * c->width + end - 1].code == ' ')
		end--;
	return end;
}

/* "    | 0-3:header 5-9:bright/selected": the columns of each style other than plain text. */
static void print_styles(struct str *out, const struct canvas *c, int y)
{
	const struct glyph *row = &c->cells[y * c->width];
	int start = 0;

	str_text(out, "    |");
	for (int x = 1; x <= c->width; x++) {
		if (x < c->width && row[x].style == row[start].style &&
		    row[x].ground == row[start].ground)
			continue;
		if (row[start].style != STYLE_TEXT || row[start].ground != STYLE_TEXT) {
			str_format(out, " %d-%d:%s", start, x - 1, canvas_names[row[start].style]);
			if (row[start].ground != STYLE_TEXT)
				str_format(out, "/%s", canvas_names[row[start].ground]);
		}
		start = x;
	}
	str_char(out, '\n');
}

void canvas_print(struct str *out, const struct canvas *c, bool styles)
{
	for (int y = 0; y < c->height; y++) {
		int end = row_end(c, y);

		for (int x = 0; x < end; x++) {
			if (c->cells[y * c->width + x].code)
				str_code(out, c->cells[y * c->width + x].code);
		}
		str_char(out, '\n');
		if (styles)
			print_styles(out, c, y);
	}
}
