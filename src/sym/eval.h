/*
 * Binding symbols to integers, and substituting expressions for symbols.
 *
 * Evaluation is exact: sums and products are computed in 128 bits and only the result
 * must fit 64.  A SYM_COMPLEX symbol, or one with a definition, is computed from it
 * unless it is bound itself.
 *
 * A bound value must be in the symbol's range, because forms were simplified using it.
 * The same holds for the values of a substituted expression.  A declared size may be bound
 * to 0 all the same, but then the values promise nothing: min(1, n) is 1, so infer anew.
 */
#ifndef SYM_EVAL_H
#define SYM_EVAL_H

#include "base/err.h"
#include "base/map.h"
#include "base/num.h"
#include "base/vec.h"
#include "sym/sym.h"

enum sym_status {
	SYM_OK,
	SYM_UNBOUND,   /* a symbol has no value, or something is unknown */
	SYM_UNDEFINED, /* division by zero, sizes that do not broadcast, a NaN
			*/
	SYM_OVERFLOW,
	SYM_STATUS_COUNT
};

/*
 * An entry for each of some symbols, in lists that need not be as long as the pool's: `near` has
 * the first symbols by number, `far` the others as they come.
 */
enum {
	SYM_NEAR = 64
};

struct sym_binding {
	int128 value;
	uint32_t epoch; /* when it was derived; a bound value never expires */
	uint8_t state;
	uint8_t status; /* of a derived value */
};

/* Values of symbols.  All-zero: none is bound. */
struct sym_env {
	VEC(struct sym_binding) near, far;
	struct map places; /* symbol number -> index in far, plus 1 */
	uint32_t epoch;
	unsigned level; /* definitions being followed */
};

bool sym_bind(struct sym_env *env, const struct sym_pool *p, uint32_t id, int64_t value,
	      struct err *err) MUST_USE;
void sym_unbind(struct sym_env *env, uint32_t id);
void sym_env_clear(struct sym_env *env);
void sym_env_release(struct sym_env *env);
/* *out is set only for SYM_OK.  A float value is SYM_UNDEFINED here. */
enum sym_status sym_eval(const struct sym_pool *p, struct sym_env *env, struct sym s, int64_t *out);
/* The value of a float expression, which may be infinite or NaN. */
enum sym_status sym_eval_float(const struct sym_pool *p, struct sym_env *env, struct sym s,
			       double *out);

/* All replacements at once: with a := b and b := a, a - b becomes b - a. */
struct sym_replacement {
	bool set;
	struct sym to;
};

struct sym_subst {
	VEC(struct sym_replacement) near, far;
	struct map places; /* symbol number -> index in far, plus 1 */
	struct map seen;   /* node -> index in done, plus 1 */
	VEC(struct sym) done;
	unsigned level;
};

void sym_replace(struct sym_subst *subst, uint32_t id, struct sym to);
struct sym sym_substitute(struct sym_pool *p, struct sym_subst *subst, struct sym s);
void sym_subst_release(struct sym_subst *subst);

/*
 * s, if the symbol is a multiple of `multiple` within `range`: broadcast(ceil(H/8), floor(H/8))
 * is floor(H/8) for multiples of 8, and trunc((n - 3)/2) is floor((n - 3)/2) from 3 on.  Has the
 * value of s where the assumption holds, and promises nothing elsewhere.  Without an effect, or
 * when nothing is in range: s.
 */
struct sym sym_assume(struct sym_pool *p, struct sym s, uint32_t symbol, struct sym_range range,
		      int64_t multiple);

/* Visits each symbol in s, and in the definitions of those, once. */
typedef void sym_visit(void *context, uint32_t id);
void sym_each_symbol(const struct sym_pool *p, struct sym s, sym_visit *visit, void *context);
bool sym_mentions(const struct sym_pool *p, struct sym s, uint32_t id);

#endif
