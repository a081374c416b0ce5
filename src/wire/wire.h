/*
 * An open model file: where its messages are, the model, and access to its weights.
 *
 * The file stays open as long as the document, because saving copies from it.
 */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "ir/graph.h"
#include "wire/external.h"
#include "wire/hold.h"
#include "wire/scan.h"

struct wire {
	struct file file;
	struct str path;   /* as given */
	struct stat named; /* the file of that name when we last looked */
	struct pieces pieces;
	struct external_files external;
	struct model model;
	bool open;
	struct hold hold; /* once it is done, `file` is a copy */
};

/*
 * A path, or "-" for standard input.  The struct must not move: the model reads its
 * weights through it.
 */
bool wire_open(struct wire *w, const char *path, struct err *err) MUST_USE;
/* A model built into the program, and its display name. */
bool wire_open_memory(struct wire *w, const char *name, const void *bytes, size_t size,
		      struct err *err) MUST_USE;
/* Moves an open file into another struct, which must not move then. */
void wire_move(struct wire *to, struct wire *from);
/*
 * Keeps the bytes that were opened, so that they can be saved although the file is written over:
 * see hold.h.  Works for at most that long, and goes on with the next call.
 */
void wire_hold(struct wire *w, int max_ms);
/* Is there more to do? */
bool wire_is_holding(const struct wire *w);
/* Has another file got the model's name since we last looked? */
bool wire_was_replaced(const struct wire *w);
/* The model was saved under that name, and has it from now on. */
void wire_rename(struct wire *w, const char *path);
void wire_release(struct wire *w);

#endif
