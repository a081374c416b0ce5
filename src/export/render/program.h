/*
 * Programs that draw: dot of Graphviz, rsvg-convert of librsvg.  Their input is untrusted and some
 * layouts never end, so they are limited in time and memory, and end with this process.
 */
#ifndef EXPORT_RENDER_PROGRAM_H
#define EXPORT_RENDER_PROGRAM_H

#include <stdio.h>

#include "base/err.h"

enum program_end {
	PROGRAM_DONE,
	PROGRAM_MISSING, /* not in PATH */
	PROGRAM_LATE,
	PROGRAM_DIED, /* by a signal, or it was not started: the error says how */
	PROGRAM_FAILED,
	PROGRAM_END_COUNT
};

/* From the beginning of one file to the end of another; what it says is dropped. */
enum program_end program_run(const char *const *words, FILE *in, FILE *out, unsigned seconds,
			     struct err *err) MUST_USE;

#endif
