/*
 * A command run for many models, each in a process of its own, so that a bad file cannot harm
 * the rest: what they print comes in the order given, the exit code is the worst.
 *
 * One model alone runs in this process, unless --timeout asks for one that can be stopped.
 */
#ifndef APP_CLI_MANY_H
#define APP_CLI_MANY_H

#include "app/app.h"
#include "app/cli_models.h"

/* Reads --jobs and --timeout, where the command has them. */
enum exit_code many_run(const struct many *many);

#endif
