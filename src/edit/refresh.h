/*
 * Claims that follow the inference.
 *
 * What was inferred is remembered before an edit; after it, every claimed dim whose
 * inferred dim is another one now is written anew, as far as it can be said in declared
 * symbols.  Where inference has only a generated symbol, or nothing, the old text stays.
 */
#ifndef EDIT_REFRESH_H
#define EDIT_REFRESH_H

#include "edit/document.h"

/* The dims of all claims but the main inputs', in the order they are walked. */
struct remembered {
	VEC(struct sym)
	dims;
	struct map at; /* claim -> place of its first dim, plus 1 */
};

void refresh_remember(struct remembered *r, const struct document *d);
/* `exempt`: dims (their addresses) that the user set himself. */
void refresh_claims(struct document *d, const struct remembered *was, const struct map *exempt,
		    struct change_log *log);
void refresh_write_all(struct document *d, const struct map *exempt, struct change_log *log);
void refresh_strip(struct document *d, struct change_log *log);
void remembered_release(struct remembered *r);
/* A dim as the file would say it; false when it cannot be said in declared symbols. */
bool refresh_dim(struct document *d, struct sym s, struct dim *out) MUST_USE;

#endif
