/*
 * The value of an expression at sizes that are chosen to try it.
 *
 * What cannot be proved about all sizes is often disproved by some.
 */
#ifndef INFER_TRIAL_H
#define INFER_TRIAL_H

#include "infer/infer.h"
#include "sym/eval.h"
#include "sym/sym.h"

enum {
	TRIAL_COUNT = 8 /* of ordinary sizes */
};

struct trial {
	int64_t first, step; /* of the first symbol, and from one to the next */
	uint32_t other;      /* a symbol with another size: `moved`, unless that is 0 */
	int64_t moved;
	/* The size for a symbol that would get `size`; NULL for just that. */
	int64_t (*choose)(const void *context, uint32_t symbol, int64_t size);
	const void *context; /* borrowed */
	bool any_symbol;     /* also those that no caller chooses, and those with a definition */
};

/* Different sizes for each number, above every window and kernel. */
struct trial trial_ordinary(unsigned number);
/* SYM_UNBOUND when it has a symbol that no caller chooses. */
enum sym_status trial_run(const struct infer *in, const struct trial *t, struct sym s,
			  int64_t *out);

#endif
