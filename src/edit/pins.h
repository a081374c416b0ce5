/*
 * Input axes that a finding pins, and what to say when an edit would promise more.
 */
#ifndef EDIT_PINS_H
#define EDIT_PINS_H

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/document.h"
#include "infer/infer.h"
#include "ir/type.h"

/* An axis of a main input. */
struct pin {
	const struct dim *dim; /* borrowed: as declared; never moves */
	uint32_t input;
	uint32_t axis;
	uint32_t finding;
};

struct pins {
	struct pin *at; /* owned */
	size_t len;
	size_t cap;
};

void pins_find(struct pins *out, const struct infer *in);
void pins_release(struct pins *p);
/* The addresses of their dims -> 1. */
void pins_remember(struct map *out, const struct infer *in);

/* Appends the word x:0 to a line. */
void pin_print_axis(struct str *line, const struct infer *in, const struct pin *p);
/* "N can only be 3 (Reshape /Reshape)"; the whole reason is in the findings. */
void pin_refuse(const struct infer *in, const struct pin *p, struct err *err);
/*
 * Adds to a refusal what helps: the repair, if it works (it is tried, unless this is a preview),
 * and --force.  `model`: see struct set_options.
 */
void pins_advise(struct document *d, struct sv repair, const char *model, struct err *err);

#endif
