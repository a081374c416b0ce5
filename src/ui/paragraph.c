#include "ui/paragraph.h"

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"

/* Bytes of the longest prefix that fits; *out_next is where the next row starts.  Breaks paths
 * before a slash rather than inside a word. */
static size_t row_len(struct sv text, int columns, size_t *out_next)
{
	size_t at = 0, blank = 0;
	int used = 0;

	while (at < text.len) {
		struct utf8_char next = utf8_next(sv_skip(text, at));
		int width = (int)utf8_width((struct sv){text.at + at, next.len});

		if (used + width > columns && at)
			break;
		if (next.code == ' ' || next.code == '/')
			blank = at;
		used += width;
		at += next.len;
	}
	if (at < text.len && text.at[at] != ' ' && blank)
		at = blank;
	*out_next = at;
	while (*out_next < text.len && text.at[*out_next] == ' ')
		++*out_next;
	return at;
}

int draw_flow(struct canvas *c, struct box box, struct sv text, enum style style)
{
	struct str shown = {0};
	struct sv rest;
	int y = 0;

	if (box.width <= 0 || box.height <= 0)
		return 0;
	/* Names may be huge: read no more than could ever fit. */
	text.len = MIN(text.len, (size_t)box.width * (size_t)box.height * 8);
	str_add_shown(&shown, text);
	rest = str_sv(&shown);
	for (; rest.len && y < box.height; y++) {
		size_t next, len = row_len(rest, box.width, &next);

		if (y + 1 == box.height)
			len = rest.len;
		canvas_text(c, box.x, box.y + y, box.width, (struct sv){rest.at, len}, style);
		rest = sv_skip(rest, next);
	}
	str_release(&shown);
	return y;
}
