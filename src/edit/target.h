/*
 * What an edit such as `x:0=batch` is about: the part before the equals sign.
 */
#ifndef EDIT_TARGET_H
#define EDIT_TARGET_H

#include "base/err.h"
#include "base/sv.h"
#include "edit/pattern.h"
#include "ir/graph.h"

/* Axes, or a symbol. */
struct target {
	struct places axes;
	uint32_t symbol;  /* if there are no axes */
	struct sv wanted; /* the part after the equals sign; a view of the edit */
};

/*
 * Names may contain equals signs: splits at the last one that follows a known name.  A name may
 * be in back-quotes.  What is not a name is tried as a pattern.
 */
bool target_find(const struct model *m, struct sv edit, struct target *out,
		 struct err *err) MUST_USE;
void target_release(struct target *t);

#endif
