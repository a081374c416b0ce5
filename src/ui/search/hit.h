/*
 * What a search finds.
 *
 * A word finds what is called by it, not all that is inside: the block `attn` is one hit, and its
 * nodes, which have `attn` in their paths, are none.  Hits are walked in the order in which the
 * graph runs; tensors only if no box has the word, and weights only if no tensor has it either.
 */
#ifndef UI_SEARCH_HIT_H
#define UI_SEARCH_HIT_H

#include <stdint.h>

enum hit_kind {
#define HIT(id, ...) HIT_##id,
#include "ui/search/hits.def"
#undef HIT
	HIT_KIND_COUNT
};

/* The lowest one that has hits is walked. */
enum hit_rank {
	HIT_IS_BOX,
	HIT_FLOWS,
	HIT_IS_FIXED,
	HIT_RANK_COUNT
};

struct hit_row {
	const char *one, *many;
	const char *filter; /* finds only these */
	enum hit_rank rank;
};

struct hit {
	enum hit_kind kind;
	uint32_t node;  /* what shows it; of a block, its first; 0 for an input or output */
	uint32_t scope; /* of a block */
	uint32_t value; /* 0 for a block and a node */
	uint64_t at;    /* its place in the order of reading */
};

const struct hit_row *hit_row(enum hit_kind kind);

#endif
