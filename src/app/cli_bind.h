/*
 * Symbol sizes from --bind.
 */
#ifndef APP_CLI_BIND_H
#define APP_CLI_BIND_H

#include "app/app.h"
#include "base/err.h"
#include "infer/infer.h"
#include "sym/eval.h"

struct bindings {
	struct infer_binding *at; /* owned */
	size_t len;
	size_t cap;
};

/* Parses every --bind, which must name a symbol of the model; sets them in `env` as well. */
bool bind_all(const struct app *app, struct infer *in, struct sym_env *env, struct bindings *out,
	      struct err *err) MUST_USE;

#endif
