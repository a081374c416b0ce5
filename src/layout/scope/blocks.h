/*
 * Inside the folder: the nodes that no name puts into a scope, in the order of the dataflow, and
 * where that order may be cut.
 */
#ifndef LAYOUT_SCOPE_BLOCKS_H
#define LAYOUT_SCOPE_BLOCKS_H

#include "base/str.h"
#include "layout/scope/internal.h"

/* A run of the sequence. */
struct block {
	uint32_t first, end;
	uint32_t parent; /* block; 0 is everything */
	uint64_t sign;   /* of the marks in it */
	bool resizes;    /* its result has another resolution than what it reads */
	bool divided;    /* it was made of others */
};

struct blocks {
	struct block *at; /* owned */
	size_t len, cap;
};

struct block_list {
	uint32_t *at; /* owned */
	size_t len, cap;
};

/* Of shape arithmetic only the result is in it, of a fan the first; constants are not. */
struct sequence {
	struct folding *f; /* borrowed */
	uint32_t count;
	uint32_t *index;  /* owned; node indices */
	uint32_t *at;     /* owned; by node index: position in the sequence, plus 1 */
	uint32_t *across; /* owned; tensors from before a position to it or beyond */
	uint32_t *nodes;  /* owned; that stand there: more than one of a fan */
	uint8_t *traits;  /* owned; enum block_trait */
	uint64_t *mark;   /* owned; equal for equal operators with equal attributes */
};

enum block_trait {
	BLOCK_LEADS = 1 << 0,    /* a convolution, a product, pooling: a step of its own */
	BLOCK_ASIDE = 1 << 1,    /* shape arithmetic: goes with what follows */
	BLOCK_PREPARES = 1 << 2, /* a reshape, say: goes with what follows, too */
	BLOCK_BEGINS = 1 << 4,   /* before it are nodes in scopes */
	BLOCK_RESIZES = 1 << 3,  /* has an output of another resolution */
};

void sequence_make(struct sequence *q, struct folding *f);
void sequence_release(struct sequence *q);
/* Cuts where the fewest tensors cross; steps without a convolution, product … join those before. */
void sequence_cut(const struct sequence *q, uint32_t first, uint32_t end, struct blocks *out);
uint64_t sequence_sign(const struct sequence *q, uint32_t first, uint32_t end);
/* Makes a scope of a block, unless it is a single node; its parent's then. */
uint32_t sequence_scope(const struct sequence *q, const struct block *b, uint32_t parent);
/* "Conv·Sigmoid·Mul", or "Conv ×3, Relu ×3, Add": of the operators of a block. */
void block_name(struct str *out, const struct sequence *q, const struct block *b);

#endif
