/*
 * Which expressions of a pool mention certain symbols, in themselves or in definitions.
 *
 * Each node is looked at once, however many expressions share it and however often somebody
 * asks.  The test must give the same answer for a symbol every time.
 */
#ifndef SYM_MARKS_H
#define SYM_MARKS_H

#include "base/vec.h"
#include "sym/sym.h"

typedef bool sym_test(const void *context, uint32_t id);

struct sym_marks {
	sym_test *test;
	const void *context; /* borrowed */
	VEC(bool) at;        /* by node */
};

/* Does it mention a symbol that passes the test? */
bool sym_marked(struct sym_marks *m, const struct sym_pool *p, struct sym s);
/* Before another test or context. */
void sym_marks_clear(struct sym_marks *m);
void sym_marks_release(struct sym_marks *m);

#endif
