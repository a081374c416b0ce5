/*
 * `axed complete -- WORD...`, for the shells: what the last word could become, one candidate
 * a line, behind a tab its help where there is one.  Says nothing when something is wrong: a
 * person waits there with a half-typed line.
 */
#ifndef APP_CLI_COMPLETE_H
#define APP_CLI_COMPLETE_H

#include "app/app.h"

/* The words behind the program's name, up to the one that the cursor is in. */
void print_candidates(const struct grammar *g, int count, char **words);

#endif
