#include "cmd/args.h"

#include <string.h>

#include "base/nearest.h"
#include "base/str.h"
#include "base/sv.h"

const struct command *args_command(const struct grammar *g, const char *name)
{
	for (size_t i = 0; i < g->command_count; i++) {
		if (strcmp(g->commands[i].name, name) == 0)
			return &g->commands[i];
	}
	return NULL;
}

const char *args_nearest(const struct grammar *g, const char *name)
{
	struct nearest near;

	nearest_begin(&near, sv_of(name));
	for (size_t i = 0; i < g->command_count; i++)
		nearest_offer(&near, sv_of(g->commands[i].name), i);
	return near.found ? g->commands[near.which].name : NULL;
}

bool args_has(const struct args *a, unsigned option)
{
	return a->given >> option & 1;
}

void args_release(struct args *a)
{
	vec_release(&a->words);
	vec_release(&a->all);
}

/* ---- parsing ---- */

struct words {
	char *const *at; /* borrowed */
	int count;
	int next;
};

static bool take_option(struct args *a, const struct grammar *g, size_t option, const char *value,
			struct words *w, struct err *err)
{
	const struct option *o = &g->options[option];

	if (!(a->command->options >> option & 1))
		return err_set(err, ERR_USAGE, "%s does not accept --%s", a->command->name,
			       o->name);
	if (!o->value && value)
		return err_set(err, ERR_USAGE, "--%s takes no value", o->name);
	if (o->value && !value) {
		if (w->next == w->count)
			return err_set(err, ERR_USAGE, "--%s needs a value: %s", o->name, o->value);
		value = w->at[w->next++];
	}
	a->given |= (uint64_t)1 << option;
	a->values[option] = value;
	*vec_add(&a->all) = (struct given){(unsigned)option, value};
	return true;
}

const struct option *args_option(const struct grammar *g, const struct command *command,
				 struct sv name)
{
	const struct option *found = NULL;

	for (size_t i = 0; i < g->option_count; i++) {
		bool accepted = command && command->options >> i & 1;

		if (sv_is(name, g->options[i].name) && (!found || accepted))
			found = &g->options[i];
	}
	return found;
}

/* One that the command accepts, if any is near. */
static bool unknown_option(const struct args *a, const struct grammar *g, struct sv name,
			   struct err *err)
{
	struct str shown = {0};
	struct nearest near;

	nearest_begin(&near, name);
	for (size_t i = 0; i < g->option_count; i++) {
		if (a->command->options >> i & 1)
			nearest_offer(&near, sv_of(g->options[i].name), i);
	}
	if (near.found)
		str_format(&shown, "--%s", g->options[near.which].name);
	err_set(err, ERR_USAGE, "unknown option --%.*s", (int)MIN(name.len, 60), name.at);
	nearest_suggest(err, str_sv(&shown));
	str_release(&shown);
	return false;
}

/* --name, --name=value, --name value */
static bool read_long(struct args *a, const struct grammar *g, const char *word, struct words *w,
		      struct err *err)
{
	struct sv name = sv_of(word + 2), value = {0};
	const struct option *option;

	(void)sv_split(name, '=', &name, &value);
	option = args_option(g, a->command, name);
	if (option)
		return take_option(a, g, (size_t)(option - g->options), value.at, w, err);
	return unknown_option(a, g, name, err);
}

/* -x, -xyz, -ovalue */
static bool read_letters(struct args *a, const struct grammar *g, const char *word, struct words *w,
			 struct err *err)
{
	for (const char *c = word + 1; *c; c++) {
		size_t i = 0;

		while (i < g->option_count && g->options[i].letter != *c)
			i++;
		if (i == g->option_count)
			return err_set(err, ERR_USAGE,
				       "unknown option -%c; %s help %s lists the options", *c,
				       g->program, a->command->name);
		if (g->options[i].value)
			return take_option(a, g, i, c[1] ? c + 1 : NULL, w, err);
		if (!take_option(a, g, i, NULL, w, err))
			return false;
	}
	return true;
}

static bool args_read_word(struct args *a, const struct grammar *g, struct words *w,
			   bool *only_words, struct err *err)
{
	const char *word = w->at[w->next++];

	if (*only_words || word[0] != '-' || word[1] == '\0') {
		vec_push(&a->words, word);
		return true;
	}
	if (strcmp(word, "--") == 0) {
		*only_words = true;
		return true;
	}
	return word[1] == '-' ? read_long(a, g, word, w, err) : read_letters(a, g, word, w, err);
}

bool args_parse(struct args *a, const struct grammar *g, const struct command *command, int count,
		char *const *words, struct err *err)
{
	struct words w = {words, count, 0};
	bool only_words = false;

	*a = (struct args){.command = command};
	while (w.next < w.count) {
		if (!args_read_word(a, g, &w, &only_words, err)) {
			args_release(a);
			return false;
		}
	}
	return true;
}

/* ---- help ---- */

static void help_option(FILE *out, const struct option *o)
{
	struct str left = {0};

	if (o->letter)
		str_format(&left, "-%c, ", o->letter);
	else
		str_text(&left, "    ");
	str_format(&left, "--%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
	fprintf(out, "  %-26s  %s\n", str_c(&left), o->help);
	str_release(&left);
}

void help_command(FILE *out, const struct grammar *g, const struct command *command)
{
	fprintf(out, "usage: %s %s %s\n\n%s.\n", g->program, command->name, command->usage,
		command->help);
	if (command->more)
		fprintf(out, "\n%s\n", command->more);
	fputs("\nOptions:\n", out);
	for (size_t i = 0; i < g->option_count; i++) {
		if (command->options >> i & 1)
			help_option(out, &g->options[i]);
	}
}

/* Does a quarter of the commands accept it?  Or none: it stands alone. */
static bool help_is_common(const struct grammar *g, size_t option)
{
	size_t count = 0;

	for (size_t i = 0; i < g->command_count; i++)
		count += g->commands[i].options >> option & 1;
	return count == 0 || count * 4 >= g->command_count;
}

void help_all(FILE *out, const struct grammar *g, const char *intro, const char *end)
{
	fprintf(out, "%s\n\nCommands:\n", intro);
	for (size_t i = 0; i < g->command_count; i++) {
		struct str left = {0};

		str_format(&left, "%s %s", g->commands[i].name, g->commands[i].usage);
		fprintf(out, left.len > 30 ? "  %s\n%35s%s\n" : "  %-30s%s   %s\n", str_c(&left),
			"", g->commands[i].help);
		str_release(&left);
	}
	fputs("\nCommon options:\n", out);
	for (size_t i = 0; i < g->option_count; i++) {
		if (help_is_common(g, i))
			help_option(out, &g->options[i]);
	}
	fprintf(out, "\n%s help COMMAND explains a command and all of its options.\n\n%s\n",
		g->program, end);
}
