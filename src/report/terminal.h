/*
 * What is known of the terminal at standard output: its width, and whether the user wants
 * colours.
 */
#ifndef REPORT_TERMINAL_H
#define REPORT_TERMINAL_H

#include <stddef.h>

enum color_wish {
	COLOR_IF_SHOWN, /* on a terminal that has colours */
	COLOR_NEVER,
	COLOR_ALWAYS
};

/*
 * By $NO_COLOR, else $CLICOLOR_FORCE and $FORCE_COLOR, else $CLICOLOR: the first that is set.
 * An option of the command line overrides it.
 */
enum color_wish color_wish_of_environment(void);
/* Columns of the terminal at standard output; 0 when it is not one. */
size_t terminal_width(void);
#endif
