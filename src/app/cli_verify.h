/*
 * What verify found, as text: for the command and for the screen.
 */
#ifndef APP_CLI_VERIFY_H
#define APP_CLI_VERIFY_H

#include "app/app.h"
#include "app/verify/verify.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/document.h"

/* A line for each run, and the result; escaped. */
void verify_print(const struct verify_request *r, const struct verify_result *result,
		  struct str *out);
/*
 * Runs the document beside the model of a file, its own for NULL, and prints what was found; false
 * when they differ, or cannot run.  `items` is as in the request.
 */
bool verify_before_writing(const struct app *app, struct document *d, const char *original,
			   struct sv items, struct err *err) MUST_USE;

#endif
