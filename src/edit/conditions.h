/*
 * What the nodes require of some symbols, in the words of `check`: "batch <= 512",
 * "H a multiple of 32", "total = past + seq".
 */
#ifndef EDIT_CONDITIONS_H
#define EDIT_CONDITIONS_H

#include "base/sv.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/sizes.h"

/* The text is gone after the call. */
typedef void condition_told(void *context, struct sv text);

/* A set of sizes of one symbol: its remainders, and its limits. */
void condition_tell_sizes(const struct size_set *sizes, struct sv name, condition_told *tell,
			  void *context);
/* The next finding from *place on that is a condition on several sizes, one of these among them. */
const struct finding *condition_next(const struct infer *in, const uint32_t *symbols,
				     uint32_t count, size_t *place);

#endif
