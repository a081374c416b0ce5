/*
 * Any bytes that open as a model are inferred, explained and checked, also with numbers for
 * symbols.  Invariants: no crash, no hang, ranks within the limit, contents that fit their
 * shapes, expressions that print.
 */
#include <stdlib.h>

#include "base/bug.h"
#include "infer/axes.h"
#include "infer/reason.h"
#include "infer/why.h"
#include "sym/text.h"
#include "tests/fuzz/target.h"
#include "wire/wire.h"

enum {
	MAX_VALUES = 200, /* checked in detail */
	MAX_WHY = 40,
	MAX_FINDINGS = 100,
	SMALL = 64 /* values of a model whose axes are tried one by one */
};

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	return 0;
}

static void look_at_info(const struct infer *in, const struct info *info)
{
	struct str text = {0};
	uint64_t elements = 1;
	bool numbers = info->ranked;

	BUG_ON(info->ranked && info->rank > RULE_MAX_RANK);
	for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
		int64_t size;

		sym_print(&in->pool, info->dims[i], &text);
		numbers = numbers && sym_value(&in->pool, info->dims[i], &size);
		BUG_ON(numbers && size < 0);
		numbers = numbers && num_mul(elements, (uint64_t)size, &elements);
	}
	BUG_ON(info->contents.at && info->contents.count > RULE_MAX_CONSTANTS);
	BUG_ON(info->contents.at && numbers && elements != info->contents.count);
	str_release(&text);
}

static void look(struct infer *in)
{
	size_t max = MIN(in->model->values.len, (size_t)MAX_VALUES);

	for (size_t v = 1; v < max; v++)
		look_at_info(in, &in->infos[v]);
	for (uint32_t v = 1; v < MIN(max, (size_t)MAX_WHY); v++) {
		struct why reasons[4];

		for (uint32_t i = 0; in->infos[v].ranked && i < in->infos[v].rank; i++)
			(void)why_find(in, (struct why){.value = v, .index = i}, reasons, 4);
	}
}

static void look_at_findings(struct infer *in)
{
	size_t work = REASON_WORK;

	for (size_t i = 0; i < MIN(in->findings.len, (size_t)MAX_FINDINGS); i++) {
		struct reason reason;

		BUG_ON(in->findings.at[i].fact > in->facts.len);
		reason_find(in, &in->findings.at[i], &work, &reason);
		BUG_ON(reason.count > REASON_MAX_LINES);
		for (size_t k = 0; k < reason.count; k++)
			BUG_ON(reason.lines[k].len == 0);
		reason_release(&reason);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct infer_binding one = {{"N", 1}, 1};
	struct infer in;
	struct axes axes;
	struct wire w;
	struct err err;

	if (!wire_open_memory(&w, "input", data, size, &err))
		return 0;
	infer_run(&in, &w.model, (struct infer_options){0});
	look(&in);
	look_at_findings(&in);
	infer_release(&in);
	infer_run(&in, &w.model, (struct infer_options){.bindings = &one, .binding_count = 1});
	infer_release(&in);
	if (w.model.values.len < SMALL) {
		axes_find(&axes, &w.model);
		axes_release(&axes);
	}
	wire_release(&w);
	return 0;
}
