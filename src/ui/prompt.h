/*
 * An input line with a cursor, a history, and completion by Tab.
 */
#ifndef UI_PROMPT_H
#define UI_PROMPT_H

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"

struct completion {
	struct str word;  /* owned */
	const char *help; /* borrowed: static; or NULL */
};

struct completions {
	VEC(struct completion) at; /* whole words that match */
	size_t from;               /* byte where the completed word starts */
};

struct prompt {
	bool open;
	char kind;        /* ':' a command, '/' a search, 'e' an edit, '=' a size, '?' a question */
	struct str label; /* before the text */
	struct str text;
	size_t cursor;           /* byte in the text */
	bool is_field;           /* one value: no history, and an empty text is one too */
	bool selected;           /* all of it: what is typed replaces it */
	bool bad;                /* the text is invalid; `why` says why */
	struct str hint;         /* after the text */
	struct str why;          /* below it: what is wrong */
	struct str offer;        /* after that: the key which does it all the same */
	size_t typed;            /* number of changes, for those who follow them */
	VEC(struct str) history; /* owned; newest last */
	size_t history_at;
	struct str draft; /* the text before browsing the history */
	struct completions completions;
	size_t completion_at; /* of the shown one, plus 1; 0 for none */
	struct str completed; /* the text before completion */
};

enum prompt_result {
	PROMPT_GOES_ON,
	PROMPT_DONE,
	PROMPT_CANCELLED,
	PROMPT_COMPLETE, /* Tab: fill `completions` with prompt_complete */
	PROMPT_BEFORE,   /* of a field: Up, to the value before, */
	PROMPT_AFTER     /* and Down, to the one after */
};

void prompt_open(struct prompt *p, char kind, const char *label, struct sv text);
/* The same for one value, all of it selected; the label stays. */
void prompt_open_field(struct prompt *p, char kind, const char *label, struct sv value);
void prompt_close(struct prompt *p);
void prompt_release(struct prompt *p);
enum prompt_result prompt_key(struct prompt *p, uint32_t key);
/* Starts or continues a completion; takes ownership of the words. */
void prompt_complete(struct prompt *p, struct completions *words);
/* Shows words without taking one; takes ownership of them. */
void prompt_offer(struct prompt *p, struct completions *words);
/* Adds the text to the history. */
void prompt_remember(struct prompt *p);
/* Sorts `completions` and removes duplicates. */
void completions_sort(struct completions *c);
/* Ignores all but the first 500. */
void completions_add(struct completions *c, struct sv word, const char *help);
void completions_release(struct completions *c);

#endif
