#include "app/cli_complete.h"

#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/complete.h"
#include "base/str.h"
#include "base/sv.h"
#include "cmd/args.h"

struct asking {
	struct completing completing;
	const struct command *command; /* borrowed */
	const struct option *open;     /* borrowed: the option that needs a value; NULL for none */
	bool only_words;               /* "--" was seen */
};

static void candidate_print(void *context, struct sv word, const char *help)
{
	(void)context;
	printf("%.*s%s%s\n", (int)word.len, word.at, help ? "\t" : "", help ? help : "");
}

static void candidates_add_options(const struct asking *a)
{
	const struct grammar *g = a->completing.grammar;

	for (size_t i = 0; i < g->option_count; i++) {
		struct str word = {0};

		str_format(&word, "--%s%s", g->options[i].name, g->options[i].value ? "=" : "");
		if (a->command->options >> i & 1)
			complete_offer(&a->completing, str_sv(&word), g->options[i].help);
		str_release(&word);
	}
}

static void candidates_add_values(const struct asking *a)
{
	bool output = a->open == &a->completing.grammar->options[OPTION_OUTPUT];

	if (output && a->command->options >> OPTION_FORMAT & 1)
		complete_word(&a->completing, COMPLETE_exports);
	else if (a->open->value)
		complete_named(&a->completing, sv_of(a->open->value));
}

static const struct option *find_option(const struct asking *a, const char *word)
{
	const struct grammar *g = a->completing.grammar;
	size_t len = strcspn(word, "=");

	if (word[1] == '-')
		return args_option(g, a->command, (struct sv){word + 2, len - 2});
	for (size_t i = 0; i < g->option_count; i++) {
		if (g->options[i].letter && word[len - 1] == g->options[i].letter)
			return &g->options[i];
	}
	return NULL;
}

/* One of the words before the last. */
static void candidates_read_word(struct asking *a, const char *word)
{
	if (a->open) {
		a->open = NULL;
	} else if (!a->only_words && strcmp(word, "--") == 0) {
		a->only_words = true;
	} else if (!a->only_words && word[0] == '-' && word[1]) {
		const struct option *o = find_option(a, word);

		a->open = o && o->value && !strchr(word, '=') ? o : NULL;
		if (o == &a->completing.grammar->options[OPTION_DEMO]) {
			a->completing.demo = true;
			a->completing.path = "demo";
			a->completing.place++; /* instead of the model */
		}
	} else if (a->completing.place++ == 0) {
		a->completing.path = word;
	}
}

static void candidates_answer(struct asking *a, const char *last)
{
	bool is_option = !a->only_words && last[0] == '-';
	struct completing *c = &a->completing;

	if (!a->open && is_option && last[1] == '-' && strchr(last, '=')) {
		c->head.len = strcspn(last, "=") + 1;
		c->prefix = sv_skip(c->prefix, c->head.len);
		a->open = find_option(a, last);
	}
	c->usage = a->command->usage;
	if (a->open)
		candidates_add_values(a);
	else if (is_option)
		candidates_add_options(a);
	else
		complete_word(c, COMPLETE_usage);
}

void print_candidates(const struct grammar *g, int count, char **words)
{
	const char *last = count ? words[count - 1] : "";
	struct asking a = {.completing = {
				   .grammar = g,
				   .head = {last, 0},
				   .prefix = sv_of(last),
				   .take = candidate_print,
			   }};

	a.command = count > 1 ? args_command(g, words[0]) : NULL;
	for (int i = a.command ? 1 : 0; i + 1 < count; i++)
		candidates_read_word(&a, words[i]);
	if (count < 2) {
		complete_word(&a.completing, COMPLETE_commands);
		complete_offer(&a.completing, SV("--version"), g->options[OPTION_VERSION].help);
	}
	/* A first word that is not a command is a model to open. */
	if (!a.command)
		a.command = &g->commands[COMMAND_edit];
	candidates_answer(&a, last);
}
