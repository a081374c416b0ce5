/*
 * A text to read, such as a diff or a snippet for another tool.
 */
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ui/canvas.h"
#include "ui/screen.h"

/* Added, removed and changed lines have colours. */
static enum style page_overlay_style_of(struct sv line)
{
	if (sv_starts(line, SV("+ ")))
		return STYLE_CHANGED;
	if (sv_starts(line, SV("- ")))
		return STYLE_CONFLICT;
	if (sv_starts(line, SV("~ ")))
		return STYLE_WARNING;
	return sv_starts(line, SV("#")) ? STYLE_DIM : STYLE_OVERLAY;
}

/* The list is of the lines that can be at the top. */
static void page_overlay_draw(struct pane *p)
{
	struct sv rest = str_sv(&p->screen->page);
	struct box box = p->box;
	struct pane shown = *p; /* its list is of all lines */
	size_t lines = 0;
	int y = box.y;

	for (; rest.len; lines++) {
		struct sv line = sv_cut(&rest, '\n');

		if (lines >= p->list.at && y < box.y + box.height)
			canvas_text(&p->screen->canvas, box.x + 1, y++, box.width - 2, line,
				    page_overlay_style_of(line));
	}
	p->list.rows = (size_t)MAX(box.height, 1);
	p->list.count = lines > p->list.rows ? lines - p->list.rows + 1 : 1;
	shown.list = (struct list){.count = lines, .top = p->list.at, .rows = p->list.rows};
	pane_draw_more(&shown);
}

static void page_overlay_where(struct pane *p, struct str *out)
{
	str_add_shown(out, str_sv(&p->screen->page_title));
}

static bool page_overlay_key(struct pane *p, uint32_t key)
{
	p->screen->page_wanted |= key == 'y';
	return key == 'y';
}

const struct pane_kind page_overlay = {
	.title = "",
	.hint = "j/k scroll  PgUp/PgDn page  g/G ends  y copy all  Esc close",
	.draw = page_overlay_draw,
	.key = page_overlay_key,
	.where = page_overlay_where,
};
