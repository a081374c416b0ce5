/*
 * A site, one change of it in the making, and the lists of sizes that a change reads and
 * writes.  Every kind of site makes its changes with these.
 */
#ifndef EDIT_REPAIR_SIZES_H
#define EDIT_REPAIR_SIZES_H

#include "edit/repair/emit.h"
#include "edit/repair/old_sizes.h"
#include "ir/graph.h"

enum {
	SIZES_MAX = 64
};

/* A place where an export bakes a size in. */
struct site {
	uint32_t node;     /* whose constant it is; of a weight, the node that reads it */
	uint32_t port;     /* of a weight: where */
	uint32_t axis;     /* of the node's output; of a weight: the weight's */
	bool weight;       /* a constant tensor with the size in its own shape */
	bool may_cut;      /* of a weight: may be cut off to a smaller size */
	struct sym wanted; /* what the size should be; unknown when nobody says */
	int64_t baked;     /* what it is */
};

struct edit_site {
	struct document *document;   /* borrowed */
	const struct old_sizes *old; /* borrowed */
	const struct site *site;     /* borrowed */
	struct change_log *log;      /* borrowed */
	struct emitter emitter;
	bool none; /* there are no further variants */
};

struct sizes {
	struct sym at[SIZES_MAX];
	uint32_t count;
};

/* The numbers in an input, as far as they are known; false when they are not. */
bool sizes_read(const struct edit_site *s, uint32_t port, struct sizes *out);
/*
 * Other numbers: in the constant itself when nobody else needs it, else in a new one; by
 * nodes that compute them when they are not all constant.
 */
bool sizes_write(struct edit_site *s, uint32_t port, const struct sizes *list);
void input_replace(struct edit_site *s, uint32_t port, uint32_t value);

bool attr_sizes_read(const struct edit_site *s, const char *name, struct sizes *out);
bool attr_sizes_write(struct edit_site *s, const char *name, const struct sizes *list);

/* The elements of a small constant of integers; false when it is none. */
bool constant_ints(const struct document *d, uint32_t value, int64_t *out, uint32_t max,
		   uint32_t *out_count);
/* Is it a constant of at least `size` positions, the last of them size - 1? */
bool positions_reach(const struct document *d, uint32_t value, int64_t size);
/* The tensor of an initializer or of a Constant node; 0 for none. */
uint32_t constant_tensor(const struct model *m, uint32_t value);

#endif
