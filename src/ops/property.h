/*
 * What an operator is, beside its shapes: the column `properties` of its rows.
 *
 * Asked by domain and name, since a property holds for all versions of an operator; an
 * operator of another domain that has the same name is another one.  Needs base and ir only,
 * so that rooms that know nothing of rules may ask too.
 */
#ifndef OPS_PROPERTY_H
#define OPS_PROPERTY_H

#include "ir/graph.h"

enum op_flag {
	OP_DEPRECATED = 1 << 0, /* since this version; still inferred */
	/*
	 * What it requires of its inputs' sizes comes from weights, which no exporter bakes in
	 * by accident.
	 */
	OP_WEIGHTS = 1 << 1,
	OP_CONSTANT = 1 << 2, /* its output is its attribute */
	OP_COPIES = 1 << 3,   /* its output is its input */
	OP_PICKS = 1 << 4,    /* elements along one axis, at the positions of its second input */
	OP_RECURS = 1 << 5,   /* from input OP_RECURRENT_STATES on it reads states */
	OP_LOOPS = 1 << 6     /* from input OP_LOOP_STATES on it reads what its body carries */
};

enum {
	OP_RECURRENT_STATES = 5,
	OP_LOOP_STATES = 2
};

/* What it does in arithmetic with shapes. */
enum op_shapes {
	OP_SHAPES_NONE,
	OP_SHAPES_START, /* makes a shape of a tensor */
	OP_SHAPES_KEEP,  /* computes with shapes when all its inputs are shapes or constants */
	OP_SHAPES_FILL,  /* has the rank as its length when its input is the shape of a shape */
	OP_SHAPES_COUNT
};

/* How a person writes it. */
enum op_sign {
	OP_SIGN_NONE,
	OP_SIGN_PLUS,
	OP_SIGN_MINUS,
	OP_SIGN_TIMES,
	OP_SIGN_OVER,
	OP_SIGN_POWER,
	OP_SIGN_COUNT
};

/* Where it has sizes that an export bakes in. */
enum op_sizes {
	OP_SIZES_NONE,
	OP_SIZES_RESHAPE,
	OP_SIZES_EXPAND,
	OP_SIZES_TILE,
	OP_SIZES_SHAPE, /* its only input is the shape of its output */
	OP_SIZES_RANGE,
	OP_SIZES_SLICE,
	OP_SIZES_RESIZE,
	OP_SIZES_SPLIT,
	OP_SIZES_COUNT
};

/* How its operations are counted. */
enum op_cost {
	OP_COST_NONE,
	OP_COST_MATMUL,
	OP_COST_GEMM,           /* a product that may be of a transposed matrix */
	OP_COST_MATMUL_NBITS,   /* packed weights: attribute N has the columns */
	OP_COST_CONV,           /* the kernel is input 1 */
	OP_COST_QUANTIZED_CONV, /* the kernel is input 3 */
	OP_COST_CONV_TRANSPOSE,
	OP_COST_ATTENTION,
	OP_COST_RECURRENT,
	OP_COST_COUNT
};

/* What a reader of the graph looks for: pictures and the screen give each a colour. */
enum op_kind {
	OP_KIND_NONE,    /* arithmetic, logic, and operators that nobody knows */
	OP_KIND_PRODUCT, /* convolutions, matrix products, attention, recurrent cells */
	OP_KIND_ACTIVATION,
	OP_KIND_NORM,
	OP_KIND_POOL,   /* pooling, reductions, and what selects the best */
	OP_KIND_LAYOUT, /* the same elements in another shape, and shapes as tensors */
	OP_KIND_MOVE,   /* picks, joins, places and converts elements */
	OP_KIND_CONTROL,
	OP_KIND_CONSTANT, /* made of attributes and sizes alone */
	OP_KIND_COUNT
};

/* How axes go through it: which rule of flow/ it has. */
enum op_flow {
	OP_FLOW_NONE, /* none: an axis that reaches it is refused */
	OP_FLOW_ELEMENTWISE,
	OP_FLOW_SCALED, /* elementwise, with numbers that an export computes from sizes */
	OP_FLOW_SAME,   /* the shape of the first input */
	OP_FLOW_SIZES,  /* all is said by the shape rule */
	OP_FLOW_RESHAPE,
	OP_FLOW_FLATTEN,
	OP_FLOW_SQUEEZE,
	OP_FLOW_UNSQUEEZE,
	OP_FLOW_TRANSPOSE,
	OP_FLOW_EXPAND,
	OP_FLOW_TILE,
	OP_FLOW_CONCAT,
	OP_FLOW_SPLIT,
	OP_FLOW_SLICE,
	OP_FLOW_PAD,
	OP_FLOW_GATHER,
	OP_FLOW_GATHER_ND,
	OP_FLOW_GATHER_ELEMENTS,
	OP_FLOW_SCATTER_ND,
	OP_FLOW_SCATTER_ELEMENTS,
	OP_FLOW_MATMUL,
	OP_FLOW_GEMM,
	OP_FLOW_ROWS, /* a product of each row with a packed weight */
	OP_FLOW_CONV,
	OP_FLOW_POOL,
	OP_FLOW_GLOBAL_POOL,
	OP_FLOW_REDUCE,
	OP_FLOW_ARG_REDUCE,
	OP_FLOW_SOFTMAX,
	OP_FLOW_ALONG,
	OP_FLOW_CHANNELS,
	OP_FLOW_INSTANCE_NORM,
	OP_FLOW_LAYER_NORM,
	OP_FLOW_RECURRENT,
	OP_FLOW_IF,
	OP_FLOW_LOOP,
	OP_FLOW_SCAN,
	OP_FLOW_RESIZE,
	OP_FLOW_GRID_SAMPLE,
	OP_FLOW_AFFINE_GRID,
	OP_FLOW_TOP_K,
	OP_FLOW_ONE_HOT,
	OP_FLOW_TRILU,
	OP_FLOW_DEPTH_TO_SPACE,
	OP_FLOW_SPACE_TO_DEPTH,
	OP_FLOW_EINSUM,
	OP_FLOW_LRN,
	OP_FLOW_LP_NORM,
	OP_FLOW_MEAN_VARIANCE,
	OP_FLOW_QUANTIZE,
	OP_FLOW_DYNAMIC_QUANTIZE,
	OP_FLOW_SKIP_NORM,
	OP_FLOW_BATCHED, /* a map over axis 0 of its inputs */
	OP_FLOW_FOLD,    /* a map over axis 0 of its first input; the others are sizes */
	OP_FLOW_DFT,
	OP_FLOW_SEQUENCE_AT,
	OP_FLOW_SEQUENCE_CONSTRUCT,
	OP_FLOW_SEQUENCE_INSERT,
	OP_FLOW_SEQUENCE_LENGTH,
	OP_FLOW_RANDOM, /* not a function of its inputs */
	OP_FLOW_COUNT
};

bool op_has_weights(const struct model *m, const struct node *n);
bool op_is_constant(const struct model *m, const struct node *n);
bool op_copies(const struct model *m, const struct node *n);
bool op_picks(const struct model *m, const struct node *n);
bool op_recurs(const struct model *m, const struct node *n);
bool op_loops(const struct model *m, const struct node *n);
enum op_shapes op_shapes(const struct model *m, const struct node *n);
enum op_sign op_sign(const struct model *m, const struct node *n);
enum op_sizes op_sizes(const struct model *m, const struct node *n);
enum op_flow op_flow(const struct model *m, const struct node *n);
enum op_cost op_cost(const struct model *m, const struct node *n);
enum op_kind op_kind(const struct model *m, const struct node *n);

/* An input of the model that has a value unless the caller gives another: from IR 4 on. */
bool value_is_default(const struct model *m, uint32_t value);
/* Is the value there before anything runs: an initializer or the output of a Constant? */
bool value_is_constant(const struct model *m, uint32_t value);
/* The tensor of an initializer or of a Constant node; 0 for none. */
uint32_t value_constant(const struct model *m, uint32_t value);

#endif
