/*
 * Attributes and the first elements of tensors as text, for people: each user says how much of
 * it.  What is left out is told: `[1, 2, … (640)]`, `"aab" … (4,096 bytes)`.
 */
#ifndef IR_TEXT_H
#define IR_TEXT_H

#include "base/str.h"
#include "ir/graph.h"
#include "ir/tensor.h"

struct text_limits {
	uint32_t elements; /* of a tensor or list */
	uint32_t bytes;    /* of a string; after so many, no further element follows */
	int digits;        /* of a float; 9 tell float32 apart */
	bool short_names;  /* f32 for float32 */
	bool quotes;       /* around a string that is not in a list */
	/* Nothing is read from a file; the ends of int32 and int64 are `min` and `max`. */
	bool brief;
	bool local; /* external data is not read */
};

/* `float32 [2, 3]` */
void tensor_print_type(struct str *s, const struct tensor *t, bool short_names);
/* `0, 1, 2, … (640)`.  When they cannot be read: the reason in parentheses, and false. */
bool tensor_print_elements(struct str *s, const struct model *m, const struct tensor *t,
			   const struct text_limits *l);
/*
 * `3`, `1 (float32)` where it is a type, `[1, 1]`, `float32 [2] 0.5, 1`, `{12 nodes}`; a string
 * as it is, but escaped; `caller's alpha` (brief: `@alpha`) inside a function.
 */
void attr_print(struct str *s, const struct model *m, const struct attr *a,
		const struct text_limits *l);

#endif
