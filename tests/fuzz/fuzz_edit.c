/*
 * The input is lines of edits, a NUL, and a model.
 */
#include <string.h>

#include "tests/fuzz/edits.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size ? memchr(data, 0, size) : NULL;
	size_t lines = end ? (size_t)(end - data) : 0;

	if (end)
		edits_try(end + 1, size - lines - 1, (struct sv){(const char *)data, lines});
	return 0;
}
