/*
 * The file without its weights: well-formed, small protobuf messages that protobuf-c can
 * unpack.
 *
 * Messages in several pieces are joined, dead ones left out; tags, lengths and numbers
 * take their shortest form; unknown fields are dropped (they live on in the file).  A
 * field that is too large to bring in becomes an AxedPayload; and each message that an
 * edit may touch gets its piece's number.
 *
 * The main graph's nodes stand apart, so that they can be unpacked one by one: all at
 * once they would take more memory than the model itself.
 */
#ifndef WIRE_SKELETON_H
#define WIRE_SKELETON_H

#include "wire/scan.h"

struct skeleton {
	struct str rest;  /* a ModelProto whose graph has no nodes */
	struct str nodes; /* the nodes' contents, one after the other */
	VEC(size_t)
	node_ends;
};

bool skeleton_write(struct bytes *b, const struct pieces *pieces, struct skeleton *out,
		    struct err *err) MUST_USE;
void skeleton_release(struct skeleton *s);

#endif
