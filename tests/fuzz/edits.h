/*
 * Lines of edits on a model, and the invariants of editing: an action can be undone and
 * redone, undone to the start there is nothing to save, a saved file opens again with the
 * same inference, and inference equals that of a first run.
 */
#ifndef TESTS_FUZZ_EDITS_H
#define TESTS_FUZZ_EDITS_H

#include "base/str.h"

struct document;

/* Aborts when an invariant is broken.  Ignores bytes that are not a model. */
void edits_try(const void *model, size_t size, struct sv lines);
/* What a save of the document would write; `source` is the opened file. */
void edits_saved(const struct document *d, struct sv source, struct str *out);

#endif
