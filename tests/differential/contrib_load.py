"""Operators that have no CPU kernel: onnxruntime infers their shapes when it loads a model.

Its log says what it inferred when a model declares something else.
"""

import re

TYPED = re.compile(r'of output arg \(([^)]*)\) of node .* expected type \(tensor\((\w+)\)\)')
ELEMENTS = {'float16': 10, 'bool': 9, 'uint32': 12, 'int32': 6, 'int64': 7, 'uint8': 2, 'int8': 3}
MERGED = re.compile(r"output\.? '([^']*)' source:\{([^}]*)\} target", re.S)
UNLIKE = [9973]  # a shape that no output has


def numbers(text):
    return [int(n) if n.strip().isdigit() else None for n in text.split(',') if n.strip()]


def load(case, shapes, runtime):
    """What onnxruntime infers, as {output: dims}, or the message with which it refuses the model."""
    types = {}
    for _ in range(8):
        _, said, log = runtime.run(case.model(shapes, (UNLIKE, types)), case.feeds(shapes), {})
        typed = TYPED.search(said) if isinstance(said, str) else None
        if not typed or typed[2] not in ELEMENTS:
            break
        types[typed[1]] = ELEMENTS[typed[2]]
    # It comes after inference, for types without a kernel.
    if 'NOT_IMPLEMENTED' in said or 'InsertedPrecisionFreeCast' in said:
        return {name: numbers(dims) for name, dims in MERGED.findall(log)}
    return str(said)


def bias_add(c):
    b, s, h = c.sizes(3)
    return c.node('BiasAdd', [c.x([b, s, h], 'float16'), c.x([h], 'float16'), c.x([b, s, h], 'float16')])


def split_gelu(c):
    b, s, h = c.sizes(3)
    return c.node('BiasSplitGelu', [c.x([b, s, 2 * h], 'float16'), c.x([2 * h], 'float16')])


def bias_softmax(c):
    b, s, h = c.sizes(3)
    return c.node('BiasSoftmax', [c.x([b, s, h]), c.x([1, s, h])], axis=2, is_inner_broadcast=0)


def bias_dropout(c):
    b, s, h = c.sizes(3)
    return c.node('BiasDropout', [c.x([b, s, h]), c.x([h]), c.maybe([b, s, h])], 2)


def bitmask(c):
    return c.node('BitmaskDropout', [c.x(c.sizes(3))], 2)


def group_norm(c):
    b, ch = c.size(), 8
    f = lambda d: c.x(d, 'float16')
    return c.node('GroupNorm', [f([b, 4, 5, ch]), c.x([ch]), c.x([ch])], groups=4, activation=0)


def skip_group_norm(c):
    b, ch = c.size(), 8
    f = lambda d: c.x(d, 'float16')
    return c.node('SkipGroupNorm', [f([b, 4, 5, ch]), c.x([ch]), c.x([ch]), f(c.one([b, 4, 5, ch], [b, ch])),
                                    f([ch]) if c.chance() else ''], 2, groups=4, activation=0)


def longformer(c):
    b, s, h = c.size(), c.size(), 8
    f = lambda d: c.x(d)
    return c.node('LongformerAttention', [f([b, s, h]), f([h, 3 * h]), f([3 * h]), f([b, s]), f([h, 3 * h]),
                                          f([3 * h]), c.x([b, s], 'int32')], num_heads=2, window=2)


def remove_padding(c):
    b, s, h = c.sizes(3)
    return c.node('RemovePadding', [c.x([b, s, h]), c.x([b], 'int32', 1, 1)], 4)


def restore_padding(c):
    t, b, s, h = c.sizes(4)
    return c.node('RestorePadding', [c.x([t, h]), c.x([b, s], 'int32')])


def gemm_gelu(c):
    m, k, n = c.sizes(3)
    return c.node('GemmFastGelu', [c.x([m, k]), c.x([k, n]), c.maybe([n])])


def gemm_float8(c):
    m, k, n = c.sizes(3)
    ta, tb = c.one(0, 1), c.one(0, 1)
    return c.node('GemmFloat8', [c.x([k, m] if ta else [m, k]), c.x([n, k] if tb else [k, n])], transA=ta, transB=tb,
                  dtype=1)


def matmul_activation(c):
    m, k, n = c.sizes(3)
    return c.node('FusedMatMulActivation', [c.x([m, k]), c.x([k, n])], activation='Relu')


def packed_attention(c):
    t, b, s, d = c.sizes(4)
    h = 8
    return c.node('PackedAttention', [c.x([t, d]), c.x([d, 3 * h]), c.x([3 * h]), c.x([b, s], 'int32'),
                                      c.x([b + 1], 'int32')], num_heads=2)


def packed_multi(c):
    t, b, s = c.sizes(3)
    h = 8
    ins = [c.x([t, h]), c.x([t, h]), c.x([t, 2 * h])] if c.chance() else [c.x([t, 2, 3, 4]), '', '']
    return c.node('PackedMultiHeadAttention', ins + ['', c.x([b, s], 'int32'), c.x([b + 1], 'int32')], num_heads=2)


def self_attention(c):
    b, d, p = c.sizes(3)
    h = 8
    return c.node('DecoderMaskedSelfAttention', [c.x([b, 1, d]), c.x([d, 3 * h]), c.x([3 * h]), '',
                                                 c.x([2, b, 2, p, 4]), '', c.x([1], 'int32')], 2, num_heads=2,
                  past_present_share_buffer=1)


def embedding(c):
    n, m = c.sizes(2)
    return c.node('TorchEmbedding', [c.x([n, m]), c.x(c.sizes(2), 'int64')])


def finite(c):
    return c.node('IsAllFinite', [c.x(c.sizes(2)), c.x(c.sizes(1))])


def gemma(c):
    b, n, s, d = c.sizes(4)
    q = lambda: c.x([b, n, s, d], 'float16')
    return c.node('GemmaRotaryEmbedding', [c.x([b, s, d]), q(), q(), q(), q()], 2)


def nhwc_conv(c):
    n, m = c.sizes(2)
    return c.node('NhwcFusedConv', [c.x([n, 7, 8, 2]), c.x([m, 2, 3, 2])], activation='Relu')


def fp8_weight(c):
    m, n = c.sizes(2)
    return c.node('MatMulBlockQuantizedFp4Weight', [c.x([m, 32], 'float16'), c.x([n, 16], 'uint8'),
                                                    c.x([n, 2], 'uint8'), c.x([])], block_size=16)


def nbits_mlp(c):
    m, n, k = c.size(), 8, 32
    f, u = lambda d: c.x(d), lambda d: c.x(d, 'uint8')
    return c.node('MatMulNBitsMlp', [f([m, k]), '', '', u([n, 2, 8]), f([n, 2]), '', u([n, 2, 8]), f([n, 2])], N=n,
                  K=k, bits=4, block_size=16, activation='silu')


def nbits_qkv(c):
    m, n, k = c.size(), 8, 32
    f, u = lambda d: c.x(d), lambda d: c.x(d, 'uint8')
    one = lambda n: [u([n, 2, 8]), f([n, 2]), '']
    return c.node('MatMulNBitsQkv', [f([m, k]), '', f([k])] + one(n) + one(4) + one(4), 3, Nq=n, Nkv=4, K=k, bits=4,
                  block_size=16)


def mul_integer(c):
    n, h = c.sizes(2)
    u = lambda d: c.x(d, 'uint8')
    return c.node('MulInteger', [u([n, h]), u([]), u(c.one([n, h], [h])), u([])])


def reduce_mean(c):
    u = lambda d: c.x(d, 'uint8')
    return c.node('QLinearReduceMean', [u(c.sizes(3)), c.x([]), u([]), c.x([]), u([])], axes=[1], keepdims=c.one(0, 1))


def varlen_conv(c):
    t, ch, b, k = c.size() + 7, c.size(), c.size(), 3
    f = lambda d: c.x(d, 'float16')
    return c.node('VarlenCausalConvWithState', [f([t, ch]), f([ch, 1, k]), c.x([b + 1], 'int32'), f([ch]),
                                                f([b, ch, k - 1])], 2)


def paged(c):
    t, b = c.sizes(2)
    f = lambda d: c.x(d, 'float16')
    i = lambda d: c.x(d, 'int32')
    return c.node('PagedAttention', [f([t, 32]), f([t, 16]), f([t, 16]), f([4, 16, 2, 8]), f([4, 16, 2, 8]),
                                     i([b + 1]), i([b]), i([b, 2])], 3, num_heads=4, kv_num_heads=2)


def order(c):
    return c.node('QuantizeWithOrder', [c.x(c.sizes(2)), c.x([])], order_input=1, order_output=1)


CASES = {'BiasAdd': bias_add, 'BiasSplitGelu': split_gelu, 'BiasSoftmax': bias_softmax, 'BiasDropout': bias_dropout,
         'BitmaskDropout': bitmask, 'GroupNorm': group_norm, 'SkipGroupNorm': skip_group_norm,
         'LongformerAttention': longformer, 'RemovePadding': remove_padding, 'RestorePadding': restore_padding,
         'GemmFastGelu': gemm_gelu, 'GemmFloat8': gemm_float8, 'FusedMatMulActivation': matmul_activation,
         'PackedAttention': packed_attention, 'PackedMultiHeadAttention': packed_multi,
         'DecoderMaskedSelfAttention': self_attention, 'TorchEmbedding': embedding, 'IsAllFinite': finite,
         'GemmaRotaryEmbedding': gemma, 'NhwcFusedConv': nhwc_conv, 'MatMulBlockQuantizedFp4Weight': fp8_weight,
         'MatMulNBitsMlp': nbits_mlp, 'MatMulNBitsQkv': nbits_qkv, 'MulInteger': mul_integer,
         'QLinearReduceMean': reduce_mean, 'VarlenCausalConvWithState': varlen_conv, 'PagedAttention': paged,
         'QuantizeWithOrder': order}
