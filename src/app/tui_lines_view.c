/*
 * Lines that move, look and find: they only change the view.
 */
#include "app/tui_lines.h"
#include "app/tui_session.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "infer/nicknames.h"
#include "ui/graph/graph.h"
#include "ui/screen.h"
#include "ui/search/search.h"

/* ---- moving ---- */

bool line_move(const struct call *c)
{
	screen_move(&c->session->screen, (enum motion)c->kind->argument);
	return true;
}

bool line_open(const struct call *c)
{
	struct screen *s = &c->session->screen;

	if (screen_open(s))
		return true;
	/* A plain node: what there is to see of it. */
	if (s->active != PANE_GRAPH || (!s->node && !s->value))
		return err_set(c->err, ERR_USAGE, "nothing to open here");
	screen_pane(s, PANE_INSPECTOR);
	return true;
}

bool line_enter(const struct call *c)
{
	struct session *s = c->session;
	struct sv letter;

	(void)call_word(c, 1, &letter);
	if (graph_enter(&s->screen, letter.len ? letter.at[0] : 0))
		return true;
	str_clear(&s->awaited);
	str_text(&s->awaited, "enter ");
	return true;
}

bool line_leave(const struct call *c)
{
	struct session *s = c->session;

	if (s->screen.overlay == OVERLAY_NONE && session_leave_tried(s))
		return true;
	/* The key has taken away a message already: that was its use. */
	if (!screen_leave(&s->screen) && !s->screen.notice.len && !s->dismissed)
		screen_say(&s->screen, false, "nothing to leave; q quits");
	return true;
}

bool line_step_dim(const struct call *c)
{
	return screen_step_dim(&c->session->screen, c->kind->argument) ||
	       err_set(c->err, ERR_USAGE, "no shape is selected here");
}

bool line_follow(const struct call *c)
{
	struct session *s = c->session;
	struct sv way, letter;

	if (!call_word(c, 1, &way) || (!sv_is(way, "out") && !sv_is(way, "in")))
		return call_usage(c);
	(void)call_word(c, 2, &letter);
	if (graph_follow(&s->screen, sv_is(way, "out"), letter.len ? letter.at[0] : 0))
		return true;
	str_clear(&s->awaited);
	str_format(&s->awaited, "follow %.*s ", (int)way.len, way.at);
	return true;
}

bool line_back(const struct call *c)
{
	return graph_back(&c->session->screen) ||
	       err_set(c->err, ERR_USAGE, "nothing to go back to");
}

bool line_forward(const struct call *c)
{
	return graph_forward(&c->session->screen) ||
	       err_set(c->err, ERR_USAGE, "nothing to go forward to");
}

bool line_mark(const struct call *c)
{
	struct sv letter;

	if (!call_word(c, 1, &letter))
		return call_usage(c);
	graph_mark(&c->session->screen, letter.at[0]);
	return true;
}

bool line_jump(const struct call *c)
{
	struct sv letter;

	if (!call_word(c, 1, &letter)) {
		if (!graph_list_marks(&c->session->screen))
			return err_set(c->err, ERR_USAGE, "no mark is set; m and a letter set one");
		str_clear(&c->session->awaited);
		str_text(&c->session->awaited, "jump ");
		return true;
	}
	return graph_jump(&c->session->screen, letter.at[0]) ||
	       err_set(c->err, ERR_USAGE, "there is no mark '%c'", letter.at[0]);
}

bool line_goto(const struct call *c)
{
	struct sv name;

	return call_word(c, 1, &name) ? search_goto(&c->session->screen, name, c->err)
				      : call_usage(c);
}

/* ---- looking ---- */

static bool read_pane(const struct call *c, enum pane_id *out)
{
	struct sv name;

	return (call_word(c, 1, &name) && pane_find(name, out)) || call_usage(c);
}

bool line_pane(const struct call *c)
{
	enum pane_id pane = PANE_COUNT;

	if (!read_pane(c, &pane))
		return false;
	screen_pane(&c->session->screen, pane);
	return true;
}

bool line_toggle(const struct call *c)
{
	enum pane_id pane = PANE_COUNT;

	if (!read_pane(c, &pane))
		return false;
	screen_toggle(&c->session->screen, pane);
	return true;
}

bool line_alone(const struct call *c)
{
	struct screen *s = &c->session->screen;

	s->active = PANE_GRAPH;
	if (s->canvas.width < SCREEN_NARROW)
		screen_say(s, false, "below %d columns the graph is always alone",
			   (int)SCREEN_NARROW);
	else
		s->alone = !s->alone;
	return true;
}

bool line_step_pane(const struct call *c)
{
	screen_next_pane(&c->session->screen, c->kind->argument);
	return true;
}

bool line_zoom(const struct call *c)
{
	static const char *const names[ZOOM_COUNT] = {
		[ZOOM_MAP] = "map",
		[ZOOM_LANES] = "lanes",
		[ZOOM_BOXES] = "boxes",
		[ZOOM_DETAILS] = "details",
	};
	struct session *s = c->session;
	enum zoom now = graph_zoom_now(&s->screen);
	struct sv word;

	(void)call_word(c, 1, &word);
	if (sv_is(word, "default")) {
		graph_zoom_default(&s->screen);
		return true;
	}
	if (sv_is(word, "in") || sv_is(word, "out")) {
		int to = (int)now + (sv_is(word, "in") ? 1 : -1);

		if (to < 0 || to >= ZOOM_COUNT)
			return err_set(c->err, ERR_USAGE, "%s is as %s as it gets", names[now],
				       to < 0 ? "far" : "near");
		graph_zoom(&s->screen, (enum zoom)MAX(0, MIN(to, ZOOM_COUNT - 1)));
		return true;
	}
	for (int i = 0; i < ZOOM_COUNT; i++) {
		if (sv_is(word, names[i])) {
			graph_zoom(&s->screen, (enum zoom)i);
			return true;
		}
	}
	return call_usage(c);
}

bool line_fold(const struct call *c)
{
	static const char *const names[FOLD_COUNT] = {
		[FOLD_TOGGLE] = "toggle", [FOLD_OPEN] = "open", [FOLD_CLOSE] = "close",
		[FOLD_ALL] = "all",       [FOLD_NONE] = "none", [FOLD_START] = "start",
	};
	struct sv word;

	(void)call_word(c, 1, &word);
	for (int i = 0; i < FOLD_COUNT; i++) {
		if (sv_is(word, names[i])) {
			graph_fold(&c->session->screen, (enum fold)i);
			return true;
		}
	}
	return call_usage(c);
}

bool line_focus(const struct call *c)
{
	struct sv word;
	int64_t hops = 2;

	if (call_word(c, 1, &word) && (!sv_int(word, &hops) || hops < 0 || hops > 1000))
		return call_usage(c);
	graph_focus(&c->session->screen, (uint32_t)hops);
	return true;
}

bool line_path(const struct call *c)
{
	return graph_path_to_mark(&c->session->screen) ||
	       err_set(c->err, ERR_USAGE, "mark a node first (m and a letter)");
}

bool line_name(const struct call *c)
{
	struct session *s = c->session;
	struct screen *screen = &s->screen;
	struct sv text = sv_trim(c->line), name;

	while (text.len && text.at[0] != ' ')
		text = sv_skip(text, 1);
	if (!sv_split(sv_trim(text), '=', &name, &text))
		return call_usage(c);
	name = sv_trim(name);
	text = sv_trim(text);
	if (!nicknames_give(&screen->names, &screen->hues, &s->document.infer, name, text, c->err))
		return false;
	session_renew(s);
	if (text.len)
		screen_say(screen, false, "%.*s stands for %.*s in every shape", (int)name.len,
			   name.at, (int)text.len, text.at);
	else
		screen_say(screen, false, "%.*s is no short name any more", (int)name.len, name.at);
	return true;
}

bool line_why(const struct call *c)
{
	struct session *s = c->session;

	if (!s->screen.node && !s->screen.value)
		return err_set(c->err, ERR_USAGE, "nothing is selected");
	screen_overlay(&s->screen, OVERLAY_WHY);
	return true;
}

bool line_values(const struct call *c)
{
	return screen_values(&c->session->screen) ||
	       err_set(c->err, ERR_USAGE,
		       "no weight is selected: they are at the end of the outline (1)");
}

bool line_overlay(const struct call *c)
{
	screen_overlay(&c->session->screen, (enum overlay)c->kind->argument);
	return true;
}

/* ---- finding ---- */

bool line_search(const struct call *c)
{
	struct session *s = c->session;
	struct sv text = sv_trim(c->line);
	struct str told = {0};

	while (text.len && text.at[0] != ' ')
		text = sv_skip(text, 1);
	if (!search_run(&s->screen, sv_trim(text), c->err))
		return false;
	if (search_step(&s->screen, 1))
		return true;
	search_tell(&s->screen, sv_trim(text), &told);
	err_set(c->err, ERR_USAGE, "%s", str_c(&told));
	str_release(&told);
	return false;
}

/* Why not, by what was looked for. */
static bool lines_view_found(const struct call *c, bool yes, const char *why)
{
	return yes || err_set(c->err, ERR_USAGE, "%s", why);
}

bool line_step_found(const struct call *c)
{
	if (screen_step_use(&c->session->screen, c->kind->argument))
		return true;
	return lines_view_found(c, search_step(&c->session->screen, c->kind->argument),
				c->session->screen.search.text.len ? "no match"
								   : "search first, with /");
}

bool line_step_change(const struct call *c)
{
	return lines_view_found(c, search_changed(&c->session->screen, c->kind->argument),
				"nothing has changed");
}

bool line_step_problem(const struct call *c)
{
	return lines_view_found(c, search_problem(&c->session->screen, c->kind->argument),
				"no node has a problem");
}
