/*
 * Decoding of everything without names: strings, types, tensors, lists of numbers.
 */
#ifndef WIRE_DECODE_DATA_H
#define WIRE_DECODE_DATA_H

#include "base/sv.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "onnx.pb-c.h"

/* Fields that were left in the file. */
struct payloads {
	Onnx__AxedPayload **at; /* borrowed */
	size_t count;
};

#define PAYLOADS(message) ((struct payloads){(message)->axed_payload, (message)->n_axed_payload})

static inline struct sv bytes_sv(ProtobufCBinaryData b)
{
	return (struct sv){(const char *)b.data, b.len};
}

/* A copy in the model's arena; *out_len is the full length, even if it stayed in the file. */
struct sv decode_text(struct model *m, ProtobufCBinaryData text, struct payloads payloads,
		      uint32_t field, uint64_t *out_len);
struct sv decode_doc(struct model *m, ProtobufCBinaryData text, struct payloads payloads,
		     uint32_t field);
struct pair *decode_pairs(struct model *m, size_t count, Onnx__StringStringEntryProto **pairs);
struct opset *decode_opsets(struct model *m, size_t count, Onnx__OperatorSetIdProto **sets);

void decode_type(struct model *m, const Onnx__TypeProto *from, struct type *out);
void decode_dim(struct model *m, const Onnx__TensorShapeProto__Dimension *from, struct dim *out);
uint32_t decode_tensor(struct model *m, const Onnx__TensorProto *from);
struct sparse decode_sparse(struct model *m, const Onnx__SparseTensorProto *from);

/* An attribute's list: `count` `words` of `size` bytes in memory, or in the file. */
struct data decode_list(struct model *m, enum elem_field field, const void *words, size_t count,
			size_t size, struct payloads payloads, uint32_t number);
struct data decode_texts(struct model *m, size_t count, const ProtobufCBinaryData *texts,
			 struct payloads payloads, uint32_t number);

#endif
