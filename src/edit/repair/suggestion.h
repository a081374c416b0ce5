/*
 * Which axes can be freed together, when one alone cannot.
 */
#ifndef EDIT_REPAIR_SUGGESTION_H
#define EDIT_REPAIR_SUGGESTION_H

#include "base/str.h"
#include "edit/document.h"
#include "edit/repair/repair.h"

/*
 * After a repair that freed nothing, because an axis of another input must be freed too: tries it
 * with that one, and further ones, and keeps the axes in the report if that works.  The document
 * stays as it is.
 */
void repair_suggest(struct document *d, const struct repair_options *options,
		    struct repair_report *report);

/*
 * Does the line, a repair, free all that it asks for?  Else *line becomes the repair with the axes
 * that are needed as well, if that does.  Inside a preview; the document stays as it is.
 */
bool repair_complete(struct document *d, struct str *line);

#endif
