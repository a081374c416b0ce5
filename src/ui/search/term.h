/*
 * One word of a search, and whether a node matches it.
 */
#ifndef UI_SEARCH_TERM_H
#define UI_SEARCH_TERM_H

#include "base/str.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ui/screen.h"
#include "ui/search/pattern.h"

/* What is searched. */
struct searched {
	const struct screen *screen; /* borrowed */
	uint8_t *has_problem;        /* owned by the query; by node */
};

struct term;
typedef bool fit_node(struct term *t, const struct searched *in, uint32_t node);

struct term {
	fit_node *fits;
	struct str text;
	bool exact;       /* case-sensitive */
	bool has_pattern; /* else the text is literal */
	struct pattern pattern;
	uint8_t *known;  /* owned; by name: 0 not tested yet, 1 matches, 2 does not */
	uint32_t symbol; /* dim: the symbol */
	int64_t number;  /* dim: or the size */
	enum {
		DIM_IS_UNKNOWN,
		DIM_IS_NUMBER,
		DIM_HAS_SYMBOL
	} dim;
};

/* Its name, operator and outputs, and inputs without a producer: those are found nowhere
 * else. */
fit_node fits_names;
/* What it is called, or its operator. */
fit_node fits_called;
fit_node fits_op, fits_dim, fits_shape, fits_scope, fits_unknown, fits_changed, fits_problem;

bool term_fits_text(const struct term *t, struct sv text);
/* The same, remembered by name. */
bool term_fits_name(struct term *t, const struct model *m, uint32_t name);

#endif
