/*
 * One line that is typed: with a cursor, a history, and completion by Tab.
 */
#ifndef UI_PROMPT_H
#define UI_PROMPT_H

#include "base/str.h"
#include "base/vec.h"

struct completions {
	VEC(struct str)
	at;          /* owned: whole words that fit */
	size_t from; /* where in the text the word starts that they replace */
};

struct prompt {
	bool open;
	char kind;        /* ':' a line, '/' a search, 'e' an edit, '=' a size, '?' a question */
	struct str label; /* before the text */
	struct str text;
	size_t cursor;   /* byte in the text */
	bool bad;        /* what stands there is wrong; `hint` says why */
	struct str hint; /* behind the text */
	size_t typed;    /* changes so far: who wants to follow compares it */
	VEC(struct str)
	history; /* owned; the newest last */
	size_t history_at;
	struct str draft; /* what was typed before history was walked */
	struct completions completions;
	size_t completion_at; /* the one shown, plus 1; 0 for none */
	struct str completed; /* the text before completion */
};

enum prompt_result {
	PROMPT_GOES_ON,
	PROMPT_DONE,
	PROMPT_CANCELLED,
	PROMPT_COMPLETE /* Tab: fill `completions` with prompt_complete */
};

void prompt_open(struct prompt *p, char kind, const char *label, struct sv text);
void prompt_close(struct prompt *p);
void prompt_release(struct prompt *p);
enum prompt_result prompt_key(struct prompt *p, uint32_t key);
/* Starts (or goes on with) a completion; takes the words over. */
void prompt_complete(struct prompt *p, struct completions *words);
/* Remembers the text in the history. */
void prompt_remember(struct prompt *p);
/* Puts `completions` in order and drops what is there twice. */
void completions_sort(struct completions *c);
void completions_add(struct completions *c, struct sv word, struct sv prefix);
void completions_release(struct completions *c);

#endif
