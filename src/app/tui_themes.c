#include "app/tui_themes.h"

#include <stdlib.h>

#include "app/paths.h"
#include "app/state.h"
#include "base/nearest.h"
#include "base/str.h"
#include "base/sv.h"
#include "ui/background.h"
#include "ui/terminal.h"

static const struct {
	const char *name;
	const unsigned char *bytes;
	const size_t *size;
} built_in[] = {
	{"dark", theme_dark, &theme_dark_size},
	{"light", theme_light, &theme_light_size},
	{"mono", theme_mono, &theme_mono_size},
	{"safe", theme_safe, &theme_safe_size},
};

static bool is_plain_name(struct sv name)
{
	return name.len && name.at[0] != '.' && !sv_has(name, '/') && !sv_has(name, '\0');
}

/* False with *out_there false: no such file. */
static bool load_file(struct theme *t, const char *path, bool *out_there, struct err *err)
{
	struct str text = {0};
	bool ok;

	*out_there = text_read(path, &text, err);
	ok = *out_there && (theme_parse(t, str_sv(&text), err) || err_prefix(err, "%s", path));
	str_release(&text);
	return ok;
}

static bool no_theme(struct sv name, struct err *err)
{
	struct nearest near;

	nearest_begin(&near, name);
	for (size_t i = 0; i < ARRAY_LEN(built_in); i++)
		nearest_offer(&near, sv_of(built_in[i].name), i);
	err_set(err, ERR_USAGE, "there is no theme '%.*s'%s", (int)MIN(name.len, 100), name.at,
		near.found ? "" : "; dark, light, mono and safe are built in");
	return nearest_suggest(err, near.found ? sv_of(built_in[near.which].name) : SV(""));
}

bool theme_load(struct theme *t, struct sv name, struct err *err)
{
	struct str path = {0};
	bool there = false, ok = false;

	if (!is_plain_name(name))
		return err_set(err, ERR_USAGE, "'%.*s' is not a theme name",
			       (int)MIN(name.len, 100), name.at);
	if (config_path(&path, "themes/")) {
		str_add(&path, name);
		str_text(&path, ".theme");
		ok = load_file(t, str_c(&path), &there, err);
	}
	if (!there) {
		str_clear(&path);
		str_format(&path, AXED_DATA "/themes/%.*s.theme", (int)name.len, name.at);
		ok = load_file(t, str_c(&path), &there, err);
	}
	str_release(&path);
	for (size_t i = 0; !there && i < ARRAY_LEN(built_in); i++) {
		if (sv_is(name, built_in[i].name))
			return theme_parse(
				t, (struct sv){(const char *)built_in[i].bytes, *built_in[i].size},
				err);
	}
	return ok || there ? ok : no_theme(name, err);
}

/* ---- which ---- */

static const char theme_state[] = "theme";

const char *theme_for(const struct terminal *t)
{
	const char *numbers = getenv("COLORFGBG"), *term = getenv("TERM");
	enum background is = terminal_background(t);

	if (terminal_colors(t) == 0)
		return "mono";
	if (is == BACKGROUND_UNKNOWN && numbers)
		is = background_of_numbers(sv_of(numbers));
	/* The console is black, and cannot say so. */
	if (is == BACKGROUND_UNKNOWN && term && sv_starts(sv_of(term), SV("linux")))
		is = BACKGROUND_DARK;
	switch (is) {
	case BACKGROUND_DARK:
		return "dark";
	case BACKGROUND_LIGHT:
		return "light";
	case BACKGROUND_UNKNOWN:
		break;
	}
	return "safe";
}

bool theme_remembered(struct str *out)
{
	struct str text = {0};
	struct sv rest, name = {0};

	if (state_read(theme_state, &text)) {
		rest = str_sv(&text);
		name = sv_trim(sv_cut(&rest, '\n'));
	}
	if (is_plain_name(name))
		str_add(out, name);
	str_release(&text);
	return out->len;
}

bool theme_remember(struct sv name, struct err *err)
{
	struct str text = {0};
	bool ok = true;

	if (name.len == 0) {
		state_forget(theme_state);
		return true;
	}
	str_add(&text, name);
	str_char(&text, '\n');
	ok = state_write(theme_state, str_sv(&text), err);
	str_release(&text);
	return ok;
}
