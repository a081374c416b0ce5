#include "ui/overlays/chooser.h"

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/keys.h"
#include "ui/canvas.h"
#include "ui/prompt.h"

bool chooser_key(struct pane *p, struct prompt *filter, uint32_t key,
		 void (*narrow)(struct pane *p))
{
	size_t typed = filter->typed;
	enum motion motion;

	/* Enter, Esc, Ctrl-C, Ctrl-L and Ctrl-Z keep their usual meaning. */
	if (key == KEY_RETURN || key == KEY_ESCAPE || key == 3 || key == 12 || key == 26)
		return false;
	if (motion_find(key, true, &motion))
		pane_move(p, motion);
	else if (key != KEY_RUBOUT || filter->text.len)
		(void)prompt_key(filter, key);
	if (filter->typed != typed)
		narrow(p);
	return true;
}

/* The text with its cursor, which is on a character or after the last; returns the columns. */
static int chooser_draw_text(struct canvas *c, const struct prompt *filter, struct box box)
{
	struct sv text = str_sv(&filter->text), rest = sv_skip(text, filter->cursor);
	int used, columns = box.width - 1;

	used = canvas_text(c, box.x, box.y, columns, (struct sv){text.at, filter->cursor},
			   STYLE_BRIGHT);
	if (!rest.len) {
		if (used < box.width)
			canvas_put(c, box.x + used, box.y, '_', STYLE_BRIGHT);
		return used;
	}
	if (used < columns) {
		uint8_t ground = c->ground;
		struct sv under = {rest.at, utf8_next(rest).len};

		c->ground = STYLE_POINTED;
		used += canvas_text(c, box.x + used, box.y, columns - used, under, STYLE_BRIGHT);
		c->ground = ground;
		rest = sv_skip(rest, under.len);
	}
	if (used < columns)
		used += canvas_text(c, box.x + used, box.y, columns - used, rest, STYLE_BRIGHT);
	return used;
}

void chooser_draw(struct pane *p, const struct prompt *filter, struct box box, struct sv note)
{
	struct canvas *c = &p->screen->canvas;
	int used = 2;

	canvas_text(c, box.x, box.y, box.width, SV("> "), STYLE_DIM);
	used += chooser_draw_text(c, filter,
				  (struct box){box.x + used, box.y, box.width - used, 1});
	if (box.width > used + 2)
		canvas_right(c, box.x + used + 2, box.y, box.width - used - 2, note, STYLE_DIM);
	box.y++;
	box.height--;
	pane_draw_list(p, box);
}

bool text_holds(struct sv text, struct sv part)
{
	for (size_t i = 0; i + part.len <= text.len; i++) {
		if (sv_same_letters((struct sv){text.at + i, part.len}, part))
			return true;
	}
	return false;
}
