/*
 * Of ops.c and property.c: the words that the rows of the operators are written with.
 */
#ifndef OPS_INTERNAL_H
#define OPS_INTERNAL_H

#define MANY UINT32_MAX

#define ONNX      ""
#define ML        "ai.onnx.ml"
#define PREVIEW   "ai.onnx.preview"
#define TRAINING  "ai.onnx.preview.training"
#define MICROSOFT "com.microsoft"

/* The column `properties`: flags in the low byte, a number of four bits for each enum, of
 * six for FLOW. */
enum {
	SHAPES_AT = 8,
	SIGN_AT = 12,
	SIZES_AT = 16,
	COST_AT = 20,
	FLOW_AT = 24,
	KIND_AT = 32,
	PROPERTY_MASK = 15,
	FLOW_MASK = 63
};

#define SHAPES(kind) ((unsigned)OP_SHAPES_##kind << SHAPES_AT)
#define SIGN(kind)   ((unsigned)OP_SIGN_##kind << SIGN_AT)
#define SIZES(kind)  ((unsigned)OP_SIZES_##kind << SIZES_AT)
#define COST(kind)   ((unsigned)OP_COST_##kind << COST_AT)
#define FLOW(kind)   ((unsigned)OP_FLOW_##kind << FLOW_AT)
#define IS(kind)     ((uint64_t)OP_KIND_##kind << KIND_AT)

#endif
