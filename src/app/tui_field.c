#include "app/tui_field.h"

#include <string.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/words.h"
#include "ir/graph.h"
#include "ir/place.h"
#include "ui/dims.h"
#include "ui/prompt.h"
#include "ui/screen.h"

/* ---- what was typed elsewhere ---- */

static void field_forget_kept(struct dim_field *f)
{
	for (size_t i = 0; i < f->kept.len; i++)
		str_release(&f->kept.at[i].value);
	vec_clear(&f->kept);
}

static struct field_kept *field_find_kept(struct dim_field *f, struct dim_at at)
{
	for (size_t i = 0; i < f->kept.len; i++) {
		if (f->kept.at[i].at.value == at.value && f->kept.at[i].at.axis == at.axis)
			return &f->kept.at[i];
	}
	return NULL;
}

static void field_keep(struct session *s)
{
	struct dim_field *f = &s->field;
	struct field_kept *kept = field_find_kept(f, f->at);

	if (!kept && !field_was_typed(s))
		return;
	if (!kept) {
		kept = vec_add(&f->kept);
		kept->at = f->at;
	}
	str_clear(&kept->value);
	str_add(&kept->value, str_sv(&s->screen.prompt.text));
}

/* ---- the line ---- */

static void field_add_word(struct str *line, struct sv target, struct sv value)
{
	struct str word = {0};

	str_add(&word, target);
	str_char(&word, '=');
	str_add(&word, value);
	words_quote(line, str_sv(&word));
	str_release(&word);
}

void field_line(const struct session *s, struct str *out)
{
	const struct dim_field *f = &s->field;
	struct str place = {0};

	if (!f->open) {
		str_add(out, str_sv(&s->screen.prompt.text));
		return;
	}
	str_text(out, f->tries ? "try" : "set");
	for (size_t i = 0; i < f->kept.len; i++) {
		const struct field_kept *kept = &f->kept.at[i];

		if (kept->at.value == f->at.value && kept->at.axis == f->at.axis)
			continue;
		str_clear(&place);
		dim_print_place(&s->document.wire.model, kept->at, &place);
		field_add_word(out, str_sv(&place), str_sv(&kept->value));
	}
	if (field_was_typed(s) || f->tries)
		field_add_word(out, str_sv(&f->target), str_sv(&s->screen.prompt.text));
	str_release(&place);
}

struct sv field_refusal(const struct err *err)
{
	return (struct sv){err->text, err->way ? err->way_at : strlen(err->text)};
}

void field_refuse(struct session *s, const char *label, const struct err *err)
{
	struct prompt *p = &s->screen.prompt;

	session_prompt(s, '?', label, SV(""));
	s->asking = QUESTION_NOTHING;
	p->bad = true;
	str_text(&p->hint, "Esc back");
	str_add(&p->why, field_refusal(err));
}

bool field_was_typed(const struct session *s)
{
	const struct prompt *p = &s->screen.prompt;

	return !sv_eq(str_sv(&p->text), str_sv(&s->field.was));
}

/* ---- opening ---- */

/* ` input:0=B  input:1 = ` */
static void field_show(struct session *s, const char *verb, struct sv value)
{
	struct dim_field *f = &s->field;
	struct str label = {0}, place = {0};

	str_text(&label, verb);
	for (size_t i = 0; i < f->kept.len; i++) {
		if (f->kept.at[i].at.value == f->at.value && f->kept.at[i].at.axis == f->at.axis)
			continue;
		str_clear(&place);
		dim_print_place(&s->document.wire.model, f->kept.at[i].at, &place);
		str_char(&place, '=');
		str_add(&place, str_sv(&f->kept.at[i].value));
		str_char(&label, ' ');
		str_add_shown(&label, str_sv(&place));
		str_char(&label, ' ');
	}
	str_char(&label, ' ');
	str_add_shown(&label, str_sv(&f->target));
	str_text(&label, " = ");
	s->asking = QUESTION_NONE;
	prompt_open_field(&s->screen.prompt, f->tries ? '=' : 'e', str_c(&label), value);
	s->previewed = f->kept.len ? 0 : s->screen.prompt.typed;
	s->screen.edited = f->at;
	str_release(&label);
	str_release(&place);
}

static void field_start(struct session *s, struct sv target, struct sv was, bool tries)
{
	struct dim_field *f = &s->field;

	field_forget_kept(f);
	f->open = true;
	f->tries = tries;
	f->at = (struct dim_at){0};
	str_clear(&f->target);
	str_add(&f->target, target);
	str_clear(&f->was);
	str_add(&f->was, was);
}

bool field_open(struct session *s, struct sv line, struct err *err)
{
	const struct model *m = &s->document.wire.model;
	struct words w;
	struct sv target, value;
	struct place place;
	struct err none;
	bool ok;

	if (!words_split(&w, line, err))
		return false;
	ok = (w.at.len == 2 && sv_split_last(w.at.at[1], '=', &target, &value)) ||
	     err_set(err, ERR_USAGE, "this cannot be edited in a field");
	if (ok) {
		field_start(s, target, value, false);
		if (place_find(m, target, &place, &none) && place.has_axis && place.axis >= 0)
			s->field.at = (struct dim_at){place.value, (uint32_t)place.axis};
		field_show(s, "", value);
	}
	words_release(&w);
	return ok;
}

void field_open_symbol(struct session *s, struct sv name, bool tries)
{
	field_start(s, name, tries ? SV("") : name, tries);
	field_show(s, tries ? " try" : " rename", tries ? SV("") : name);
}

void field_close(struct session *s)
{
	field_forget_kept(&s->field);
	s->field.open = false;
	s->screen.edited = (struct dim_at){0};
}

/* ---- other dims ---- */

void field_step(struct session *s, int step)
{
	const struct model *m = &s->document.wire.model;
	struct dim_field *f = &s->field;
	const struct field_kept *kept;
	struct dim_at to;
	struct str value = {0};

	if (!f->at.value || !dim_beside(m, f->at, step, &to))
		return;
	field_keep(s);
	f->at = to;
	str_clear(&f->target);
	dim_print_place(m, to, &f->target);
	str_clear(&f->was);
	dim_declared_text(m, to, &f->was);
	kept = field_find_kept(f, to);
	str_add(&value, kept ? str_sv(&kept->value) : str_sv(&f->was));
	if (s->screen.active == PANE_GRAPH && s->screen.value != to.value)
		screen_select_value(&s->screen, to.value);
	screen_point(&s->screen, to);
	field_show(s, "", str_sv(&value));
	str_release(&value);
}
