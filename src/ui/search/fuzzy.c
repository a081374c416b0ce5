#include "ui/search/fuzzy.h"

#include <string.h>

enum {
	SCORE_LETTER = 4,
	SCORE_WORD_START = 12,
	SCORE_FIRST = 6, /* the very start of the text */
	SCORE_FOLLOWS = 8,
	SCORE_LAST_PART = 3, /* after the last slash */
	WORST_GAP = 6
};

static unsigned char fuzzy_lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

void fuzzy_init(struct fuzzy *f, struct sv query)
{
	*f = (struct fuzzy){0};
	for (size_t i = 0; i < query.len && f->len < FUZZY_QUERY; i++) {
		if (query.at[i] != ' ')
			f->text[f->len++] = (char)fuzzy_lower(query.at[i]);
	}
	f->letters = fuzzy_letters((struct sv){f->text, f->len});
}

static uint64_t letter_bit(unsigned char c)
{
	if (c >= 'a' && c <= 'z')
		return (uint64_t)1 << (c - 'a');
	if (c >= '0' && c <= '9')
		return (uint64_t)1 << (26 + c - '0');
	return (uint64_t)1 << (36 + c % 28);
}

static struct sv fuzzy_tail(struct sv text)
{
	return text.len > FUZZY_LONGEST ? sv_skip(text, text.len - FUZZY_LONGEST) : text;
}

uint64_t fuzzy_letters(struct sv text)
{
	uint64_t letters = 0;

	text = fuzzy_tail(text);
	for (size_t i = 0; i < text.len; i++)
		letters |= letter_bit(fuzzy_lower(text.at[i]));
	return letters;
}

static bool is_word_start(struct sv text, size_t i)
{
	char before, here = text.at[i];

	if (i == 0)
		return true;
	before = text.at[i - 1];
	if (strchr("/._:- ()[]", before) && before)
		return true;
	if (here >= 'A' && here <= 'Z')
		return before >= 'a' && before <= 'z';
	return here >= '0' && here <= '9' && !(before >= '0' && before <= '9');
}

/*
 * The match that ends last and is tightest from there backwards: names are paths, and people
 * type the end of them.
 */
static bool fuzzy_place(const struct fuzzy *f, struct sv text, size_t places[FUZZY_QUERY])
{
	size_t left = f->len;

	for (size_t i = text.len; left && i-- > 0;) {
		if (fuzzy_lower(text.at[i]) == (unsigned char)f->text[left - 1])
			places[--left] = i;
	}
	return left == 0;
}

/* Moves letters forward to a word's start, or next to the letter before. */
static void fuzzy_tighten(const struct fuzzy *f, struct sv text, size_t places[FUZZY_QUERY])
{
	for (size_t k = 1; k < f->len; k++) {
		size_t follow = places[k - 1] + 1;

		if (follow < places[k] && !is_word_start(text, places[k]) &&
		    fuzzy_lower(text.at[follow]) == (unsigned char)f->text[k])
			places[k] = follow;
	}
}

static int score_of(const struct fuzzy *f, struct sv text, const size_t places[FUZZY_QUERY])
{
	size_t slash = sv_through_last(text, '/').len;
	int score = 0;

	for (size_t k = 0; k < f->len; k++) {
		size_t gap = k ? places[k] - places[k - 1] - 1 : 0;

		score += SCORE_LETTER;
		if (is_word_start(text, places[k]))
			score += SCORE_WORD_START;
		if (places[k] == 0)
			score += SCORE_FIRST;
		if (k && gap == 0)
			score += SCORE_FOLLOWS;
		if (places[k] >= slash)
			score += SCORE_LAST_PART;
		score -= gap < WORST_GAP ? (int)gap : WORST_GAP;
	}
	return score;
}

bool fuzzy_match(const struct fuzzy *f, struct sv text, int *out_score)
{
	size_t places[FUZZY_QUERY];

	text = fuzzy_tail(text);
	if (!fuzzy_place(f, text, places))
		return false;
	fuzzy_tighten(f, text, places);
	*out_score = score_of(f, text, places);
	/* Of equal scores, the shorter text wins. */
	*out_score = *out_score * 512 - (int)text.len;
	return true;
}

bool fuzzy_places(const struct fuzzy *f, struct sv text, size_t places[FUZZY_QUERY])
{
	struct sv end = fuzzy_tail(text);

	if (!fuzzy_place(f, end, places))
		return false;
	fuzzy_tighten(f, end, places);
	for (size_t k = 0; k < f->len; k++)
		places[k] += text.len - end.len;
	return true;
}
