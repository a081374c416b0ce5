/*
 * Inferred types as text, in the words of type_print: `float32 [batch, 3]`.
 *
 * A pen receives the pieces in order, so that dims can be coloured or become pieces of a row;
 * the printer of plain text is one of them.
 */
#ifndef INFER_TEXT_H
#define INFER_TEXT_H

#include "base/str.h"
#include "base/sv.h"
#include "ops/info.h"
#include "sym/sym.h"

enum info_part {
	INFO_SHAPE,      /* `[batch, 3]`, `[?]`; of another kind than a tensor its name */
	INFO_TYPE,       /* `float32 [batch, 3]`, `sequence of float32 [?]` */
	INFO_SHORT_TYPE, /* `f32 [batch, 3]` */
	INFO_PART_COUNT
};

struct info_pen {
	/* A word or a sign; not `known` where it says that nothing is. */
	void (*text)(void *context, struct sv text, bool known);
	/* False when there is no room: the rest is `…`. */
	bool (*dim)(void *context, struct sym dim, uint32_t axis);
	void *context;
};

void info_walk(const struct info *info, enum info_part part, const struct info_pen *pen);
/* Only the dims and the commas. */
void dims_walk(const struct sym *dims, uint32_t count, const struct info_pen *pen);
/* The pieces of a printed dim: each name with its symbol, the rest with NULL. */
typedef void dim_piece(void *context, struct sv text, const uint32_t *symbol);
/* The same with the text of an expression, or a part of it between names. */
void text_walk(const struct sym_pool *p, struct sv text, dim_piece *piece, void *context);
/* The same with a condition: "past + seq <= 512", "n = 1 or 12", "H a multiple of 4". */
void condition_walk(const struct sym_pool *p, struct sv text, dim_piece *piece, void *context);
void dim_walk(const struct sym_pool *p, struct sym dim, dim_piece *piece, void *context);

/* As plain text, with names as shown. */
void info_print(struct str *out, const struct sym_pool *p, const struct info *info,
		enum info_part part);
void dims_print(struct str *out, const struct sym_pool *p, const struct sym *dims, uint32_t count);

#endif
