"""Cases of the other operators of com.microsoft, and of those that ONNX Runtime keeps from early ONNX."""


def activation(op, bias):
    def make(c):
        dims = c.sizes(c.one(1, 2, 3))
        return c.node(op, [c.x(dims)] + ([c.x(dims[-1:])] if bias == 'always' or bias and c.chance() else []))
    return make


def scaled_silu(c):
    return c.node('ScaledSiLU', [c.x(c.sizes(c.one(1, 2, 3))), c.maybe([])])


def skip_norm(c, op='SkipLayerNormalization'):
    b, s, h = c.sizes(3)
    x = c.one([b, s, h], [b, s, h], [b, h])
    skip = c.one(x, x, [1, s, h], [s, h]) if len(x) == 3 else x
    ins = [c.x(x), c.x(skip), c.x([h])] + ([c.maybe([h])] if op == 'SkipLayerNormalization' else []) + [c.maybe([h])]
    return c.node(op, ins, (True, False, False, c.chance()))


def skip_simple(c):
    return skip_norm(c, 'SkipSimplifiedLayerNormalization')


def embed(c):
    b, s, h = c.sizes(3)
    seg = c.chance()
    ids = lambda: c.x([b, s], 'int32', 0, 1)
    most = s + c.one(0, 3)
    ins = [ids(), ids() if seg else '', c.x([3, h]), c.x([most, h]), c.x([2, h]) if seg else '', c.x([h]), c.x([h]),
           ids() if c.chance(0.4) else '', c.x(c.one([b, s], [1, s]), 'int32', 0, 1) if c.chance(0.3) else '']
    return c.node('EmbedLayerNormalization', ins, (True, True, c.chance(0.4)))


def qembed(c):
    b, s, h = c.sizes(3)
    seg = c.chance()
    ids = lambda: c.x([b, s], 'int32', 0, 1)
    u = lambda dims: c.x(dims, 'uint8', 0, 9)
    ins = [ids(), ids() if seg else '', u([3, h]), u([s + 2, h]), u([2, h]) if seg else '', u([h]), u([h]),
           ids() if c.chance(0.4) else '', c.x([]), c.x([]), c.x([]) if seg else '', c.x([]), c.x([]), u([]), u([]),
           u([]) if seg else '', u([]), u([])]
    return c.node('QEmbedLayerNormalization', ins, 2)


def layer_norm(c):
    b, s, h = c.sizes(3)
    c.opset = 16
    return c.node('SimplifiedLayerNormalization', [c.x([b, s, h]), c.x([h])], (True, c.chance()), domain='', axis=-1)


def cdist(c):
    m, k, n = c.sizes(3)
    return c.node('CDist', [c.x([m, n]), c.x([k, n])], metric=c.one('euclidean', 'sqeuclidean'))


def gather_nd(c):
    return c.node('GatherND', [c.x(c.sizes(3)), c.x([c.size(), c.one(1, 2, 3)], 'int64', 0, 0)])


def grid_sample(c):
    n, ch = c.sizes(2)
    return c.node('GridSample', [c.x([n, ch, 4, 5]), c.x([n, c.size(), c.size(), 2])])


def inverse(c):
    n = c.one(2, 3)
    return c.node('Inverse', [c.x(c.one([], [c.size()]) + [n, n])])


def trilu(c):
    return c.node('Trilu', [c.x(c.sizes(c.one(2, 3))), c.x([], 'int64', 0, 1) if c.chance() else ''])


def unique(c):
    return c.node('Unique', [c.x([c.size()])], 3)


def expand_dims(c):
    return c.node('ExpandDims', [c.x(c.sizes(2)), c.x([], 'int32', 0, 0)])


def unfold(c):
    return c.node('UnfoldTensor', [c.x([5, 6, 7])], dim=c.one(None, 1, 0, -1), size=c.one(1, 2, 5),
                  step=c.one(None, 1, 2))


def number_range(c):
    one = lambda v: c.x(c.one([], [1]), 'int64', values=[v])
    return c.node('Range', [one(1), one(7)] + ([one(2)] if c.chance() else []))


def pad(c):
    return c.node('Pad', [c.x(c.sizes(2)), c.x(c.one([4], [1, 4]), 'int64', values=[1]), c.x(c.one([], [1])) if
                          c.chance() else ''])


def murmur(c):
    return c.node('MurmurHash3', [c.x(c.sizes(c.one(1, 2)), 'int32')])


def tokenizer(c):
    return c.node('Tokenizer', [c.x(c.sizes(c.one(1, 2)), 'object')], mark=1, mincharnum=1, pad_value='#',
                  separators=[' '])


def crop_resize(c):
    n, ch, rois = c.sizes(3)
    return c.node('CropAndResize', [c.x([n, ch, 5, 6]), c.x([rois, 4], 'float32', 0, 1), c.x([rois], 'int32', 0, 0),
                                    c.x([2], 'int32', values=[3])])


def repeat_block(c):
    b, s = c.sizes(2)
    return c.node('NGramRepeatBlock', [c.x([b, s], 'int64', 0, 1), c.x([b, 5])], ngram_size=2)


def word_conv(c):
    s, w = c.sizes(2)
    chars, size, window, out = 5, 3, 2, 4
    return c.node('WordConvEmbedding', [c.x([s, w], 'int32', 1, 1), c.x([out, 1, window, size]), c.x([out]),
                                        c.x([chars, size])], char_embedding_size=size, conv_window_size=window,
                  embedding_size=out)


def gather_block(c):
    rows, i = c.sizes(2)
    zero = c.chance(0.4)
    return c.node('GatherBlockQuantized', [c.x([rows, 32], 'uint8', 0, 9), c.x(c.one([i], [i, 2], []), 'int64', 0, 1),
                                           c.x([rows, 4]), c.x([rows, 2], 'uint8', 0, 9) if zero else ''],
                  bits=4, block_size=16, gather_axis=0, quantize_axis=1)


def moe(c):
    tokens, s = c.sizes(2)
    e, h, i = 4, 6, 5
    three = c.chance()
    ins = [c.x([tokens, s, h] if three else [tokens, h]), c.x([tokens * s if three else tokens, e]), c.x([e, i, h]),
           c.maybe([e, i]), c.x([e, h, i]), c.maybe([e, h])]
    return c.node('MoE', ins, k=2, activation_type='relu')


def qmoe(c):
    tokens = c.size()
    e, h, i = 4, 32, 16
    u = lambda dims: c.x(dims, 'uint8', 0, 9)
    ins = [c.x([tokens, h]), c.x([tokens, e]), u([e, i, h // 2]), c.x([e, i]), c.maybe([e, i]), u([e, h, i // 2]),
           c.x([e, h]), c.maybe([e, h])]
    return c.node('QMoE', ins, k=2, activation_type='relu', expert_weight_bits=4)


def branch_norm(c):
    b, n, h = c.sizes(3)
    flat = c.chance()
    return c.node('BranchwiseRMSNorm', [c.x([b, n * h] if flat else [b, n, h]),
                                        c.x(c.one([n * h], [n, h], [h])) if c.chance(0.7) else ''],
                  num_branches=n if flat else None)


def gated_add(c):
    dims = c.sizes(c.one(1, 2, 3))
    return c.node('GatedAdd', [c.x(dims), c.x(dims), c.x(dims[:-1] + [1])])


def gated_norm(c):
    lead, n, h = c.sizes(c.one(1, 2)), c.one(1, 2), c.size()
    return c.node('GatedRMSNorm', [c.x(lead + [n * h]), c.x([h]), c.x(lead + [n * h])])


def engram(c):
    b, s, m, h = c.sizes(4)
    both = c.chance()
    return c.node('EngramGate', [c.x([b, s, m, h]), c.x([b, s, m, h]), c.x([b, s, h]), c.x([m, h]), c.x([m, h])] +
                  ([c.x([m, h])] if both else []), (True, both))


def hash_mapping(c):
    b, s = c.sizes(2)
    n, heads = c.one(2, 3), c.one(1, 2)
    count = (n - 1) * heads
    ids = lambda dims: c.x(dims, 'int64', 1, 9)
    ins = [ids([b, s]), ids([n]), ids([count]), c.maybe([b, n - 1], 'int64', 1, 9), c.maybe([count], 'int64', 1, 9),
           c.maybe([], 'int64', 1, 9), c.maybe([b, s], 'int32', 0, 1)]
    return c.node('NGramHashMapping', ins, 2, max_ngram_size=n, n_head_per_ngram=heads, pad_id=0)


def varlen_hash(c):
    t, b = c.size() + 5, c.size()
    n, heads = c.one(2, 3), c.one(1, 2)
    count = (n - 1) * heads
    ids = lambda dims: c.x(dims, 'int64', 1, 9)
    ins = [ids([t]), ids([n]), ids([count]), c.x([b + 1], 'int32', values=[*range(b), t]),
           c.maybe([b, n - 1], 'int64', 1, 9), c.maybe([count], 'int64', 1, 9), c.maybe([], 'int64', 1, 9)]
    return c.node('VarlenNGramHashMapping', ins, 2, max_ngram_size=n, n_head_per_ngram=heads, pad_id=0)


def pre_mix(c):
    b, s, n, h = c.sizes(4)
    flat = c.chance()
    mix = c.one([b, s, n], [b, s, n, 1], [b, s, n, h]) if not flat else c.one([b, s, n], [b, s, n * h])
    return c.node('HyperConnectionPreMix', [c.x([b, s, n * h] if flat else [b, s, n, h]), c.x(mix)],
                  num_branches=n if flat else None)


def post_mix(c):
    b, s, n, h = c.sizes(4)
    flat = c.chance()
    mix = c.one([b, s, n], [b, s, n, 1], [b, s, n, h])
    return c.node('HyperConnectionPostMix', [c.x([b, s, n * h] if flat else [b, s, n, h]), c.x([b, s, h]), c.x(mix),
                                             c.maybe([b, s, n, n])], num_branches=n if flat else None)


def causal_conv(c):
    b, ch, length = c.sizes(3)
    k = c.one(2, 3)
    return c.node('CausalConvWithState', [c.x([b, ch, length]), c.x([ch, 1, k]), c.maybe([ch]),
                                          c.maybe([b, ch, k - 1])], 2)


def warping(c):
    m, n = c.sizes(2)
    return c.node('DynamicTimeWarping', [c.x(c.one([m, n], [1, m, n]))])


def bifurcation(c):
    s, t, p = c.sizes(3)
    ids = lambda n: c.x([n], 'int64', 1, 3)
    return c.node('BifurcationDetector', [ids(s), ids(t), c.x([], 'int64', 0, 0)] + ([ids(s + 1)] if c.chance()
                                                                                     else []), 2)


def sample(c):
    return c.node('SampleOp', [c.x(c.sizes(c.one(1, 2)))])


def old_unary(op, **attributes):
    def make(c):
        c.opset = 9
        return c.node(op, [c.x(c.sizes(c.one(1, 2, 3)))], domain='', **attributes)
    return make


def image_scaler(c):
    c.opset, n, ch = 9, c.size(), c.one(1, 3)
    return c.node('ImageScaler', [c.x([n, ch, 4, 5])], domain='', scale=2.0, bias=[0.5] * ch)


def crop(c):
    c.opset = 9
    return c.node('Crop', [c.x([c.size(), c.size(), 6, 7])], domain='', border=[1, 1, 1, 2],
                  scale=c.one(None, [3, 3]))


def dynamic_slice(c):
    c.opset = 9
    return c.node('DynamicSlice', [c.x([5, 6, 7]), c.x([2], 'int64', values=[1, 0]), c.x([2], 'int64', values=[3, 4]),
                                   c.x([2], 'int64', values=[0, 2]) if c.chance() else ''], domain='')


CASES = {'BiasGelu': activation('BiasGelu', 'always'), 'FastGelu': activation('FastGelu', True),
         'Gelu': activation('Gelu', False), 'QuickGelu': activation('QuickGelu', False), 'ScaledSiLU': scaled_silu,
         'SkipLayerNormalization': skip_norm, 'SkipSimplifiedLayerNormalization': skip_simple,
         'EmbedLayerNormalization': embed, 'QEmbedLayerNormalization': qembed,
         'SimplifiedLayerNormalization': layer_norm, 'CDist': cdist, 'GatherND': gather_nd, 'GridSample': grid_sample,
         'Inverse': inverse, 'Trilu': trilu, 'Unique': unique, 'ExpandDims': expand_dims, 'UnfoldTensor': unfold,
         'Range': number_range, 'Pad': pad, 'MurmurHash3': murmur, 'Tokenizer': tokenizer,
         'CropAndResize': crop_resize, 'NGramRepeatBlock': repeat_block, 'WordConvEmbedding': word_conv,
         'GatherBlockQuantized': gather_block, 'MoE': moe, 'QMoE': qmoe, 'BranchwiseRMSNorm': branch_norm,
         'GatedAdd': gated_add, 'GatedRMSNorm': gated_norm, 'EngramGate': engram, 'NGramHashMapping': hash_mapping,
         'VarlenNGramHashMapping': varlen_hash, 'HyperConnectionPreMix': pre_mix, 'HyperConnectionPostMix': post_mix,
         'CausalConvWithState': causal_conv, 'DynamicTimeWarping': warping, 'BifurcationDetector': bifurcation,
         'SampleOp': sample, 'Affine': old_unary('Affine', alpha=2.0), 'ScaledTanh': old_unary('ScaledTanh', alpha=1.0,
         beta=1.0), 'ParametricSoftplus': old_unary('ParametricSoftplus', alpha=1.0, beta=1.0),
         'Scale': old_unary('Scale', scale=2.0), 'ImageScaler': image_scaler, 'Crop': crop,
         'DynamicSlice': dynamic_slice}
