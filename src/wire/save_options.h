/*
 * How a save is to go, and its steps: what writes the model and what copies its external data
 * both ask before each step whether to go on.
 */
#ifndef WIRE_SAVE_OPTIONS_H
#define WIRE_SAVE_OPTIONS_H

#include "base/err.h"

/* Told before every step; false stops the save.  `what` is for people. */
typedef bool save_progress(void *context, const char *what, uint64_t done, uint64_t total);

struct save_options {
	bool force; /* although the source changed, or other data of that name is there */
	save_progress *progress; /* may be NULL */
	void *context;           /* borrowed */
};

/* One step of a save: asks whether to go on. */
bool save_step(const struct save_options *options, const char *what, uint64_t done, uint64_t total,
	       struct err *err) MUST_USE;

#endif
