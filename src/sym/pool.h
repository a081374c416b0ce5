/*
 * Inside the room: how nodes are built.
 *
 * A new node gets its range and modulus (range.h) from those of its children.  Builders return
 * false or unknown for "does not fit": the public operation then becomes a SYM_COMPLEX symbol.
 */
#ifndef SYM_POOL_H
#define SYM_POOL_H

#include "sym/sym.h"

/* The node with this kind, aux and data; 0 when it would be too large. */
uint32_t sym_intern(struct sym_pool *p, enum sym_kind kind, uint8_t aux, const void *data,
		    size_t count);
/*
 * An integer atom with operands, or the integer when its range has only one.  Sums and
 * products with such a range stay as they are: a form must not depend on the order in
 * which its terms were added.
 */
struct sym sym_atom(struct sym_pool *p, enum sym_kind kind, uint8_t aux, const struct sym *args,
		    size_t count);
struct sym sym_complex(struct sym_pool *p, enum sym_op op, const struct sym args[3]);

bool sym_recall(const struct sym_pool *p, enum sym_op op, struct sym a, struct sym b,
		struct sym *out);
void sym_remember(struct sym_pool *p, enum sym_op op, struct sym a, struct sym b,
		  struct sym result);

/* The builder of one operation.  False: does not fit.  Operands are integers or expressions. */
typedef bool sym_build(struct sym_pool *p, struct sym a, struct sym b, struct sym *out);

sym_build sym_build_add, sym_build_sub, sym_build_mul, sym_build_floor, sym_build_trunc,
	sym_build_max, sym_build_min, sym_build_broadcast, sym_build_eq, sym_build_le;

#endif
