#include "tests/tap.h"

#include <string.h>

#include "ui/search/pattern.h"

static bool found(const char *pattern, const char *text, bool fold)
{
	struct pattern p;
	struct err err;
	bool fits;

	if (!pattern_init(&p, sv_of(pattern), fold, &err)) {
		printf("# %s\n", err.text);
		return false;
	}
	fits = pattern_fits(&p, sv_of(text));
	pattern_release(&p);
	return fits;
}

TEST(patterns_fit)
{
	static const struct {
		const char *pattern, *text;
		bool fits;
	} cases[] = {
		{"b+c", "abbbcd", true},
		{"^b", "ab", false},
		{"a$", "ba", true},
		{"^$", "", true},
		{"^(ab|cd)*$", "abcdab", true},
		{"^(ab|cd)*$", "abcda", false},
		{"^(|a)b$", "b", true},
		{"^a{2,3}$", "a", false},
		{"^a{2,3}$", "aaa", true},
		{"^a{2,3}$", "aaaa", false},
		{"^a{,1}$", "aa", false},
		{"^(ab){2,}$", "ababab", true},
		{"^a{0}b$", "b", true},
		{"{a}", "x{a}", true},
		{"[]a-c-]x", "-x", true},
		{"[^]a]x", "]x", false},
		{"^[[:digit:]_]+$", "1_2", true},
		{"\\bre\\b", "a re b", true},
		{"\\bre\\b", "are", false},
		{"\\<a.\\>", "xa ab", true},
		{"^\\w\\W\\d\\s$", "a-1 ", true},
		{"a\\.b", "axb", false},
		{"^.$", "\u00e9", true},
		{"^.$", "\xff", true},
		{"^..$", "\xc3", false},
		{"*conv*", "conv", true},
		{"(^.){2}c", "_-c", false},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		CHECK_THAT(found(cases[i].pattern, cases[i].text, false) == cases[i].fits,
			   "%s in '%s'", cases[i].pattern, cases[i].text);
	CHECK(found("RE[A-Z]U", "/relu_1", true) && !found("RE[A-Z]U", "/relu_1", false));
	CHECK(found("[^a]", "A", false) && !found("[^a]", "A", true));
}

/* With each of these the C library runs forever or exhausts memory. */
TEST(patterns_take_no_time)
{
	static char text[1001];

	memset(text, 'x', sizeof(text) - 1);
	CHECK(!found("((.*)*|(.*)+|(.+)*){30}q", text, true));
	CHECK(!found("(\\b|^)*(\\b|^)*(\\b|^)*(\\b|^)*(\\b|^)*(\\b|^)*(\\b|^)*(\\b|^)*q", text,
		     true));
	CHECK(!found("((((((((((x+)+)+)+)+)+)+)+)+)+)+q", text, true));
	CHECK(!found("(.+|.+.+|.+.+.+){40}q", text, true));
}

TEST(patterns_that_make_no_sense)
{
	static const struct {
		const char *pattern, *fault;
	} cases[] = {
		{"(a", "unclosed parenthesis"},
		{"a)", "unopened"},
		{"[a", "unclosed bracket"},
		{"[b-a]", "range out of order"},
		{"a{3,2}", "count out of order"},
		{"a\\", "trailing backslash"},
		{"(a)\\1", "backreferences"},
		{"((a{99}){99}){99}", "too large"},
		{"[[:nice:]]", "unknown character class"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct pattern p;
		struct err err = {0};
		bool ok = pattern_init(&p, sv_of(cases[i].pattern), false, &err);

		CHECK_THAT(!ok && strstr(err.text, cases[i].fault), "%s: %s", cases[i].pattern,
			   err.text);
	}
}

TESTS(T(patterns_fit), T(patterns_take_no_time), T(patterns_that_make_no_sense))
