/*
 * A number for each symbol, which pictures, pages, texts and the screen turn into its colour.
 *
 * It stays the same for as long as somebody looks at a model: a symbol is known by its name, and
 * one that is new at an input axis takes over from the one that was there and is gone, which is
 * what renaming does.  So colours move neither when another symbol is fixed nor on undo.
 * Symbols of inputs count from 1 upwards, all others from the last one down.
 */
#ifndef INFER_HUES_H
#define INFER_HUES_H

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "infer/infer.h"

enum {
	HUES = 10
};

struct hues {
	struct intern names;       /* of symbols */
	struct intern inputs;      /* of the model */
	VEC(uint32_t) by_name;     /* hue of a name, 0 for none */
	struct map places;         /* input << 32 | axis -> the last hue there */
	struct map now;            /* symbol -> hue */
	struct map taken;          /* the hues in it that are of inputs */
	uint32_t declared, others; /* how many there were */
};

/* The symbols may be others now. */
void hues_renew(struct hues *h, const struct infer *in);
/* From 1; hue_colour says which of the colours it is. */
uint32_t hues_find(struct hues *h, const struct infer *in, uint32_t symbol);
/* The symbol that has the hue now; false if none has. */
bool hues_symbol(struct hues *h, const struct infer *in, uint32_t hue, uint32_t *out);
/* From 1 to HUES: in rotation. */
uint32_t hue_colour(uint32_t hue);
void hues_release(struct hues *h);

#endif
