/*
 * Records: one set of cells, a face for JSON and a face for people.
 */
#include "tests/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "report/json.h"
#include "report/record.h"
#include "report/table.h"
#include "sym/sym.h"
#include "sym/text.h"

/* An axis, with every kind of cell that most subjects use. */
static void fill(struct record *r, struct sym_pool *pool)
{
	record_clear(r, pool);
	record_name(r, "input", LINK_VALUE, 7, SV("x\033"));
	record_say(r, ":");
	record_count(r, "axis", 1);
	record_column(r);
	record_dim(r, "dim", sym_int(pool, 12));
	record_dim(r, "unknown", SYM_UNKNOWN);
	record_column(r);
	record_hide(r);
	record_text(r, "verdict", SV("pinned"));
	record_show(r);
	record_tone(r, TONE_ERROR);
	record_say(r, "pinned to ");
	record_number(r, "value", -3);
	record_group(r, "by");
	record_text(r, "node", SV(" \"n\""));
	record_null(r, "constant");
	record_end(r);
	record_list(r, "bounds");
	record_text(r, "", SV(" a"));
	record_text(r, "", SV(" b"));
	record_end(r);
	record_truth(r, "free", false);
}

static const char wanted_json[] = "{\"input\": \"x\\u001b\", \"axis\": 1, \"dim\": 12, "
				  "\"unknown\": null, \"verdict\": \"pinned\", "
				  "\"value\": -3, \"by\": {\"node\": \" \\\"n\\\"\", \"constant\": "
				  "null}, \"bounds\": [\" a\", \" b\"], "
				  "\"free\": false}";

static void to_json(const struct record *r, struct str *out)
{
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);
	struct json j;

	json_init(&j, file);
	record_json(&j, r);
	(void)fclose(file);
	str_add(out, (struct sv){text, len});
	free(text);
}

static void check_columns(const struct record *r)
{
	static const char *const wanted[] = {"x\\x1b:1", "12?", "pinned to -3 \"n\" a bno"};

	for (uint32_t i = 0; i < ARRAY_LEN(wanted); i++) {
		struct str text = {0};

		record_print_column(r, i, &text);
		CHECK_THAT(strcmp(str_c(&text), wanted[i]) == 0, "column %u: %s", (unsigned)i,
			   str_c(&text));
		str_release(&text);
	}
}

static void check_json(const struct record *r)
{
	struct str text = {0};

	to_json(r, &text);
	CHECK_THAT(strcmp(str_c(&text), wanted_json) == 0, "%s", str_c(&text));
	str_release(&text);
}

TEST(both_faces_come_from_one_record)
{
	struct sym_pool pool = {0};
	struct record r = {0};

	fill(&r, &pool);
	check_json(&r);
	check_columns(&r);
	record_release(&r);
	sym_pool_release(&pool);
}

/* A record for one face leaves out the other, and is the same where it is not. */
TEST(one_face_is_the_same_alone)
{
	struct record data = {.face = FACE_DATA}, shown = {.face = FACE_SHOWN};
	struct sym_pool pool = {0};

	fill(&data, &pool);
	fill(&shown, &pool);
	check_json(&data);
	check_columns(&shown);
	for (size_t i = 0; i < data.cells.len; i++)
		CHECK_THAT(data.cells.at[i].key, "cell %zu of the data has no key", i);
	for (size_t i = 0; i < shown.cells.len; i++)
		CHECK_THAT(shown.cells.at[i].shown, "cell %zu is not shown", i);
	record_release(&data);
	record_release(&shown);
	sym_pool_release(&pool);
}

TEST(a_record_is_reused)
{
	struct sym_pool pool = {0};
	struct record r = {0};

	for (int i = 0; i < 3; i++) {
		fill(&r, &pool);
		check_json(&r);
		check_columns(&r);
	}
	CHECK_THAT(record_find(&r, "input")->id == 7, "its link");
	CHECK_THAT(record_find(&r, "nothing") == NULL, "no such key");
	CHECK_THAT(record_has(&r, 2) && !record_has(&r, 3), "columns");
	record_release(&r);
	sym_pool_release(&pool);
}

/* Cells of one tone are one run; a hidden cell between them ends it. */
TEST(runs_end_where_the_look_changes)
{
	struct sym_pool pool = {0};
	struct record r = {0};
	size_t at = 0, runs = 0;

	fill(&r, &pool);
	while (at < r.cells.len) {
		if (!r.cells.at[at].shown) {
			at++;
			continue;
		}
		(void)record_run(&r, &at);
		runs++;
	}
	/* x:1 | 12? | pinned to -3 | "n" | a b | no */
	CHECK_THAT(runs == 6, "%zu runs", runs);
	record_release(&r);
	sym_pool_release(&pool);
}

TESTS(T(both_faces_come_from_one_record), T(one_face_is_the_same_alone), T(a_record_is_reused),
      T(runs_end_where_the_look_changes))
