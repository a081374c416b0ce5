#include "ui/clipboard.h"

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/sv.h"

void clipboard_sequence(struct sv text, struct str *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	str_text(out, "\033]52;c;");
	for (size_t i = 0; i < text.len; i += 3) {
		uint32_t bits = 0;
		size_t have = MIN(text.len - i, (size_t)3);

		for (size_t j = 0; j < 3; j++)
			bits = bits << 8 | (j < have ? (unsigned char)text.at[i + j] : 0);
		for (size_t j = 0; j < 4; j++)
			str_char(out, j <= have ? digits[bits >> (18 - 6 * j) & 63] : '=');
	}
	str_char(out, '\a');
}
