/*
 * The input is a theme file.  A refused one changes nothing and is reported with its line; an
 * accepted one has valid colours, and written out it is read as the same.
 */
#include <string.h>

#include "base/bug.h"
#include "base/str.h"
#include "tests/fuzz/target.h"
#include "ui/theme.h"

enum {
	ALL_ATTRS = THEME_BOLD | THEME_DIM | THEME_ITALIC | THEME_UNDERLINE | THEME_REVERSE
};

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	return 0;
}

static bool same_theme(const struct theme *a, const struct theme *b)
{
	for (int i = 0; i < STYLE_COUNT; i++) {
		const struct look *l = &a->looks[i], *r = &b->looks[i];

		if (l->fg != r->fg || l->bg != r->bg || l->fg8 != r->fg8 || l->bg8 != r->bg8 ||
		    l->attrs != r->attrs)
			return false;
	}
	return true;
}

static void add_color(struct str *out, const char *before, int16_t wide, int16_t narrow)
{
	str_text(out, before);
	if (wide < 0)
		str_text(out, "default");
	else
		str_format(out, "%d", wide);
	if (narrow < 0)
		str_text(out, "/default");
	else
		str_format(out, "/%d", narrow);
}

static void print_theme(const struct theme *t, struct str *out)
{
	static const char *const names[] = {"bold", "dim", "italic", "underline", "reverse"};

	for (int i = 0; i < STYLE_COUNT; i++) {
		const struct look *l = &t->looks[i];

		str_format(out, "%s =", style_name((enum style)i));
		add_color(out, " ", l->fg, l->fg8);
		add_color(out, " on ", l->bg, l->bg8);
		for (size_t k = 0; k < ARRAY_LEN(names); k++)
			str_format(out, " %s", l->attrs >> k & 1 ? names[k] : "");
		str_char(out, '\n');
	}
}

static void check_looks(const struct theme *t)
{
	for (int i = 0; i < STYLE_COUNT; i++) {
		const struct look *l = &t->looks[i];

		BUG_ON(l->fg < -1 || l->fg > 255 || l->bg < -1 || l->bg > 255);
		BUG_ON(l->fg8 < -1 || l->fg8 > 7 || l->bg8 < -1 || l->bg8 > 7);
		BUG_ON(l->attrs & ~ALL_ATTRS);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct theme theme, before, again;
	struct str text = {0};
	struct err err;

	memset(&theme, 0x55, sizeof(theme));
	before = theme;
	if (!theme_parse(&theme, (struct sv){(const char *)data, size}, &err)) {
		BUG_ON(!same_theme(&theme, &before));
		BUG_ON(!sv_starts(sv_of(err.text), SV("line ")));
		return 0;
	}
	check_looks(&theme);
	print_theme(&theme, &text);
	BUG_ON(!theme_parse(&again, str_sv(&text), &err));
	BUG_ON(!same_theme(&theme, &again));
	str_release(&text);
	return 0;
}
