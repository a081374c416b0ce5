#include "ui/background.h"

#include <string.h>

enum {
	BELL = 7,
	ESCAPE = 27
};

void background_begin(struct background_answer *a)
{
	a->open = true;
	a->len = 0;
}

static bool background_is_part(uint32_t code)
{
	return code == ESCAPE ||
	       (code > ' ' && code < 127 && strchr("0123456789abcdefABCDEFrg:;/#\\", (int)code));
}

enum background_step background_take(struct background_answer *a, uint32_t code)
{
	bool ends = a->len && a->text[a->len - 1] == ESCAPE && code == '\\';

	if (ends)
		a->len--;
	if (code == BELL || ends) {
		a->awaited = a->open = false;
		return BACKGROUND_ANSWERED;
	}
	a->open = background_is_part(code) && a->len < sizeof(a->text);
	if (!a->open)
		return BACKGROUND_OVER;
	a->text[a->len++] = (char)code;
	return BACKGROUND_GOES_ON;
}

/* One to four digits, as a share of the largest number with so many: 0 to 1. */
static bool background_channel(struct sv text, double *out)
{
	unsigned value = 0, largest = 0;

	if (text.len == 0 || text.len > 4)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		char c = text.at[i];
		unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0')
						      : (unsigned)((c | 32) - 'a' + 10);

		if (digit > 15)
			return false;
		value = value * 16 + digit;
		largest = largest * 16 + 15;
	}
	*out = (double)value / largest;
	return true;
}

/* Black on it and white on it have the same contrast at 0.18; gamma is taken as 2. */
static enum background background_of(double red, double green, double blue)
{
	double light = 0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue;

	return light > 0.18 ? BACKGROUND_LIGHT : BACKGROUND_DARK;
}

enum background background_read(struct sv text)
{
	struct sv kind, rest = text;
	double parts[3];

	if (!sv_is(sv_cut(&rest, ';'), "11"))
		return BACKGROUND_UNKNOWN;
	kind = sv_cut(&rest, ':');
	if (!sv_is(kind, "rgb") && !sv_is(kind, "rgba"))
		return BACKGROUND_UNKNOWN;
	for (int i = 0; i < 3; i++) {
		if (!background_channel(sv_cut(&rest, '/'), &parts[i]))
			return BACKGROUND_UNKNOWN;
	}
	return background_of(parts[0], parts[1], parts[2]);
}

enum background background_of_numbers(struct sv text)
{
	int64_t number;

	if (!sv_int(sv_after_last(text, ';'), &number) || number < 0 || number > 15)
		return BACKGROUND_UNKNOWN;
	return number == 7 || number > 8 ? BACKGROUND_LIGHT : BACKGROUND_DARK;
}
