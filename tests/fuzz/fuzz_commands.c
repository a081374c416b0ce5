/*
 * The input is a byte that selects a command, a byte that selects a tensor, a NUL, and a model.
 * The command prints plain text; with --json each line is JSON.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/bug.h"
#include "tests/fuzz/models.h"
#include "tests/fuzz/plain.h"
#include "tests/fuzz/target.h"
#include "tests/wire/scratch.h"
#include "wire/wire.h"

enum {
	HEADER = 3, /* bytes before the model */
	MAX_WORDS = 6
};

/* The program's own main. */
int axed_main(int count, char **words);

static const struct {
	const char *words[3];
	enum {
		NOTHING,
		TENSOR,
		MODEL
	} takes;
	bool json;
} commands[] = {
	{{"show"}, NOTHING, false},
	{{"show", "--json"}, NOTHING, true},
	{{"shapes"}, NOTHING, false},
	{{"shapes", "--json"}, NOTHING, true},
	{{"shapes", "--json", "--bind=N=3"}, TENSOR, true},
	{{"check"}, NOTHING, false},
	{{"check", "--json"}, NOTHING, true},
	{{"axes"}, NOTHING, false},
	{{"axes", "--json"}, NOTHING, true},
	{{"symbols"}, NOTHING, false},
	{{"symbols", "--json"}, NOTHING, true},
	{{"explain"}, TENSOR, false},
	{{"explain", "--json"}, TENSOR, true},
	{{"snippet", "--for", "torch"}, NOTHING, false},
	{{"repair", "--dry-run", "--json"}, NOTHING, true},
	{{"set", "--dry-run", "--json"}, TENSOR, true},
	{{"diff"}, MODEL, false},
	{{"diff", "--json"}, MODEL, true},
	{{"explain", "--flow"}, TENSOR, false},
	{{"explain", "--flow", "--json"}, TENSOR, true},
};

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	scratch_in_memory();
	BUG_ON(!write_whole(scratch_path(0, "small.onnx"),
			    (struct sv){(const char *)small_model, small_model_size}));
	BUG_ON(!freopen(scratch_path(0, "printed"), "w+", stdout));
	return 0;
}

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

/* Names the value that the byte selects; an edit sets its axis 0. */
static void choose_tensor(struct str *out, struct sv model, uint8_t which, bool edit)
{
	struct wire w;
	struct err err;

	BUG_ON(!wire_open_memory(&w, "input", model.at, model.len, &err));
	if (w.model.values.len > 1) {
		size_t id = 1 + which % (w.model.values.len - 1);

		str_add(out, model_name(&w.model, w.model.values.at[id].name));
	}
	str_text(out, edit ? ":0=7" : which & 1 ? ":0" : "");
	wire_release(&w);
}

static void check_printed(bool json)
{
	struct str printed = {0};
	struct sv rest, line;

	read_printed(&printed);
	for (size_t i = 0; i < printed.len; i++) {
		/* Separates columns, for cut and awk. */
		if (!json && printed.at[i] == '\t')
			printed.at[i] = ' ';
	}
	BUG_ON(!text_is_plain(str_sv(&printed)));
	rest = str_sv(&printed);
	while (json && text_line(&rest, &line))
		BUG_ON(!text_is_json(line));
	str_release(&printed);
}

static void run(size_t command, struct sv model, uint8_t tensor)
{
	static char program[] = "axed";
	struct str words[MAX_WORDS] = {{0}};
	char *argv[MAX_WORDS + 1] = {program};
	int count = 0, code;

	for (size_t i = 0; i < 3 && commands[command].words[i]; i++)
		str_text(&words[count++], commands[command].words[i]);
	str_text(&words[count++], scratch_path(0, "m.onnx"));
	if (commands[command].takes == MODEL)
		str_text(&words[count++], scratch_path(1, "small.onnx"));
	if (commands[command].takes == TENSOR)
		choose_tensor(&words[count++], model, tensor,
			      strcmp(commands[command].words[0], "set") == 0);
	for (int i = 0; i < count; i++)
		argv[i + 1] = words[i].at;
	code = axed_main(count + 1, argv);
	BUG_ON(code < 0 || code > 2);
	check_printed(commands[command].json);
	for (int i = 0; i < count; i++)
		str_release(&words[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv model = {(const char *)data + HEADER, size - HEADER};
	struct wire w;
	struct err err;

	if (size < HEADER || data[2] != 0)
		return 0;
	if (!wire_open_memory(&w, "input", model.at, model.len, &err))
		return 0;
	wire_release(&w);
	BUG_ON(!write_whole(scratch_path(1, "m.onnx"), model));
	run(data[0] % ARRAY_LEN(commands), model, data[1]);
	return 0;
}
