#include "edit/journal/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "base/words.h"

static const char first_line[] = "axed-journal 1";

/* ---- writing ---- */

/* The file format's words for steps, independent of command names. */
static const char *const journal_words[JOURNAL_STEP_COUNT] = {
	[JOURNAL_DO] = "do",
	[JOURNAL_UNDO] = "undo",
	[JOURNAL_REDO] = "redo",
};

void journal_write_stamp(struct str *out, const char *what, const struct stamp *stamp)
{
	str_format(out, "%s %" PRIu64 " %" PRId64 " %016" PRIx64 "\n", what, stamp->size,
		   stamp->time, stamp->hash);
}

void journal_write_head(struct str *out, struct sv model, const struct stamp *base)
{
	str_format(out, "%s\nmodel", first_line);
	words_quote(out, model);
	str_char(out, '\n');
	journal_write_stamp(out, "base", base);
}

void journal_write_step(struct str *out, enum journal_step step, struct sv line)
{
	str_text(out, journal_words[step]);
	str_text(out, line.len ? " " : "");
	str_add(out, line);
	str_char(out, '\n');
}

/* ---- reading ---- */

bool journal_next_line(struct sv *rest, struct sv *out)
{
	/* A line without a newline was not acknowledged. */
	return sv_split(*rest, '\n', out, rest);
}

bool journal_read_step(struct sv line, enum journal_step *out, struct sv *out_done)
{
	struct sv rest = line, word = sv_cut(&rest, ' ');

	for (enum journal_step i = 0; i < JOURNAL_STEP_COUNT; i++) {
		/* Only `do` has an argument. */
		if (sv_is(word, journal_words[i]) && (word.len < line.len) == (i == JOURNAL_DO)) {
			*out = i;
			*out_done = rest;
			return true;
		}
	}
	return false;
}

static bool read_stamp(struct sv text, struct stamp *out)
{
	char copy[128];
	int used = 0;

	if (text.len >= sizeof(copy))
		return false;
	memcpy(copy, text.at, text.len);
	copy[text.len] = 0;
	return sscanf(copy, "%" SCNu64 " %" SCNd64 " %" SCNx64 "%n", &out->size, &out->time,
		      &out->hash, &used) == 3 &&
	       (size_t)used == text.len;
}

static bool same_stamp(const struct stamp *a, const struct stamp *b)
{
	return a->size == b->size && a->time == b->time &&
	       (a->hash == b->hash || a->hash == 0 || b->hash == 0);
}

struct reading {
	const struct stamp *now; /* borrowed */
	bool is_here;            /* a stamp was that of the file */
	struct str here;         /* the steps from there on */
	struct str latest;       /* the steps since the last save, whatever the file is */
};

static void begin_here(struct reading *r, bool with_latest)
{
	r->is_here = true;
	str_clear(&r->here);
	if (with_latest)
		str_add(&r->here, str_sv(&r->latest));
}

static void keep_step(struct reading *r, struct sv line)
{
	str_add(&r->latest, line);
	str_char(&r->latest, '\n');
	str_add(&r->here, line);
	str_char(&r->here, '\n');
}

/* Where the steps have led: from the base, edits were added, or undone that it has. */
struct standing {
	size_t own, undone;
	VEC(bool) redo; /* what redo makes again: whether it is an edit of the steps */
};

static void standing_step(struct standing *s, enum journal_step step)
{
	switch (step) {
	case JOURNAL_DO:
		s->own++;
		vec_clear(&s->redo);
		break;
	case JOURNAL_UNDO:
		vec_push(&s->redo, s->own > 0);
		if (s->own)
			s->own--;
		else
			s->undone++;
		break;
	case JOURNAL_REDO:
		if (!s->redo.len)
			break;
		if (*vec_last(&s->redo))
			s->own++;
		else
			s->undone--;
		vec_pop(&s->redo);
		break;
	case JOURNAL_STEP_COUNT:
		break;
	}
}

static size_t count_standing(struct sv steps)
{
	struct standing s = {0};
	struct sv line, done;
	enum journal_step step;

	while (journal_next_line(&steps, &line)) {
		if (journal_read_step(line, &step, &done))
			standing_step(&s, step);
	}
	vec_release(&s.redo);
	return s.own + s.undone;
}

static bool read_line(struct reading *r, struct sv line)
{
	static const struct {
		const char *word;
		bool forgets;     /* the steps above are in that version */
		bool takes_along; /* ... or were made again on it */
	} kinds[] = {{"base ", true, false}, {"saved ", true, false}, {"onto ", false, true}};
	enum journal_step step;
	struct sv done;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct stamp stamp;

		if (!sv_starts(line, sv_of(kinds[i].word)))
			continue;
		if (!read_stamp(sv_skip(line, strlen(kinds[i].word)), &stamp))
			return false;
		if (kinds[i].forgets)
			str_clear(&r->latest);
		if (same_stamp(&stamp, r->now))
			begin_here(r, kinds[i].takes_along);
		return true;
	}
	if (journal_read_step(line, &step, &done)) {
		keep_step(r, line);
		return true;
	}
	return sv_is(line, first_line) || sv_starts(line, SV("model "));
}

static enum journal_kind kind_of(const struct journal_left *l, bool is_here)
{
	if (l->unread)
		return JOURNAL_DAMAGED;
	return l->count == 0 ? JOURNAL_NOTHING : is_here ? JOURNAL_UNSAVED : JOURNAL_ELSEWHERE;
}

void journal_read(struct journal_left *out, struct sv text, const struct stamp *now)
{
	struct reading r = {.now = now};
	struct sv rest = text, line;
	bool is_first = true;

	*out = (struct journal_left){0};
	while (journal_next_line(&rest, &line)) {
		bool is_known = read_line(&r, line) && is_first == sv_is(line, first_line);

		is_first = false;
		if (is_known)
			out->whole = text.len - rest.len;
		else if (rest.len || out->whole == 0)
			out->unread++; /* the last line alone may be torn */
	}
	/* Of a file that was just begun there may be less than a line. */
	if (is_first && !sv_starts(sv_of(first_line), text))
		out->unread++;
	out->steps = r.is_here ? r.here : r.latest;
	out->count = count_standing(str_sv(&out->steps));
	out->kind = kind_of(out, r.is_here);
	str_release(r.is_here ? &r.latest : &r.here);
}

void journal_left_release(struct journal_left *l)
{
	str_release(&l->steps);
	*l = (struct journal_left){0};
}
