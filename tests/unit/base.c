#include "tests/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/digest.h"
#include "base/err.h"
#include "base/glob.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/num.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/width.h"
#include "base/os.h"
#include "base/words.h"
#include "base/wrap.h"

static bool shown_is(struct sv text, const char *expected)
{
	struct str s = {0}, after = {0};
	bool same;

	str_add_shown(&s, text);
	str_text(&after, "\n");
	str_add(&after, text);
	str_show_from(&after, 1);
	same = sv_is(str_sv(&s), expected) && sv_is(sv_skip(str_sv(&after), 1), expected) &&
	       after.at[0] == '\n';
	if (!same)
		printf("# shown as %s and %s, expected %s\n", str_c(&s), str_c(&after), expected);
	str_release(&s);
	str_release(&after);
	return same;
}

TEST(sv_numbers)
{
	int64_t n = 0;

	CHECK(sv_int(SV("0"), &n) && n == 0);
	CHECK(sv_int(SV("-9223372036854775808"), &n) && n == INT64_MIN);
	CHECK(sv_int(SV("9223372036854775807"), &n) && n == INT64_MAX);
	CHECK(!sv_int(SV("9223372036854775808"), &n));
	CHECK(!sv_int(SV("-"), &n) && !sv_int(SV(""), &n) && !sv_int(SV("1a"), &n));
}

static bool splits_to(const char *line, const char *joined)
{
	struct words w;
	struct err err;
	struct str s = {0};
	bool same;

	if (!words_split(&w, sv_of(line), &err)) {
		same = strcmp(err.text, joined) == 0;
		printf(same ? "" : "# %s\n", err.text);
		return same;
	}
	for (size_t i = 0; i < w.at.len; i++)
		str_format(&s, "%.*s|", (int)w.at.at[i].len, w.at.at[i].at);
	same = strcmp(str_c(&s), joined) == 0;
	if (!same)
		printf("# %s gives %s\n", line, str_c(&s));
	str_release(&s);
	words_release(&w);
	return same;
}

TEST(words_of_lines)
{
	CHECK(splits_to("", ""));
	CHECK(splits_to("  set x:0=batch  y#1 # rest", "set|x:0=batch|y#1|"));
	CHECK(splits_to("'a b' \"c d\" e\\ f", "a b|c d|e f|"));
	CHECK(splits_to("'' \"\" a''b", "||ab|"));
	CHECK(splits_to("\"\\x41\\n\\\"\" '\\x41'", "A\n\"|\\x41|"));
	CHECK(splits_to("`a b`=N x`y  z`w", "`a b`=N|x`y  z`w|"));
	CHECK(splits_to("`a``b c` lone` d", "`a``b c`|lone`|d|"));
	CHECK(splits_to("'`' b \\` c `", "`|b|`|c|`|"));
	CHECK(splits_to("'open", "column 1: unterminated quote"));
	CHECK(splits_to("a \\x4", "column 3: \\x needs two hexadecimal digits"));
	CHECK(splits_to("a\\", "column 2: nothing follows the backslash"));
}

TEST(words_quoted_come_back)
{
	unsigned seed = 7;

	for (int round = 0; round < 20000; round++) {
		char bytes[24];
		size_t len = (size_t)(rand_r(&seed) % 24);
		struct str line = {0};
		struct words w;
		struct err err;

		for (size_t i = 0; i < len; i++)
			bytes[i] = (char)(rand_r(&seed) % (round % 2 ? 256 : 100));
		words_quote(&line, SV("set"));
		words_quote(&line, (struct sv){bytes, len});
		CHECK(!memchr(str_c(&line), '\n', line.len) && !memchr(str_c(&line), 27, line.len));
		CHECK(words_split(&w, str_sv(&line), &err));
		CHECK(w.at.len == 2 && sv_eq(w.at.at[1], (struct sv){bytes, len}));
		words_release(&w);
		str_release(&line);
	}
}

TEST(sv_order)
{
	CHECK(sv_compare(SV("a"), SV("ab")) < 0);
	CHECK(sv_compare(SV("b"), SV("ab")) > 0);
	CHECK(sv_compare(SV("\xff"), SV("a")) > 0);
	CHECK(sv_eq(SV("a\0b"), SV("a\0b")) && !sv_eq(SV("a\0b"), SV("a\0c")));
	CHECK(sv_eq(sv_trim(SV("  a b\n")), SV("a b")));
	CHECK(sv_trim(SV(" \t ")).len == 0);
	CHECK(sv_starts(SV("abc"), SV("ab")) && sv_ends(SV("abc"), SV("bc")));
	CHECK(!sv_starts(SV("a"), SV("ab")) && !sv_ends(SV("c"), SV("bc")));
}

TEST(sv_parts)
{
	struct sv rest = SV("a=b=c"), none = SV("abc"), left = {0};

	CHECK(sv_is(sv_cut(&rest, '='), "a") && sv_is(rest, "b=c"));
	CHECK(sv_is(sv_cut(&none, '='), "abc") && none.len == 0);
	CHECK(sv_cut(&none, '=').len == 0 && none.len == 0);
	CHECK(sv_is(sv_through_last(SV("a/b/c"), '/'), "a/b/"));
	CHECK(sv_is(sv_after_last(SV("a/b/c"), '/'), "c"));
	CHECK(sv_through_last(SV("abc"), '/').len == 0);
	CHECK(sv_is(sv_after_last(SV("abc"), '/'), "abc"));
	CHECK(sv_is(sv_through_last(SV("a/"), '/'), "a/") && sv_after_last(SV("a/"), '/').len == 0);
	CHECK(sv_after_last((struct sv){0}, '/').len == 0);
	CHECK(sv_split(SV("a=b=c"), '=', &left, &rest) && sv_is(left, "a") && sv_is(rest, "b=c"));
	CHECK(sv_split_last(SV("a=b=c"), '=', &left, &rest) && sv_is(left, "a=b") &&
	      sv_is(rest, "c"));
	CHECK(!sv_split(SV("ab"), '=', &left, &rest) &&
	      !sv_split_last(SV("ab"), '=', &left, &rest));
	CHECK(sv_is(left, "a=b") && sv_is(rest, "c"));
	CHECK(sv_split_last(SV("a="), '=', &left, &rest) && sv_is(left, "a") && rest.len == 0);
	CHECK(sv_split(SV("=a"), '=', &left, &rest) && left.len == 0 && sv_is(rest, "a"));
	CHECK(sv_is(sv_folder(SV("a/b/c")), "a/b") && sv_is(sv_folder(SV("/a")), "/"));
	CHECK(sv_is(sv_folder(SV("a")), ".") && sv_is(sv_folder(SV("a/")), "a"));
	CHECK(sv_has(SV("a\0b"), 'b') && !sv_has(SV("ab"), 'c') && !sv_has((struct sv){0}, 'c'));
}

TEST(hostile_text_is_escaped)
{
	CHECK(shown_is(SV("plain/name.0"), "plain/name.0"));
	CHECK(shown_is(SV("\x1b[2J"), "\\x1b[2J"));
	CHECK(shown_is(SV("a\nb\tc\rd\0e"), "a\\nb\\tc\\rd\\x00e"));
	CHECK(shown_is(SV("\xe2\x80\xae"), "\\u202e"));
	CHECK(shown_is(SV("\xf3\xa0\x80\x81"), "\\U000e0001"));
	/* Arabic and Kaithi number signs, private use, no characters. */
	CHECK(shown_is(SV("\xd8\x80 \xf0\x91\x82\xbd"), "\\u0600 \\U000110bd"));
	CHECK(shown_is(SV("\xee\x80\x80 \xf3\xb0\x80\x80"), "\\ue000 \\U000f0000"));
	CHECK(shown_is(SV("\xef\xb7\x90 \xef\xbf\xbe"), "\\ufdd0 \\ufffe"));
	CHECK(shown_is(SV("\xc3\xa4 \xe4\xb8\xad \xf0\x9f\x98\x80"),
		       "\xc3\xa4 \xe4\xb8\xad \xf0\x9f\x98\x80"));
	/* Overlong, surrogate, beyond Unicode, cut short, lone continuation. */
	CHECK(shown_is(SV("\xc0\x80"), "\\xc0\\x80"));
	CHECK(shown_is(SV("\xed\xa0\x80"), "\\xed\\xa0\\x80"));
	CHECK(shown_is(SV("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80"));
	CHECK(shown_is(SV("a\xe2\x82"), "a\\xe2\\x82"));
	CHECK(shown_is(SV("\x80"), "\\x80"));
}

/* What the file contains that is reached from the folder, or why it is not. */
static const char *reached(int dir, const char *path)
{
	static char text[16];
	int fd = os_walk_below(dir, path);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[MAX(got, 0)] = '\0';
	return fd < 0 ? (errno == EXDEV ? "outside" : errno == ELOOP ? "loop" : "none") : text;
}

static void put_file(int dir, const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT, 0600);

	BUG_ON(fd < 0 || write(fd, text, strlen(text)) < 0);
	close(fd);
}

TEST(a_walk_stays_below_its_folder)
{
	char top[] = "/tmp/axed-walk-XXXXXX";
	int outer, dir;

	BUG_ON(!mkdtemp(top));
	outer = open(top, O_RDONLY | O_DIRECTORY);
	BUG_ON(mkdirat(outer, "in", 0700) || mkdirat(outer, "in/sub", 0700));
	dir = openat(outer, "in", O_RDONLY | O_DIRECTORY);
	put_file(outer, "secret", "secret");
	put_file(dir, "w.bin", "w");
	put_file(dir, "sub/v.bin", "v");
	BUG_ON(symlinkat("../w.bin", dir, "sub/up") || symlinkat("../secret", dir, "out") ||
	       symlinkat("/etc/passwd", dir, "absolute") || symlinkat("loop", dir, "loop") ||
	       symlinkat("sub", dir, "folder") || symlinkat("../..", dir, "sub/far"));
	CHECK(strcmp(reached(dir, "w.bin"), "w") == 0);
	CHECK(strcmp(reached(dir, "./sub//v.bin"), "v") == 0);
	CHECK(strcmp(reached(dir, "sub/../w.bin"), "w") == 0);
	CHECK(strcmp(reached(dir, "sub/up"), "w") == 0);
	CHECK(strcmp(reached(dir, "folder/v.bin"), "v") == 0);
	CHECK(strcmp(reached(dir, "../secret"), "outside") == 0);
	CHECK(strcmp(reached(dir, "out"), "outside") == 0);
	CHECK(strcmp(reached(dir, "sub/far/secret"), "outside") == 0);
	CHECK(strcmp(reached(dir, "absolute"), "outside") == 0);
	CHECK(strcmp(reached(dir, "/etc/passwd"), "outside") == 0);
	CHECK(strcmp(reached(dir, "loop"), "loop") == 0);
	CHECK(strcmp(reached(dir, "w.bin/x"), "none") == 0);
	CHECK(strcmp(reached(dir, ""), "none") == 0 && strcmp(reached(dir, "no"), "none") == 0);
	for (const char **name = (const char *[]){"in/sub/up", "in/sub/far", "in/sub/v.bin",
						  "in/out", "in/absolute", "in/loop", "in/folder",
						  "in/w.bin", "secret", NULL};
	     *name; name++)
		(void)unlinkat(outer, *name, 0);
	(void)unlinkat(outer, "in/sub", AT_REMOVEDIR);
	(void)unlinkat(outer, "in", AT_REMOVEDIR);
	(void)rmdir(top);
	close(dir);
	close(outer);
}

/* The lines, joined by "|". */
static bool wraps_to(const char *text, size_t columns, enum wrap_rule rule, const char *expected)
{
	struct sv rest = sv_of(text);
	struct str lines = {0};
	bool same;

	while (rest.len) {
		size_t next, len = wrap_line(rest, columns, rule, &next);

		CHECK(len <= next && next && next <= rest.len);
		str_add(&lines, (struct sv){rest.at, len});
		rest = sv_skip(rest, next);
		str_text(&lines, rest.len ? "|" : "");
	}
	same = sv_is(str_sv(&lines), expected);
	if (!same)
		printf("# %s\n", str_c(&lines));
	str_release(&lines);
	return same;
}

TEST(text_is_wrapped)
{
	CHECK(wraps_to("one two three", 7, WRAP_TEXT, "one two|three"));
	CHECK(wraps_to("one two three", 6, WRAP_TEXT, "one|two|three"));
	CHECK(wraps_to("one   two  ", 4, WRAP_TEXT, "one|two"));
	CHECK(wraps_to("a,b,c", 3, WRAP_TEXT, "a,|b,c"));
	CHECK(wraps_to("/encoder/layer.0/MatMul", 10, WRAP_TEXT, "/encoder|/layer.0|/MatMul"));
	CHECK(wraps_to("abcdefgh", 3, WRAP_TEXT, "abc|def|gh"));
	CHECK(wraps_to("a\n\nb c", 9, WRAP_TEXT, "a||b c"));
	CHECK(wraps_to("word \nnext", 4, WRAP_TEXT, "word|next"));
	CHECK(wraps_to("one a/b,longer x", 5, WRAP_WORDS, "one|a/b,longer|x"));
	CHECK(wraps_to("  one two", 4, WRAP_WORDS, "  one|two"));
	CHECK(wraps_to("a*(b/2 + c)*d", 12, WRAP_FACTORS, "a*(b/2 + c)*|d"));
	CHECK(wraps_to("a*(b/2 + c)*d", 8, WRAP_FACTORS, "a*|(b/2 +|c)*d"));
	CHECK(wraps_to("abc", 0, WRAP_TEXT, "a|b|c"));
}

TEST(characters_are_not_split)
{
	CHECK(wraps_to("\u00e9\u00e9\u00e9", 2, WRAP_TEXT, "\u00e9\u00e9|\u00e9"));
	CHECK(wraps_to("\u5927\u5927", 3, WRAP_TEXT, "\u5927|\u5927"));
	CHECK(wraps_to("\u5927\u5927", 1, WRAP_TEXT, "\u5927|\u5927"));
	CHECK(wraps_to("abe\u0301d", 3, WRAP_TEXT, "abe\u0301|d"));
	CHECK(wraps_to("a,\u0301b", 2, WRAP_TEXT, "a,\u0301|b"));
	CHECK(wraps_to("ab\x1b", 4, WRAP_TEXT, "ab|\x1b"));
}

static bool cut_is(const char *text, size_t most, const char *wanted)
{
	struct str s = {0};
	bool ok;

	str_cut_words(&s, sv_of(text), most);
	ok = sv_is(str_sv(&s), wanted) && s.len <= most;
	str_release(&s);
	return ok;
}

TEST(sentences_are_cut_between_words)
{
	struct err err = {0};
	char words[1200];

	CHECK(cut_is("must be equal", 13, "must be equal"));
	CHECK(cut_is("must be equal", 12, "must be\u2026"));
	CHECK(cut_is("must be equal", 11, "must be\u2026"));
	CHECK(cut_is("onelongwordthatgoeson", 10, "onelong\u2026"));
	CHECK(cut_is("", 0, ""));
	for (size_t i = 0; i + 1 < sizeof(words); i += 6)
		(void)snprintf(words + i, sizeof(words) - i, "abcde ");
	CHECK(!err_set(&err, ERR_USAGE, "%s", words));
	CHECK(strlen(err.text) < sizeof(err.text) && strlen(err.text) > sizeof(err.text) - 20);
	CHECK(strcmp(err.text + strlen(err.text) - 8, "abcde\u2026") == 0);
}

TEST(widths_are_those_of_terminals)
{
	CHECK(utf8_width(SV("abc \u00e9")) == 5 && utf8_width(SV("")) == 0);
	CHECK(utf8_width(SV("\u5927")) == 2 && utf8_width(SV("\uff21")) == 2);
	CHECK(utf8_width(SV("\U0001f600")) == 2 && utf8_width(SV("\U00020000")) == 2);
	CHECK(utf8_width(SV("e\u0301")) == 1 && utf8_width(SV("\u1100\u1161")) == 2);
	CHECK(width_of(0x2500) == 1 && width_of(0x2fffd) == 2 && width_of(0x2fffe) == 1);
	CHECK(width_of('\n') == 1 && width_of(-1) == 1 && width_of(INT32_MAX) == 1);
	CHECK(width_of(0x2ff) == 1 && width_of(0x300) == 0 && width_of(0x36f) == 0 &&
	      width_of(0x370) == 1);
}

TEST(distance)
{
	CHECK(utf8_distance(SV("batch"), SV("batch")) == 0);
	CHECK(utf8_distance(SV("batch"), SV("bacth")) == 2);
	CHECK(utf8_distance(SV(""), SV("abc")) == 3);
	CHECK(utf8_distance(SV("input"), SV("inputs")) == 1);
}

TEST(str_grows_and_formats)
{
	struct str s = {0};

	CHECK(strcmp(str_c(&s), "") == 0);
	str_count(&s, 0);
	str_char(&s, ' ');
	str_count(&s, 1234567);
	str_char(&s, ' ');
	str_count(&s, 999);
	CHECK(strcmp(s.at, "0 1,234,567 999") == 0);
	str_clear(&s);
	str_size(&s, 1023);
	str_text(&s, " ");
	str_size(&s, 1536);
	str_text(&s, " ");
	str_size(&s, (uint64_t)1 << 40);
	CHECK(strcmp(s.at, "1023 B 1.5 KiB 1.0 TiB") == 0);
	str_clear(&s);
	for (int i = 0; i < 1000; i++)
		str_format(&s, "%d,", i);
	CHECK(s.len == 10 * 2 + 90 * 3 + 900 * 4);
	CHECK(strlen(s.at) == s.len && strcmp(s.at + s.len - 8, "998,999,") == 0);
	str_release(&s);
	/* Texts that just fit, just do not fit, and do not fit at all. */
	for (int len = 0; len < 200; len++) {
		str_clear(&s);
		str_format(&s, "%d %0*d", len, len + 1, 7);
		str_format(&s, "|%s", "end");
		CHECK(s.len == strlen(s.at) && strcmp(s.at + s.len - 5, "7|end") == 0);
	}
	str_release(&s);
}

TEST(numbers_are_as_printf_writes_them)
{
	static const int64_t numbers[] = {0,  1,       -1,        9,         10,         -10,
					  99, 1234567, INT32_MIN, INT64_MAX, -INT64_MAX, INT64_MIN};
	struct str s = {0};

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		char wanted[32];

		snprintf(wanted, sizeof(wanted), "%" PRId64, numbers[i]);
		str_clear(&s);
		str_number(&s, numbers[i]);
		CHECK(strcmp(str_c(&s), wanted) == 0);
	}
	str_release(&s);
}

TEST(err_prefix_keeps_the_reason)
{
	struct err err = {0};
	char longish[600];

	memset(longish, 'x', sizeof(longish) - 1);
	longish[sizeof(longish) - 1] = '\0';
	CHECK(!err_set(&err, ERR_FORMAT, "the %s", "reason"));
	CHECK(!err_prefix(&err, "file"));
	CHECK(strcmp(err.text, "file: the reason") == 0);
	CHECK(!err_prefix(&err, "%s", longish));
	CHECK(sv_ends(sv_of(err.text), SV("file: the reason")));
}

TEST(numbers_say_when_they_overflow)
{
	uint64_t u;
	int64_t i;

	CHECK(num_add(UINT64_MAX - 1, 1, &u) && u == UINT64_MAX && !num_add(UINT64_MAX, 1, &u));
	CHECK(!num_mul(UINT64_MAX, 2, &u) && !num_imul(INT64_MIN, -1, &i));
	CHECK(!num_iadd(INT64_MAX, 1, &i) && !num_isub(INT64_MIN, 1, &i));
}

TEST(intern_gives_one_number_per_text)
{
	struct intern in = {0};
	char text[32];

	CHECK(intern_add(&in, SV("")) == 0 && intern_find(&in, SV("a")) == 0);
	for (uint32_t i = 0; i < 5000; i++) {
		int n = snprintf(text, sizeof(text), "name%u", i);

		CHECK(intern_add(&in, (struct sv){text, (size_t)n}) == i + 1);
	}
	CHECK(intern_find(&in, SV("name4999")) == 5000 && intern_add(&in, SV("name0")) == 1);
	CHECK(sv_is(intern_text(&in, 43), "name42") && intern_count(&in) == 5001);
	CHECK(intern_text(&in, 99999).len == 0);
	intern_release(&in);
}

TEST(map_finds_what_was_put_in)
{
	struct map m = {0};

	CHECK(map_find(&m, 7) == NULL);
	for (uint64_t i = 0; i < 10000; i++)
		*map_at(&m, i << 32) = (uint32_t)i;
	for (uint64_t i = 0; i < 10000; i++)
		CHECK(map_find(&m, i << 32) && *map_find(&m, i << 32) == i);
	CHECK(map_find(&m, 1) == NULL && m.count == 10000);
	map_release(&m);
}

TEST(arena_gives_separate_memory)
{
	struct arena a = {0};
	char *small[200];
	char *large = arena_alloc(&a, 3 << 20);

	memset(large, 'L', 3 << 20);
	for (int i = 0; i < 200; i++) {
		small[i] = arena_alloc(&a, (size_t)i * 37);
		CHECK((uintptr_t)small[i] % _Alignof(max_align_t) == 0);
		memset(small[i], i, (size_t)i * 37);
	}
	for (int i = 1; i < 200; i++)
		CHECK(small[i][0] == (char)i && small[i][i * 37 - 1] == (char)i);
	CHECK(large[0] == 'L' && large[(3 << 20) - 1] == 'L');
	arena_release(&a);
}

TEST(vec_grows)
{
	VEC(int) v = {0};

	for (int i = 0; i < 1000; i++)
		vec_push(&v, i);
	CHECK(v.len == 1000 && v.at[999] == 999 && *vec_last(&v) == 999);
	vec_extend(&v, 24)[0] = 5;
	CHECK(v.len == 1024 && v.at[1000] == 5);
	vec_release(&v);
	CHECK(v.at == NULL && v.len == 0);
}

/* Journals on disk are named by these: changing a number loses them. */
TEST(digests_never_change)
{
	const uint64_t seed = 0x61786564;
	const struct sv last = {
		"\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9\xfa\xfb\xfc\xfd\xfe\xff\0", 17};

	CHECK(digest_bytes(SV(""), seed) == 0x5bbc5772df87ad1fu);
	CHECK(digest_bytes(SV("/"), seed) == 0xb599cee57d0c28bau);
	CHECK(digest_bytes(SV("12345678"), seed) == 0xbbb7d0a3f3f0bd4cu);
	CHECK(digest_bytes(SV("123456789"), seed) == 0x0c8d1d56cef18aecu);
	CHECK(digest_bytes(SV("/home/me/model.onnx"), seed) == 0xf657a81ef07c9c64u);
	CHECK(digest_bytes(last, seed) == 0x30e623bd7225a2d5u);
	CHECK(digest_u64(0, seed) == 0xfd6d9df5c5b45f05u);
	CHECK(digest_u64(1, seed) == 0xc0b16fe9f92679ecu);
}

TEST(globs)
{
	CHECK(glob_matches(SV("*"), SV("")) && glob_matches(SV("*"), SV("a/b.c:0")));
	CHECK(glob_matches(SV("past_key_values.*"), SV("past_key_values.0.key")));
	CHECK(!glob_matches(SV("past_key_values.*"), SV("past_key_values")));
	CHECK(glob_matches(SV("*.[0-9].*"), SV("past.7.key")) &&
	      !glob_matches(SV("*.[0-9].*"), SV("past.10.key")));
	CHECK(glob_matches(SV("*.[!0-9]*"), SV("past.10.key")) &&
	      !glob_matches(SV("[^a]"), SV("a")));
	CHECK(glob_matches(SV("?"), SV("\u00e9")) && !glob_matches(SV("?"), SV("")) &&
	      !glob_matches(SV("?"), SV("ab")) && glob_matches(SV("?"), SV("\xff")));
	CHECK(glob_matches(SV("[\u00e0-\u00ef]"), SV("\u00e9")));
	CHECK(glob_matches(SV("[*]"), SV("*")) && !glob_matches(SV("[*]"), SV("a")));
	CHECK(glob_matches(SV("[]a]"), SV("]")) && glob_matches(SV("[!]a]"), SV("b")) &&
	      !glob_matches(SV("[!]a]"), SV("]")));
	CHECK(glob_matches(SV("[ab"), SV("[ab")) && glob_matches(SV("[a-]"), SV("-")));
	CHECK(!glob_matches(SV(""), SV("a")) && glob_matches(SV(""), SV("")) &&
	      glob_matches(SV("a**"), SV("a")) && !glob_matches(SV("A"), SV("a")));
	CHECK(glob_is(SV("a*")) && glob_is(SV("?")) && glob_is(SV("[")) && !glob_is(SV("a.b:0")));
}

/* As ((a*)*)*b would be for a matcher that tries every star again. */
TEST(globs_take_bounded_time)
{
	struct str pattern = {0}, text = {0};

	for (int i = 0; i < 2000; i++)
		str_text(&pattern, "*a");
	str_text(&pattern, "b");
	str_repeat(&text, 'a', 4000);
	CHECK(!glob_matches(str_sv(&pattern), str_sv(&text)));
	str_release(&pattern);
	str_release(&text);
}

static bool unquotes_to(struct sv text, const char *expected)
{
	struct str s = {0};
	bool same = name_unquote(&s, text) ? expected && sv_is(str_sv(&s), expected) : !expected;

	str_release(&s);
	return same;
}

TEST(names_in_back_quotes)
{
	CHECK(unquotes_to(SV("`a b`"), "a b") && unquotes_to(SV("`x:0`"), "x:0"));
	CHECK(unquotes_to(SV("`a``b`"), "a`b") && unquotes_to(SV("````"), "`"));
	CHECK(unquotes_to(SV(""), NULL) && unquotes_to(SV("`"), NULL) &&
	      unquotes_to(SV("``"), NULL));
	CHECK(unquotes_to(SV("a b"), NULL) && unquotes_to(SV("`a` + `b`"), NULL));
	CHECK(unquotes_to(SV("`a```"), "a`") && unquotes_to(SV("```"), NULL));
}

TESTS(T(sv_numbers), T(words_of_lines), T(words_quoted_come_back), T(sv_order), T(sv_parts),
      T(globs), T(globs_take_bounded_time), T(names_in_back_quotes), T(hostile_text_is_escaped),
      T(a_walk_stays_below_its_folder), T(text_is_wrapped), T(characters_are_not_split),
      T(sentences_are_cut_between_words), T(widths_are_those_of_terminals), T(distance),
      T(str_grows_and_formats), T(numbers_are_as_printf_writes_them),
      T(err_prefix_keeps_the_reason), T(numbers_say_when_they_overflow),
      T(intern_gives_one_number_per_text), T(map_finds_what_was_put_in),
      T(arena_gives_separate_memory), T(vec_grows), T(digests_never_change))
