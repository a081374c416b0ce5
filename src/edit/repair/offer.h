/*
 * Suggests a fix for a finding: a line to run.
 */
#ifndef EDIT_REPAIR_OFFER_H
#define EDIT_REPAIR_OFFER_H

#include "base/str.h"
#include "base/sv.h"
#include "edit/document.h"
#include "infer/finding.h"
#include "infer/infer.h"

/*
 * A pin: `repair` of every input axis that has the symbol.  A claim that the graph
 * contradicts: `set` the claim to the inferred size.  False for no fix.
 */
bool offer_line(const struct infer *in, const struct finding *f, struct str *out);
/* Would the line work?  Runs it and reverts it. */
bool offer_works(struct document *d, struct sv line);

#endif
