/*
 * The completions of the shells, built into the program (made by embed.c from completion/).
 */
#ifndef APP_COMPLETION_H
#define APP_COMPLETION_H

#include <stddef.h>

extern const unsigned char completion_bash[], completion_zsh[], completion_fish[];
extern const size_t completion_bash_size, completion_zsh_size, completion_fish_size;

#endif
