/*
 * A model file, open: its messages' places, the model, and the way to its weights.
 *
 * The file stays open for as long as the document does: it is what saving copies from.
 */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include "ir/graph.h"
#include "wire/external.h"
#include "wire/scan.h"

struct wire {
	struct file file;
	struct str path;   /* as it was given */
	struct stat named; /* what had that name when we last looked */
	struct pieces pieces;
	struct external_files external;
	struct model model;
	bool open;
};

/*
 * A path, or "-" for standard input.  The struct must stay where it is: the model
 * reads its weights through it.
 */
bool wire_open(struct wire *w, const char *path, struct err *err) MUST_USE;
/* A model built into the program, under a name to show. */
bool wire_open_memory(struct wire *w, const char *name, const void *bytes, size_t size,
		      struct err *err) MUST_USE;
void wire_release(struct wire *w);

#endif
