/*
 * Freeing axes that something in the graph pins to one size.
 *
 * A goal is an axis of an input that is to take any size, and the size it had.  An
 * obstacle is a place where the graph holds for the old size only: a need of a node, or a
 * promise of an output.  Behind an obstacle stands a site, a node whose constant (a
 * Reshape's shape, a Slice's end, an initial state) was baked in; for each kind of site
 * there are a few changes that may free it.
 *
 * A change is kept only when it is proved: with the goals at their old sizes every shape
 * is as before, the obstacle is gone, and nothing is wrong that was not wrong before.  So
 * the search may guess, and the proof decides.  When an obstacle stays, the goals that it
 * is about are given up and everything done for them is taken back.
 */
#ifndef EDIT_REPAIR_REPAIR_H
#define EDIT_REPAIR_REPAIR_H

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
};

/*
 * `axes` are input:0 or input:0=name; none means every axis of a symbol that is pinned.
 * One action for all that were freed; an axis that could not be is no error, but told in
 * the report.  Fails when an axis does not exist, or when stopped.
 */
bool document_repair(struct document *d, const struct sv *axes, size_t count,
		     const struct repair_options *options, struct repair_report *out,
		     struct err *err) MUST_USE;
void repair_report_release(struct repair_report *r);
/* A line of a recipe: fails when an axis could not be freed. */
bool repair_words(struct document *d, const struct sv *words, size_t count,
		  struct err *err) MUST_USE;

#endif
