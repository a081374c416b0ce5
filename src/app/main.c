/*
 * axed: parses the command line and runs a command.
 */
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "app/cli_complete.h"
#include "app/demo.h"
#include "app/paths.h"
#include "base/bug.h"
#include "base/err.h"
#include "base/nearest.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/args.h"
#include "report/terminal.h"
#include "wire/wire.h"

enum {
	OUTPUT_BUFFER = 32 << 10
};

#define OPT(id) ((uint64_t)1 << OPTION_##id)

static const struct option main_options[] = {
#define OPTION(id, name, letter, value, help) {name, letter, value, help},
#include "app/options.def"
#undef OPTION
};

static const struct command main_commands[] = {
#define COMMAND(id, name, usage, help, more, opts, min, max) \
	{name, usage, help, more, opts, min, max},
#include "app/commands.def"
#undef COMMAND
};

static run_command *const main_handlers[] = {
#define COMMAND(id, name, usage, help, more, opts, min, max) run_##id,
#include "app/commands.def"
#undef COMMAND
};

static const struct grammar main_grammar = {
	.program = "axed",
	.commands = main_commands,
	.command_count = ARRAY_LEN(main_commands),
	.options = main_options,
	.option_count = ARRAY_LEN(main_options),
};

enum exit_code complain(const struct err *err)
{
	struct str shown = {0};

	str_add_shown(&shown, sv_of(err->text));
	fprintf(stderr, "axed: %s\n", str_c(&shown));
	str_release(&shown);
	return EXIT_BAD;
}

size_t model_count(const struct app *app)
{
	return args_has(app->args, OPTION_DEMO) ? 1 : app->args->words.len;
}

bool model_path_ok(const char *path, struct err *err)
{
	return strcmp(path, "-") != 0 || !isatty(STDIN_FILENO) ||
	       err_set(err, ERR_USAGE, "standard input is a terminal, not a model");
}

bool suggest_model(const char *path, struct err *err)
{
	struct str name = {0};

	if (strcmp(path, "-") != 0 && model_nearest(path, &name))
		nearest_suggest(err, str_sv(&name));
	str_release(&name);
	return false;
}

bool open_model(const struct app *app, size_t which, struct wire *w, struct err *err)
{
	const char *path;

	if (args_has(app->args, OPTION_DEMO))
		return wire_open_memory(w, "demo", demo_model, demo_model_size, err);
	path = app->args->words.at[which];
	return model_path_ok(path, err) && (wire_open(w, path, err) || suggest_model(path, err));
}

bool open_only(const struct app *app, struct wire *w, struct err *err)
{
	if (model_count(app) == 0)
		return err_set(err, ERR_USAGE, "%s needs a MODEL, or --demo",
			       app->args->command->name);
	return open_model(app, 0, w, err);
}

enum exit_code run_help(const struct app *app)
{
	const char *name = app->args->words.len ? app->args->words.at[0] : NULL;
	const struct command *command = name ? args_command(&main_grammar, name) : NULL;
	struct err err;

	if (name && !command) {
		const char *nearest = args_nearest(&main_grammar, name);

		err_set(&err, ERR_USAGE, "there is no command '%s'", name);
		if (nearest)
			nearest_suggest(&err, sv_of(nearest));
		else
			err_set(&err, ERR_USAGE, "there is no command '%s'; axed help lists them",
				name);
		return complain(&err);
	}
	if (command)
		help_command(stdout, &main_grammar, command);
	else
		help_all(stdout, &main_grammar,
			 "axed opens ONNX models of any size, shows their dynamic axes, and saves "
			 "only what was edited.\n\nusage: axed COMMAND [OPTION...] [MODEL...]\n"
			 "       axed [MODEL]         opens the screen (axed edit) in a terminal, "
			 "else "
			 "axed show",
			 "Exit codes: 0 success, 1 found something, 2 bad usage, or cannot read or "
			 "write a file.");
	return EXIT_DONE;
}

/* Whether a screen can be drawn there. */
static bool can_draw(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static bool choose_color(const struct args *a, struct app *app, struct err *err)
{
	enum color_wish wish = color_wish_of_environment();
	const char *when = args_has(a, OPTION_COLOR) ? a->values[OPTION_COLOR] : "auto";

	if (strcmp(when, "always") == 0)
		wish = COLOR_ALWAYS;
	else if (strcmp(when, "never") == 0)
		wish = COLOR_NEVER;
	else if (strcmp(when, "auto") != 0)
		return err_set(err, ERR_USAGE, "--color must be auto, always or never, not '%s'",
			       when);
	app->color = wish == COLOR_ALWAYS || (wish == COLOR_IF_SHOWN && can_draw());
	app->screen_color = wish != COLOR_NEVER;
	return true;
}

/* Output must have been written: a full disk is an error too. */
static enum exit_code main_flush(enum exit_code code)
{
	struct err err;

	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	err_system(&err, "cannot write to standard output");
	return complain(&err);
}

static enum exit_code run_choosing(const struct command *command, int count, char **words,
				   struct str *chosen)
{
	struct args args;
	struct app app = {.grammar = &main_grammar, .args = &args, .chosen = chosen};
	struct err err;
	enum exit_code code;

	if (!args_parse(&args, &main_grammar, command, count, words, &err))
		return complain(&err);
	app.width = terminal_width();
	if (!choose_color(&args, &app, &err)) {
		code = complain(&err);
	} else if (args_has(&args, OPTION_HELP)) {
		help_command(stdout, &main_grammar, command);
		code = EXIT_DONE;
	} else if (args.words.len < command->min || args.words.len > command->max) {
		err_set(&err, ERR_USAGE, "usage: axed %s %s", command->name, command->usage);
		code = complain(&err);
	} else {
		code = main_handlers[command - main_commands](&app);
	}
	args_release(&args);
	return main_flush(code);
}

static enum exit_code main_run(const struct command *command, int count, char **words)
{
	return run_choosing(command, count, words, NULL);
}

static bool in_terminal(void)
{
	return can_draw() && isatty(STDIN_FILENO);
}

/* The screen shows one model; anything with other options is for `show`. */
static enum command_id default_command(int count, char **words)
{
	bool piped = false;
	int models = 0;

	for (int i = 0; i < count; i++) {
		if (strncmp(words[i], "--script", 8) == 0)
			return COMMAND_edit;
		if (strcmp(words[i], "--json") == 0)
			return COMMAND_show;
		piped |= strcmp(words[i], "-") == 0;
		models += words[i][0] != '-' || !words[i][1];
	}
	/* With the model on standard input, keys come from /dev/tty. */
	return (piped ? can_draw() : in_terminal()) && models < 2 ? COMMAND_edit : COMMAND_show;
}

/* --verison: these two stand alone, so that no command suggests them. */
static bool mistyped_alone(const char *word, struct err *err)
{
	static const char *const alone[] = {"--version", "--help"};
	struct nearest near;

	if (strncmp(word, "--", 2) != 0 || args_option(&main_grammar, NULL, sv_of(word + 2)))
		return false;
	nearest_begin(&near, sv_of(word));
	for (size_t i = 0; i < ARRAY_LEN(alone); i++)
		nearest_offer(&near, sv_of(alone[i]), i);
	if (!near.found || near.distance > 2)
		return false;
	err_set(err, ERR_USAGE, "unknown option %s", word);
	nearest_suggest(err, sv_of(alone[near.which]));
	return true;
}

/* A first word that is not a command: a model to open or show, or a mistyped command. */
static enum exit_code run_default(int count, char **words)
{
	const char *first = words[0];
	const char *nearest = args_nearest(&main_grammar, first);
	struct str model = {0};
	struct err err;

	if (first[0] != '-' && access(first, F_OK) != 0 && !strchr(first, '.') &&
	    !strchr(first, '/')) {
		err_set(&err, ERR_USAGE, "there is no command or model '%s'", first);
		if (nearest || model_nearest(first, &model))
			nearest_suggest(&err, nearest ? sv_of(nearest) : str_sv(&model));
		else
			err_set(&err, ERR_USAGE,
				"there is no command or model '%s'; axed help lists the commands",
				first);
		str_release(&model);
		return complain(&err);
	}
	if (mistyped_alone(first, &err))
		return complain(&err);
	return main_run(&main_commands[default_command(count, words)], count, words);
}

/* Without arguments: the start screen, over the demo; then the choice made there. */
static enum exit_code main_start(void)
{
	char demo[] = "--demo";
	char *words[] = {demo};
	struct str chosen = {0};
	enum exit_code code;

	if (!in_terminal())
		return main_run(&main_commands[COMMAND_show], 1, words);
	code = run_choosing(&main_commands[COMMAND_edit], 1, words, &chosen);
	if (chosen.len) {
		words[0] = chosen.at;
		code = main_run(&main_commands[COMMAND_edit], 1, words);
	}
	str_release(&chosen);
	return code;
}

static enum exit_code main_dispatch(int count, char **words)
{
	const struct command *command;

	if (count == 0)
		return main_start();
	if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0)
		return main_run(&main_commands[COMMAND_help], 0, NULL);
	/* For shell completion; not in the table, so that it is not offered. */
	if (count > 1 && strcmp(words[0], "complete") == 0 && strcmp(words[1], "--") == 0) {
		print_candidates(&main_grammar, count - 2, words + 2);
		return main_flush(EXIT_DONE);
	}
	command = args_command(&main_grammar, words[0]);
	return command ? main_run(command, count - 1, words + 1) : run_default(count, words);
}

int main(int count, char **words)
{
	if (count > 1 && strcmp(words[1], "--version") == 0) {
		puts("axed " AXED_VERSION);
		return (int)main_flush(EXIT_DONE);
	}
	/* Loads files, which the version does not need. */
	setlocale(LC_CTYPE, "");
	/* A list of all tensors is written in large pieces; musl's own buffer holds 1 KiB. */
	if (!isatty(STDOUT_FILENO))
		(void)setvbuf(stdout, must_alloc(OUTPUT_BUFFER), _IOFBF, OUTPUT_BUFFER);
	return (int)main_dispatch(count - 1, words + 1);
}
