/*
 * Saving: the old file with some spans replaced, never half written.
 *
 * The new file is written beside its target under a temporary name, flushed to the
 * disk and renamed over it; a target that is a symbolic link stays one.  Whatever fails
 * or is cancelled, the target is as it was and nothing is left behind; what a kill leaves
 * is removed by the next save to that target.
 */
#ifndef WIRE_SAVE_H
#define WIRE_SAVE_H

#include "wire/patch.h"
#include "wire/save_options.h"

/* What happened besides: sentences for the user, one a line. */
struct save_report {
	struct str notes;
};

/*
 * Writes the model with its patch to `target` ("-" is standard output).  The patch is
 * finished here.  External data goes along when the target is in another folder.
 */
bool wire_save(struct wire *w, struct patch *patch, const char *target,
	       const struct save_options *options, struct save_report *report,
	       struct err *err) MUST_USE;
void save_report_release(struct save_report *report);

#endif
