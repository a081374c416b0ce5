/*
 * Where each message of the file is, checked before anything is unpacked.
 *
 * A piece is one occurrence of a message in the file.  Piece 0 is the whole file.
 * Pieces are numbered in file order, so a piece's descendants follow it directly.
 * Protobuf allows a message in several pieces, which are merged: the first is the head,
 * `next` leads to the others.  A piece of a oneof that a later case replaced is dead: it
 * is in the file but has no meaning.
 */
#ifndef WIRE_SCAN_H
#define WIRE_SCAN_H

#include "base/err.h"
#include "wire/bytes.h"

struct piece {
	uint64_t tag_at;
	uint64_t len; /* of the contents */
	uint32_t parent;
	uint32_t end;    /* one past its last descendant */
	uint32_t head;   /* the message's first piece */
	uint32_t next;   /* the message's next piece; 0 ends */
	uint32_t tail;   /* of a head: the message's last piece */
	uint32_t single; /* of a head: its newest child in a singular field */
	uint32_t older;  /* of such a child's head: the one before it */
	uint32_t heavy;  /* of a head: bytes in fields that may stay in the file, saturating */
	uint32_t number; /* the field it is in */
	uint8_t tag_len;
	uint8_t prefix_len;
	bool dead;
};

struct pieces {
	struct piece *at; /* owned */
	size_t len;
	size_t cap;
};

enum {
	SCAN_DEEPEST = 100,         /* nesting of messages */
	SCAN_LARGEST_INLINE = 4096, /* bytes of one field that are read into memory */
	SCAN_LONGEST_NAME = 65535
};

/* Of the contents; of piece 0, the start of the file. */
static inline uint64_t piece_at(const struct piece *p)
{
	return p->tag_at + p->tag_len + p->prefix_len;
}

bool scan(struct bytes *b, struct pieces *out, struct err *err) MUST_USE;
void pieces_release(struct pieces *p);

#endif
