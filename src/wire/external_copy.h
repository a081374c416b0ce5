/*
 * External data that is copied when a model is saved into another folder.
 *
 * Each file is cloned if the file system can, else copied; never rewritten, and never
 * hard-linked: onnx refuses data that has a second name.  Data that is missing or has an
 * unsafe path causes a note.  A different file of that name in the new folder is refused
 * unless forced.
 */
#ifndef WIRE_EXTERNAL_COPY_H
#define WIRE_EXTERNAL_COPY_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "wire/destination.h"
#include "wire/save_options.h"
#include "wire/wire.h"

/* Something created in the new folder, by its path from there. */
struct carried {
	const char *path; /* in the carry's arena */
	bool folder;
};

struct carry {
	int folder; /* where the model goes; borrowed */
	struct arena arena;
	VEC(struct carried) made;
};

/* `edited`: the model's bytes will move.  On failure there is nothing to undo. */
bool carry_external(struct carry *c, struct wire *w, const struct destination *target, bool edited,
		    const struct save_options *options, struct str *notes,
		    struct err *err) MUST_USE;
/* Removes what was created, because saving the model failed. */
void carry_undo(struct carry *c);
void carry_release(struct carry *c);

#endif
