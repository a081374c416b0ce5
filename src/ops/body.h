/*
 * Shared by the rules that run bodies (If, Loop, Scan, SequenceMap).
 */
#ifndef OPS_BODY_H
#define OPS_BODY_H

#include "ops/info.h"
#include "ops/rule.h"
#include "sym/sym.h"

/* A body: its graph and the number of its inputs and outputs. */
struct body {
	uint32_t graph;
	uint32_t inputs;
	uint32_t outputs;
	uint64_t *own_names; /* bits by name number: see body_own_names; NULL: none */
};

/* Reports an error and returns false when the attribute is missing or not a graph. */
bool body_find(struct rule *r, const char *attribute, struct body *out);
/* The rank that the body claims for one of its inputs; false when it claims none. */
bool body_claimed_rank(const struct rule *r, const struct body *b, uint32_t input, uint32_t *out);
/* Reports an error and returns false when the counts differ from these. */
bool body_check_counts(struct rule *r, const struct body *b, const char *attribute, uint32_t inputs,
		       uint32_t outputs);
/* Runs it; the outputs live in the rule's arena.  NULL when it cannot be run. */
struct info *body_run(struct rule *r, const struct body *b, const struct info *in);

/*
 * Finds the symbols that only the body declares: they may differ from run to run, so they mean
 * nothing outside.
 */
void body_own_names(struct rule *r, struct body *b);
/*
 * Does the expression contain a symbol that was generated inside a body (or a called function) or
 * by the rule's node itself, or that only the body declares?  Such a size may change from run to
 * run.
 */
bool body_is_local(const struct rule *r, const struct body *b, struct sym s);
/*
 * What holds for every run of a body: sizes that belong to one run become unknown, and so do all
 * elements.
 */
struct info body_scrub(struct rule *r, const struct body *b, const struct info *info);

/* The contents, read on demand. */
struct contents body_contents(struct rule *r, const struct info *info);
/* Is the same known about both? */
bool body_same(struct rule *r, const struct info *a, const struct info *b);

#endif
