/*
 * Every shape rule, declared from the rows of the operators, and the words for their column
 * `argument`: what the operators that share a rule differ in.
 */
#ifndef OPS_RULES_H
#define OPS_RULES_H

#include "ops/arith.h"
#include "ops/rule.h"

/* along_axis: the default of the attribute axis. */

/* cumulate: an operation of arith.def.  elementwise: one, and these. */
enum elementwise_flag {
	ELEMENTWISE_OP = (1 << 6) - 1,  /* the bits of the operation */
	ELEMENTWISE_BOOL = 1 << 6,      /* the result is bool */
	ELEMENTWISE_ONE_SHAPE = 1 << 7, /* all inputs have it */
	ELEMENTWISE_LIMITED = 1 << 8    /* the second is broadcast to the first, on request */
};

/*
 * same_shape, ms_matmul, dropout: the element type of the result (dropout: of the mask), which is
 * ELEM_... or that of an input.
 */
#define ELEM_OF(input) (-1 - (input))

/* reduce: how elements are combined; REDUCE_AXES_INPUT where the axes are not an attribute. */
enum reduce_fold {
	REDUCE_UNTRACKED,
	REDUCE_SUM,
	REDUCE_PROD,
	REDUCE_MAX,
	REDUCE_MIN,
	REDUCE_FOLD_COUNT
};

enum {
	REDUCE_AXES_INPUT = 1 << 4
};

/* arg_extreme: of which element the index is. */
enum arg_argument {
	ARG_MIN,
	ARG_MAX
};

/* ms_nhwc_conv: whether runtimes agree on where the weight's input channels are. */
enum nhwc_argument {
	NHWC_WEIGHT_STANDARD, /* as those of Conv */
	NHWC_WEIGHT_UNCLEAR   /* only its output channels come first everywhere */
};

/* blocks: where their elements go. */
enum blocks_argument {
	BLOCKS_TO_SPACE,
	BLOCKS_TO_DEPTH
};

/* pool, ms_pool */
enum pool_kind {
	POOL_AVERAGE,
	POOL_LP,
	POOL_MAX,
	POOL_KIND_COUNT
};

/* global_pool: whether the attribute channels_last exists. */
enum global_pool_argument {
	GLOBAL_POOL_STANDARD,
	GLOBAL_POOL_QUANTIZED
};

/* optional_get, optional_has: what the input may be. */
enum optional_argument {
	OPTIONAL_ONLY,
	OPTIONAL_OR_VALUE
};

/* rnn: the number of gates. */
enum rnn_gates {
	RNN_PLAIN = 1,
	RNN_GRU = 3,
	RNN_LSTM = 4
};

/* optimize: the groups of tensors, which are values, gradients and the optimizer's state. */
enum optimize_groups {
	OPTIMIZE_ONE_STATE = 3,
	OPTIMIZE_TWO_STATES = 4
};

/* ms_attention: scales come before the past. */
enum ms_attention_argument {
	MS_ATTENTION_PLAIN,
	MS_ATTENTION_QUANTIZED
};

/* ms_embed_layer_norm: scales and zero points follow. */
enum ms_embed_argument {
	MS_EMBED_PLAIN,
	MS_EMBED_QUANTIZED
};

/* ms_rotary_embedding: one position of each element, or three. */
enum ms_rotary_argument {
	MS_ROTARY_PLAIN,
	MS_ROTARY_SECTIONS
};

/* ms_quantize: which way. */
enum ms_quantize_argument {
	MS_QUANTIZE,
	MS_QUANTIZE_BACK
};

/* ms_standard: the standard operator. */
enum ms_standard_argument {
	MS_STANDARD_GATHER_ND,
	MS_STANDARD_GRID_SAMPLE,
	MS_STANDARD_TRILU
};

/* ms_shared_products: how many there are. */
enum ms_shared_argument {
	MS_SHARED_ONE,
	MS_SHARED_QKV
};

/* ms_mix: streams are mixed before a block, or with its result. */
enum ms_mix_argument {
	MS_MIX_BEFORE,
	MS_MIX_AFTER
};

/* ms_beam_search: what is searched for. */
enum ms_search_argument {
	MS_SEARCH_BEAMS,
	MS_SEARCH_SPEECH
};

/* ms_signature: a row of signatures.def. */
enum ms_signature {
#define SIGNATURE(name, text) SIGNATURE_##name,
#include "ops/signatures.def"
#undef SIGNATURE
};

#define OP(domain, name, since, properties, min, max, rule, ...) rule_function rule_##rule;
#include "ops/ops.def"
#undef OP

#endif
