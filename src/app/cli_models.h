/*
 * The models of a command line: what is run for each of them, and how it prints.  A job
 * (cli_job.h) does it for one, cli_many.h for all.
 */
#ifndef APP_CLI_MODELS_H
#define APP_CLI_MODELS_H

#include "app/app.h"

/* Runs the command for one model: its first word, or the demo. */
typedef enum exit_code model_handler(const struct app *app);

struct many {
	const struct app *app; /* borrowed */
	model_handler *one;
	size_t models; /* the number of leading words that are models; each also gets the rest */
	bool bare;     /* print no headings or separators */
	const char
		*between; /* borrowed: printed between outputs that are not empty; NULL: nothing */
	bool named;       /* its text starts with the model's name, so it needs no heading */
};

#endif
