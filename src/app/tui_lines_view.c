/*
 * Lines that move, look and find: they change what is seen, and nothing else.
 */
#include "app/tui_lines.h"
#include "ui/graph/graph.h"
#include "ui/search/search.h"

/* ---- moving ---- */

#define MOTION_LINE(id, motion)                                                                   \
	bool line_##id(struct session *s, const struct words *w, struct sv line, struct err *err) \
	{                                                                                         \
		(void)w;                                                                          \
		(void)line;                                                                       \
		(void)err;                                                                        \
		screen_move(&s->screen, motion);                                                  \
		return true;                                                                      \
	}

MOTION_LINE(up, MOTION_UP)
MOTION_LINE(down, MOTION_DOWN)
MOTION_LINE(left, MOTION_LEFT)
MOTION_LINE(right, MOTION_RIGHT)
MOTION_LINE(page_up, MOTION_PAGE_UP)
MOTION_LINE(page_down, MOTION_PAGE_DOWN)
MOTION_LINE(half_up, MOTION_HALF_UP)
MOTION_LINE(half_down, MOTION_HALF_DOWN)
MOTION_LINE(first, MOTION_FIRST)
MOTION_LINE(last, MOTION_LAST)

VIEW_LINE(open)
{
	(void)w;
	(void)line;
	(void)err;
	(void)screen_open(&s->screen);
	return true;
}

VIEW_LINE(leave)
{
	(void)w;
	(void)line;
	(void)err;
	screen_leave(&s->screen);
	return true;
}

VIEW_LINE(follow)
{
	struct sv way, letter;

	(void)line;
	if (!line_word(w, 1, &way) || (!sv_is(way, "out") && !sv_is(way, "in")))
		return line_usage(w, "out|in [LETTER]", err);
	(void)line_word(w, 2, &letter);
	if (graph_follow(&s->screen, sv_is(way, "out"), letter.len ? letter.at[0] : 0))
		return true;
	str_clear(&s->awaited);
	str_format(&s->awaited, "follow %.*s ", (int)way.len, way.at);
	return true;
}

VIEW_LINE(back)
{
	(void)w;
	(void)line;
	return graph_back(&s->screen) || err_set(err, ERR_USAGE, "there is nothing to go back to");
}

VIEW_LINE(forward)
{
	(void)w;
	(void)line;
	return graph_forward(&s->screen) ||
	       err_set(err, ERR_USAGE, "there is nothing to go forward to");
}

VIEW_LINE(mark)
{
	struct sv letter;

	(void)line;
	if (!line_word(w, 1, &letter))
		return line_usage(w, "LETTER", err);
	graph_mark(&s->screen, letter.at[0]);
	return true;
}

VIEW_LINE(jump)
{
	struct sv letter;

	(void)line;
	if (!line_word(w, 1, &letter))
		return line_usage(w, "LETTER", err);
	return graph_jump(&s->screen, letter.at[0]) ||
	       err_set(err, ERR_USAGE, "there is no mark '%c'", letter.at[0]);
}

VIEW_LINE(goto)
{
	struct sv name;

	(void)line;
	return line_word(w, 1, &name) ? search_goto(&s->screen, name, err)
				      : line_usage(w, "NAME", err);
}

/* ---- looking ---- */

static bool read_pane(const struct words *w, enum pane_id *out, struct err *err)
{
	struct sv name;

	return (line_word(w, 1, &name) && pane_find(name, out)) || line_usage(w, "NAME|N", err);
}

VIEW_LINE(pane)
{
	enum pane_id pane;

	(void)line;
	if (!read_pane(w, &pane, err))
		return false;
	screen_pane(&s->screen, pane);
	return true;
}

VIEW_LINE(toggle)
{
	enum pane_id pane;

	(void)line;
	if (!read_pane(w, &pane, err))
		return false;
	screen_toggle(&s->screen, pane);
	return true;
}

VIEW_LINE(next_pane)
{
	(void)w;
	(void)line;
	(void)err;
	screen_next_pane(&s->screen, 1);
	return true;
}

VIEW_LINE(previous_pane)
{
	(void)w;
	(void)line;
	(void)err;
	screen_next_pane(&s->screen, -1);
	return true;
}

VIEW_LINE(zoom)
{
	static const char *const names[ZOOM_COUNT] = {
		[ZOOM_MAP] = "map",
		[ZOOM_LANES] = "lanes",
		[ZOOM_BOXES] = "boxes",
		[ZOOM_DETAILS] = "details",
	};
	enum zoom now = graph_zoom_now(&s->screen);
	struct sv word;

	(void)line;
	(void)line_word(w, 1, &word);
	if (sv_is(word, "default")) {
		graph_zoom_default(&s->screen);
		return true;
	}
	if (sv_is(word, "in") || sv_is(word, "out")) {
		int to = (int)now + (sv_is(word, "in") ? 1 : -1);

		graph_zoom(&s->screen, (enum zoom)MAX(0, MIN(to, ZOOM_COUNT - 1)));
		return true;
	}
	for (int i = 0; i < ZOOM_COUNT; i++) {
		if (sv_is(word, names[i])) {
			graph_zoom(&s->screen, (enum zoom)i);
			return true;
		}
	}
	return line_usage(w, "in|out|default|map|lanes|boxes|details", err);
}

VIEW_LINE(fold)
{
	static const char *const names[FOLD_COUNT] = {
		[FOLD_TOGGLE] = "toggle", [FOLD_OPEN] = "open", [FOLD_CLOSE] = "close",
		[FOLD_ALL] = "all",       [FOLD_NONE] = "none", [FOLD_START] = "start",
	};
	struct sv word;

	(void)line;
	(void)line_word(w, 1, &word);
	for (int i = 0; i < FOLD_COUNT; i++) {
		if (sv_is(word, names[i])) {
			graph_fold(&s->screen, (enum fold)i);
			return true;
		}
	}
	return line_usage(w, "toggle|open|close|all|none|start", err);
}

VIEW_LINE(focus)
{
	struct sv word;
	int64_t hops = 2;

	(void)line;
	if (line_word(w, 1, &word) && (!sv_int(word, &hops) || hops < 0 || hops > 1000))
		return line_usage(w, "[HOPS]", err);
	graph_focus(&s->screen, (uint32_t)hops);
	return true;
}

VIEW_LINE(path)
{
	(void)w;
	(void)line;
	return graph_path_to_mark(&s->screen) ||
	       err_set(err, ERR_USAGE, "mark a node first (m and a letter)");
}

VIEW_LINE(why)
{
	(void)w;
	(void)line;
	if (!s->screen.node && !s->screen.value)
		return err_set(err, ERR_USAGE, "nothing is selected");
	screen_overlay(&s->screen, OVERLAY_WHY);
	return true;
}

/* ---- finding ---- */

VIEW_LINE(search)
{
	struct sv text = sv_trim(line);

	(void)w;
	while (text.len && text.at[0] != ' ')
		text = sv_skip(text, 1);
	if (!search_run(&s->screen, sv_trim(text), err))
		return false;
	return search_step(&s->screen, 1) || err_set(err, ERR_USAGE, "nothing fits");
}

static bool lines_view_found(bool yes, struct err *err)
{
	return yes || err_set(err, ERR_USAGE, "there is none");
}

VIEW_LINE(next)
{
	(void)w;
	(void)line;
	return lines_view_found(search_step(&s->screen, 1), err);
}

VIEW_LINE(previous)
{
	(void)w;
	(void)line;
	return lines_view_found(search_step(&s->screen, -1), err);
}

VIEW_LINE(next_change)
{
	(void)w;
	(void)line;
	return lines_view_found(search_changed(&s->screen, 1), err);
}

VIEW_LINE(previous_change)
{
	(void)w;
	(void)line;
	return lines_view_found(search_changed(&s->screen, -1), err);
}

VIEW_LINE(next_problem)
{
	(void)w;
	(void)line;
	return lines_view_found(search_problem(&s->screen, 1), err);
}

VIEW_LINE(previous_problem)
{
	(void)w;
	(void)line;
	return lines_view_found(search_problem(&s->screen, -1), err);
}

VIEW_LINE(palette)
{
	(void)w;
	(void)line;
	(void)err;
	screen_overlay(&s->screen, OVERLAY_PALETTE);
	return true;
}
