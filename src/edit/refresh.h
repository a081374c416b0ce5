/*
 * Keeps claims in line with the inference.
 *
 * Inferred dims are remembered before an edit; after it, every claimed dim whose
 * inferred dim changed is rewritten, if declared symbols can express it.  Where
 * inference has only a generated symbol, or nothing, the old text stays.  A claim of another
 * rank than the graph gives is rewritten as a whole, if the edit changed what the graph gives.
 */
#ifndef EDIT_REFRESH_H
#define EDIT_REFRESH_H

#include "base/map.h"
#include "base/vec.h"
#include "edit/change.h"
#include "edit/document.h"
#include "ir/type.h"
#include "sym/sym.h"

/* The dims of all claims but the main inputs', in walking order. */
struct remembered {
	VEC(struct sym) dims;
	struct map at; /* claim -> index of its first dim, plus 1 */
	/* Of claims that had another rank already: what the graph gave. */
	struct map ranks; /* claim -> index of its first dim in `inferred`, plus 1 */
	VEC(struct sym) inferred;
};

void refresh_remember(struct remembered *r, const struct document *d);
/* `exempt`: dims (their addresses) that the user set. */
void refresh_claims(struct document *d, const struct remembered *was, const struct map *exempt,
		    struct change_log *log);
void refresh_write_all(struct document *d, const struct map *exempt, struct change_log *log);
void refresh_strip(struct document *d, struct change_log *log);
void remembered_release(struct remembered *r);
/* A dim as written to the file; false when declared symbols cannot express it. */
bool refresh_dim(struct document *d, struct sym s, struct dim *out) MUST_USE;

#endif
