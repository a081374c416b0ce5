/*
 * Internal to this folder: the data that all snippet writers share.
 */
#ifndef EXPORT_SNIPPET_INTERNAL_H
#define EXPORT_SNIPPET_INTERNAL_H

#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "export/snippet/snippet.h"
#include "infer/infer.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"

/* A symbol in an input's shape. */
struct snippet_symbol {
	uint32_t id;
	struct sv name;       /* borrowed from the pool */
	struct sv identifier; /* in the arena; unique */
	bool ranged;
	struct snippet_range range; /* when ranged */
};

/* An input or an output that is a tensor of known rank. */
struct snippet_port {
	struct sv name;          /* borrowed from the model */
	uint32_t claim;          /* its declaration */
	const struct info *info; /* borrowed */
};

struct snippet_ports {
	struct snippet_port *at; /* owned */
	size_t len;
	size_t cap;
};

enum snippet_bound {
	BOUND_MIN,
	BOUND_BEST,
	BOUND_MAX,
	BOUND_COUNT
};

struct snippet {
	const struct infer *in; /* borrowed */
	struct sv file;         /* borrowed */
	struct str *out;        /* borrowed */
	struct arena arena;
	struct snippet_ports inputs;
	struct snippet_ports outputs;
	VEC(struct snippet_symbol) symbols; /* in order of appearance */
	struct map places;                  /* symbol -> index in symbols, plus 1 */
	struct intern identifiers;          /* in use */
	struct map tails;                   /* identifier -> last number appended to it */
	struct sym_env bounds[BOUND_COUNT]; /* with the ranges bound */
	struct str notes;                   /* comments: what a snippet cannot express */
};

#define TARGET(id, name, write) void write(struct snippet *s);
SNIPPET_TARGETS(TARGET)
#undef TARGET

bool port_is_dynamic(const struct snippet *s, const struct snippet_port *p);
/* NULL unless the dim is a single symbol. */
const struct snippet_symbol *dim_symbol(const struct snippet *s, struct sym dim);
/* The size if the dim is a number, or the ranges determine it. */
bool dim_size(struct snippet *s, struct sym dim, enum snippet_bound bound, int64_t *out);
/* A unique identifier made from the text. */
struct sv new_identifier(struct snippet *s, struct sv text);
/* "# needs --range batch=MIN,OPT,MAX" for each symbol without one; returns their number. */
size_t note_ranges(struct snippet *s);

#endif
