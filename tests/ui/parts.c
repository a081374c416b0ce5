#include "tests/tap.h"

#include <string.h>

#include "cmd/keys.h"
#include "report/record.h"
#include "ui/background.h"
#include "ui/canvas.h"
#include "ui/prompt.h"
#include "ui/rows.h"
#include "ui/theme.h"

static bool prints(const struct canvas *c, const char *wanted)
{
	struct str s = {0};
	bool same;

	canvas_print(&s, c, false);
	same = strcmp(str_c(&s), wanted) == 0;
	if (!same)
		printf("# got\n%s# wanted\n%s", str_c(&s), wanted);
	str_release(&s);
	return same;
}

TEST(text_is_clipped_and_escaped)
{
	struct canvas c = {0};

	canvas_resize(&c, 10, 3);
	CHECK(canvas_text(&c, 0, 0, 10, SV("hello world"), STYLE_TEXT) == 10);
	CHECK(canvas_text(&c, 0, 1, 10, SV("a\x1b[2Jb"), STYLE_TEXT) == 9);
	CHECK(canvas_text(&c, 8, 2, 10, SV("xyz"), STYLE_TEXT) == 3);
	CHECK(prints(&c, "hello wor\u2026\na\\x1b[2Jb\n        xy\n"));
	canvas_text(&c, 0, 0, 0, SV("never"), STYLE_TEXT);
	canvas_text(&c, -5, -5, 100, SV("outside"), STYLE_TEXT);
	canvas_text(&c, 0, 99, 100, SV("outside"), STYLE_TEXT);
	CHECK(prints(&c, "hello wor\u2026\na\\x1b[2Jb\n        xy\n"));
	canvas_release(&c);
}

TEST(wide_characters_are_never_halved)
{
	struct canvas c = {0};

	canvas_resize(&c, 5, 1);
	CHECK(canvas_text(&c, 0, 0, 5, SV("\u4e2d\u6587\u5b57"), STYLE_TEXT) == 5);
	CHECK(prints(&c, "\u4e2d\u6587\u2026\n"));
	canvas_put(&c, 1, 0, 'x', STYLE_TEXT);
	CHECK(prints(&c, " x\u6587\u2026\n"));
	canvas_release(&c);
}

TEST(frames_and_ascii)
{
	struct canvas c = {0};

	canvas_resize(&c, 12, 3);
	canvas_frame(&c, (struct box){0, 0, 12, 3}, SV("Box"), STYLE_FRAME, STYLE_TITLE);
	CHECK(prints(&c,
		     "\u256d\u2500 Box \u2500\u2500\u2500\u2500\u256e\n\u2502          \u2502\n"
		     "\u2570\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u256f\n"));
	c.ascii = true;
	canvas_frame(&c, (struct box){0, 0, 12, 3}, SV("Box"), STYLE_FRAME, STYLE_TITLE);
	CHECK(prints(&c, ".- Box ----.\n|          |\n'----------'\n"));
	canvas_frame(&c, (struct box){0, 0, 1, 1}, SV("no room"), STYLE_FRAME, STYLE_TITLE);
	canvas_release(&c);
}

TEST(themes_are_read)
{
	struct theme t;
	struct err err;

	CHECK(theme_parse(&t, SV("# x\ntext = default\nheader = 15/7 on 24/4 bold\n"), &err));
	CHECK(t.looks[STYLE_HEADER].fg == 15 && t.looks[STYLE_HEADER].bg8 == 4);
	CHECK(t.looks[STYLE_HEADER].attrs == THEME_BOLD && t.looks[STYLE_FRAME].fg == -1);
	CHECK(!theme_parse(&t, SV("text = 1\nnonsense = 3\n"), &err));
	CHECK(strcmp(err.text, "line 2: unknown style 'nonsense'") == 0);
	CHECK(!theme_parse(&t, SV("text = 256\n"), &err) && !theme_parse(&t, SV("text 1\n"), &err));
	CHECK(!theme_parse(&t, SV("text = 1 on\n"), &err) &&
	      !theme_parse(&t, SV("text = 1/9"), &err));
	CHECK(t.looks[STYLE_HEADER].fg == 15);
}

static bool key_is(const char *text, const char *printed)
{
	struct keys keys;
	struct str s = {0};
	bool same;

	if (!keys_parse(sv_of(text), &keys))
		return strcmp(printed, "none") == 0;
	keys_print(&s, &keys);
	same = strcmp(str_c(&s), printed) == 0;
	if (!same)
		printf("# %s is %s\n", text, str_c(&s));
	str_release(&s);
	return same;
}

TEST(keys_have_names)
{
	CHECK(key_is("j", "j") && key_is("gg", "gg") && key_is("]c", "]c"));
	CHECK(key_is("Ctrl-P", "Ctrl-P") && key_is("Ctrl-p", "Ctrl-P") && key_is("Ctrl-I", "Tab"));
	CHECK(key_is("Alt-o", "Alt-o") && key_is("PgUp", "PgUp") && key_is("Esc", "Esc"));
	CHECK(key_is("", "none") && key_is("toolong", "none") && key_is("\xff", "none"));
}

static void type(struct prompt *p, const char *text)
{
	for (; *text; text++)
		(void)prompt_key(p, (unsigned char)*text);
}

/* The pieces of a row, with a bar after each. */
static bool row_has(const struct rows *r, size_t i, const char *wanted)
{
	const struct row *row = &r->at.at[i];
	struct str got = {0};
	bool same;

	for (uint32_t k = 0; k < row->count; k++) {
		const struct piece *p = &r->pieces.at[row->first + k];

		str_add(&got, (struct sv){str_c(&r->text) + p->at, p->len});
		str_char(&got, '|');
	}
	same = strcmp(str_c(&got), wanted) == 0;
	if (!same)
		printf("# got %s, wanted %s\n", str_c(&got), wanted);
	str_release(&got);
	return same;
}

TEST(a_record_wraps_in_its_styles)
{
	struct record record = {0};
	struct rows r = {0};

	record_text(&record, "name", SV("alpha"));
	record_tone(&record, TONE_FAINT);
	record_say(&record, " of beta");
	record_column(&record);
	record_column(&record);
	record_text(&record, NULL, SV("gamma delta"));
	rows_clear(&r, 20);
	rows_link(&r, LINK_NODE, 3);
	rows_put(&r, STYLE_DIM, SV("label "));
	rows_wrap_record(&r, &record, 5);
	CHECK(r.at.len == 2 && r.at.at[1].link == LINK_NODE && r.at.at[1].id == 3);
	CHECK(row_has(&r, 0, "label |alpha| of beta|") && r.pieces.at[2].style == STYLE_DIM);
	CHECK(row_has(&r, 1, "      |gamma delta|"));
	/* The last row takes the rest. */
	rows_clear(&r, 12);
	(void)rows_add(&r);
	rows_wrap_record(&r, &record, 2);
	CHECK(r.at.len == 2 && row_has(&r, 0, "alpha| of|"));
	CHECK(row_has(&r, 1, "|beta|  gamma delta|"));
	record_release(&record);
	rows_release(&r);
}

TEST(the_prompt_edits_a_line)
{
	struct prompt p = {0};

	prompt_open(&p, ':', ":", SV("ab"));
	type(&p, "cd");
	CHECK(sv_is(str_sv(&p.text), "abcd"));
	(void)prompt_key(&p, KEY_CURSOR_LEFT);
	(void)prompt_key(&p, KEY_RUBOUT);
	CHECK(sv_is(str_sv(&p.text), "abd") && p.cursor == 2);
	(void)prompt_key(&p, 0xe4);
	CHECK(sv_is(str_sv(&p.text), "ab\u00e4d") && p.cursor == 4);
	(void)prompt_key(&p, KEY_CURSOR_LEFT);
	CHECK(p.cursor == 2);
	(void)prompt_key(&p, KEY_TO_END);
	type(&p, " word");
	(void)prompt_key(&p, 23);
	CHECK(sv_is(str_sv(&p.text), "ab\u00e4d "));
	(void)prompt_key(&p, 21);
	CHECK(p.text.len == 0 && prompt_key(&p, KEY_RUBOUT) == PROMPT_CANCELLED);
	CHECK(prompt_key(&p, KEY_RETURN) == PROMPT_DONE);
	prompt_release(&p);
}

TEST(the_prompt_remembers_and_completes)
{
	struct prompt p = {0};
	struct completions words = {0};

	prompt_open(&p, ':', ":", SV("first"));
	prompt_remember(&p);
	prompt_close(&p);
	prompt_open(&p, ':', ":", SV("dr"));
	(void)prompt_key(&p, KEY_CURSOR_UP);
	CHECK(sv_is(str_sv(&p.text), "first"));
	(void)prompt_key(&p, KEY_CURSOR_UP);
	CHECK(sv_is(str_sv(&p.text), "first"));
	(void)prompt_key(&p, KEY_CURSOR_DOWN);
	CHECK(sv_is(str_sv(&p.text), "dr"));
	CHECK(prompt_key(&p, KEY_TAB) == PROMPT_COMPLETE);
	completions_add(&words, SV("drop"), NULL);
	completions_add(&words, SV("draw"), NULL);
	completions_add(&words, SV("draw"), NULL);
	completions_sort(&words);
	CHECK(words.at.len == 2);
	prompt_complete(&p, &words);
	CHECK(sv_is(str_sv(&p.text), "draw"));
	CHECK(prompt_key(&p, KEY_TAB) == PROMPT_GOES_ON && sv_is(str_sv(&p.text), "drop"));
	CHECK(prompt_key(&p, KEY_BACK_TAB) == PROMPT_GOES_ON && sv_is(str_sv(&p.text), "draw"));
	prompt_release(&p);
}

TEST(backgrounds_are_dark_or_light)
{
	CHECK(background_read(SV("11;rgb:ffff/ffff/ffff")) == BACKGROUND_LIGHT);
	CHECK(background_read(SV("11;rgb:8080/8080/8080")) == BACKGROUND_LIGHT);
	CHECK(background_read(SV("11;rgb:1e/1e/2e")) == BACKGROUND_DARK);
	CHECK(background_read(SV("11;rgb:0/0/f")) == BACKGROUND_DARK);
	CHECK(background_read(SV("11;rgb:fg/ff/ff")) == BACKGROUND_UNKNOWN);
	CHECK(background_read(SV("11;rgb:ff/ff")) == BACKGROUND_UNKNOWN);
	CHECK(background_read(SV("")) == BACKGROUND_UNKNOWN);
	CHECK(background_of_numbers(SV("15;0")) == BACKGROUND_DARK);
	CHECK(background_of_numbers(SV("0;default;15")) == BACKGROUND_LIGHT);
	CHECK(background_of_numbers(SV("12;8")) == BACKGROUND_DARK);
	CHECK(background_of_numbers(SV("0;7")) == BACKGROUND_LIGHT);
	CHECK(background_of_numbers(SV("0;default")) == BACKGROUND_UNKNOWN);
	CHECK(background_of_numbers(SV("0;99")) == BACKGROUND_UNKNOWN);
}

TESTS(T(text_is_clipped_and_escaped), T(wide_characters_are_never_halved), T(frames_and_ascii),
      T(themes_are_read), T(keys_have_names), T(a_record_wraps_in_its_styles),
      T(the_prompt_edits_a_line), T(the_prompt_remembers_and_completes),
      T(backgrounds_are_dark_or_light))
