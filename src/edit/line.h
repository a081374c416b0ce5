/*
 * Edits as lines of text, above everything that edits: the first word says who reads the
 * others.
 */
#ifndef EDIT_LINE_H
#define EDIT_LINE_H

#include "base/err.h"
#include "base/sv.h"
#include "edit/document.h"

/* Runs one line: `set …`, `repair …`. */
bool document_run(struct document *d, struct sv line, struct err *err) MUST_USE;
/*
 * Does a line for the eye only: no journal, no history, and what was undone stays so.
 * Whatever is done next must begin with document_end_preview, which leaves no trace.
 */
bool document_preview(struct document *d, struct sv line, struct err *err) MUST_USE;

#endif
