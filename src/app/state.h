/*
 * What the screen remembers from run to run: small texts in the user's state folder.
 */
#ifndef APP_STATE_H
#define APP_STATE_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"

/* The text of that name; false when there is none, or it cannot be read. */
bool state_read(const char *name, struct str *out);
/* Replaces it as a whole. */
bool state_write(const char *name, struct sv text, struct err *err) MUST_USE;
/* It may be gone already. */
void state_forget(const char *name);

#endif
