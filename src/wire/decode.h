/*
 * From the unpacked skeleton to the model.
 */
#ifndef WIRE_DECODE_H
#define WIRE_DECODE_H

#include "base/str.h"
#include "ir/build.h"

/* `m` is fresh from model_init; nothing of the skeleton is kept. */
bool decode(const struct str *skeleton, struct model *m, struct err *err) MUST_USE;

#endif
