/*
 * Symbol sizes from --bind.
 */
#ifndef APP_CLI_BIND_H
#define APP_CLI_BIND_H

#include "app/app.h"
#include "base/err.h"
#include "base/sv.h"
#include "infer/infer.h"

struct bindings {
	struct infer_binding *at; /* owned */
	size_t len;
	size_t cap;
};

/* Parses every --bind, which must name a symbol of the model. */
bool bind_all(const struct app *app, const struct infer *in, struct bindings *out,
	      struct err *err) MUST_USE;
/*
 * Says, on standard error, what contradicts the sizes: errors of the run with them that the run
 * without them lacks.  False when nothing does.
 */
bool bind_complain(const struct infer *bound, const struct infer *plain, struct sv model);

#endif
