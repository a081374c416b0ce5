/*
 * `axed complete -- WORD...`, for the shells: prints candidates for the last word, one per
 * line, with an optional help text after a tab.  Prints no errors: they would garble the
 * user's half-typed line.
 */
#ifndef APP_CLI_COMPLETE_H
#define APP_CLI_COMPLETE_H

#include "cmd/args.h"

/* The words after the program's name, up to the one under the cursor. */
void print_candidates(const struct grammar *g, int count, char **words);

#endif
