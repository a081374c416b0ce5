/*
 * Where the journal and the lock of a model are: a folder for all of them, and two names in it.
 */
#ifndef EDIT_JOURNAL_SHELF_H
#define EDIT_JOURNAL_SHELF_H

#include "base/err.h"
#include "base/str.h"
#include "edit/journal/lock.h"

struct shelf {
	int folder;       /* owned */
	struct str place; /* its path */
	struct str model; /* the model's full path */
	struct str journal;
	struct str lock;
	struct lock taken;
};

/*
 * Takes the model of that path.  Fails with ERR_REFUSED when another axed has it, and without
 * `make` when there is no folder yet.
 */
bool shelf_take(struct shelf *s, const char *path, bool make, struct err *err) MUST_USE;
void shelf_release(struct shelf *s);
/* The journal's text; false when there is none, or it cannot be read. */
bool shelf_read(const struct shelf *s, struct str *out, struct err *err) MUST_USE;

#endif
