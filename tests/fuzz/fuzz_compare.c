/*
 * Any bytes that open as a model are compared with themselves, opened a second time, and
 * with an empty model both ways; and all snippets are generated.  Invariants: no crash, no
 * hang, a model equals itself, lists are cut at their limit, and what an empty model lacks
 * is reported both ways.
 */
#include "base/bug.h"
#include "edit/diff/compare.h"
#include "export/snippet/snippet.h"
#include "tests/fuzz/target.h"
#include "wire/wire.h"

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	return 0;
}

static uint64_t count_differences(const struct infer *a, const struct infer *b)
{
	struct differences d;
	uint64_t count, sum = 0;

	compare_models(&d, a, b, (struct compare_options){0});
	count = d.count;
	for (size_t i = 0; i < DIFFERENCE_KIND_COUNT; i++) {
		BUG_ON(d.lists[i].len != MIN(d.counts[i], (uint64_t)COMPARE_MAX));
		sum += d.counts[i];
	}
	BUG_ON(sum != count);
	differences_release(&d);
	return count;
}

static void compare_all(const struct model *m, const struct model *again)
{
	static const uint8_t empty[] = {0x08, 0x08, 0x3a, 0x00}; /* IR 8 and an empty graph */
	struct infer first, second, nothing;
	struct wire w;
	struct err err;

	infer_run(&first, m, (struct infer_options){0});
	infer_run(&second, again, (struct infer_options){0});
	BUG_ON(count_differences(&first, &second) != 0);
	BUG_ON(!wire_open_memory(&w, "empty", empty, sizeof(empty), &err));
	infer_run(&nothing, &w.model, (struct infer_options){0});
	BUG_ON(count_differences(&first, &nothing) != count_differences(&nothing, &second));
	infer_release(&first);
	infer_release(&second);
	infer_release(&nothing);
	wire_release(&w);
}

static void write_all(const struct model *m)
{
	struct infer in;

	infer_run(&in, m, (struct infer_options){0});
	for (enum snippet_target target = 0; target < SNIPPET_TARGET_COUNT; target++) {
		struct snippet_request request = {.target = target, .file = SV("m.onnx")};
		struct str text = {0};
		struct err err;

		BUG_ON(!snippet_make(&text, &in, &request, &err));
		BUG_ON(text.len == 0);
		str_release(&text);
	}
	infer_release(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire w, again;
	struct err err;

	if (!wire_open_memory(&w, "input", data, size, &err))
		return 0;
	BUG_ON(!wire_open_memory(&again, "input", data, size, &err));
	compare_all(&w.model, &again.model);
	write_all(&w.model);
	wire_release(&again);
	wire_release(&w);
	return 0;
}
