/*
 * For every file: compiler attributes and a few macros that C lacks.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MUST_USE __attribute__((warn_unused_result))
/* Not PRINTF_LIKE, which Graphviz defines. */
#define LIKE_PRINTF(nth, first) __attribute__((format(printf, nth, first)))
#define NORETURN                __attribute__((noreturn))

#define ARRAY_LEN(array) (sizeof(array) / sizeof((array)[0]))
/* Graphviz defines them too, in the same meaning. */
#undef MIN
#undef MAX
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
/* "%zu %s", n, PLURAL(n, "axis", "axes") */
#define PLURAL(n, one, many) ((n) == 1 ? (one) : (many))

#endif
