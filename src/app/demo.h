/*
 * The demo model, built into the program (made by embed.c from the file).
 */
#ifndef APP_DEMO_H
#define APP_DEMO_H

#include <stddef.h>

extern const unsigned char demo_model[];
extern const size_t demo_model_size;

#endif
