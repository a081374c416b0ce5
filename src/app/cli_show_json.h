#ifndef APP_CLI_SHOW_JSON_H
#define APP_CLI_SHOW_JSON_H

#include <stdio.h>

#include "app/cli_summary.h"
#include "wire/wire.h"

/* The summary as one JSON object on one line; the manual documents its keys. */
void show_json(FILE *out, const struct wire *w, const struct summary *summary);

#endif
