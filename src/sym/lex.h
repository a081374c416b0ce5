/*
 * Inside the room: the tokens of an expression's text.
 */
#ifndef SYM_LEX_H
#define SYM_LEX_H

#include "base/str.h"
#include "base/sv.h"

enum sym_word {
	WORD_END,
	WORD_BAD,
	WORD_NUMBER,
	WORD_DECIMAL, /* 0.5, 1e9 */
	WORD_NAME,
	WORD_QUOTED,  /* `my axis` */
	WORD_UNNAMED, /* ?7 */
	WORD_UNKNOWN, /* ? */
	WORD_ADD,
	WORD_SUB,
	WORD_MUL,
	WORD_POWER,
	WORD_DIV,
	WORD_FLOOR_DIV,
	WORD_MOD,
	WORD_OPEN,
	WORD_CLOSE,
	WORD_COMMA,
	WORD_EQ,
	WORD_NE,
	WORD_LE,
	WORD_LT,
	WORD_GE,
	WORD_GT,
	WORD_COUNT
};

struct sym_token {
	enum sym_word word;
	size_t at; /* offset of its first byte; the next one is searched from its end */
	struct sv text;
};

/* The token at or after `at`. */
struct sym_token sym_lex(struct sv text, size_t at);
/* The name of a NAME or QUOTED token. */
struct sv sym_token_name(struct sym_token token, struct str *scratch);
/* Appends the name, back-quoted where an expression needs it. */
void sym_quote_name(struct sv name, struct str *out);

#endif
