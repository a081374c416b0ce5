/*
 * What verify found, as text: for the command and for the screen.
 */
#ifndef APP_CLI_VERIFY_H
#define APP_CLI_VERIFY_H

#include "app/verify/verify.h"
#include "base/str.h"

/* A line for each run, and the result; escaped. */
void verify_print(const struct verify_request *r, const struct verify_result *result,
		  struct str *out);

#endif
