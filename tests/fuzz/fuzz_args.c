/*
 * The input is a command line, one word per line.  Parsing loses no word, keeps each option
 * with its value, and gives the same for the long form.  Completion offers plain text that
 * begins with what was typed.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "app/cli_complete.h"
#include "base/bug.h"
#include "tests/fuzz/models.h"
#include "tests/fuzz/plain.h"
#include "tests/fuzz/target.h"
#include "tests/wire/scratch.h"

#define OPT(id) ((uint64_t)1 << OPTION_##id)

static const struct option options[] = {
#define OPTION(id, name, letter, value, help) {name, letter, value, help},
#include "app/options.def"
#undef OPTION
};

static const struct command commands[] = {
#define COMMAND(id, name, usage, help, more, opts, min, max) \
	{name, usage, help, more, opts, min, max},
#include "app/commands.def"
#undef COMMAND
};

static const struct grammar grammar = {"axed", commands, ARRAY_LEN(commands), options,
				       ARRAY_LEN(options)};

enum {
	MAX_WORDS = 12
};

struct line {
	char *at[MAX_WORDS]; /* in the text */
	int count;
	struct str text;
};

/* Output goes to a separate file; paths are looked up beside two models. */
int LLVMFuzzerInitialize(int *count, char ***words)
{
	struct sv hostile = {(const char *)hostile_model, hostile_model_size};
	struct sv nested = {(const char *)nested_model, nested_model_size};

	(void)count;
	(void)words;
	scratch_in_memory();
	BUG_ON(!write_whole(scratch_path(0, "h.onnx"), hostile));
	BUG_ON(!write_whole(scratch_path(0, "n.onnx"), nested));
	BUG_ON(chdir(scratch_folder()) != 0);
	BUG_ON(!freopen(scratch_path(0, "printed"), "w+", stdout));
	return 0;
}

/* An argument cannot contain a NUL. */
static void split(struct line *l, struct sv input)
{
	struct sv line;

	*l = (struct line){0};
	str_add(&l->text, input);
	str_char(&l->text, '\n');
	for (size_t i = 0; i < l->text.len; i++) {
		if (l->text.at[i] == 0)
			l->text.at[i] = ' ';
	}
	for (struct sv rest = str_sv(&l->text); l->count < MAX_WORDS && text_line(&rest, &line);) {
		size_t start = (size_t)(line.at - l->text.at);

		l->text.at[start + line.len] = 0;
		l->at[l->count++] = l->text.at + start;
	}
}

/* ---- reading ---- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void check_same(const struct args *a, const struct args *b)
{
	BUG_ON(a->given != b->given || a->all.len != b->all.len || a->words.len != b->words.len);
	for (size_t i = 0; i < grammar.option_count; i++)
		BUG_ON(!same_text(a->values[i], b->values[i]));
	for (size_t i = 0; i < a->all.len; i++)
		BUG_ON(a->all.at[i].option != b->all.at[i].option ||
		       !same_text(a->all.at[i].value, b->all.at[i].value));
	for (size_t i = 0; i < a->words.len; i++)
		BUG_ON(!same_text(a->words.at[i], b->words.at[i]));
}

/* --name=value for each option, then -- and the words. */
static void check_long_form(const struct args *a)
{
	VEC(char *) words = {0};
	struct str text = {0};
	struct args again;
	struct err err;

	for (size_t i = 0; i < a->all.len; i++) {
		const struct given *g = &a->all.at[i];

		str_format(&text, "--%s%s%s\n", options[g->option].name, g->value ? "=" : "",
			   g->value ? g->value : "");
	}
	str_text(&text, "--\n");
	for (size_t i = 0; i < a->words.len; i++)
		str_format(&text, "%s\n", a->words.at[i]);
	for (char *at = text.at; *at;) {
		vec_push(&words, at);
		at = strchr(at, '\n');
		*at++ = 0;
	}
	BUG_ON(!args_parse(&again, &grammar, a->command, (int)words.len, words.at, &err));
	check_same(a, &again);
	args_release(&again);
	vec_release(&words);
	str_release(&text);
}

static void check_args(const struct args *a)
{
	for (size_t i = 0; i < grammar.option_count; i++) {
		BUG_ON(args_has(a, (unsigned)i) && !(a->command->options >> i & 1));
		BUG_ON((options[i].value && args_has(a, (unsigned)i)) != (a->values[i] != NULL));
	}
	check_long_form(a);
}

static void read_words(struct line *l)
{
	const struct command *command = l->count ? args_command(&grammar, l->at[0]) : NULL;
	const char *nearest = l->count ? args_nearest(&grammar, l->at[0]) : NULL;
	struct args args;
	struct err err = {0};

	BUG_ON(nearest && !args_command(&grammar, nearest));
	if (!command)
		command = args_command(&grammar, "edit");
	if (args_parse(&args, &grammar, command, l->count, l->at, &err)) {
		check_args(&args);
		args_release(&args);
	} else {
		BUG_ON(err.text[0] == 0);
	}
}

/* ---- completing ---- */

static void read_printed(struct str *out)
{
	char block[4096];
	size_t got;

	BUG_ON(fflush(stdout) != 0);
	rewind(stdout);
	while ((got = fread(block, 1, sizeof(block), stdout)) > 0)
		str_add(out, (struct sv){block, got});
	rewind(stdout);
	BUG_ON(ftruncate(fileno(stdout), 0) != 0);
}

static void complete(struct line *l)
{
	struct sv last = l->count ? sv_of(l->at[l->count - 1]) : SV(""), rest, line;
	struct str printed = {0};

	print_candidates(&grammar, l->count, l->at);
	read_printed(&printed);
	rest = str_sv(&printed);
	while (text_line(&rest, &line)) {
		const char *tab = memchr(line.at, '\t', line.len);
		struct sv word = {line.at, tab ? (size_t)(tab - line.at) : line.len};

		BUG_ON(!sv_starts(word, last) || !text_is_plain(word));
		BUG_ON(tab && !text_is_plain(sv_skip(line, word.len + 1)));
	}
	str_release(&printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct line l;

	split(&l, (struct sv){(const char *)data, size});
	read_words(&l);
	complete(&l);
	str_release(&l.text);
	return 0;
}
