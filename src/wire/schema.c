#include "wire/schema.h"

#include <string.h>

const ProtobufCFieldDescriptor *schema_field(const ProtobufCMessageDescriptor *message,
					     uint32_t number)
{
	return number < FIRST_PRIVATE ? protobuf_c_message_descriptor_get_field(message, number)
				      : NULL;
}

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

/* Texts that may be long and that no graph is wired with. */
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

enum field_class schema_class(const ProtobufCFieldDescriptor *d, enum wire_type type)
{
	enum wire_type expected;

	if (!d)
		return FIELD_UNKNOWN;
	expected = expected_type(d);
	if (expected != WIRE_BYTES && schema_repeated(d))
		return type == WIRE_BYTES ? FIELD_PAYLOAD_PACKED
		       : type == expected ? FIELD_PAYLOAD_NUMBER
					  : FIELD_UNKNOWN;
	if (type != expected)
		return FIELD_UNKNOWN;
	if (d->type == PROTOBUF_C_TYPE_MESSAGE)
		return FIELD_MESSAGE;
	if (d->type == PROTOBUF_C_TYPE_BYTES)
		return is_payload(d) ? FIELD_PAYLOAD_BYTES : FIELD_NAME;
	return FIELD_SCALAR;
}

size_t schema_packed_size(const ProtobufCFieldDescriptor *d)
{
	enum wire_type type = expected_type(d);

	return type == WIRE_FIXED32 ? 4 : type == WIRE_FIXED64 ? 8 : 0;
}
