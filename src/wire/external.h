/*
 * External data: files beside the model that hold its weights.
 *
 * They are below the model's folder: no absolute path, no "..", no link that leads out.
 * The last file stays open, because consecutive tensors usually share a file.
 */
#ifndef WIRE_EXTERNAL_H
#define WIRE_EXTERNAL_H

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/sv.h"

struct external_files {
	int folder; /* of the model; -1 when it came from a pipe */
	struct file open;
	struct str location; /* of the open file, or of the one that could not be opened */
	bool asked;
	struct err failure;
};

/* `path` is the model's; NULL or "-" if it has no folder. */
bool external_init(struct external_files *e, const char *path, struct err *err) MUST_USE;
/* Does the location, taken as text, stay below the folder? */
bool external_location_ok(struct sv location, struct err *err) MUST_USE;
/* The file, borrowed until the next call. */
const struct file *external_open(struct external_files *e, struct sv location, struct err *err);
void external_release(struct external_files *e);

#endif
