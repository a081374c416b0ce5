/*
 * A text to read, such as a diff or a snippet for another tool.
 */
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/keys.h"
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

struct page_overlay_state {
	size_t left; /* columns that are out of sight */
	size_t widest;
};

/* The line from a column on. */
static struct sv page_overlay_from(struct sv line, size_t columns)
{
	while (line.len && columns) {
		struct sv character = {line.at, utf8_next(line).len};

		columns -= MIN(columns, MAX(utf8_width(character), (size_t)1));
		line = sv_skip(line, character.len);
	}
	return line;
}

/* The list is of the lines that can be at the top. */
static void page_overlay_draw(struct pane *p)
{
	struct sv rest = str_sv(&p->screen->page);
	struct box box = p->box;
	struct pane shown = *p; /* its list is of all lines */
	struct page_overlay_state *state = p->state;
	size_t lines = 0;
	int y = box.y;

	state->widest = 0;
	for (; rest.len; lines++) {
		struct sv line = sv_cut(&rest, '\n');

		if (lines >= p->list.at && y < box.y + box.height)
			state->widest = MAX(state->widest, utf8_width(line));

		if (lines >= p->list.at && y < box.y + box.height)
			canvas_text(&p->screen->canvas, box.x + 1, y++, box.width - 2,
				    page_overlay_from(line, state->left),
				    page_overlay_style_of(line));
	}
	p->list.rows = (size_t)MAX(box.height, 1);
	p->list.count = lines > p->list.rows ? lines - p->list.rows + 1 : 1;
	shown.list = (struct list){.count = lines, .top = p->list.at, .rows = p->list.rows};
	pane_draw_more(&shown);
}

/* Sideways too: a line may be longer than any window. */
static void page_overlay_move(struct pane *p, enum motion motion)
{
	enum {
		STEP = 8
	};
	struct page_overlay_state *state = p->state;
	size_t width = (size_t)MAX(p->box.width - 2, 1);

	if (motion == MOTION_LEFT)
		state->left -= MIN(state->left, (size_t)STEP);
	else if (motion != MOTION_RIGHT)
		list_move(&p->list, motion);
	else if (state->widest > state->left + width)
		state->left += STEP;
}

static void page_overlay_where(struct pane *p, struct str *out)
{
	str_add_shown(out, str_sv(&p->screen->page_title));
}

static bool page_overlay_key(struct pane *p, uint32_t key)
{
	p->screen->page_wanted |= key == 'y';
	if (key == 'h' || key == KEY_CURSOR_LEFT)
		page_overlay_move(p, MOTION_LEFT);
	else if (key == 'l' || key == KEY_CURSOR_RIGHT)
		page_overlay_move(p, MOTION_RIGHT);
	else
		return key == 'y';
	return true;
}

const struct pane_kind page_overlay = {
	.title = "",
	.hint = "j/k scroll  h/l sideways  PgUp/PgDn page  g/G ends  y copy all  Esc close",
	.size = sizeof(struct page_overlay_state),
	.move = page_overlay_move,
	.draw = page_overlay_draw,
	.key = page_overlay_key,
	.where = page_overlay_where,
};
