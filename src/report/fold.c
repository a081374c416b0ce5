#include "report/fold.h"

#include <inttypes.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "report/record.h"

enum {
	LEAST_ROWS = 4,
	MOST_DIGITS = 9,
	MOST_WORDS = 8,   /* in braces */
	MOST_NUMBERS = 4, /* of a name that are tried, from the left */
	MOST_TRIED = 16   /* groups of rows that look alike: a hostile file can have very many */
};

/* What a token may be, in all rows of a group so far. */
enum {
	MAY_STAY = 1 << 0,
	MAY_COUNT = 1 << 1, /* it is the number that counts */
	MAY_DIFFER = 1 << 2,
	MAY_ALTER = 1 << 3 /* of a head: another number for each word */
};

void fold_release(struct fold *f)
{
	vec_release(&f->rows);
	vec_release(&f->loose);
	vec_release(&f->tokens);
	vec_release(&f->groups);
	vec_release(&f->flags);
	str_release(&f->text);
}

/* ---- the tokens of a row ---- */

static bool fold_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool fold_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The length of the token that the text begins with, which says its kind. */
static size_t fold_scan(struct sv text, enum fold_token_kind *out)
{
	bool (*is_same)(char c) = fold_is_digit(text.at[0])    ? fold_is_digit
				  : fold_is_letter(text.at[0]) ? fold_is_letter
							       : NULL;
	size_t len = 1;

	while (len < text.len &&
	       (is_same ? is_same(text.at[len])
			: !fold_is_digit(text.at[len]) && !fold_is_letter(text.at[len])))
		len++;
	*out = is_same == fold_is_letter ? FOLD_WORD : is_same ? FOLD_NUMBER : FOLD_FIXED;
	/* 007 is not written as the number 7 would be. */
	if (*out == FOLD_NUMBER && (len > MOST_DIGITS || (len > 1 && text.at[0] == '0')))
		*out = FOLD_FIXED;
	return len;
}

static uint32_t fold_value(struct sv digits)
{
	uint32_t value = 0;

	for (size_t i = 0; i < digits.len; i++)
		value = value * 10 + (uint32_t)(digits.at[i] - '0');
	return value;
}

static struct sv fold_text(const struct fold *f, const struct fold_token *t)
{
	return (struct sv){str_c(&f->text) + t->at, t->len};
}

static void fold_add_token(struct fold *f, struct fold_row *row, struct fold_token t,
			   struct sv text)
{
	t.at = (uint32_t)f->text.len;
	t.len = (uint32_t)text.len;
	t.number = t.kind == FOLD_NUMBER || t.kind == FOLD_AMOUNT ? fold_value(text) : 0;
	str_add(&f->text, text);
	vec_push(&f->tokens, t);
	row->count++;
	row->bare = hash_u64((uint64_t)t.cell << 8 | t.kind, row->bare);
	row->hash = hash_u64((uint64_t)t.cell << 8 | t.kind, row->hash);
	if (t.kind == FOLD_FIXED)
		row->bare = hash_bytes(text, row->bare);
	if (t.kind == FOLD_FIXED || t.kind == FOLD_WORD)
		row->hash = hash_bytes(text, row->hash);
}

/* Of a condition, numbers that belong to a name: 4 of `x.4:0 <= 512`. */
static bool fold_is_named(const char *text, size_t at)
{
	return at && (fold_is_letter(text[at - 1]) || text[at - 1] == '_' || text[at - 1] == '.');
}

/* The name of the row is its first cell; names elsewhere lead to what they name. */
static void fold_add_cell(struct fold *f, struct fold_row *row, const struct cell *c, uint32_t nth,
			  struct sv text, bool loose)
{
	bool named = nth == 0 || c->link == LINK_NODE || c->link == LINK_VALUE;
	enum fold_token_kind whole = c->amount && text.len <= MOST_DIGITS   ? FOLD_AMOUNT
				     : loose && nth && c->link == LINK_NODE ? FOLD_OTHER
									    : FOLD_FIXED;
	size_t at = 0;

	while (at < text.len) {
		struct fold_token t = {.kind = whole, .cell = nth, .in_name = nth == 0};
		size_t len = text.len - at;

		if (whole == FOLD_FIXED && (named || c->condition))
			len = fold_scan(sv_skip(text, at), &t.kind);
		if ((t.kind == FOLD_WORD && nth) ||
		    (t.kind == FOLD_NUMBER && !named && !fold_is_named(text.at, at)))
			t.kind = FOLD_FIXED;
		fold_add_token(f, row, t, (struct sv){text.at + at, len});
		at += len;
	}
}

static void fold_add_row(struct fold *f, struct fold_row *row, const struct record *r, bool loose)
{
	uint32_t nth = 0;

	row->first = (uint32_t)f->tokens.len;
	for (size_t i = 0; i < r->cells.len; i++) {
		const struct cell *c = &r->cells.at[i];

		if (c->shown && c->len)
			fold_add_cell(f, row, c, nth++, cell_text(r, c), loose);
	}
}

void fold_add(struct fold *f, const struct record *r)
{
	fold_add_row(f, vec_add(&f->rows), r, false);
	fold_add_row(f, vec_add(&f->loose), r, true);
}

/* ---- rows that count up ---- */

static const struct fold_token *fold_token_of(const struct fold *f, uint32_t row, uint32_t nth)
{
	return &f->tokens.at[f->rows.at[row].first + nth];
}

static uint32_t fold_number(const struct fold *f, const struct fold_group *g, uint32_t row)
{
	return fold_token_of(f, row, g->token)->number;
}

/* The nth number in the name of a row; false if it has fewer. */
static bool fold_find_number(const struct fold *f, uint32_t row, uint32_t nth, uint32_t *out)
{
	for (uint32_t i = 0; i < f->rows.at[row].count; i++) {
		const struct fold_token *t = fold_token_of(f, row, i);

		if (!t->in_name)
			return false;
		if (t->kind == FOLD_NUMBER && nth-- == 0) {
			*out = i;
			return true;
		}
	}
	return false;
}

static bool fold_may_differ(const struct fold_token *t)
{
	return t->kind == FOLD_AMOUNT || t->kind == FOLD_OTHER;
}

/* What a token of the row can be in the group, of what it could be so far. */
static uint8_t fold_match(const struct fold *f, const struct fold_group *g, uint32_t row,
			  uint32_t nth)
{
	const struct fold_token *own = fold_token_of(f, row, nth);
	const struct fold_token *first = fold_token_of(f, g->first, nth);
	uint8_t may = 0;

	if (own->kind != first->kind || own->cell != first->cell)
		return 0;
	if (sv_eq(fold_text(f, own), fold_text(f, first)))
		may |= MAY_STAY;
	if (fold_may_differ(own))
		may |= MAY_DIFFER;
	if (own->kind == FOLD_NUMBER && own->number == fold_number(f, g, row))
		may |= MAY_COUNT;
	return may & f->flags.at[g->flags + nth];
}

static bool fold_belongs(const struct fold *f, const struct fold_group *g, uint32_t row)
{
	if (g->first == row || f->rows.at[row].count != f->rows.at[g->first].count ||
	    (g->step && row - g->last != g->step) ||
	    fold_number(f, g, row) != fold_number(f, g, g->last) + 1)
		return false;
	for (uint32_t i = 0; i < f->rows.at[row].count; i++) {
		if (!fold_match(f, g, row, i))
			return false;
	}
	return true;
}

static void fold_join(struct fold *f, uint32_t group, uint32_t row)
{
	struct fold_group *g = &f->groups.at[group];

	for (uint32_t i = 0; i < f->rows.at[row].count; i++)
		f->flags.at[g->flags + i] = fold_match(f, g, row, i);
	g->step = row - g->last;
	g->last = row;
	g->count++;
	f->rows.at[row].group = group + 1;
}

static void fold_open(struct fold *f, uint32_t row, uint32_t token, uint32_t *chain)
{
	uint32_t id = (uint32_t)f->groups.len, number = fold_token_of(f, row, token)->number;

	vec_push(&f->groups, ((struct fold_group){.first = row,
						  .last = row,
						  .count = 1,
						  .token = token,
						  .flags = (uint32_t)f->flags.len,
						  .head = id,
						  .next = *chain}));
	*chain = id + 1;
	for (uint32_t i = 0; i < f->rows.at[row].count; i++) {
		const struct fold_token *t = fold_token_of(f, row, i);
		bool counts = t->kind == FOLD_NUMBER && t->number == number;

		vec_push(&f->flags, (uint8_t)(MAY_STAY | (counts ? MAY_COUNT : 0) |
					      (fold_may_differ(t) ? MAY_DIFFER : 0)));
	}
	f->rows.at[row].group = id + 1;
}

/* Puts each row that is in no group into one by a number of its name, the nth. */
static void fold_count_up(struct fold *f, uint32_t nth)
{
	struct map chains = {0}; /* hash -> the newest group, plus 1 */

	for (uint32_t row = 0; row < f->rows.len; row++) {
		uint32_t token, *chain, tried = 0, group;

		if (f->rows.at[row].group || !fold_find_number(f, row, nth, &token))
			continue;
		chain = map_at(&chains, hash_u64(token, f->rows.at[row].hash));
		for (group = *chain; group && tried < MOST_TRIED; tried++) {
			if (fold_belongs(f, &f->groups.at[group - 1], row))
				break;
			group = f->groups.at[group - 1].next;
		}
		if (group && tried < MOST_TRIED)
			fold_join(f, group - 1, row);
		else
			fold_open(f, row, token, chain);
	}
	map_release(&chains);
}

/* ---- groups that differ in a word ---- */

/* A number of a name elsewhere, the same in each row of a group, may be another in the next. */
static bool fold_may_alter(const struct fold *f, const struct fold_group *a,
			   const struct fold_group *b, uint32_t nth)
{
	const struct fold_token *ours = fold_token_of(f, a->first, nth);
	const struct fold_token *theirs = fold_token_of(f, b->first, nth);

	return ours->kind == FOLD_NUMBER && theirs->kind == FOLD_NUMBER && !ours->in_name &&
	       (f->flags.at[b->flags + nth] & MAY_STAY);
}

/* The token that differs, a word of the name; false if others do that must not. */
static bool fold_other_word(const struct fold *f, const struct fold_group *a,
			    const struct fold_group *b, uint32_t *out)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < f->rows.at[a->first].count; i++) {
		const struct fold_token *ours = fold_token_of(f, a->first, i);
		const struct fold_token *theirs = fold_token_of(f, b->first, i);

		if (fold_may_differ(ours) && ours->kind == theirs->kind)
			continue;
		if ((f->flags.at[a->flags + i] & ~MAY_ALTER) != f->flags.at[b->flags + i])
			return false;
		if (sv_eq(fold_text(f, ours), fold_text(f, theirs)) || fold_may_alter(f, a, b, i))
			continue;
		if (found || ours->kind != FOLD_WORD || theirs->kind != FOLD_WORD)
			return false;
		found = i + 1;
	}
	*out = found;
	return found != 0;
}

/* What differs in the rows of one more word, the head of the words must know. */
static void fold_spread(struct fold *f, const struct fold_group *head, const struct fold_group *g)
{
	for (uint32_t i = 0; i < f->rows.at[head->first].count; i++) {
		const struct fold_token *ours = fold_token_of(f, head->first, i);
		uint8_t *flags = &f->flags.at[head->flags + i];
		bool same = sv_eq(fold_text(f, ours), fold_text(f, fold_token_of(f, g->first, i)));

		if (fold_may_differ(ours))
			*flags &= same ? f->flags.at[g->flags + i] : MAY_DIFFER;
		else if (!same && ours->kind == FOLD_NUMBER && !ours->in_name)
			*flags |= MAY_ALTER;
	}
}

/* Does the group go on with another word where the list of the head's ends? */
static bool fold_alternates(const struct fold *f, const struct fold_group *head,
			    const struct fold_group *last, const struct fold_group *g,
			    uint32_t *out_word)
{
	return g->count == head->count && g->step == head->step && g->token == head->token &&
	       g->first > last->first && g->first - head->first < head->step &&
	       f->rows.at[g->first].count == f->rows.at[head->first].count &&
	       fold_other_word(f, head, g, out_word) && (!head->word || head->word == *out_word);
}

/* The last of the head's words; false if there is no room for one more. */
static bool fold_last_word(const struct fold *f, uint32_t head, uint32_t *out)
{
	uint32_t words = 1;

	*out = head;
	while (f->groups.at[*out].words) {
		*out = f->groups.at[*out].words - 1;
		words++;
	}
	return words < MOST_WORDS;
}

static void fold_add_word(struct fold *f, struct map *heads, uint32_t group)
{
	struct fold_group *g = &f->groups.at[group];
	uint32_t *chain = map_at(heads, f->rows.at[g->first].bare);
	uint32_t tried = 0;

	for (uint32_t id = *chain; id && tried < MOST_TRIED; tried++) {
		struct fold_group *head = &f->groups.at[id - 1];
		uint32_t last, word;

		if (fold_last_word(f, id - 1, &last) &&
		    fold_alternates(f, head, &f->groups.at[last], g, &word)) {
			head->word = word;
			g->head = id - 1;
			f->groups.at[last].words = group + 1;
			fold_spread(f, head, g);
			return;
		}
		id = head->next;
	}
	g->next = *chain;
	*chain = group + 1;
}

/* Words of groups from `first` on; then what is not worth folding is taken apart. */
static void fold_words(struct fold *f, uint32_t first)
{
	struct map heads = {0};

	for (uint32_t i = first; i < f->groups.len; i++) {
		if (f->groups.at[i].count > 1)
			fold_add_word(f, &heads, i);
	}
	for (uint32_t i = first; i < f->groups.len; i++)
		f->groups.at[f->groups.at[i].head].rows += f->groups.at[i].count;
	for (size_t i = 0; i < f->rows.len; i++) {
		uint32_t group = f->rows.at[i].group;

		if (group > first && f->groups.at[f->groups.at[group - 1].head].rows < LEAST_ROWS)
			f->rows.at[i].group = 0;
	}
	map_release(&heads);
}

static void fold_find_groups(struct fold *f)
{
	for (uint32_t nth = 0; nth < MOST_NUMBERS; nth++) {
		uint32_t first = (uint32_t)f->groups.len;

		fold_count_up(f, nth);
		fold_words(f, first);
	}
}

void fold_find(struct fold *f)
{
	fold_find_groups(f);
	for (size_t i = 0; i < f->rows.len; i++) {
		if (!f->rows.at[i].group)
			f->rows.at[i] = f->loose.at[i];
	}
	fold_find_groups(f);
}

size_t fold_says(const struct fold *f, size_t row)
{
	uint32_t group = f->rows.at[row].group;
	const struct fold_group *head;

	if (!group)
		return 1;
	head = &f->groups.at[f->groups.at[group - 1].head];
	return head->first == row ? head->rows : 0;
}

size_t fold_said_by(const struct fold *f, size_t row)
{
	uint32_t group = f->rows.at[row].group;

	return group ? f->groups.at[f->groups.at[group - 1].head].first : row;
}

/* ---- the row that says all ---- */

/* {key,value} */
static void fold_put_words(const struct fold *f, uint32_t head, uint32_t nth, struct str *out)
{
	str_text(out, "{");
	for (uint32_t group = head + 1; group; group = f->groups.at[group - 1].words) {
		const struct fold_group *g = &f->groups.at[group - 1];

		str_text(out, group == head + 1 ? "" : ",");
		str_add(out, fold_text(f, fold_token_of(f, g->first, nth)));
	}
	str_text(out, "}");
}

/* 29…579 */
static void fold_put_amounts(const struct fold *f, uint32_t head, uint32_t nth, struct str *out)
{
	uint32_t lo = UINT32_MAX, hi = 0;

	for (uint32_t group = head + 1; group; group = f->groups.at[group - 1].words) {
		const struct fold_group *g = &f->groups.at[group - 1];

		for (uint32_t i = 0; i < g->count; i++) {
			uint32_t n = fold_token_of(f, g->first + i * g->step, nth)->number;

			lo = MIN(lo, n);
			hi = MAX(hi, n);
		}
	}
	str_format(out, "%" PRIu32 "\u2026%" PRIu32, lo, hi);
}

/* False if the token is as in each row. */
static bool fold_put(const struct fold *f, uint32_t head, uint32_t nth, struct str *out)
{
	const struct fold_group *g = &f->groups.at[head];
	const struct fold_token *t = fold_token_of(f, g->first, nth);
	uint8_t flags = f->flags.at[g->flags + nth];

	if (g->word == nth + 1 || (flags & MAY_ALTER)) {
		fold_put_words(f, head, nth, out);
		return true;
	}
	if (t->kind == FOLD_AMOUNT && !(flags & MAY_STAY)) {
		fold_put_amounts(f, head, nth, out);
		return true;
	}
	str_add(out, fold_text(f, t));
	if (flags & MAY_STAY)
		return false;
	if (t->kind == FOLD_OTHER)
		str_text(out, "\u2026");
	else
		str_format(out, "\u2026%" PRIu32, fold_number(f, g, g->last));
	return true;
}

void fold_record(const struct fold *f, size_t row, struct record *r, uint32_t column)
{
	const struct fold_row *own = &f->rows.at[row];
	uint32_t nth = 0, token = 0, head;
	struct str text = {0};

	if (!own->group || fold_says(f, row) < LEAST_ROWS)
		return;
	head = own->group - 1;
	for (size_t i = 0; i < r->cells.len; i++) {
		struct cell *c = &r->cells.at[i];
		uint32_t at = (uint32_t)text.len;
		bool differs = false;

		c->at = at;
		if (!c->shown || !c->len)
			continue;
		while (token < own->count && f->tokens.at[own->first + token].cell == nth)
			differs |= fold_put(f, head, token++, &text);
		c->len = (uint32_t)(text.len - at);
		/* It is no longer one symbol. */
		if (differs && c->kind == CELL_DIM)
			c->kind = CELL_TEXT;
		nth++;
	}
	str_clear(&r->text);
	str_add(&r->text, str_sv(&text));
	r->column = column;
	record_tone(r, TONE_FAINT);
	record_show(r);
	record_format(r, record_has(r, column) ? " \u00d7%zu" : "\u00d7%zu", fold_says(f, row));
	str_release(&text);
}
