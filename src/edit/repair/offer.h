/*
 * What would make a finding go away: a line to run, for those who know no better.
 */
#ifndef EDIT_REPAIR_OFFER_H
#define EDIT_REPAIR_OFFER_H

#include "edit/document.h"

/*
 * A pin: `repair` of every input axis that has the symbol.  A claim that the graph
 * contradicts: `set` the claim to what the graph gives.  False when there is nothing.
 */
bool offer_line(const struct infer *in, const struct finding *f, struct str *out);
/* Would the line work?  Tried and taken back. */
bool offer_works(struct document *d, struct sv line);

#endif
