/*
 * Short names for long expressions that are often in shapes: H₃ for floor((H + 24)/28).
 *
 * For the eye only: files, JSON and the command line have expressions.  Rounded quotients,
 * maxima and the like are named, not sums and products of them: `[N*H₃*W₃, 7*H₃]` shows what it
 * is made of.  A name is made of the symbol's and a number, and never equals a name of the model.
 * It belongs to the expression for as long as somebody looks at the model, also through renames
 * and undo; expressions are known by the hues of their symbols.
 */
#ifndef INFER_NICKNAMES_H
#define INFER_NICKNAMES_H

#include "base/err.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/hues.h"
#include "infer/infer.h"
#include "infer/past.h"
#include "infer/text.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	NICKNAME_SYMBOLS = 2 /* in whose colours it is shown */
};

struct nickname {
	struct sym of;
	struct str text;       /* H₃ */
	struct str plain;      /* H.3 */
	uint64_t uses;         /* dims that contain it */
	bool given;            /* by the user */
	uint32_t symbol_count; /* up to NICKNAME_SYMBOLS */
	uint32_t symbols[NICKNAME_SYMBOLS];
	size_t ends[NICKNAME_SYMBOLS]; /* in both texts: where the part of a symbol ends */
};

/* All-zero is empty, and names nothing before nicknames_renew. */
struct nicknames {
	bool off;
	bool ascii;
	struct sym_aliases spoken; /* its names, for sentences */
	VEC(struct nickname) at;   /* in order of appearance */
	struct map by_sym;         /* expression -> index, plus 1 */
	/* ---- kept ---- */
	struct intern keys;    /* of expressions, see hues */
	VEC(uint32_t) numbers; /* by key; 0 for none */
	struct intern bases;
	VEC(uint32_t) last;      /* by base: the last number */
	struct intern given;     /* names of the user */
	VEC(uint32_t) given_key; /* by such a name; 0 when it was taken back */
};

/* Counts anew.  `before`: the shapes before a preview, whose names stay, or NULL. */
void nicknames_renew(struct nicknames *n, struct hues *h, const struct infer *in,
		     const struct past *before);
/* From now on, or no longer, sym_say has the names. */
void nicknames_speak(const struct nicknames *n, struct sym_pool *p, bool on);
/* Names an expression, which may contain short names; an empty text takes the name back. */
bool nicknames_give(struct nicknames *n, struct hues *h, struct infer *in, struct sv name,
		    struct sv text, struct err *err) MUST_USE;
/* Its index plus 1; 0 for none. */
uint32_t nicknames_find(const struct nicknames *n, struct sym expression);
struct sv nickname_text(const struct nicknames *n, const struct nickname *name);
void nicknames_release(struct nicknames *n);

/* As dim_walk, with short names, each in parts by symbol; `except` is an index plus 1, or 0. */
void nicknames_walk(const struct nicknames *n, const struct sym_pool *p, struct sym dim,
		    uint32_t except, dim_piece *piece, void *context);
/* Which names nicknames_walk would use: sets those of `used`, one for each name. */
void nicknames_mark(const struct nicknames *n, const struct sym_pool *p, struct sym dim,
		    uint32_t except, bool *used);
void nicknames_print(const struct nicknames *n, const struct sym_pool *p, struct sym dim,
		     struct str *out);

#endif
