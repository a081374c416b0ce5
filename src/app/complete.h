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
#define COMPLETE(id, words, offers, needs, choices) COMPLETE_##id,
#include "app/completes.def"
#undef COMPLETE
	COMPLETE_COUNT
};

/* Takes a candidate and its help, which may be NULL. */
typedef void take_candidate(void *context, struct sv word, const char *help);

struct completing {
	struct sv head;                /* of the typed word: the part that is kept */
	struct sv prefix;              /* the rest; candidates start with it */
	struct sv choices;             /* of the usage: `in|out|default` */
	const struct grammar *grammar; /* borrowed: its commands are words */
	const char *path;              /* borrowed: the model's file, or a name; NULL for none */
	bool demo;                     /* the built-in model; its path is "demo" */
	const struct model *model;     /* borrowed; NULL to open the path when it is needed */
	const struct infer *infer;     /* borrowed: of the model; NULL to run one when needed */
	take_candidate *take;
	void *context; /* borrowed */
};

void complete_word(struct completing *c, enum complete_id kind);
/* The kind that a usage calls `word`; COMPLETE_COUNT for none. */
enum complete_id complete_named(struct sv word);
/* Offers one candidate, for words that have no kind. */
void complete_offer(const struct completing *c, struct sv word, const char *help);
/* Keeps everything up to the last `mark`, and offers what may follow; false when there is none. */
bool complete_after(struct completing *c, char mark);

/* The rows' functions; several rows may share one. */
#define COMPLETE(id, words, offers, needs, choices) void complete_##offers(struct completing *c);
#include "app/completes.def"
#undef COMPLETE

#endif
