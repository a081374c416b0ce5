/*
 * What a field of the ONNX format is, asked of the descriptions that protoc-c made.
 */
#ifndef WIRE_SCHEMA_H
#define WIRE_SCHEMA_H

#include <protobuf-c/protobuf-c.h>

#include "wire/bytes.h"

enum {
	FIELD_PIECE = 50001,
	FIELD_PAYLOAD = 50002,
	FIRST_PRIVATE = 50000,
	FIELD_MODEL_GRAPH = 7,
	FIELD_MODEL_FUNCTIONS = 25,
	FIELD_GRAPH_NODE = 1
};

enum field_class {
	FIELD_UNKNOWN, /* not in the format, ours, or with the wrong wire type */
	FIELD_MESSAGE,
	FIELD_NAME,           /* a short text that the graph is made of */
	FIELD_PAYLOAD_BYTES,  /* may be large: stays in the file then */
	FIELD_PAYLOAD_PACKED, /* numbers, packed */
	FIELD_PAYLOAD_NUMBER, /* one unpacked element of a list */
	FIELD_SCALAR,
	FIELD_CLASS_COUNT
};

/*
 * One field of a message: how it is classified for the wire type it should have, and when
 * it is a list of numbers that came packed.
 */
struct schema_field {
	const ProtobufCFieldDescriptor *descriptor; /* NULL: the message has no such field */
	const struct schema *child;                 /* of a FIELD_MESSAGE */
	enum wire_type type;
	enum field_class class;
	bool packable;
};

enum {
	SCHEMA_NUMBERS = 32 /* field numbers of the standard are below */
};

/* A message type, its fields by number. */
struct schema {
	const ProtobufCMessageDescriptor *descriptor;
	struct schema_field fields[SCHEMA_NUMBERS];
	bool has_piece;   /* wants to know where it stands */
	bool has_payload; /* may leave fields in the file */
};

/* The whole format, from ModelProto down.  Built on the first call, then always the same. */
const struct schema *schema_model(void);

static inline const struct schema_field *schema_field(const struct schema *s, uint32_t number)
{
	return &s->fields[number < SCHEMA_NUMBERS ? number : 0]; /* there is no field 0 */
}

static inline enum field_class schema_class(const struct schema_field *f, enum wire_type type)
{
	if (type == f->type)
		return f->class;
	return f->packable && type == WIRE_BYTES ? FIELD_PAYLOAD_PACKED : FIELD_UNKNOWN;
}

static inline bool schema_repeated(const ProtobufCFieldDescriptor *d)
{
	return d->label == PROTOBUF_C_LABEL_REPEATED;
}
static inline bool schema_oneof(const ProtobufCFieldDescriptor *d)
{
	return d->flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
}
/* Bytes of one packed element; 0 for varints. */
size_t schema_packed_size(const ProtobufCFieldDescriptor *d);

#endif
