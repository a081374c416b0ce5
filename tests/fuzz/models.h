/*
 * Models for targets whose input is something else.
 */
#ifndef TESTS_FUZZ_MODELS_H
#define TESTS_FUZZ_MODELS_H

#include <stddef.h>

/* A few nodes, an expression, a constant that pins an axis; see small.c. */
extern const unsigned char small_model[];
extern const size_t small_model_size;
/* tests/models/hostile_names.onnx */
extern const unsigned char hostile_model[];
extern const size_t hostile_model_size;
/* tests/models/nested.onnx: graphs within graphs */
extern const unsigned char nested_model[];
extern const size_t nested_model_size;

#endif
