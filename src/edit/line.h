/*
 * Edits as lines of text; the first word selects the edit that parses the others.
 */
#ifndef EDIT_LINE_H
#define EDIT_LINE_H

#include "base/err.h"
#include "base/sv.h"
#include "edit/document.h"

/* Runs one line: `set …`, `repair …`. */
bool document_run(struct document *d, struct sv line, struct err *err) MUST_USE;
/* The same with --force, if the edit takes it. */
bool document_force(struct document *d, struct sv line, struct err *err) MUST_USE;
/*
 * Runs a line as a preview: no journal, no history, and undone actions are kept.
 * Call document_end_preview, which leaves no trace, before anything else.
 */
bool document_preview(struct document *d, struct sv line, struct err *err) MUST_USE;
/* What a line that is refused would do with --force; fails if the edit does not take it. */
bool document_preview_refused(struct document *d, struct sv line, struct err *err) MUST_USE;

#endif
