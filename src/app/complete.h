/*
 * Candidates for a word that is being typed, in a shell or on the `:` line.
 *
 * A kind of word is a row of completes.def.  Candidates are whole words that start with what
 * was typed; names with control characters are left out, because neither a shell nor the
 * line can show them.
 */
#ifndef APP_COMPLETE_H
#define APP_COMPLETE_H

#include "base/sv.h"
#include "cmd/args.h"
#include "infer/infer.h"
#include "ir/graph.h"

enum complete_id {
#define COMPLETE(id, words, offers, needs) COMPLETE_##id,
#define CHOICES(id, words, choices)        COMPLETE_##id,
#include "app/completes.def"
#undef COMPLETE
#undef CHOICES
	COMPLETE_COUNT
};

/* Takes a candidate and its help, which may be NULL. */
typedef void take_candidate(void *context, struct sv word, const char *help);

struct completing {
	struct sv head;    /* of the typed word: the part that is kept */
	struct sv prefix;  /* the rest; candidates start with it */
	const char *usage; /* borrowed: of the command or line, such as `in|out [LETTER]` */
	size_t place;      /* of the word in the usage, from 0 */
	const struct grammar *grammar; /* borrowed: its commands are words */
	const char *path;              /* borrowed: the model's file, or a name; NULL for none */
	bool demo;                     /* the built-in model; its path is "demo" */
	const struct model *model;     /* borrowed; NULL to open the path when it is needed */
	const struct infer *infer;     /* borrowed: of the model; NULL to run one when needed */
	take_candidate *take;
	void *context; /* borrowed */
};

void complete_word(const struct completing *c, enum complete_id kind);
/* Are its candidates always the same few? */
bool complete_is_choice(enum complete_id kind);
/* What a usage calls `word`; nothing for an unknown one. */
void complete_named(const struct completing *c, struct sv word);
/* Offers one candidate, for words that have no kind. */
void complete_offer(const struct completing *c, struct sv word, const char *help);
/* Sets *out to complete what follows the last `mark`; false when there is none. */
bool complete_after(const struct completing *c, char mark, struct completing *out);

/* The rows' functions. */
#define COMPLETE(id, words, offers, needs) void complete_##offers(const struct completing *c);
#define CHOICES(id, words, choices)
#include "app/completes.def"
#undef COMPLETE
#undef CHOICES

#endif
