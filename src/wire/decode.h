/*
 * From the unpacked skeleton to the model.
 */
#ifndef WIRE_DECODE_H
#define WIRE_DECODE_H

#include "ir/build.h"
#include "wire/skeleton.h"

/* `m` is fresh from model_init; nothing of the skeleton is kept. */
bool decode(const struct skeleton *skeleton, struct model *m, struct err *err) MUST_USE;

#endif
