/*
 * A path that is going to be written, and the guard that every such path passes.
 *
 * Links are followed once, to a folder and a name in it; from then on only these two are used,
 * so that the model and its data cannot end up in different folders.
 *
 * What is there already is replaced by a file of its own kind only: never a model by a text, nor
 * the source's external data by anything.  A model replaces a file that is none, is read-only or
 * another user's only if forced.  The new file is never open to more people than the source is.
 */
#ifndef WIRE_DESTINATION_H
#define WIRE_DESTINATION_H

#include <sys/stat.h>

#include "base/err.h"
#include "base/str.h"
#include "wire/wire.h"

enum destination_kind {
	DESTINATION_TEXT, /* recipes, pictures, pages, dumps of the screen */
	DESTINATION_DATA, /* external data that goes with a model */
	DESTINATION_MODEL,
};

struct destination_rules {
	enum destination_kind kind;
	bool force;          /* replaces what is no model, read-only or another user's */
	bool fresh;          /* replaces no file but the source itself */
	struct wire *source; /* borrowed; the model that it is made from, NULL for none */
};

struct destination {
	int folder;      /* owned */
	struct str name; /* in the folder */
	bool exists;
	struct stat old; /* the file that is replaced, if there is one */
	mode_t mode;     /* the new file's permissions at most */
};

/* Errors do not name the path. */
bool destination_resolve(struct destination *t, const char *path,
			 const struct destination_rules *rules, struct err *err) MUST_USE;
/* A name in an open folder, which is no link. */
bool destination_in(struct destination *t, int folder, const char *name,
		    const struct destination_rules *rules, struct err *err) MUST_USE;
void destination_release(struct destination *t);

/* Do the two paths lead to one file, or would they?  False when that cannot be told. */
bool destination_same(const char *a, const char *b);

#endif
