/* Prints the built-in entry for a TERM, as a value of $TERMINFO. */
#include <stdio.h>

#include "base/str.h"
#include "ui/terminfo.h"

int main(int count, char **words)
{
	struct str entry = {0};

	terminfo_builtin(count > 1 ? words[1] : "", &entry);
	puts(str_c(&entry));
	str_release(&entry);
	return 0;
}
