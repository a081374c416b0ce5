/*
 * Freeing axes that something in the graph pins to one size.
 *
 * A goal is an input axis that should take any size, and its old size.  An obstacle is a
 * place where the graph is valid only for the old size: a need of a node, or the
 * declaration of an output.  Its cause is a site, a node whose constant (a Reshape's
 * shape, a Slice's end, an initial state) was baked in; each kind of site has a few
 * changes that may free it.
 *
 * A change is kept only when it is proved: at the old sizes every shape is unchanged, the
 * obstacle is gone, and there are no new errors.  So the search may guess, and the proof
 * decides.  When an obstacle remains, its goals fail and everything done for them is
 * reverted.
 */
#ifndef EDIT_REPAIR_REPAIR_H
#define EDIT_REPAIR_REPAIR_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/document.h"

struct repair_goal {
	uint32_t input; /* value */
	uint32_t axis;
	struct str text; /* input:0=batch */
	bool freed;
	struct str reason; /* why it was not freed */
};

struct repair_report {
	struct repair_goal *at; /* owned */
	size_t len;
	size_t cap;
};

typedef bool repair_progress(void *context, size_t done);

struct repair_options {
	repair_progress *progress; /* may be NULL; false stops */
	void *context;             /* borrowed */
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
void repair_report_release(struct repair_report *r);
/* A line of a recipe, axes and --batch=NAME: fails when an axis could not be freed. */
bool repair_words(struct document *d, const struct sv *words, size_t count,
		  struct err *err) MUST_USE;

#endif
