#include "ui/prompt.h"

#include <stdlib.h>
#include <string.h>

#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/keys.h"

enum {
	LONGEST_TEXT = 4096,
	MAX_HISTORY = 200
};

/* ---- life ---- */

void completions_release(struct completions *c)
{
	for (size_t i = 0; i < c->at.len; i++)
		str_release(&c->at.at[i].word);
	vec_release(&c->at);
}

static void set_text(struct prompt *p, struct sv text)
{
	struct str copy = {0};

	str_add(&copy, text);
	str_clear(&p->text);
	str_add(&p->text, str_sv(&copy));
	p->cursor = p->text.len;
	p->typed++;
	str_release(&copy);
}

void prompt_open(struct prompt *p, char kind, const char *label, struct sv text)
{
	p->open = true;
	p->kind = kind;
	p->bad = p->selected = p->is_field = false;
	str_clear(&p->label);
	str_text(&p->label, label);
	str_clear(&p->hint);
	str_clear(&p->why);
	str_clear(&p->offer);
	set_text(p, text);
	p->history_at = p->history.len;
	p->completion_at = 0;
}

void prompt_open_field(struct prompt *p, char kind, const char *label, struct sv value)
{
	prompt_open(p, kind, label, value);
	p->is_field = true;
	p->selected = value.len > 0;
}

void prompt_close(struct prompt *p)
{
	p->selected = false;
	p->open = false;
	p->bad = false;
	p->cursor = 0;
	str_clear(&p->text);
	str_clear(&p->hint);
	str_clear(&p->why);
	str_clear(&p->offer);
	completions_release(&p->completions);
	p->completion_at = 0;
}

void prompt_release(struct prompt *p)
{
	for (size_t i = 0; i < p->history.len; i++)
		str_release(&p->history.at[i]);
	vec_release(&p->history);
	completions_release(&p->completions);
	str_release(&p->label);
	str_release(&p->text);
	str_release(&p->hint);
	str_release(&p->why);
	str_release(&p->offer);
	str_release(&p->draft);
	str_release(&p->completed);
}

/* ---- the line ---- */

static size_t prompt_before(const struct prompt *p)
{
	size_t at = p->cursor;

	while (at && ((unsigned char)p->text.at[at - 1] & 0xc0) == 0x80)
		at--;
	return at ? at - 1 : 0;
}

static size_t prompt_after(const struct prompt *p)
{
	struct sv rest = sv_skip(str_sv(&p->text), p->cursor);

	return rest.len ? p->cursor + utf8_next(rest).len : p->cursor;
}

static void prompt_replace(struct prompt *p, size_t from, size_t to, struct sv with)
{
	struct str text = {0};

	str_add(&text, (struct sv){str_c(&p->text), from});
	str_add(&text, with);
	str_add(&text, sv_skip(str_sv(&p->text), to));
	str_clear(&p->text);
	str_add(&p->text, str_sv(&text));
	p->cursor = from + with.len;
	p->typed++;
	str_release(&text);
}

/* Takes the selection away, and with `cut` what was selected. */
static void prompt_unselect(struct prompt *p, bool cut)
{
	if (p->selected && cut)
		prompt_replace(p, 0, p->text.len, SV(""));
	p->selected = false;
}

static void prompt_insert(struct prompt *p, uint32_t key)
{
	struct str typed = {0};

	if (p->text.len >= LONGEST_TEXT || utf8_is_hostile((int32_t)key))
		return;
	prompt_unselect(p, true);
	str_code(&typed, key);
	prompt_replace(p, p->cursor, p->cursor, str_sv(&typed));
	str_release(&typed);
}

static size_t word_start(const struct prompt *p)
{
	size_t at = p->cursor;

	while (at && p->text.at[at - 1] == ' ')
		at--;
	return sv_through_last((struct sv){p->text.at, at}, ' ').len;
}

/* ---- history ---- */

void prompt_remember(struct prompt *p)
{
	if (p->text.len == 0 ||
	    (p->history.len && sv_eq(str_sv(vec_last(&p->history)), str_sv(&p->text))))
		return;
	if (p->history.len == MAX_HISTORY) {
		str_release(&p->history.at[0]);
		memmove(p->history.at, p->history.at + 1,
			(p->history.len - 1) * sizeof(*p->history.at));
		vec_pop(&p->history);
	}
	str_add(vec_add(&p->history), str_sv(&p->text));
}

static void walk_history(struct prompt *p, int step)
{
	size_t to = p->history_at + (size_t)step;

	if ((step < 0 && p->history_at == 0) || to > p->history.len)
		return;
	if (p->history_at == p->history.len) {
		str_clear(&p->draft);
		str_add(&p->draft, str_sv(&p->text));
	}
	p->history_at = to;
	set_text(p, to == p->history.len ? str_sv(&p->draft) : str_sv(&p->history.at[to]));
}

/* ---- completion ---- */

static int by_text(const void *left, const void *right)
{
	const struct completion *a = left, *b = right;

	return sv_compare(str_sv(&a->word), str_sv(&b->word));
}

void completions_sort(struct completions *c)
{
	size_t kept = 0;

	if (c->at.len)
		qsort(c->at.at, c->at.len, sizeof(*c->at.at), by_text);
	for (size_t i = 0; i < c->at.len; i++) {
		if (kept && sv_eq(str_sv(&c->at.at[kept - 1].word), str_sv(&c->at.at[i].word)))
			str_release(&c->at.at[i].word);
		else
			c->at.at[kept++] = c->at.at[i];
	}
	c->at.len = kept;
}

void completions_add(struct completions *c, struct sv word, const char *help)
{
	enum {
		MAX_COMPLETIONS = 500
	};

	if (c->at.len >= MAX_COMPLETIONS)
		return;
	vec_push(&c->at, ((struct completion){.help = help}));
	str_add(&vec_last(&c->at)->word, word);
}

static void show_completion(struct prompt *p)
{
	const struct str *word = &p->completions.at.at[p->completion_at - 1].word;

	set_text(p, str_sv(&p->completed));
	prompt_replace(p, p->completions.from, p->text.len, str_sv(word));
}

void prompt_offer(struct prompt *p, struct completions *words)
{
	completions_release(&p->completions);
	p->completions = *words;
	*words = (struct completions){0};
	p->completion_at = 0;
}

void prompt_complete(struct prompt *p, struct completions *words)
{
	prompt_offer(p, words);
	str_clear(&p->completed);
	str_add(&p->completed, (struct sv){str_c(&p->text), p->cursor});
	if (p->completions.at.len == 0)
		return;
	p->completion_at = 1;
	show_completion(p);
}

static enum prompt_result next_completion(struct prompt *p, int step)
{
	size_t count = p->completions.at.len;

	/* The only one is taken: go on from there, such as into a folder. */
	if (p->completion_at == 0 || count < 2)
		return PROMPT_COMPLETE;
	p->completion_at = (p->completion_at - 1 + count + (size_t)step) % count + 1;
	show_completion(p);
	return PROMPT_GOES_ON;
}

/* ---- keys ---- */

static void edit_key(struct prompt *p, uint32_t key)
{
	bool was_selected = p->selected;

	if (key < 32 || key >= KEY_NAMED)
		p->selected = false;
	switch (key) {
	case KEY_CURSOR_LEFT:
	case 2: /* Ctrl-B */
		p->cursor = prompt_before(p);
		break;
	case KEY_CURSOR_RIGHT:
	case 6: /* Ctrl-F */
		p->cursor = prompt_after(p);
		break;
	case KEY_TO_START:
	case 1: /* Ctrl-A */
		p->cursor = 0;
		break;
	case KEY_TO_END:
	case 5: /* Ctrl-E */
		p->cursor = p->text.len;
		break;
	case KEY_RUBOUT:
		prompt_replace(p, was_selected ? 0 : prompt_before(p), p->cursor, SV(""));
		break;
	case KEY_REMOVE:
	case 4: /* Ctrl-D */
		if (was_selected)
			p->cursor = 0;
		prompt_replace(p, p->cursor, was_selected ? p->text.len : prompt_after(p), SV(""));
		p->cursor = MIN(p->cursor, p->text.len);
		break;
	case 23: /* Ctrl-W */
		prompt_replace(p, word_start(p), p->cursor, SV(""));
		break;
	case 21: /* Ctrl-U */
		prompt_replace(p, 0, p->cursor, SV(""));
		break;
	case 11: /* Ctrl-K */
		prompt_replace(p, p->cursor, p->text.len, SV(""));
		break;
	default:
		if (key >= 32 && key < KEY_NAMED)
			prompt_insert(p, key);
	}
}

enum prompt_result prompt_key(struct prompt *p, uint32_t key)
{
	switch (key) {
	case KEY_RETURN:
		return PROMPT_DONE;
	case KEY_ESCAPE:
	case 3: /* Ctrl-C */
		return PROMPT_CANCELLED;
	case KEY_TAB:
		return next_completion(p, 1);
	case KEY_BACK_TAB:
		return next_completion(p, -1);
	case KEY_CURSOR_UP:
	case 16: /* Ctrl-P */
		if (p->is_field)
			return PROMPT_BEFORE;
		walk_history(p, -1);
		return PROMPT_GOES_ON;
	case KEY_CURSOR_DOWN:
	case 14: /* Ctrl-N */
		if (p->is_field)
			return PROMPT_AFTER;
		walk_history(p, 1);
		return PROMPT_GOES_ON;
	default:
		break;
	}
	if (key == KEY_RUBOUT && p->text.len == 0 && !p->is_field)
		return PROMPT_CANCELLED;
	p->completion_at = 0;
	edit_key(p, key);
	return PROMPT_GOES_ON;
}
