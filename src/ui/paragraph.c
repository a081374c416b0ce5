#include "ui/paragraph.h"

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/wrap.h"

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
		size_t next, len = wrap_line(rest, (size_t)box.width, WRAP_TEXT, &next);

		if (y + 1 == box.height)
			len = rest.len;
		canvas_text(c, box.x, box.y + y, box.width, (struct sv){rest.at, len}, style);
		rest = sv_skip(rest, next);
	}
	str_release(&shown);
	return y;
}
