/*
 * The input is text: lines of edits for a small model, and words to be quoted.  Parsing gives
 * the same words again, and a line made of them is printable.
 */
#include <string.h>

#include "base/bug.h"
#include "base/words.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/models.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	return 0;
}

static void check_same(const struct words *words, struct sv line)
{
	struct words again;
	struct err err;

	BUG_ON(!words_split(&again, line, &err));
	BUG_ON(again.at.len != words->at.len);
	for (size_t i = 0; i < again.at.len; i++)
		BUG_ON(!sv_eq(again.at.at[i], words->at.at[i]));
	words_release(&again);
}

/* The bytes as one word, and the words in them. */
static void check_words(struct sv text)
{
	struct words words = {0};
	struct str line = {0};
	struct err err;

	vec_push(&words.at, text);
	words_quote(&line, text);
	check_same(&words, str_sv(&line));
	for (size_t i = 0; i < line.len; i++)
		BUG_ON((unsigned char)line.at[i] < ' ');
	words_release(&words);
	str_clear(&line);
	if (!words_split(&words, text, &err))
		goto out;
	for (size_t i = 0; i < words.at.len; i++)
		words_quote(&line, words.at.at[i]);
	check_same(&words, str_sv(&line));
	words_release(&words);
out:
	str_release(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = {(const char *)data, size};

	check_words(text);
	edits_try(small_model, small_model_size, text);
	return 0;
}
