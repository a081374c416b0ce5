#include "wire/schema.h"

#include <string.h>

#include "base/bug.h"
#include "onnx.pb-c.h"

static enum wire_type expected_type(const ProtobufCFieldDescriptor *d)
{
	switch (d->type) {
	case PROTOBUF_C_TYPE_FLOAT:
	case PROTOBUF_C_TYPE_FIXED32:
	case PROTOBUF_C_TYPE_SFIXED32:
		return WIRE_FIXED32;
	case PROTOBUF_C_TYPE_DOUBLE:
	case PROTOBUF_C_TYPE_FIXED64:
	case PROTOBUF_C_TYPE_SFIXED64:
		return WIRE_FIXED64;
	case PROTOBUF_C_TYPE_STRING:
	case PROTOBUF_C_TYPE_BYTES:
	case PROTOBUF_C_TYPE_MESSAGE:
		return WIRE_BYTES;
	case PROTOBUF_C_TYPE_INT32:
	case PROTOBUF_C_TYPE_SINT32:
	case PROTOBUF_C_TYPE_UINT32:
	case PROTOBUF_C_TYPE_INT64:
	case PROTOBUF_C_TYPE_SINT64:
	case PROTOBUF_C_TYPE_UINT64:
	case PROTOBUF_C_TYPE_BOOL:
	case PROTOBUF_C_TYPE_ENUM:
		break;
	}
	return WIRE_VARINT;
}

/* Strings that may be long and do not name parts of the graph. */
static bool is_payload(const ProtobufCFieldDescriptor *d)
{
	static const char *const names[] = {"doc_string", "raw_data",    "s",
					    "strings",    "string_data", "value"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(d->name, names[i]) == 0)
			return true;
	}
	return false;
}

static enum field_class class_of(const ProtobufCFieldDescriptor *d, bool packable)
{
	if (d->type == PROTOBUF_C_TYPE_MESSAGE)
		return FIELD_MESSAGE;
	if (d->type == PROTOBUF_C_TYPE_BYTES)
		return is_payload(d) ? FIELD_PAYLOAD_BYTES : FIELD_NAME;
	return packable ? FIELD_PAYLOAD_NUMBER : FIELD_SCALAR;
}

size_t schema_packed_size(const ProtobufCFieldDescriptor *d)
{
	enum wire_type type = expected_type(d);

	return type == WIRE_FIXED32 ? 4 : type == WIRE_FIXED64 ? 8 : 0;
}

/* ---- the tables ---- */

enum {
	MAX_MESSAGES = 48 /* message types of the format */
};

struct schemas {
	struct schema at[MAX_MESSAGES];
	size_t count;
};

static struct schema *add_schema(struct schemas *all, const ProtobufCMessageDescriptor *message);

static void add_field(struct schemas *all, struct schema *s, const ProtobufCFieldDescriptor *d)
{
	bool packable = schema_repeated(d) && expected_type(d) != WIRE_BYTES;

	s->has_piece |= d->id == FIELD_PIECE;
	s->has_payload |= d->id == FIELD_PAYLOAD;
	if (d->id >= FIRST_PRIVATE)
		return;
	BUG_ON(d->id >= SCHEMA_NUMBERS);
	s->fields[d->id] = (struct schema_field){
		.descriptor = d,
		.type = expected_type(d),
		.class = class_of(d, packable),
		.packable = packable,
		.child = d->type == PROTOBUF_C_TYPE_MESSAGE ? add_schema(all, d->descriptor) : NULL,
	};
}

static struct schema *add_schema(struct schemas *all, const ProtobufCMessageDescriptor *message)
{
	struct schema *s;

	for (size_t i = 0; i < all->count; i++) {
		if (all->at[i].descriptor == message)
			return &all->at[i];
	}
	BUG_ON(all->count == MAX_MESSAGES);
	s = &all->at[all->count++];
	s->descriptor = message; /* before the fields: messages are recursive */
	for (unsigned i = 0; i < message->n_fields; i++)
		add_field(all, s, &message->fields[i]);
	return s;
}

const struct schema *schema_model(void)
{
	/* A cache of constants: built once, never changed. */
	static struct schemas all;

	if (all.count == 0)
		add_schema(&all, &onnx__model_proto__descriptor);
	return &all.at[0];
}
