/*
 * From changes to bytes: what a save has to splice.
 */
#ifndef EDIT_WRITE_H
#define EDIT_WRITE_H

#include "edit/document.h"

/*
 * The difference between the file and the model.  A thing that was changed back does not
 * count, so a document undone to the start gives no splice at all.
 */
bool write_patch(struct patch *p, const struct document *d, struct err *err) MUST_USE;

#endif
