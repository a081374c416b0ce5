/*
 * Freeing axes that something in the graph pins to one size.
 *
 * A goal is an input axis that should take any size, and its old size.  The flow (flow/flow.h)
 * follows all goals together, and plans the changes; what it refuses is reported with its reason,
 * and nothing is changed.  The result is checked again: at the old sizes every shape is
 * unchanged, and no need of a node pins a size.
 */
#ifndef EDIT_REPAIR_REPAIR_H
#define EDIT_REPAIR_REPAIR_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/document.h"
#include "flow/cause.h"

struct repair_goal {
	uint32_t input; /* value */
	uint32_t axis;
	struct str text; /* input:0=batch */
	bool freed;
	struct str reason; /* why it was not freed */
	enum flow_cause cause;
	struct str hint;  /* what would free it; set by the command line */
	bool was_free;    /* it was dynamic already: there was nothing to prove */
	bool by_shape;    /* items meet: proved by shape; else item by item */
	struct str level; /* where they meet */
	int64_t multiple; /* the size must be a multiple of this */
	bool followed;    /* it was refused on its way through the graph */
};

struct repair_report {
	struct repair_goal *at; /* owned */
	size_t len;
	size_t cap;
	VEC(struct str) bounds;   /* conditions on the sizes: batch <= 512 */
	VEC(struct str) assumes;  /* what is likely, and was taken, as sentences */
	VEC(struct str) warnings; /* numbers that may be computed from a size */
	struct str wanted;        /* an axis that must be freed with them, as h:1=batch; or empty */
	VEC(struct str) suggested; /* axes that can be freed together; see suggestion.h */
	struct str command;        /* that frees these, for a shell; set by the command line */
	VEC(struct str) notes;     /* what was rewritten at which node, as sentences */
};

typedef bool repair_progress(void *context, size_t done);

struct repair_options {
	repair_progress *progress; /* may be NULL; false stops */
	void *context;             /* borrowed */
	bool assume;               /* takes what is only likely, and is printed */
	struct sv batch;           /* the name of axis 0 of every input; empty for none */
};

/*
 * `axes` are input:0 or input:0=name, or patterns; none means every axis of a pinned symbol.  All
 * freed axes are one action; an axis that could not be freed is no error, but listed in
 * the report.  Fails when an axis does not exist, or when stopped.
 */
bool document_repair(struct document *d, const struct sv *axes, size_t count,
		     const struct repair_options *options, struct repair_report *out,
		     struct err *err) MUST_USE;
/* "item by item", "by shape", or "was free". */
const char *repair_proof(const struct repair_goal *g);
void repair_report_release(struct repair_report *r);
/* A line of a recipe, axes and --batch=NAME: fails when an axis could not be freed. */
bool repair_words(struct document *d, const struct sv *words, size_t count,
		  struct err *err) MUST_USE;

#endif
