/*
 * Themes: built in (embed.c makes them from themes/), or the user's files.
 */
#ifndef APP_TUI_THEMES_H
#define APP_TUI_THEMES_H

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "ui/theme.h"

struct terminal;

extern const unsigned char theme_dark[], theme_light[], theme_mono[], theme_safe[];
extern const size_t theme_dark_size, theme_light_size, theme_mono_size, theme_safe_size;

/* By name: $XDG_CONFIG_HOME/axed/themes/NAME.theme, the installed folder, the built-in ones. */
bool theme_load(struct theme *t, struct sv name, struct err *err) MUST_USE;
/* The theme that suits the terminal: its answer, else COLORFGBG, else colours for both. */
const char *theme_for(const struct terminal *t);
/* The one that `:theme` remembered; false when there is none. */
bool theme_remembered(struct str *out);
/* An empty name forgets it. */
bool theme_remember(struct sv name, struct err *err) MUST_USE;

#endif
