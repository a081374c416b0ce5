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
	FIRST_PRIVATE = 50000
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

const ProtobufCFieldDescriptor *schema_field(const ProtobufCMessageDescriptor *message,
					     uint32_t number);
/* `d` may be NULL: a number that the message does not have. */
enum field_class schema_class(const ProtobufCFieldDescriptor *d, enum wire_type type);
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
