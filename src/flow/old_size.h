/*
 * The size that an axis had in the export, where the file names it but the graph still has the
 * number.
 */
#ifndef FLOW_OLD_SIZE_H
#define FLOW_OLD_SIZE_H

#include "infer/infer.h"

/* The old size of a symbol: from needs, outputs, claims, and targets.  False for none. */
bool flow_old_size(struct infer *in, uint32_t symbol, int64_t *out);

#endif
