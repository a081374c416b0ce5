/*
 * Inside the room: sums as terms, while they are being worked on.  Nothing here builds a node.
 *
 * Terms are sorted by product number, the constant first, and no coefficient is 0.
 */
#ifndef SYM_TERMS_H
#define SYM_TERMS_H

#include "sym/node.h"
#include "sym/sym.h"

struct sym_poly {
	size_t n;
	struct sym_term t[2 * SYM_TERMS_MAX];
};

/* Any expression as terms.  Points into the pool or into itself: do not copy. */
struct sym_view {
	const struct sym_term *t;
	size_t n;
	struct sym_term one;
};

void sym_view(const struct sym_pool *p, struct sym s, struct sym_view *out);
void sym_poly_of(const struct sym_pool *p, struct sym s, struct sym_poly *out);
/* Adds c*m; false on overflow of the coefficient or of the number of terms. */
bool sym_poly_add(struct sym_poly *poly, int64_t c, uint64_t m);
/* Adds scale times the terms of s. */
bool sym_poly_add_scaled(const struct sym_pool *p, struct sym_poly *poly, struct sym s,
			 int64_t scale);
bool sym_poly_scale(struct sym_poly *poly, int64_t scale);
/* Divides all coefficients; the divisor must divide them. */
void sym_poly_shrink(struct sym_poly *poly, int64_t divisor);
int64_t sym_poly_constant(const struct sym_poly *poly);
/* The coefficient of the first term that is not the constant; 0 when there is none. */
int64_t sym_poly_lead(const struct sym_poly *poly);
/* The gcd of g and all coefficients but the constant. */
uint64_t sym_poly_content(const struct sym_poly *poly, uint64_t g);

static inline uint64_t sym_magnitude(int64_t a)
{
	return a < 0 ? 0 - (uint64_t)a : (uint64_t)a;
}
/* b is not 0, and not -1 with INT64_MIN. */
static inline int64_t sym_floor_int(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

#endif
