#include "ui/overlays/chooser.h"

#include "base/str.h"
#include "base/sv.h"
#include "cmd/keys.h"
#include "ui/canvas.h"
#include "ui/prompt.h"

void chooser_release(struct chooser *c)
{
	prompt_release(&c->filter);
}

struct sv chooser_text(const struct chooser *c)
{
	return str_sv(&c->filter.text);
}

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

enum chosen chooser_key(struct chooser *c, uint32_t key)
{
	size_t typed = c->filter.typed;
	enum motion motion;

	if (key == KEY_RETURN)
		return CHOSEN_ONE;
	/* Esc, Ctrl-C, Ctrl-L and Ctrl-Z keep their usual meaning. */
	if (key == KEY_ESCAPE || key == 3 || key == 12 || key == 26)
		return CHOSEN_NOTHING;
	if (find_motion(key, &motion)) {
		list_move(&c->list, motion, c->rows);
		return CHOSEN_MOVE;
	}
	if (key == KEY_RUBOUT && c->filter.text.len == 0)
		return CHOSEN_MOVE;
	(void)prompt_key(&c->filter, key);
	return typed == c->filter.typed ? CHOSEN_MOVE : CHOSEN_TYPED;
}

struct box chooser_draw(struct screen *s, struct chooser *c, struct box inside, struct sv count)
{
	struct sv text = chooser_text(c);
	int used = 2;

	canvas_text(&s->canvas, inside.x, inside.y, inside.width, SV("> "), STYLE_DIM);
	used += canvas_text(&s->canvas, inside.x + used, inside.y, inside.width - used - 1, text,
			    STYLE_BRIGHT);
	if (used < inside.width)
		canvas_put(&s->canvas, inside.x + used, inside.y, '_', STYLE_BRIGHT);
	if (inside.width > used + 2)
		canvas_right(&s->canvas, inside.x + used + 2, inside.y, inside.width - used - 2,
			     count, STYLE_DIM);
	inside.y++;
	inside.height--;
	c->rows = (size_t)MAX(inside.height, 0);
	list_fit(&c->list, c->rows);
	return inside;
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
