/*
 * A site, a change of it in progress, and the lists of sizes it reads and writes.
 */
#ifndef EDIT_REPAIR_SIZES_H
#define EDIT_REPAIR_SIZES_H

#include "edit/change.h"
#include "edit/document.h"
#include "edit/repair/emit.h"
#include "edit/repair/old_sizes.h"
#include "sym/sym.h"

enum {
	SIZES_MAX = 64
};

/* A place where an export bakes a size in. */
struct site {
	uint32_t node;     /* that has the constant; for a weight, its reader */
	uint32_t port;     /* of a weight: the reader's input */
	uint32_t axis;     /* of the node's output; of a weight: the weight's */
	bool weight;       /* a constant tensor with the size in its own shape */
	bool may_cut;      /* of a weight: may be cut to a smaller size */
	struct sym wanted; /* what the size should be, if known */
	int64_t baked;     /* what it is */
};

struct edit_site {
	struct document *document;   /* borrowed */
	const struct old_sizes *old; /* borrowed */
	const struct site *site;     /* borrowed */
	struct change_log *log;      /* borrowed */
	struct emitter emitter;
	bool none; /* there are no more variants */
};

struct sizes {
	struct sym at[SIZES_MAX];
	uint32_t count;
};

/* The elements of an input; false when they are not known. */
bool sizes_read(const struct edit_site *s, uint32_t port, struct sizes *out);
/*
 * Replaces them: in the constant itself if it has no other reader, else by a new one, or
 * by nodes that compute them if not all are constant.
 */
bool sizes_write(struct edit_site *s, uint32_t port, const struct sizes *list);
void input_replace(struct edit_site *s, uint32_t port, uint32_t value);

bool attr_sizes_read(const struct edit_site *s, const char *name, struct sizes *out);
bool attr_sizes_write(struct edit_site *s, const char *name, const struct sizes *list);

/* The elements of a small integer constant; false if it is not one. */
bool constant_ints(const struct document *d, uint32_t value, int64_t *out, uint32_t max,
		   uint32_t *out_count);
/* Is it a constant of at least `size` positions, the last of them size - 1? */
bool positions_reach(const struct document *d, uint32_t value, int64_t size);

#endif
