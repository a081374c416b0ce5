/*
 * A text to read, such as a diff or a snippet for another tool.
 */
#include <stdlib.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "cmd/keys.h"
#include "ui/canvas.h"
#include "ui/screen.h"

struct page {
	size_t top;    /* line */
	size_t lines;  /* of the text */
	size_t height; /* visible rows */
};

static void *page_overlay_create(void)
{
	struct page *p = must_alloc(sizeof(*p));

	*p = (struct page){0};
	return p;
}

static struct sv page_overlay_next_line(struct sv *rest)
{
	size_t len = 0;
	struct sv line;

	while (len < rest->len && rest->at[len] != '\n')
		len++;
	line = (struct sv){rest->at, len};
	*rest = sv_skip(*rest, MIN(len + 1, rest->len));
	return line;
}

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

static void page_overlay_draw(struct screen *s, void *state, struct box inside)
{
	struct page *p = state;
	struct sv rest = str_sv(&s->page);
	int y = inside.y;

	p->height = (size_t)MAX(inside.height, 1);
	for (p->lines = 0; rest.len; p->lines++) {
		struct sv line = page_overlay_next_line(&rest);

		if (p->lines >= p->top && y < inside.y + inside.height)
			canvas_text(&s->canvas, inside.x + 1, y++, inside.width - 2, line,
				    page_overlay_style_of(line));
	}
}

static bool page_overlay_key(struct screen *s, void *state, uint32_t k)
{
	struct page *p = state;
	struct list l = {.count = p->lines > p->height ? p->lines - p->height + 1 : 1,
			 .at = p->top};

	switch (k) {
	case 'j':
	case KEY_CURSOR_DOWN:
	case KEY_WHEEL_DOWN:
		list_move(&l, MOTION_DOWN, p->height);
		break;
	case 'k':
	case KEY_CURSOR_UP:
	case KEY_WHEEL_UP:
		list_move(&l, MOTION_UP, p->height);
		break;
	case ' ':
	case KEY_PAGE_DOWN:
		list_move(&l, MOTION_PAGE_DOWN, p->height);
		break;
	case KEY_PAGE_UP:
		list_move(&l, MOTION_PAGE_UP, p->height);
		break;
	case 'g':
	case KEY_TO_START:
		list_move(&l, MOTION_FIRST, p->height);
		break;
	case 'G':
	case KEY_TO_END:
		list_move(&l, MOTION_LAST, p->height);
		break;
	case 'y':
		s->page_wanted = true;
		break;
	default:
		return false;
	}
	p->top = l.at;
	return true;
}

const struct overlay_kind page_overlay = {.title = "Text: j/k scroll  y copy  Esc close",
					  .create = page_overlay_create,
					  .destroy = free,
					  .draw = page_overlay_draw,
					  .key = page_overlay_key};
