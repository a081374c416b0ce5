/*
 * Every kind of finding has a sentence, and every placeholder in it a function.  Argument: a
 * model with a symbol.
 */
#include <string.h>

#include "infer/infer.h"
#include "infer/sentence.h"
#include "infer/sizes.h"
#include "ops/need.h"
#include "tests/tap.h"
#include "wire/wire.h"

static const char *model;

TEST(every_kind_can_be_printed)
{
	struct size_set sizes = {.lo = 5, .hi = 7, .mod = 2, .rem = (const uint64_t[]){1}};
	uint32_t symbol = 0;
	struct infer in;
	struct wire w;
	struct err err;

	CHECK_THAT(wire_open(&w, model, &err), "%s: %s", model, err.text);
	infer_run(&in, &w.model, (struct infer_options){0});
	CHECK(in.pool.symbols.len > 0);
	for (enum finding_kind kind = 0; kind < FINDING_KIND_COUNT; kind++) {
		struct finding f = {.kind = kind,
				    .node = 1,
				    .a = sym_int(&in.pool, 3),
				    .b = sym_int(&in.pool, 4),
				    .n = FACT_EQUAL,
				    .sizes = &sizes,
				    .symbols = &symbol,
				    .symbol_count = 1,
				    .text = "some reason"};
		struct str sentence = {0}, condition = {0};

		finding_print(&in, &f, &sentence);
		finding_print_condition(&in, &f, &condition);
		CHECK_THAT(sentence.len > 5 && !strpbrk(str_c(&sentence), "{}"), "kind %d: %s",
			   (int)kind, str_c(&sentence));
		CHECK(sv_starts(str_sv(&sentence), str_sv(&condition)));
		str_release(&condition);
		str_release(&sentence);
	}
	infer_release(&in);
	wire_release(&w);
}

TEST(every_level_is_described)
{
	for (enum level level = 0; level < LEVEL_COUNT; level++) {
		const struct level_info *info = level_info(level);
		enum level found = LEVEL_COUNT;

		CHECK(level_find(sv_of(info->name), &found) && found == level);
		CHECK_THAT(info->meaning[0], "%s has no meaning", info->name);
		/* The list is sorted: a note never stands before a problem. */
		CHECK_THAT(level == 0 || level_info(level - 1)->gravity <= info->gravity,
			   "%s stands in the wrong place in findings.def", info->name);
	}
}

int main(int count, char **words)
{
	static const struct tap_test tests[] = {
		{"every_kind_can_be_printed", test_every_kind_can_be_printed},
		{"every_level_is_described", test_every_level_is_described},
	};

	model = count > 1 ? words[1] : "";
	return tap_main(tests, ARRAY_LEN(tests));
}
