/*
 * From changes to bytes: what a save has to splice, and the save.
 */
#ifndef EDIT_WRITE_H
#define EDIT_WRITE_H

#include "edit/document.h"
#include "wire/save.h"
#include "wire/save_options.h"

/*
 * The difference between the file and the model.  A thing that was changed back does not
 * count, so a document undone to the start gives no splice at all.
 */
bool write_patch(struct patch *p, const struct document *d, struct err *err) MUST_USE;
bool document_save(struct document *d, const char *target, const struct save_options *options,
		   struct save_report *report, struct err *err) MUST_USE;

#endif
