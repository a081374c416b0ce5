/*
 * What rules that run bodies share (If, Loop, Scan, SequenceMap).
 */
#ifndef OPS_BODY_H
#define OPS_BODY_H

#include "ops/rule.h"

/* A body: its graph and how many inputs and outputs that has. */
struct body {
	uint32_t graph;
	uint32_t inputs;
	uint32_t outputs;
	uint64_t *own_names; /* bits by name number: see body_own_names; NULL: none */
};

/* Tells an error and gives false when the attribute is not there or is no graph. */
bool body_find(struct rule *r, const char *attribute, struct body *out);
/* The rank that the body claims for one of its inputs; false when it claims none. */
bool body_claimed_rank(const struct rule *r, const struct body *b, uint32_t input, uint32_t *out);
/* Tells an error and gives false when the numbers are not these. */
bool body_check_counts(struct rule *r, const struct body *b, const char *attribute, uint32_t inputs,
		       uint32_t outputs);
/* Runs it; the outputs live in the rule's arena.  NULL when it cannot be run. */
struct info *body_run(struct rule *r, const struct body *b, const struct info *in);

/*
 * Finds the names of sizes that only the body declares: each run may give them another size,
 * so outside they mean nothing.
 */
void body_own_names(struct rule *r, struct body *b);
/*
 * Does the expression hold a symbol that was generated inside a body (or a called function)
 * or by the rule's node itself, or that only the body declares?  Such a size may be another
 * one in the next run.
 */
bool body_is_local(const struct rule *r, const struct body *b, struct sym s);
/*
 * What holds for every run of a body: sizes that belong to one run become unknown; so does
 * all that is known element by element.
 */
struct info body_scrub(struct rule *r, const struct body *b, const struct info *info);

/* The numbers inside, read when they were not yet. */
struct contents body_contents(struct rule *r, const struct info *info);
/* Is everything that is known of the two the same? */
bool body_same(struct rule *r, const struct info *a, const struct info *b);

#endif
