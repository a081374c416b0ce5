/*
 * Saving: copies the file with some spans replaced, never partially.
 *
 * The new file is written beside its target under a temporary name, flushed to the disk
 * and renamed over it; a symbolic link stays one.  After a failure or a cancel the target
 * is unchanged and no temporary file remains; the next save to that target removes those
 * of a killed process.
 */
#ifndef WIRE_SAVE_H
#define WIRE_SAVE_H

#include "base/err.h"
#include "base/str.h"
#include "wire/patch.h"
#include "wire/save_options.h"
#include "wire/wire.h"

/* Notes for the user, one per line. */
struct save_report {
	struct str notes;
};

/*
 * Writes the patched model to `target` ("-" is standard output) and finishes the patch.
 * Copies external data if the target is in another folder.
 */
bool wire_save(struct wire *w, struct patch *patch, const char *target,
	       const struct save_options *options, struct save_report *report,
	       struct err *err) MUST_USE;
/* Writes the patched model to an open file, and nothing else. */
bool wire_write(struct wire *w, struct patch *patch, int fd, const struct save_options *options,
		struct err *err) MUST_USE;
void save_report_release(struct save_report *report);

#endif
