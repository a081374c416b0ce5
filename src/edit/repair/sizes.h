/*
 * One change of a site in the making, and the lists of sizes it reads and writes.
 */
#ifndef EDIT_REPAIR_SIZES_H
#define EDIT_REPAIR_SIZES_H

#include "edit/repair/site.h"

enum {
	SIZES_MAX = 64
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

/* The kinds of sites that have a file of their own. */
bool change_reshape(struct edit_site *s, unsigned variant);
bool change_weight(struct edit_site *s, unsigned variant);

#endif
