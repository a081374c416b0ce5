/*
 * Writes changes to a file: the patch, and the save.
 */
#ifndef EDIT_WRITE_H
#define EDIT_WRITE_H

#include "base/err.h"
#include "edit/document.h"
#include "wire/patch.h"
#include "wire/save.h"
#include "wire/save_options.h"

/*
 * The difference between the file and the model.  Changes that cancel out do not count,
 * so after undoing everything the patch is empty.
 */
bool write_patch(struct patch *p, const struct document *d, struct err *err) MUST_USE;
/* To an open file; the document is as unsaved as before. */
bool document_write(struct document *d, int fd, const struct save_options *options,
		    struct err *err) MUST_USE;
bool document_save(struct document *d, const char *target, const struct save_options *options,
		   struct save_report *report, struct err *err) MUST_USE;
/* Is that the file that it was opened from, or last saved as? */
bool document_is_at(const struct document *d, const char *target);
/*
 * The same; then that file is the document, with its own journal.  Refused when another axed has
 * it open.
 */
bool document_save_as(struct document *d, const char *target, const struct save_options *options,
		      struct save_report *report, struct err *err) MUST_USE;

#endif
