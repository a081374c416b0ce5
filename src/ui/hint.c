#include "ui/hint.h"

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ui/canvas.h"
#include "ui/prompt.h"

/* ---- the row ---- */

/* Of the panes: they are always there. */
static const char hint_end[] = "^P find  : command  ? help  q quit";

/* A prompt or an overlay takes all keys; a question names its own. */
static const char *hint_words(struct screen *s)
{
	struct pane *p = &s->panes[s->active];

	switch (s->prompt.open ? s->prompt.kind : 0) {
	case '?':
		return "";
	case '/':
		return "op:Conv  dim:seq  shape:*x768  is:weight  is:problem  ~regex  Enter find  "
		       "Esc cancel";
	case 'e':
		return s->edited.value ? "a name, a size, an expression or ?  Up/Down other dims  "
					 "Tab complete  Enter apply  Esc cancel"
				       : "a name, a size, an expression or ?  Tab complete  "
					 "Enter apply  Esc cancel";
	case '=':
		return "a size; none shows the symbol again  Enter keep  Esc leave";
	case ':':
		return "Up/Down history  Tab complete  Enter run  Esc cancel";
	}
	if (s->overlay != OVERLAY_NONE)
		return s->over.kind->hint ? s->over.kind->hint
					  : "Up/Down move  PgUp/PgDn page  Enter open  Esc close";
	return p->kind->hints ? p->kind->hints(p) : p->kind->hint;
}

static bool hint_has_end(const struct screen *s)
{
	return !s->prompt.open && s->overlay == OVERLAY_NONE;
}

/* The next word, up to two blanks. */
static struct sv hint_cut(struct sv *rest)
{
	struct sv word = *rest;
	size_t len = 0;

	while (len < rest->len && !sv_starts(sv_skip(*rest, len), SV("  ")))
		len++;
	word.len = len;
	*rest = sv_trim(sv_skip(*rest, len));
	return word;
}

static bool hint_holds(struct sv words, struct sv wanted)
{
	while (words.len) {
		if (sv_eq(hint_cut(&words), wanted))
			return true;
	}
	return false;
}

/* The last words of a row without the common end: Enter and Esc. */
static struct sv hint_last(struct sv words)
{
	struct sv rest = words, last = words;

	while (rest.len) {
		last = rest;
		if (sv_starts(hint_cut(&rest), SV("Enter")) && rest.len)
			return last;
	}
	return last;
}

/* What Esc does first; empty for nothing. */
static struct sv hint_escape(const struct screen *s, struct sv words)
{
	if (s->subject.tried_count)
		return SV("Esc ends the trial");
	while (words.len) {
		struct sv word = hint_cut(&words);

		if (sv_starts(word, SV("Esc ")))
			return word;
	}
	return s->active == PANE_GRAPH ? SV("") : SV("Esc back");
}

/* The end of a row of the panes: never dropped, unless the window is narrower. */
static void hint_add_end(const struct screen *s, struct sv words, struct str *out)
{
	struct sv escape = hint_escape(s, words);

	str_add(out, escape);
	str_text(out, escape.len ? "  " : "");
	str_text(out, hint_end);
}

void hint_draw(struct screen *s, int y, int columns)
{
	struct sv words = sv_of(hint_words(s)), end;
	struct str row = {0}, last = {0};

	hint_add_end(s, words, &last);
	end = hint_has_end(s) ? str_sv(&last) : hint_last(words);
	if (!hint_has_end(s))
		words.len -= end.len;
	/* In a narrow window help and quit are left of the end. */
	for (struct sv rest = end; utf8_width(end) > (size_t)MAX(columns, 0) && rest.len;) {
		(void)hint_cut(&rest);
		end = rest.len ? rest : end;
	}
	for (words = sv_trim(words); words.len;) {
		struct sv word = hint_cut(&words);

		if (hint_holds(end, word) || (hint_has_end(s) && sv_starts(word, SV("Esc "))))
			continue;
		if (utf8_width(str_sv(&row)) + utf8_width(word) + 2 + utf8_width(end) >
		    (size_t)MAX(columns, 0))
			break;
		str_add(&row, word);
		str_text(&row, "  ");
	}
	str_add(&row, end);
	canvas_text(&s->canvas, 1, y, columns, str_sv(&row), STYLE_KEYS);
	str_release(&row);
	str_release(&last);
}

/* ---- the list ---- */

static void following_draw_row(struct screen *s, const struct following *f, struct box line,
			       int keys, int lines)
{
	struct canvas *c = &s->canvas;
	int end = line.x + line.width, x = line.x;

	canvas_text(c, x, line.y, line.width, str_sv(&f->key), STYLE_BRIGHT);
	x += keys + 2;
	if (end > x)
		canvas_text(c, x, line.y, end - x, str_sv(&f->line), STYLE_SCOPE);
	x += lines + 2;
	if (end > x)
		canvas_text(c, x, line.y, end - x, sv_of(f->help), STYLE_TEXT);
}

/* All of one line, as after z: said once. */
static bool following_says_one(const struct screen *s)
{
	for (size_t i = 1; i < s->following.len; i++) {
		if (s->following.at[i].help != s->following.at[0].help)
			return false;
	}
	return s->following.len > 0;
}

void hint_draw_following(struct screen *s, int y)
{
	int keys = 0, lines = 0, helps = 0, count = (int)MIN(s->following.len, (size_t)100);
	struct str title = {0};
	bool one = following_says_one(s);
	struct box box;

	for (int i = 0; i < count; i++) {
		const struct following *f = &s->following.at[i];

		keys = MAX(keys, (int)utf8_width(str_sv(&f->key)));
		lines = MAX(lines, (int)utf8_width(str_sv(&f->line)));
		helps = one ? 0 : MAX(helps, (int)utf8_width(sv_of(f->help)));
	}
	count = MIN(count, y - 3);
	if (count <= 0)
		return;
	str_add(&title, str_sv(&s->pending));
	if (one)
		str_format(&title, "  %s", s->following.at[0].help);
	box = (struct box){0, y - count - 2,
			   MIN(MAX(keys + lines + helps + 8, (int)utf8_width(str_sv(&title)) + 6),
			       s->canvas.width),
			   count + 2};
	s->canvas.ground = STYLE_OVERLAY;
	canvas_fill(&s->canvas, box, ' ', STYLE_OVERLAY);
	canvas_popup(&s->canvas, box, str_sv(&title), STYLE_TITLE);
	for (int i = 0; i < count; i++)
		following_draw_row(
			s, &s->following.at[i],
			(struct box){2, box.y + 1 + i, one ? keys + lines + 2 : box.width - 4, 1},
			keys, lines);
	s->canvas.ground = STYLE_TEXT;
	str_release(&title);
}

/* ---- candidates of a line ---- */

static void hint_draw_candidate(struct screen *s, const struct completion *word, struct box line,
				int words)
{
	struct canvas *c = &s->canvas;

	canvas_text(c, line.x, line.y, MIN(words, line.width), str_sv(&word->word), STYLE_TEXT);
	if (word->help && line.width > words + 2)
		canvas_text(c, line.x + words + 2, line.y, line.width - words - 2,
			    sv_of(word->help), STYLE_DIM);
}

/* The column where the completed word begins. */
static int hint_word_column(const struct screen *s)
{
	const struct prompt *p = &s->prompt;
	struct sv before = {str_c(&p->text), MIN(p->completions.from, p->text.len)};

	return (int)MIN(utf8_width(str_sv(&p->label)) + utf8_width(before), (size_t)10000);
}

void hint_draw_candidates(struct screen *s, int y)
{
	const struct prompt *p = &s->prompt;
	size_t count = p->completions.at.len, at = p->completion_at, top;
	int rows = MIN((int)MIN(count, (size_t)8), y - 3), words = 0, helps = 0;
	struct str title = {0};
	struct box box;

	if (!p->open || rows <= 0 || (p->kind != ':' && at == 0))
		return;
	for (size_t i = 0; i < count; i++) {
		const struct completion *c = &p->completions.at.at[i];

		words = MAX(words, (int)MIN(utf8_width(str_sv(&c->word)), (size_t)200));
		helps = MAX(helps, c->help ? (int)utf8_width(sv_of(c->help)) + 2 : 0);
	}
	top = at > (size_t)rows ? at - (size_t)rows : 0;
	if (at)
		str_format(&title, "%zu of %zu", at, count);
	else
		str_format(&title, "Tab: %zu", count);
	box.width = MIN(MAX(words + helps + 4, (int)title.len + 6), s->canvas.width);
	box.height = rows + 2;
	box.x = MAX(MIN(hint_word_column(s) - 2, s->canvas.width - box.width), 0);
	box.y = y - box.height;
	s->canvas.ground = STYLE_OVERLAY;
	canvas_fill(&s->canvas, box, ' ', STYLE_OVERLAY);
	canvas_popup(&s->canvas, box, str_sv(&title), STYLE_DIM);
	for (int i = 0; i < rows; i++) {
		struct box line = {box.x + 2, box.y + 1 + i, box.width - 4, 1};

		s->canvas.ground = top + (size_t)i + 1 == at ? STYLE_SELECTED : STYLE_OVERLAY;
		canvas_fill(&s->canvas, line, ' ', STYLE_TEXT);
		hint_draw_candidate(s, &p->completions.at.at[top + (size_t)i], line, words);
	}
	s->canvas.ground = STYLE_TEXT;
	str_release(&title);
}
