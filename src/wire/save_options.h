/*
 * Options and steps of a save.  Writing the model and copying its external data both ask
 * before each step whether to go on.
 */
#ifndef WIRE_SAVE_OPTIONS_H
#define WIRE_SAVE_OPTIONS_H

#include <sys/stat.h>

#include "base/err.h"

/* Called before every step; false stops the save.  `what` is for people. */
typedef bool save_progress(void *context, const char *what, uint64_t done, uint64_t total);

/* Called when the new file is complete, just before it gets its name. */
typedef void save_replacing(void *context, const struct stat *file);

struct save_options {
	/*
	 * Even if the source changed, different data has that name, or the file to replace is
	 * no model, read-only or another user's.
	 */
	bool force;
	bool fresh;                /* replaces no file but the source itself */
	save_progress *progress;   /* may be NULL */
	void *context;             /* borrowed */
	save_replacing *replacing; /* may be NULL */
	void *replacing_context;   /* borrowed */
};

/* One step of a save: asks whether to go on. */
bool save_step(const struct save_options *options, const char *what, uint64_t done, uint64_t total,
	       struct err *err) MUST_USE;

#endif
