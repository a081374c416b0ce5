#include "report/terminal.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/str.h"
#include "base/utf8.h"

enum {
	NARROWEST = 40
};

size_t terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return 0;
	return MAX((size_t)size.ws_col, (size_t)NARROWEST);
}

/* The number of leading bytes that are spaces, or that are not. */
static size_t wrap_run(struct sv text, bool spaces)
{
	size_t len = 0;

	while (len < text.len && (text.at[len] == ' ') == spaces)
		len++;
	return len;
}

void line_print(struct sv text, size_t width, size_t indent)
{
	struct str out = {0};
	size_t column = 0;

	while (text.len) {
		size_t gap = wrap_run(text, true);
		struct sv word = sv_skip(text, gap);
		size_t wide;

		word.len = wrap_run(word, false);
		wide = utf8_width(word);
		if (width && column && column + gap + wide > width) {
			str_char(&out, '\n');
			column = MIN(indent, width / 2);
			str_repeat(&out, ' ', column);
		} else {
			str_repeat(&out, ' ', gap);
			column += gap;
		}
		str_add(&out, word);
		column += wide;
		text = sv_skip(text, gap + word.len);
	}
	puts(str_c(&out));
	str_release(&out);
}
