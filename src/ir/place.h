/*
 * Tensors and axes as people write them: `input`, `input:0`, `3.body/x:-1`.
 */
#ifndef IR_PLACE_H
#define IR_PLACE_H

#include "base/err.h"
#include "base/sv.h"
#include "ir/graph.h"

struct place {
	uint32_t value;
	bool has_axis;
	int64_t axis; /* negative counts from the end */
};

/*
 * A text that is a tensor's name is that tensor; else it is split at the last colon.  The name,
 * or all of the text, may be in back-quotes: `my tensor`:0, `x:0`.
 */
bool place_find(const struct model *m, struct sv text, struct place *out, struct err *err) MUST_USE;

#endif
