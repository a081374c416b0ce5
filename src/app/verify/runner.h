/*
 * The script that Python runs, built into the program (made by embed.c from runner.py).
 */
#ifndef APP_VERIFY_RUNNER_H
#define APP_VERIFY_RUNNER_H

#include <stddef.h>

extern const unsigned char verify_runner[];
extern const size_t verify_runner_size;

#endif
