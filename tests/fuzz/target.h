/*
 * A fuzz target: one input, and the program must neither crash nor break a promise.
 *
 * Each fuzz_*.c is one target and can be linked with libFuzzer or with replay.c.
 */
#ifndef TESTS_FUZZ_TARGET_H
#define TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own names.  Always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Once, before the first input. */
int LLVMFuzzerInitialize(int *count, char ***words);

#endif
