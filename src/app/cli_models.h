/*
 * The models of a command line: what is run for each of them, and how it prints.  A job
 * (cli_job.h) does it for one, cli_many.h for all.
 */
#ifndef APP_CLI_MODELS_H
#define APP_CLI_MODELS_H

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

#endif
