/*
 * A dim as the thing that keys act on: where it is edited.
 *
 * Only what an input declares can be set.  A dim further down derives from one, and is edited
 * there; `note` then says so.
 */
#ifndef UI_DIMS_H
#define UI_DIMS_H

#include <stdint.h>

#include "base/str.h"
#include "infer/infer.h"
#include "ir/graph.h"

/* A dim of a value; the value is 0 for none. */
struct dim_at {
	uint32_t value, axis;
};

/*
 * Writes the command that edits a dim, with its declared value: `set input:0=batch`.  False, with
 * a note that says why, if nothing in the file declares it.
 */
bool dim_edit_line(struct infer *in, struct dim_at at, struct str *line, struct str *note);
/* Appends `input:0`, as the command names it. */
void dim_print_place(const struct model *m, struct dim_at at, struct str *out);
/* The declared dim `step` places after this one, over all inputs in their order; false at the end.
 */
bool dim_beside(const struct model *m, struct dim_at at, int step, struct dim_at *out);
/* The text of a declared dim, as it is typed: a number, a name, `?`. */
void dim_declared_text(const struct model *m, struct dim_at at, struct str *out);

#endif
