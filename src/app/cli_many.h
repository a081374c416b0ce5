/*
 * Runs a command for many models, each in its own process, so that a bad file cannot harm the
 * rest.  Output comes in the order given; the exit code is the highest.
 *
 * A single model runs in this process, unless --timeout needs one that can be killed.
 */
#ifndef APP_CLI_MANY_H
#define APP_CLI_MANY_H

#include "app/app.h"
#include "app/cli_models.h"

/* Reads --jobs and --timeout if the command has them. */
enum exit_code many_run(const struct many *many);

#endif
