/*
 * What is typed is previewed: an edit as an action that leaves no trace, a size by trying it.
 */
#include "app/tui_field.h"
#include "app/tui_lines.h"
#include "app/tui_session.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "edit/document.h"
#include "edit/line.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/past.h"
#include "infer/sentence.h"
#include "ir/graph.h"
#include "ui/prompt.h"
#include "ui/screen.h"

/* ---- whether there is one ---- */

/* `set batch=` is not an error: the user has not typed the value yet. */
static bool is_edit(struct sv text)
{
	struct sv rest = text;
	const struct line_kind *kind = line_kind_named(sv_cut(&rest, ' '));

	return !sv_ends(text, SV("=")) && kind && kind->flags & LINE_EDITS &&
	       (sv_has(text, ' ') || !line_kind_needs_words(kind));
}

static bool preview_is_complete(const struct session *s, struct sv line)
{
	const struct dim_field *f = &s->field;

	if (!f->open)
		return is_edit(line);
	return f->kept.len || (field_was_typed(s) && s->screen.prompt.text.len);
}

bool session_lacks_preview(const struct session *s)
{
	const struct prompt *p = &s->screen.prompt;

	return p->open && (p->kind == 'e' || p->kind == '=') && s->previewed != p->typed;
}

/* ---- what it changes ---- */

static bool preview_is_problem(const struct finding *f)
{
	return level_info(f->level)->gravity < GRAVITY_NOTE && f->root == 0;
}

static uint64_t preview_key(const struct finding *f)
{
	uint64_t place = hash_u64((uint64_t)f->node << 32 | f->value, (uint32_t)f->axis);

	return hash_u64((uint64_t)f->level << 32 | (uint64_t)f->kind, place);
}

static void preview_remember(const struct session *s, struct map *out)
{
	const struct infer *in = &s->document.infer;

	for (size_t i = 0; i < in->findings.len; i++) {
		if (preview_is_problem(&in->findings.at[i]))
			*map_at(out, preview_key(&in->findings.at[i])) = 1;
	}
}

/* The gravest problem that the preview makes; NULL for none. */
static const struct finding *preview_conflict(const struct session *s, const struct map *before)
{
	const struct infer *in = &s->document.infer;
	const struct finding *gravest = NULL;

	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];

		if (preview_is_problem(f) && !map_find(before, preview_key(f)) &&
		    (!gravest || f->level < gravest->level))
			gravest = f;
	}
	return gravest;
}

/* "RNN /rnn/RNN: input size and W: 7 and 10" */
static void preview_print(const struct infer *in, const struct finding *f, struct str *out)
{
	struct str text = {0};

	if (f->node) {
		str_add(&text, model_cut_name(in->model, in->model->nodes.at[f->node].op));
		str_char(&text, ' ');
		str_add(&text, node_label(in->model, f->node));
		str_text(&text, ": ");
	}
	str_add_shown(out, str_sv(&text));
	str_clear(&text);
	finding_print(in, f, &text);
	str_add_shown(out, str_sv(&text));
	str_release(&text);
}

static void tell_conflict(struct session *s, const struct map *before)
{
	const struct infer *in = &s->document.infer;
	const struct finding *f = preview_conflict(s, before);
	struct prompt *p = &s->screen.prompt;

	if (!f)
		return;
	s->screen.conflict.node = f->node;
	s->screen.conflict.value = f->value;
	str_clear(&s->screen.conflict.text);
	screen_speak(&s->screen, true);
	finding_print(in, f, &s->screen.conflict.text);
	if (!p->bad)
		preview_print(in, f, &p->why);
	screen_speak(&s->screen, false);
}

/* "5 dims change in 3 tensors, 0 problems" */
static void tell_preview(struct session *s)
{
	struct document *d = &s->document;
	struct str *hint = &s->screen.prompt.hint;
	size_t problems = 0, dims = 0, tensors = 0;

	for (size_t i = 0; i < d->infer.findings.len; i++)
		problems += level_info(d->infer.findings.at[i].level)->gravity < GRAVITY_NOTE;
	past_renew(&d->before, &d->infer);
	for (size_t i = 0; i < d->changed.len; i++) {
		dims += past_dims_changed(&d->before, &d->infer, d->changed.at[i]);
		tensors += !past_same(&d->before, &d->infer, d->changed.at[i]);
	}
	str_clear(hint);
	str_things(hint, dims, "dim");
	str_text(hint, dims == 1 ? " changes in " : " change in ");
	str_things(hint, tensors, "tensor");
	str_text(hint, ", ");
	str_things(hint, problems, "problem");
}

/* ---- doing it ---- */

bool session_is_previewing(const struct session *s)
{
	return s->document.previewing || s->trial.on;
}

void session_end_preview(struct session *s)
{
	struct trial *t = &s->trial;
	struct err ignored;

	document_end_preview(&s->document);
	s->screen.conflict.node = s->screen.conflict.value = 0;
	if (!t->on)
		return;
	t->on = false;
	document_forget_what_if(&s->document, str_sv(&t->name));
	if (t->had && !document_what_if(&s->document, str_sv(&t->name), t->size, &ignored))
		return;
	document_forget_changes(&s->document);
}

/* An empty value shows the symbol again. */
static bool preview_try(struct session *s, struct err *err)
{
	struct trial *t = &s->trial;
	struct sv name = str_sv(&s->field.target), text = sv_trim(str_sv(&s->screen.prompt.text));
	int64_t size = 0;

	if (text.len && (!sv_int(text, &size) || size < 0))
		return err_set(err, ERR_USAGE, "a size is a whole number");
	document_note_before(&s->document);
	str_clear(&t->name);
	str_add(&t->name, name);
	t->had = document_is_tried(&s->document, name, &t->size);
	if (text.len && !document_what_if(&s->document, name, size, err))
		return false;
	if (!text.len)
		document_forget_what_if(&s->document, name);
	t->on = true;
	return true;
}

/* What is refused is shown too, so that the user sees what forbids it; but Enter runs the line. */
static void preview_line(struct session *s, struct sv line)
{
	struct prompt *p = &s->screen.prompt;
	struct err err, ignored;

	p->bad = s->field.open && s->field.tries ? !preview_try(s, &err)
						 : !document_preview(&s->document, line, &err);
	if (!p->bad && session_is_previewing(s))
		tell_preview(s);
	if (!p->bad)
		return;
	str_add(&p->why, field_refusal(&err));
	if (err.kind == ERR_REFUSED && !s->field.tries &&
	    !document_preview_refused(&s->document, line, &ignored))
		document_end_preview(&s->document);
}

void session_preview(struct session *s)
{
	struct prompt *p = &s->screen.prompt;
	struct map before = {0};
	struct str line = {0};

	if (!session_lacks_preview(s))
		return;
	s->previewed = p->typed;
	p->bad = false;
	str_clear(&p->hint);
	str_clear(&p->why);
	str_clear(&p->offer);
	session_end_preview(s);
	field_line(s, &line);
	if (preview_is_complete(s, str_sv(&line))) {
		preview_remember(s, &before);
		preview_line(s, str_sv(&line));
		tell_conflict(s, &before);
	}
	session_renew(s);
	map_release(&before);
	str_release(&line);
}
