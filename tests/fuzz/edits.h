/*
 * Lines of edits on a model, and the promises of editing: an action can be undone and done
 * again, undone to the start there is nothing to save, what is saved opens again and is
 * inferred as it was, and inference is what a first run gives.
 */
#ifndef TESTS_FUZZ_EDITS_H
#define TESTS_FUZZ_EDITS_H

#include "base/str.h"

struct document;

/* Ends the program when a promise is broken.  Bytes that are no model are none of ours. */
void edits_try(const void *model, size_t size, struct sv lines);
/* What a save of the document would write; the source is what was opened. */
void edits_saved(const struct document *d, struct sv source, struct str *out);

#endif
