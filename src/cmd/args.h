/*
 * Command line parsing: the command, its options and arguments.
 *
 * Commands and options are rows of the caller's tables; this room parses words by
 * them, and prints help from them.
 */
#ifndef CMD_ARGS_H
#define CMD_ARGS_H

#include <stdio.h>

#include "base/err.h"
#include "base/sv.h"
#include "base/vec.h"

/* Two may have the same name if no command accepts both: they differ in their values. */
struct option {
	const char *name;  /* without dashes */
	char letter;       /* 0 for none */
	const char *value; /* name of its value, as help shows it; NULL for none */
	const char *help;
};

struct command {
	const char *name;
	const char *usage; /* after the name */
	const char *help;  /* one line */
	const char *more;  /* paragraphs, or NULL */
	uint64_t options;  /* bit n: accepts option n */
	unsigned min;      /* arguments */
	unsigned max;
};

struct grammar {
	const char *program;
	const struct command *commands; /* borrowed */
	size_t command_count;
	const struct option *options; /* borrowed; at most 64 */
	size_t option_count;
};

enum {
	MAX_OPTIONS = 64
};

/* An option that may be given several times. */
struct given {
	unsigned option;
	const char *value; /* borrowed */
};

struct args {
	const struct command *command;
	uint64_t given;                  /* bit n: option n is given */
	const char *values[MAX_OPTIONS]; /* borrowed; the last one counts */
	VEC(struct given) all;           /* every option with a value, in order */
	VEC(const char *) words;         /* borrowed; the arguments */
};

/* Parses the words after the command's name.  "--" ends the options; "-" alone is an argument. */
bool args_parse(struct args *a, const struct grammar *g, const struct command *command, int count,
		char *const *words, struct err *err) MUST_USE;
/* The option of that name, the one that the command accepts if there are two; NULL for none. */
const struct option *args_option(const struct grammar *g, const struct command *command,
				 struct sv name);
const struct command *args_command(const struct grammar *g, const char *name);
bool args_has(const struct args *a, unsigned option);
void args_release(struct args *a);

void help_all(FILE *out, const struct grammar *g, const char *intro, const char *end);
void help_command(FILE *out, const struct grammar *g, const struct command *command);
/* The name closest to a mistyped one, or NULL when none is close. */
const char *args_nearest(const struct grammar *g, const char *name);

#endif
