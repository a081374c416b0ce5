/*
 * How many columns of a terminal a character takes: 0, 1 or 2.
 *
 * From a table of our own, so that a drawing is the same under every C library and locale.
 */
#ifndef BASE_WIDTH_H
#define BASE_WIDTH_H

#include <stdint.h>

/* 1 for what is not a character, and for control characters. */
int width_of(int32_t code);

#endif
