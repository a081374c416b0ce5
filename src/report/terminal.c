#include "report/terminal.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/sv.h"
#include "base/wrap.h"

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

void line_print(struct sv text, size_t width, size_t indent)
{
	size_t room = width, next = text.len;

	indent = MIN(indent, width / 2);
	for (;;) {
		size_t len = width ? wrap_line(text, room, WRAP_WORDS, &next) : text.len;

		printf("%.*s\n", (int)len, text.at);
		text = sv_skip(text, next);
		if (text.len == 0)
			return;
		printf("%*s", (int)indent, "");
		room = width - indent;
	}
}
