/*
 * Reads a table of "text -> its printed form" (argument: its path); each row is a test.  The
 * printed form must parse as the same expression.
 */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "sym/sym.h"
#include "sym/text.h"

static void declare(struct sym_pool *p)
{
	static const char *const names[] = {"batch", "seq", "past", "s0", "s1", "s77", "my axis"};

	sym_declare_range(p, SV("d"), SYM_RANGE_ANY);
	sym_declare_range(p, SV("t"), (struct sym_range){0, 1000});
	sym_declare_range(p, SV("z"), SYM_RANGE_SIZE);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		sym_declare(p, sv_of(names[i]));
	for (char c = 'A'; c <= 'z'; c++) {
		if (sym_is_identifier((struct sv){&c, 1}))
			sym_declare(p, (struct sv){&c, 1});
	}
}

static bool run_row(struct sym_pool *p, struct sv in, struct sv expected)
{
	struct str shown = {0};
	struct sym s = SYM_UNKNOWN, again = SYM_UNKNOWN;
	struct err err = {0};
	bool ok;

	if (sym_parse(p, in, NULL, &s, &err))
		sym_print(p, s, &shown);
	else
		str_format(&shown, "! %s", err.text);
	ok = sv_eq(str_sv(&shown), expected);
	if (!ok)
		printf("# shown as %s\n", str_c(&shown));
	if (ok && shown.at[0] != '!' &&
	    (!sym_parse(p, str_sv(&shown), NULL, &again, &err) || !sym_same(s, again))) {
		printf("# %s is read as something else %s\n", str_c(&shown), err.text);
		ok = false;
	}
	str_release(&shown);
	return ok;
}

int main(int argc, char **argv)
{
	struct sym_pool pool = {0};
	FILE *file = fopen(argc > 1 ? argv[1] : "", "r");
	int count = 0, failed = 0;
	char line[1000];

	if (!file) {
		printf("1..0 # SKIP no table\nBail out! cannot open the table\n");
		return 1;
	}
	declare(&pool);
	while (fgets(line, sizeof(line), file)) {
		char *arrow = strstr(line, " -> ");
		bool ok;

		line[strcspn(line, "\n")] = 0;
		if (line[0] == '#' || !arrow)
			continue;
		*arrow = 0;
		ok = run_row(&pool, sv_of(line), sv_of(arrow + 4));
		failed += !ok;
		printf("%s %d - %s\n", ok ? "ok" : "not ok", ++count, line);
	}
	printf("1..%d\n", count);
	fclose(file);
	sym_pool_release(&pool);
	return failed != 0;
}
