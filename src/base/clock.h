/*
 * A clock for durations and deadlines.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

/* Milliseconds since some fixed moment; nobody can set this clock back. */
int64_t clock_ms(void);

#endif
