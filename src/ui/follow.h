/*
 * Following a symbol: what carries it is bright, the rest is faded, and its uses are a list.
 *
 * A value carries a symbol that is in one of its dims.  Uses are where that begins, changes and
 * ends; nodes that pass dims on unchanged are one row, which can be unfolded.  Each dim is counted
 * at one place, so that the rows add up to the uses that are told of the symbol.  The symbol is
 * known by its hue, so that renaming does not end it; where it is fixed, nothing is faded until it
 * is back.
 */
#ifndef UI_FOLLOW_H
#define UI_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "infer/hues.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "sym/sym.h"

enum follow_kind {
	FOLLOW_BORN,    /* an input of the model has it */
	FOLLOW_MADE,    /* a node makes it of data */
	FOLLOW_CHANGED, /* a dim is computed from one that has it */
	FOLLOW_KEPT,    /* what passes it on: a node, or an input of a body */
	FOLLOW_LOST,    /* no output of the node has it */
	FOLLOW_OUT,     /* an output of the model has it */
	FOLLOW_KIND_COUNT
};

struct follow_use {
	enum follow_kind kind;
	uint32_t node; /* 0: the value is an input or output */
	uint32_t value;
	struct sym before, after; /* unknown for none */
	uint64_t dims;            /* that have it, of the tensors which are made here */
	uint32_t count;           /* places that the row stands for: it is folded if above 1 */
};

/* All-zero follows nothing. */
struct follow {
	bool on;
	bool lit; /* something carries it */
	uint32_t hue;
	uint32_t symbol;
	VEC(uint32_t) values;        /* by value: its dims that have it */
	VEC(struct follow_use) all;  /* each dim belongs to one of them */
	VEC(struct follow_use) uses; /* the rows: of those that pass it on, one for all in a row */
	struct map opened;           /* rows that are unfolded, by their first place */
	uint64_t dims;               /* of all: the uses of the symbol */
	size_t at;                   /* the row that was gone to last */
};

void follow_start(struct follow *f, struct hues *h, const struct infer *in, uint32_t symbol);
/* The subject changed. */
void follow_renew(struct follow *f, struct hues *h, const struct infer *in);
void follow_end(struct follow *f);
/*
 * A dim can be made of several symbols: the one after that which is followed now, or the first.
 * False after the last one.
 */
bool follow_next(const struct follow *f, const struct infer *in, struct sym dim, uint32_t *out);
/* Unfolds a row; false if it is one place. */
bool follow_open(struct follow *f, size_t row);
/* The number of a row among those that are one place, from 1, and of these; 0 for a folded one. */
size_t follow_place(const struct follow *f, size_t row, size_t *out_of);
bool follow_has(const struct follow *f, uint32_t value);
/* Does an input or output of the node carry it? */
bool follow_has_node(const struct follow *f, const struct model *m, uint32_t node);
void follow_release(struct follow *f);

#endif
