#include "app/tui_charset.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"

static bool charset_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* The first that says something, as in setlocale. */
static const char *charset_wanted(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return value;
	}
	return "";
}

static bool asks_for_utf8(const char *locale)
{
	const char *charset = strchr(locale, '.');

	return charset &&
	       (strncasecmp(charset, ".utf-8", 6) == 0 || strncasecmp(charset, ".utf8", 5) == 0);
}

/* LANG=C is what servers start with, LC_ALL=C is what somebody typed. */
static bool asks_for_nothing(const char *locale)
{
	const char *all = getenv("LC_ALL");

	if (!*locale)
		return true;
	return !(all && *all) && (strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0);
}

/* Terminals with a character set of their own. */
static bool is_old(const char *term)
{
	static const char *const starts[] = {"vt", "ansi", "cons", "pcansi", "sun", "wsvt"};

	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		if (strncmp(term, starts[i], strlen(starts[i])) == 0)
			return true;
	}
	return false;
}

static bool charset_set_utf8(void)
{
	static const char *const names[] = {"C.UTF-8", "en_US.UTF-8", "UTF-8"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (setlocale(LC_CTYPE, names[i]) && charset_is_utf8())
			return true;
	}
	(void)setlocale(LC_CTYPE, "");
	return false;
}

enum charset charset_choose(void)
{
	const char *wanted = charset_wanted(), *term = getenv("TERM");
	bool asked = asks_for_utf8(wanted);

	if (charset_is_utf8())
		return CHARSET_UTF8;
	if (!asked && (!asks_for_nothing(wanted) || !term || is_old(term)))
		return CHARSET_OTHER;
	if (!charset_set_utf8())
		return CHARSET_OTHER;
	return asked ? CHARSET_UTF8 : CHARSET_GUESSED;
}
