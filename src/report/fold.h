/*
 * Like-named rows of a list, said as one.
 *
 *   past_key_values.0…31.{key,value}  float16 [batch, 8, past, 128]  ×64
 *
 * Rows belong together that are the same in all they show but for one number of their name, and
 * perhaps one word of it.  The number counts up by one, and from each to the next it is the same
 * number of rows: as keys alternate with values.  Names of nodes and tensors may count along,
 * also in conditions: `by Concat /b.0…31/Concat_{3,4}`.  Where no rows fold so, the name of a node
 * may be any: `by Concat node_cat…`.  Amounts may differ: `29…579 axes`.  Sizes, types and all
 * other words must be equal.  Fewer than four rows are read as fast one by one, and are not folded;
 * nor is anything in JSON.
 */
#ifndef REPORT_FOLD_H
#define REPORT_FOLD_H

#include "base/str.h"
#include "base/vec.h"
#include "report/record.h"

enum fold_token_kind {
	FOLD_FIXED,
	FOLD_NUMBER, /* of a name */
	FOLD_WORD,   /* of the name of the row */
	FOLD_AMOUNT, /* a number that may be any */
	FOLD_OTHER,  /* the name of a node, which may be any */
	FOLD_TOKEN_KIND_COUNT
};

/* A part of the text of a cell. */
struct fold_token {
	enum fold_token_kind kind;
	uint32_t cell; /* among the shown ones */
	uint32_t at, len;
	uint32_t number; /* its value */
	bool in_name;    /* of the name of the row; else of a node or tensor elsewhere */
};

struct fold_row {
	uint32_t first, count; /* tokens */
	uint64_t hash;         /* of what is not a number */
	uint64_t bare;         /* nor a word of the name */
	uint32_t group;        /* plus 1; 0 for none */
};

/* Rows whose names count up, and other such groups that differ in a word. */
struct fold_group {
	uint32_t first, last; /* rows */
	uint32_t count;
	uint32_t step;  /* rows from one to the next; 0 for a single one */
	uint32_t token; /* of a row: the number that counts */
	uint32_t flags; /* in the list of flags: what each token may be */
	uint32_t words; /* group of the next word, plus 1; 0 for none */
	uint32_t word;  /* of a row: the token that differs in them, plus 1; 0 for none */
	uint32_t head;  /* group of the first word */
	uint32_t next;  /* group with the same hash, plus 1 */
	uint32_t rows;  /* of all words; 0: it is no fold */
};

/* All-zero is empty. */
struct fold {
	VEC(struct fold_row) rows;
	VEC(struct fold_row) loose; /* the same rows, in which names of nodes may be any */
	VEC(struct fold_token) tokens;
	VEC(struct fold_group) groups;
	VEC(uint8_t) flags;
	struct str text;
};

/* Adds the next row of the list; it is made with FACE_SHOWN. */
void fold_add(struct fold *f, const struct record *r);
/* Once all are there. */
void fold_find(struct fold *f);
/* How many rows are said by this one: 0 when an earlier one says it. */
size_t fold_says(const struct fold *f, size_t row);
/* The row that says this one: itself, or an earlier one. */
size_t fold_said_by(const struct fold *f, size_t row);
/* Makes the record of a row that says several say so; their number goes to the end of `column`. */
void fold_record(const struct fold *f, size_t row, struct record *r, uint32_t column);
void fold_release(struct fold *f);

#endif
