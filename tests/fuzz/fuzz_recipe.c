/*
 * The input is a recipe.  Each line is applied or reported with its number; the applied lines,
 * written as a recipe, are plain text and have the same effect on the same model.
 */
#include <stdio.h>

#include "base/bug.h"
#include "edit/recipe.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/models.h"
#include "tests/fuzz/plain.h"
#include "tests/fuzz/target.h"
#include "tests/wire/scratch.h"

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	scratch_in_memory();
	return 0;
}

static struct sv whole_source(void)
{
	return (struct sv){(const char *)small_model, small_model_size};
}

/* The numbers ascend, and each has a message. */
static void check_failures(const struct recipe_result *result, size_t lines)
{
	struct sv rest = str_sv(&result->failures), line;
	unsigned long number = 0, last = 0;
	size_t told = 0;

	while (text_line(&rest, &line)) {
		int used = 0;

		/* A message may quote a name that contains line ends. */
		if (sscanf(line.at, "line %lu: %n", &number, &used) != 1 || number <= last)
			continue;
		BUG_ON(number > lines || (size_t)used >= line.len);
		last = number;
		told++;
	}
	BUG_ON(told != result->failed);
}

static size_t count_lines(struct sv text)
{
	struct sv line;
	size_t count = 0;

	while (text_line(&text, &line))
		count++;
	return count;
}

/* Applies what recipe_write writes. */
static void check_again(struct document *d)
{
	struct recipe_result result = {0};
	struct str text = {0}, first = {0}, second = {0};
	struct document again;
	struct err err;

	BUG_ON(!recipe_write(d, scratch_path(1, "written"), &err));
	BUG_ON(!read_whole(scratch_path(1, "written"), &text));
	BUG_ON(count_lines(str_sv(&text)) != d->done + 1);
	BUG_ON(!document_open_memory(&again, "small", small_model, small_model_size, &err));
	BUG_ON(!recipe_apply(&again, scratch_path(1, "written"), false, &result, &err));
	if (result.failed)
		fprintf(stderr, "%s%s", str_c(&text), str_c(&result.failures));
	BUG_ON(result.failed || result.done != d->done || again.done != d->done);
	edits_saved(d, whole_source(), &first);
	edits_saved(&again, whole_source(), &second);
	BUG_ON(!sv_eq(str_sv(&first), str_sv(&second)));
	str_release(&text);
	str_release(&first);
	str_release(&second);
	recipe_result_release(&result);
	document_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv recipe = {(const char *)data, size};
	struct recipe_result result = {0};
	struct document d;
	struct err err;

	BUG_ON(!write_whole(scratch_path(0, "recipe"), recipe));
	BUG_ON(!document_open_memory(&d, "small", small_model, small_model_size, &err));
	BUG_ON(!recipe_apply(&d, scratch_path(0, "recipe"), false, &result, &err));
	BUG_ON(result.done + result.failed > count_lines(recipe));
	BUG_ON(d.done > result.done + result.failed);
	check_failures(&result, count_lines(recipe));
	check_again(&d);
	recipe_result_release(&result);
	document_release(&d);
	return 0;
}
