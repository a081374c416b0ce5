/*
 * Turns the unpacked skeleton into a model.
 */
#ifndef WIRE_DECODE_H
#define WIRE_DECODE_H

#include "base/err.h"
#include "ir/graph.h"
#include "wire/skeleton.h"

/* `m` is fresh from model_init; it keeps no pointer into the skeleton. */
bool decode(const struct skeleton *skeleton, struct model *m, struct err *err) MUST_USE;

#endif
