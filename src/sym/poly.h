/*
 * Inside the room: polynomials made into nodes, in the one form we use.
 */
#ifndef SYM_POLY_H
#define SYM_POLY_H

#include "sym/node.h"
#include "sym/sym.h"
#include "sym/terms.h"

/* Rewrites sums that have several forms to the canonical one; sym_poly_make does it too. */
void sym_poly_simplify(struct sym_pool *p, struct sym_poly *poly);
/* Unknown when it does not fit. */
struct sym sym_poly_make(struct sym_pool *p, const struct sym_poly *poly);

/* Products.  A product node as factors; `one` holds them for a lone atom. */
size_t sym_product_factors(const struct sym_pool *p, uint64_t m, struct sym_factor *one,
			   const struct sym_factor **out);
bool sym_product_mul(struct sym_pool *p, uint64_t a, uint64_t b, uint64_t *out);
/* a/b when b divides a. */
bool sym_product_div(struct sym_pool *p, uint64_t a, uint64_t b, uint64_t *out);
/* The largest product dividing both; 0 is "1". */
uint64_t sym_product_gcd(struct sym_pool *p, uint64_t a, uint64_t b);

#endif
