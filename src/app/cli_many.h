/*
 * A command run for many models, each in a process of its own, so that a bad file cannot harm
 * the rest: what they print comes in the order given, the exit code is the worst.
 *
 * One model alone runs in this process, unless --timeout asks for one that can be stopped.
 */
#ifndef APP_CLI_MANY_H
#define APP_CLI_MANY_H

#include "app/app.h"

/* Run for one model: its first word, or the demo. */
typedef enum exit_code model_handler(const struct app *app);

struct many {
	const struct app *app; /* borrowed */
	model_handler *one;
	size_t models; /* the first so many words; each gets those behind them too */
	bool bare;     /* what it prints stands for itself: nothing is put between */
	bool named;    /* its text begins with the model's name, so it needs no heading */
};

/* Reads --jobs and --timeout, where the command has them. */
enum exit_code many_run(const struct many *many);

#endif
