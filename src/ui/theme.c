#include "ui/theme.h"

#include "base/sv.h"
#include "base/words.h"

static const struct {
	const char *name;
	uint8_t bit;
} theme_attributes[] = {
	{"bold", THEME_BOLD},           {"dim", THEME_DIM},         {"italic", THEME_ITALIC},
	{"underline", THEME_UNDERLINE}, {"reverse", THEME_REVERSE},
};

static bool theme_read_number(struct sv text, int16_t max, int16_t *out)
{
	int64_t number;

	if (sv_is(text, "default")) {
		*out = -1;
		return true;
	}
	if (!sv_int(text, &number) || number < 0 || number > max)
		return false;
	*out = (int16_t)number;
	return true;
}

/* 208/3, 208, default. */
static bool read_color(struct sv text, int16_t *wide, int16_t *narrow)
{
	struct sv second;
	bool both = sv_split(text, '/', &text, &second);

	if (!theme_read_number(text, 255, wide))
		return false;
	*narrow = *wide < 8 ? *wide : -1;
	return !both || theme_read_number(second, 7, narrow);
}

static bool read_attribute(struct sv word, struct look *look)
{
	for (size_t i = 0; i < ARRAY_LEN(theme_attributes); i++) {
		if (sv_is(word, theme_attributes[i].name)) {
			look->attrs |= theme_attributes[i].bit;
			return true;
		}
	}
	return false;
}

static bool read_look(const struct words *w, struct look *out, struct err *err)
{
	struct look look = {-1, -1, -1, -1, 0};

	for (size_t i = 2; i < w->at.len; i++) {
		struct sv word = w->at.at[i];
		bool ground = sv_is(word, "on");

		if (read_attribute(word, &look))
			continue;
		if (ground && ++i < w->at.len)
			word = w->at.at[i];
		if (!read_color(word, ground ? &look.bg : &look.fg, ground ? &look.bg8 : &look.fg8))
			return err_set(err, ERR_USAGE,
				       "'%.*s' is neither a colour nor an attribute",
				       (int)MIN(word.len, 100), word.at);
	}
	*out = look;
	return true;
}

static bool read_line(struct theme *t, bool *set, struct sv line, struct err *err)
{
	struct words w;
	enum style style;
	bool ok;

	if (!words_split(&w, line, err))
		return false;
	if (w.at.len == 0) {
		words_release(&w);
		return true;
	}
	ok = style_find(w.at.at[0], &style) ||
	     err_set(err, ERR_USAGE, "unknown style '%.*s'", (int)MIN(w.at.at[0].len, 100),
		     w.at.at[0].at);
	ok = ok && ((w.at.len > 1 && sv_is(w.at.at[1], "=")) ||
		    err_set(err, ERR_USAGE, "write STYLE = COLOUR [on COLOUR] [ATTRIBUTE...]"));
	ok = ok && read_look(&w, &t->looks[style], err);
	if (ok)
		set[style] = true;
	words_release(&w);
	return ok;
}

bool theme_parse(struct theme *t, struct sv text, struct err *err)
{
	struct theme read = {0};
	bool set[STYLE_COUNT] = {0};

	read.looks[STYLE_TEXT] = (struct look){-1, -1, -1, -1, 0};
	for (size_t number = 1; text.len; number++) {
		if (!read_line(&read, set, sv_cut(&text, '\n'), err))
			return err_prefix(err, "line %zu", number);
	}
	for (int i = 0; i < STYLE_COUNT; i++) {
		if (!set[i])
			read.looks[i] = read.looks[STYLE_TEXT];
	}
	/* A theme that is older than the cursor must show it too. */
	if (!set[STYLE_POINTED])
		read.looks[STYLE_POINTED].attrs = THEME_REVERSE;
	*t = read;
	return true;
}

void theme_plain(struct theme *t)
{
	for (int i = 0; i < STYLE_COUNT; i++) {
		t->looks[i].fg = t->looks[i].bg = -1;
		t->looks[i].fg8 = t->looks[i].bg8 = -1;
	}
}
