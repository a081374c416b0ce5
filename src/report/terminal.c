#include "report/terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/base.h"

enum {
	NARROWEST = 40
};

static bool color_is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

static bool color_is_forced(const char *name)
{
	return color_is_set(name) && strcmp(getenv(name), "0") != 0;
}

enum color_wish color_wish_of_environment(void)
{
	if (color_is_set("NO_COLOR"))
		return COLOR_NEVER;
	if (color_is_forced("CLICOLOR_FORCE") || color_is_forced("FORCE_COLOR"))
		return COLOR_ALWAYS;
	/* FORCE_COLOR=0 is how Node's tools are told not to colour. */
	if (color_is_set("FORCE_COLOR") ||
	    (color_is_set("CLICOLOR") && strcmp(getenv("CLICOLOR"), "0") == 0))
		return COLOR_NEVER;
	return COLOR_IF_SHOWN;
}

size_t terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return 0;
	return MAX((size_t)size.ws_col, (size_t)NARROWEST);
}
