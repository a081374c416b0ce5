/*
 * The file without its weights: a well-formed, small protobuf message that protobuf-c
 * can unpack.
 *
 * Messages in several pieces are joined, dead ones left out; tags, lengths and numbers
 * take their shortest form; unknown fields are dropped (they live on in the file).  A
 * field that is too large to bring in becomes an AxedPayload; and each message that an
 * edit may touch gets its piece's number.
 */
#ifndef WIRE_SKELETON_H
#define WIRE_SKELETON_H

#include "wire/scan.h"

bool skeleton_write(struct bytes *b, const struct pieces *pieces, struct str *out,
		    struct err *err) MUST_USE;

#endif
