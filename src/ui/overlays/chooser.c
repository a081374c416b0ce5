#include "ui/overlays/chooser.h"

#include "base/str.h"
#include "base/sv.h"
#include "cmd/keys.h"
#include "ui/canvas.h"
#include "ui/prompt.h"

static bool find_motion(uint32_t key, enum motion *out)
{
	static const struct {
		uint32_t key;
		enum motion motion;
	} motions[] = {
		{KEY_CURSOR_UP, MOTION_UP},        {KEY_CURSOR_DOWN, MOTION_DOWN},
		{16 /* Ctrl-P */, MOTION_UP},      {14 /* Ctrl-N */, MOTION_DOWN},
		{KEY_BACK_TAB, MOTION_UP},         {KEY_TAB, MOTION_DOWN},
		{KEY_WHEEL_UP, MOTION_UP},         {KEY_WHEEL_DOWN, MOTION_DOWN},
		{KEY_PAGE_UP, MOTION_PAGE_UP},     {KEY_PAGE_DOWN, MOTION_PAGE_DOWN},
		{KEY_TO_START, MOTION_FIRST},      {KEY_TO_END, MOTION_LAST},
		{21 /* Ctrl-U */, MOTION_HALF_UP}, {4 /* Ctrl-D */, MOTION_HALF_DOWN},
	};

	for (size_t i = 0; i < ARRAY_LEN(motions); i++) {
		if (motions[i].key == key) {
			*out = motions[i].motion;
			return true;
		}
	}
	return false;
}

enum chosen chooser_key(struct pane *p, struct prompt *filter, uint32_t key)
{
	size_t typed = filter->typed;
	enum motion motion;

	if (key == KEY_RETURN)
		return CHOSEN_ONE;
	/* Esc, Ctrl-C, Ctrl-L and Ctrl-Z keep their usual meaning. */
	if (key == KEY_ESCAPE || key == 3 || key == 12 || key == 26)
		return CHOSEN_NOTHING;
	if (find_motion(key, &motion)) {
		list_move(&p->list, motion);
		return CHOSEN_MOVE;
	}
	if (key == KEY_RUBOUT && filter->text.len == 0)
		return CHOSEN_MOVE;
	(void)prompt_key(filter, key);
	return typed == filter->typed ? CHOSEN_MOVE : CHOSEN_TYPED;
}

void chooser_draw(struct pane *p, const struct prompt *filter, struct box box, struct sv note)
{
	struct canvas *c = &p->screen->canvas;
	int used = 2;

	canvas_text(c, box.x, box.y, box.width, SV("> "), STYLE_DIM);
	used += canvas_text(c, box.x + used, box.y, box.width - used - 1, str_sv(&filter->text),
			    STYLE_BRIGHT);
	if (used < box.width)
		canvas_put(c, box.x + used, box.y, '_', STYLE_BRIGHT);
	if (box.width > used + 2)
		canvas_right(c, box.x + used + 2, box.y, box.width - used - 2, note, STYLE_DIM);
	box.y++;
	box.height--;
	pane_draw_list(p, box);
}

static unsigned char chooser_lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

bool text_holds(struct sv text, struct sv part)
{
	for (size_t i = 0; i + part.len <= text.len; i++) {
		size_t same = 0;

		while (same < part.len &&
		       chooser_lower(text.at[i + same]) == chooser_lower(part.at[same]))
			same++;
		if (same == part.len)
			return true;
	}
	return false;
}
