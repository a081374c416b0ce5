/*
 * What a need of a node says about the sizes of the inputs.
 *
 * A need compares two expressions.  Before it is judged it is normalised: common addends and
 * factors go (sizes are at least 1), and what is left is about one symbol (the sizes that it
 * may have), or about several.  4*batch*seq = 28*batch says that seq is 7 and nothing about
 * batch.
 */
#ifndef INFER_CONDITION_H
#define INFER_CONDITION_H

#include "base/str.h"
#include "infer/infer.h"
#include "infer/sizes.h"
#include "ops/need.h"
#include "sym/sym.h"

enum condition_kind {
	CONDITION_NONE,   /* it always holds, or it is an identity beyond the prover */
	CONDITION_SIZES,  /* of one symbol */
	CONDITION_SEVERAL /* of several symbols, or of one in a form that has no set */
};

struct condition {
	enum condition_kind kind;
	bool equal;            /* a and b must be equal */
	bool of_data;          /* it rests on a size that depends on data */
	uint32_t symbol;       /* CONDITION_SIZES */
	struct size_set sizes; /* CONDITION_SIZES */
	struct sym a, b;       /* what is left of the two sides */
	struct sym rest;       /* equal: a - b */
	struct sym factor;     /* equal: where it is 0, both sides are; unknown for none */
};

/* The pointer is valid until the next call. */
const struct condition *condition_of(struct infer *in, const struct fact *f);
/* The sizes of a symbol at which an assumption holds; false when it is not about one symbol. */
bool condition_sizes(struct infer *in, struct sym test, uint32_t *out_symbol, struct size_set *out);
/* The sizes of the only symbol at which a and b are equal; false when there is no such set. */
bool condition_equal_sizes(struct infer *in, struct sym a, struct sym b, uint32_t *out_symbol,
			   struct size_set *out);
/*
 * Does the symbol occur alone in an equation?  Then the two sides differ at all of its sizes but
 * one.  *out is what it must equal, or unknown when it is not the only one on its side.
 */
bool condition_solve(struct infer *in, const struct condition *c, uint32_t symbol, struct sym *out);
/* "batch*seq = 15", "past + seq <= 512", "n = 1 or 12" */
void need_print(const struct infer *in, enum fact_kind kind, struct sym a, struct sym b,
		struct str *out);

#endif
