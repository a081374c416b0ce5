/*
 * Sizes that the inputs of one of ONNX Runtime's operators share, with shapes as patterns.
 *
 * In a pattern each character is one axis: a capital letter is a size that is the same wherever
 * it occurs, a digit is that size, '.' is any size.  A leading '*' stands for any axes, the same
 * ones everywhere, a leading '~' says that only the number of elements counts, which is one
 * letter or digit.  "-" alone is a scalar, "s" alone a scalar or a vector of one element, "_" alone
 * any shape.  A pattern ends before any other character.
 *
 * Letters have one meaning in all operators, which findings name: see ms_sizes.c.
 */
#ifndef OPS_MS_SIZES_H
#define OPS_MS_SIZES_H

#include "ops/rule.h"
#include "sym/sym.h"

struct ms_sizes {
	struct sym at['Z' - 'A' + 1];
	const struct sym *lead; /* the axes of '*'; borrowed */
	uint32_t lead_rank;
	bool led; /* they are known */
};

/* The size of a letter; unknown (all-zero) until it is set or matched. */
struct sym ms_size(const struct ms_sizes *s, char letter);
void ms_size_set(struct ms_sizes *s, char letter, struct sym size);
/* Compares an input with its pattern and learns its sizes.  False after an error of rank. */
bool ms_match(struct rule *r, struct ms_sizes *s, uint32_t input, const char *pattern);
/* An output of this pattern; unranked if it has a '*' that is not known. */
void ms_out(struct rule *r, const struct ms_sizes *s, uint32_t output, int32_t elem,
	    const char *pattern);
/* The character after a pattern. */
const char *ms_pattern_end(const char *pattern);

/* A size that a model gives as a number; unknown if it is negative. */
struct sym ms_given(struct rule *r, struct sym number);
/* `low` must not exceed `high`: an error when it does, a fact when it may. */
void ms_at_most(struct rule *r, struct sym low, struct sym high, const char *why);
/* A scale or a zero point for the whole tensor: one element, without an axis or with one. */
void ms_scalar(struct rule *r, uint32_t input);
/* The same, or a vector with one element for each of `columns`. */
void ms_per_column(struct rule *r, uint32_t input, struct sym columns);
/* A dim that is 1 or `size`. */
void ms_one_or(struct rule *r, struct sym dim, struct sym size, const char *why);

#endif
