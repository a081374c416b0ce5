#include "ui/header.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "infer/finding.h"
#include "ir/graph.h"
#include "ui/canvas.h"
#include "ui/panes/problems.h"
#include "ui/screen.h"

static void header_tell_changes(const struct screen *s, const char *before, const char *one,
				const char *more, struct str *out)
{
	str_text(out, before);
	str_count(out, s->subject.changed_count);
	str_format(out, " %s", s->subject.changed_count == 1 ? one : more);
}

/* The weights are told where there is room: before what changes the meaning of the rest. */
static void header_add_weights(const struct screen *s, int width, size_t left, struct str *right)
{
	struct str both = {0};

	str_add(&both, str_sv(&s->weights));
	/* Some of it begins with its own. */
	str_text(&both, right->len > 1 && !sv_starts(str_sv(right), SV(" ")) ? "  " : "");
	str_add(&both, str_sv(right));
	if (s->weights.len && left + 2 + utf8_width(str_sv(&both)) <= (size_t)width) {
		str_clear(right);
		str_add(right, str_sv(&both));
	}
	str_release(&both);
}

/*
 * ✗ 1 ! 1 at the right, while the pane that lists them is hidden; notes are not worth a warning.
 * Returns the columns.
 */
static int header_draw_problems(struct screen *s)
{
	struct str text = {0};
	int at = s->canvas.width, widest = s->canvas.width / 2;

	if (s->panes[PANE_PROBLEMS].box.width)
		return 0;
	s->canvas.ground = STYLE_HEADER;
	for (enum gravity i = GRAVITY_NOTE; i-- > 0;) {
		size_t count = problems_count(s, i);
		int columns;

		if (!count)
			continue;
		str_clear(&text);
		str_format(&text, " %s%zu ", gravity_mark(i), count);
		columns = (int)utf8_width(str_sv(&text));
		if (s->canvas.width - at + columns > widest)
			break;
		at -= columns;
		canvas_text(&s->canvas, at, 0, columns, str_sv(&text), gravity_style(i));
	}
	s->canvas.ground = STYLE_TEXT;
	str_release(&text);
	return s->canvas.width - at;
}

/* Of the main graph and of bodies, as everywhere. */
static size_t header_nodes(const struct model *m)
{
	size_t count = 0;

	for (size_t i = 0; i < m->graphs.len; i++) {
		if (m->graphs.at[i].kind != GRAPH_FUNCTION)
			count += m->graphs.at[i].nodes.len;
	}
	return count;
}

static void header_tell_model(const struct screen *s, struct sv path, struct str *out)
{
	const struct model *m = s->subject.model;
	const struct graph *g = &m->graphs.at[0];
	size_t nodes = header_nodes(m);

	str_text(out, " ");
	str_add_shown(out, path);
	str_format(out, "  opset %" PRId64 "  ", model_opset(m, 0, SV("")));
	str_count(out, nodes);
	str_format(out, " node%s  %zu input%s  %zu output%s", nodes == 1 ? "" : "s", g->inputs.len,
		   g->inputs.len == 1 ? "" : "s", g->outputs.len, g->outputs.len == 1 ? "" : "s");
}

void header_draw(struct screen *s)
{
	struct str left = {0}, right = {0};
	bool refused = s->subject.preview && s->prompt.bad;
	int width = s->canvas.width - header_draw_problems(s);

	for (size_t i = 0; i < s->subject.tried_count; i++) {
		str_text(&right, i ? " " : "  try ");
		str_add_shown(&right, s->subject.tried[i].name);
		str_format(&right, "=%" PRId64, s->subject.tried[i].size);
	}
	if (refused)
		header_tell_changes(s, "  refused: ", "shape would change", "shapes would change",
				    &right);
	else if (s->subject.preview)
		header_tell_changes(s, "  preview: ", "shape changes", "shapes change", &right);
	else if (s->subject.modified)
		str_text(&right, s->canvas.ascii ? "  *modified" : "  \u25cfmodified");
	str_text(&right, " ");
	header_tell_model(s, s->subject.path, &left);
	/* The folders are what one knows. */
	if (utf8_width(str_sv(&left)) + utf8_width(str_sv(&right)) > (size_t)width) {
		str_clear(&left);
		header_tell_model(s, sv_after_last(s->subject.path, '/'), &left);
	}
	if (!refused)
		header_add_weights(s, width, utf8_width(str_sv(&left)), &right);
	canvas_fill(&s->canvas, (struct box){0, 0, width, 1}, ' ', STYLE_HEADER);
	/* The right part changes the meaning of everything else, so it is never cut. */
	canvas_text(&s->canvas, 0, 0,
		    width - (int)MIN(utf8_width(str_sv(&right)), (size_t)width / 2), str_sv(&left),
		    STYLE_HEADER);
	canvas_right(&s->canvas, 0, 0, width, str_sv(&right),
		     refused ? STYLE_PROMPT_BAD : STYLE_HEADER);
	str_release(&left);
	str_release(&right);
}
