/*
 * Suggests a fix for a finding: a line to run.
 */
#ifndef EDIT_REPAIR_OFFER_H
#define EDIT_REPAIR_OFFER_H

#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/document.h"
#include "infer/finding.h"
#include "infer/infer.h"

enum {
	OFFER_MOST = 2 /* lines for a finding */
};

/*
 * The lines that may help, the best first: `which` counts from 0.  A pin: `repair` of every input
 * axis that has the symbol.  A claim that the graph contradicts: the repair that makes it true,
 * if the file says so of an output; then `set` of the claim to the inferred size.  False where
 * there is no such line.
 */
bool offer_line(const struct infer *in, const struct finding *f, unsigned which, struct str *out);
/* What a finding is about: the same before and after a line that did not help. */
uint64_t offer_subject(const struct finding *f);
/* Can the line be run?  Runs it, adds the subjects of what is still found to `left`, reverts it. */
bool offer_try(struct document *d, struct sv line, struct map *left);

#endif
