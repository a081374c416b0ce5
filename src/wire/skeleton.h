/*
 * The file without its weights: well-formed, small protobuf messages for protobuf-c.
 *
 * Messages in several pieces are merged, dead ones omitted; tags, lengths and numbers take
 * their shortest form; unknown fields are dropped (they stay in the file).  A field too
 * large for memory becomes an AxedPayload, and each message that an edit may change gets
 * the number of its piece.
 *
 * The main graph's initializers and nodes are separate, so that they can be unpacked one by
 * one: together they would take more memory than the model itself.
 */
#ifndef WIRE_SKELETON_H
#define WIRE_SKELETON_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "wire/bytes.h"
#include "wire/scan.h"

/* Messages of one kind. */
struct parts {
	struct str bytes; /* their contents, one after the other */
	VEC(size_t) ends;
};

struct skeleton {
	struct str rest; /* a ModelProto whose graph has no initializers and no nodes */
	struct parts initializers;
	struct parts nodes;
};

bool skeleton_write(struct bytes *b, const struct pieces *pieces, struct skeleton *out,
		    struct err *err) MUST_USE;
void skeleton_release(struct skeleton *s);

#endif
