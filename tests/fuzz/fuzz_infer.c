/*
 * Any bytes that open as a model are inferred, explained and checked, also with numbers for
 * symbols.  Invariants: no crash, no hang, ranks within the limit, contents that fit their
 * shapes, expressions that print.
 */
#include <stdlib.h>

#include "base/bug.h"
#include "infer/axes.h"
#include "report/explanation.h"
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

/* Each is explained by what is one deeper, and can be printed. */
static void look_at_steps(const struct infer *in, const struct explanation *e)
{
	BUG_ON(e->steps.len > e->max);
	for (size_t i = 0; i < e->steps.len; i++) {
		struct str line = {0};

		BUG_ON(e->steps.at[i].depth > (i ? e->steps.at[i - 1].depth + 1 : 0));
		step_print(&line, in, &e->steps.at[i]);
		BUG_ON(line.len == 0);
		str_release(&line);
	}
}

static void look(struct infer *in)
{
	size_t max = MIN(in->model->values.len, (size_t)MAX_VALUES);

	for (size_t v = 1; v < max; v++)
		look_at_info(in, &in->infos[v]);
	for (uint32_t v = 1; v < MIN(max, (size_t)MAX_WHY); v++) {
		struct explanation e;

		explanation_init(&e);
		explain_value(in, v, &e);
		look_at_steps(in, &e);
		explanation_release(&e);
	}
}

static void look_at_findings(struct infer *in)
{
	size_t work = EXPLAIN_WORK;

	for (size_t i = 0; i < MIN(in->findings.len, (size_t)MAX_FINDINGS); i++) {
		struct explanation e = {.max = EXPLAIN_MAX_STEPS, .work = work};

		BUG_ON(in->findings.at[i].fact > in->facts.len);
		explain_finding(in, &in->findings.at[i], &e);
		look_at_steps(in, &e);
		work = e.work;
		explanation_release(&e);
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
