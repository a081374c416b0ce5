"""Text, ai.onnx.ml and com.microsoft operators that onnxruntime runs."""

ML, MS = 'ai.onnx.ml', 'com.microsoft'


def text(b):
    op = b.one('StringNormalizer', 'StringConcat', 'RegexFullMatch', 'StringSplit', 'TfIdfVectorizer')
    if op == 'StringNormalizer':
        b.since(10)
        dims = [b.dim()] if b.chance(0.6) else [1, b.dim()]
        return b.node(op, [b.input(dims, 'object')], case_change_action=b.one(None, 'UPPER'), is_case_sensitive=1,
                      stopwords=b.one(None, ['a'], ['a', 'b c', 'd,e', '', 'x y z']))
    if op == 'TfIdfVectorizer':
        b.since(9)
        x = b.input([b.dim() for _ in range(b.one(1, 2))], 'int64', 0, 9)
        return b.node(op, [x], mode=b.one('TF', 'IDF'), min_gram_length=1, max_gram_length=2, max_skip_count=0,
                      ngram_counts=[0, 3], ngram_indexes=[0, 1, 2, 5, 4], pool_int64s=[2, 3, 5, 5, 6, 7, 8])
    b.since(20)
    x = b.input([b.dim() for _ in range(b.r.randint(0, 3))], 'object')
    if op == 'StringConcat':
        return b.node(op, [x, b.input([1 if b.chance(0.4) else d for d in b.same_dims(x)], 'object')])
    if op == 'RegexFullMatch':
        return b.node(op, [x], pattern='a.*')
    return b.node(op, [x], 2, delimiter=b.one(None, ',', ' '), maxsplit=b.one(None, 1))


def same(b):
    op = b.one('Binarizer', 'Imputer', 'Normalizer', 'Scaler', 'LabelEncoder', 'CategoryMapper', 'OneHotEncoder')
    if op in ('LabelEncoder', 'CategoryMapper', 'OneHotEncoder'):
        x = b.input([b.dim() for _ in range(b.r.randint(1, 3))], 'int64', 0, 3)
        if op == 'LabelEncoder':
            return b.node(op, [x], domain=ML, keys_int64s=[0, 1], **b.one({'values_floats': [1.0, 2.0]},
                          {'values_strings': ['a', 'b']}, {'values_int64s': [5, 6]}))
        if op == 'CategoryMapper':
            return b.node(op, [x], domain=ML, cats_int64s=[0, 1], cats_strings=['a', 'b'])
        return b.node(op, [x], domain=ML, cats_int64s=[0, 1, 2, 3][:b.one(4, 4, 2)], zeros=b.one(None, 1))
    x = b.input([b.dim() for _ in range(b.r.randint(1, 2))])
    a = {'Binarizer': {'threshold': 0.5}, 'Imputer': {'imputed_value_floats': [1.0], 'replaced_value_float': 0.0},
         'Normalizer': {'norm': b.one('MAX', 'L1', 'L2')}, 'Scaler': {'offset': [1.0], 'scale': [2.0]}}[op]
    return b.node(op, [x], domain=ML, **a)


def linear(b):
    n, f = b.dim(), b.one(1, 2, 3)
    x = b.input(b.one([n, f], [n, f], [f]))
    classes = b.one(1, 2, 3)
    if b.chance(0.4):
        return b.node('LinearRegressor', [x], domain=ML, coefficients=[0.5] * (f * classes), targets=classes,
                      intercepts=b.one(None, [0.5] * classes))
    labels = b.one({'classlabels_ints': list(range(max(classes, 2)))},
                   {'classlabels_strings': [chr(97 + i) for i in range(max(classes, 2))]})
    return b.node('LinearClassifier', [x], 2, domain=ML, coefficients=[0.5] * (f * classes),
                  intercepts=[0.1] * classes,
                  post_transform=b.one(None, 'SOFTMAX', 'LOGISTIC'), multi_class=b.one(None, 1), **labels)


def tree(b):
    x = b.input([b.dim(), b.dim(2, 0.3)])
    nodes = dict(nodes_treeids=[0, 0, 0], nodes_nodeids=[0, 1, 2], nodes_featureids=[0, 0, 0], nodes_values=[0.5, 0.,
        0.],
                 nodes_modes=['BRANCH_LEQ', 'LEAF', 'LEAF'], nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0])
    if b.chance(0.5):
        targets = b.one(1, 2)
        return b.node('TreeEnsembleRegressor', [x], domain=ML, n_targets=targets, target_treeids=[0, 0],
                      target_nodeids=[1, 2], target_ids=[0, targets - 1], target_weights=[1., 2.], **nodes)
    count = b.one(2, 2, 3)
    labels = b.one({'classlabels_int64s': list(range(count))}, {'classlabels_strings': [chr(97 + i)
        for i in range(count)]})
    return b.node('TreeEnsembleClassifier', [x], 2, domain=ML, class_treeids=[0, 0], class_nodeids=[1, 2],
                  class_ids=[0, min(b.one(0, 1), count - 1)], class_weights=[1., 2.], **labels, **nodes)


def svm(b):
    x = b.input([b.dim(), 2])
    if b.chance(0.5):
        return b.node('SVMRegressor', [x], domain=ML, coefficients=[0.5, 0.5], kernel_params=[0.5, 0., 3.],
                      kernel_type='RBF', n_supports=2, rho=[0.1], support_vectors=[0., 1., 1., 0.])
    labels = b.one({'classlabels_ints': [0, 1]}, {'classlabels_strings': ['a', 'b']})
    return b.node('SVMClassifier', [x], 2, domain=ML, coefficients=[0.5, 0.5], kernel_params=[0.5, 0., 3.],
                  kernel_type='RBF',
                  rho=[0.1], support_vectors=[0., 1., 1., 0.], vectors_per_class=[1, 1],
                  **b.one({}, {'prob_a': [0.5], 'prob_b': [0.1]}), **labels)


def features(b):
    n = b.dim()
    if b.chance(0.5):
        x = b.input(b.one([n, 4], [b.dim(), b.dim(), 4], [4]))
        return b.node('ArrayFeatureExtractor', [x, b.const(b.one([0, 2], [[1, 1, 3]], [3]))], domain=ML)
    return b.node('FeatureVectorizer', [b.input([n, 2]), b.input([n, 3])], domain=ML, inputdimensions=[2, 3])


def zipmap(b):
    x = b.input([b.dim(), 2])
    _, p = b.node('LinearClassifier', [x], 2, domain=ML, coefficients=[0.5] * 4, intercepts=[0.1] * 2,
                  classlabels_ints=[0, 1])
    return b.node('ZipMap', [p], domain=ML, classlabels_int64s=[0, 1], hide=True)


def microsoft(b):
    n, s, h = b.dim(), b.dim(), b.one(4, 8)
    x = b.input([n, s, h])
    row = lambda: b.input([h])
    op = b.one('FastGelu', 'QuickGelu', 'Gelu', 'BiasGelu', 'FusedMatMul', 'SkipLayerNormalization', 'FusedGemm',
               'Inverse',
               'SkipSimplifiedLayerNormalization', 'MultiHeadAttention', 'Attention', 'RotaryEmbedding', 'FusedConv',
               'CDist',
               'EmbedLayerNormalization', 'GatherND', 'TransposeMatMul', 'Trilu', 'Unique', 'ExpandDims',
               'UnfoldTensor',
               'DynamicQuantizeMatMul', 'MatMulIntegerToFloat', 'QLinearAdd', 'QLinearMul', 'QLinearConcat',
               'QLinearSigmoid',
               'QLinearLeakyRelu', 'QLinearAveragePool', 'QLinearGlobalAveragePool', 'QGemm', 'Range', 'Pad',
               'QuantizeLinear',
               'DequantizeLinear', 'MatMulNBits', 'GroupQueryAttention', 'NhwcMaxPool', 'GatherBlockQuantized',
               'GridSample',
               'MurmurHash3', 'Tokenizer', 'CropAndResize', 'MaxpoolWithMask', 'QLinearWhere', 'QLinearSoftmax',
               'SparseToDenseMatMul', 'WordConvEmbedding', 'ConvTransposeWithDynamicPads', 'NGramRepeatBlock')
    if op in ('FastGelu', 'QuickGelu', 'Gelu', 'BiasGelu'):
        return b.node(op, [x] + ([row()] if op == 'BiasGelu' or op == 'FastGelu' and b.chance(0.5) else []), domain=MS)
    if op in ('SkipLayerNormalization', 'SkipSimplifiedLayerNormalization'):
        skip = b.input(b.one([n, s, h], [n, s, h], [1, s, h], [s, h]))
        return b.node(op, [x, skip, row()] + ([row()] if b.chance(0.5) else []), (True, b.chance(0.3), b.chance(0.3),
                      b.chance(0.4)), domain=MS)
    return MICROSOFT[op](b, op, n, s, h, x) if op in MICROSOFT else b.need(False)


def _fused_matmul(b, op, n, s, h, x):
    k = b.dim()
    ta, tb = b.one(0, 1), b.one(0, 1)
    if op == 'FusedMatMul' and b.chance(0.2):
        return b.node(op, [b.input([b.dim(), k]), b.input([k])], domain=MS)
    y = b.input([n] + ([b.dim(), h] if tb and not ta else [b.dim(), s] if tb else [s, b.dim()] if ta else [h,
        b.dim()]))
    return b.node(op, [x, y], domain=MS, transA=ta, transB=tb)


def _fused_gemm(b, op, n, s, h, x):
    y = b.input([h, s])
    return b.node(op, [b.input([n, h]), y] + ([b.input([s])] if b.chance(0.5) else []), domain=MS, activation='Relu')


def _inverse(b, op, n, s, h, x):
    return b.node(op, [b.input([n, s, s])], domain=MS)


def _mha(b, op, n, s, h, x):
    t = b.dim()
    past = b.chance(0.3)
    p = [n, 2, b.dim(), h // 2]
    ins = [x, b.input([n, t, h]), b.input([n, t, h]), '', '', ''] + ([b.input(p), b.input(p)] if past else [])
    return b.node(op, ins, (True, past or b.chance(0.2), past or b.chance(0.2)), domain=MS, num_heads=2)


def _attention(b, op, n, s, h, x):
    ins = [x, b.input([h, 3 * h]), b.input([3 * h])]
    past = b.chance(0.3)
    ins += ['', b.input([2, n, 2, b.dim(), h // 2])] if past else []
    return b.node(op, ins, (True, past), domain=MS, num_heads=2, unidirectional=b.one(None, 1))


def _rotary(b, op, n, s, h, x):
    if b.chance(0.5):
        x = b.input([n, 2, s, h])
        size = h
    else:
        size = h // 2
    a = {} if b.rank(x) == 4 else {'num_heads': 2}
    return b.node(op, [x, b.const([0]), b.input([16, size // 2]), b.input([16, size // 2])], domain=MS, **a)


def _fused_conv(b, op, n, s, h, x):
    return b.node(op, [b.input([n, 2, b.dim(7), b.dim(6)]), b.input([3, 2, 3, 2])], domain=MS, activation='Relu',
                  strides=[b.one(1, 2), 1], pads=b.one(None, [1, 0, 1, 1]))


def _cdist(b, op, n, s, h, x):
    return b.node(op, [b.input([n, h]), b.input([s, h])], domain=MS, metric=b.one('euclidean', 'sqeuclidean'))


def _embed(b, op, n, s, h, x):
    ids, seg = b.input([n, s], 'int32', 0, 2), b.chance(0.5)
    ins = [ids, b.input([n, s], 'int32', 0, 1) if seg else '', b.input([3, h]), b.input([11, h]),
           b.input([2, h]) if seg else '', b.input([h]), b.input([h])]
    mask = b.chance(0.4)
    ins += [b.input([n, s], 'int32', 0, 1)] if mask else []
    return b.node(op, ins, (True, True, b.chance(0.3)), domain=MS)


def _gather_nd(b, op, n, s, h, x):
    return b.node(op, [x, b.input([b.dim(), b.one(1, 2)], 'int64', 0, 0)], domain=MS)


def _trilu(b, op, n, s, h, x):
    return b.node(op, [x], domain=MS)


def _unique(b, op, n, s, h, x):
    return b.node(op, [b.input([n])], 3, domain=MS)


def _expand_dims(b, op, n, s, h, x):
    return b.node(op, [x, b.const(b.r.randint(-4, 3), 'int32')], domain=MS)


def _unfold(b, op, n, s, h, x):
    return b.node(op, [x], domain=MS, dim=b.one(None, 2, 0, -1), size=b.one(1, 2), step=b.one(None, 1, 2))


def _quant_matmul(b, op, n, s, h, x):
    scale = b.const(0.5, 'float32')
    w = b.input([h, b.dim()], 'uint8', 0, 9)
    if op == 'DynamicQuantizeMatMul':
        return b.node(op, [x, w, scale], domain=MS)
    return b.node(op, [b.input([n, s, h], 'uint8', 0, 9), w, scale, scale], domain=MS)


def _qlinear(b, op, n, s, h, x):
    scale, zero = b.const(0.5, 'float32'), b.const(1, 'uint8')
    q = b.input([n, s, h], 'uint8', 0, 9)
    if op in ('QLinearAdd', 'QLinearMul'):
        other = b.input(b.one([n, s, h], [1, s, 1], [h], [b.dim(), n, s, h]), 'uint8', 0, 9)
        return b.node(op, [q, scale, zero, other, scale, zero, scale, zero], domain=MS)
    if op == 'QLinearConcat':
        other = b.input([n, b.dim(), h], 'uint8', 0, 9)
        return b.node(op, [scale, zero, q, scale, zero, other, scale, zero], domain=MS, axis=b.one(1, -2))
    if op == 'QLinearWhere':
        return b.node(op, [b.input([s, 1], 'bool'), q, scale, zero, b.input([n, s, h], 'uint8', 0, 9), scale, zero,
                           scale,
                           zero], domain=MS)
    if op == 'QLinearSoftmax':
        return b.node(op, [q, scale, zero, scale, zero], domain=MS, opset=13, axis=-1)
    return b.node(op, [q, scale, zero, scale, zero], domain=MS, **({'alpha': 0.1} if 'Relu' in op else {}))


def _qpool(b, op, n, s, h, x):
    last = b.one(None, 0, 1)
    size = [b.dim(6), b.dim(7)]
    q = b.input([n] + size + [2] if last else [n, 2] + size, 'uint8', 0, 9)
    scale, zero = b.const(0.5, 'float32'), b.const(1, 'uint8')
    if op == 'QLinearGlobalAveragePool':
        return b.node(op, [q, scale, zero, scale, zero], domain=MS, channels_last=last)
    return b.node(op, [q, scale, zero, scale, zero], domain=MS, channels_last=last, kernel_shape=[2, 3],
                  strides=b.one(None, [2, 2]), ceil_mode=b.one(None, 1), pads=b.one(None, [1, 1, 0, 1]))


def _nhwc_pool(b, op, n, s, h, x):
    return b.node(op, [b.input([n, b.dim(6), b.dim(7), 2], 'uint8', 0, 9)], domain=MS, kernel_shape=[2, 3],
                  strides=b.one(None, [2, 2]), ceil_mode=b.one(None, 1), pads=b.one(None, [1, 1, 0, 1]))


def _qgemm(b, op, n, s, h, x):
    scale, zero = b.const(0.5, 'float32'), b.const(1, 'uint8')
    ins = [b.input([n, h], 'uint8', 0, 9), scale, zero, b.input([h, s], 'uint8', 0, 9), scale, zero]
    return b.node(op, ins + b.one([], ['', scale, zero]), domain=MS)


def _range(b, op, n, s, h, x):
    return b.node(op, [b.const(v, 'int64') for v in (b.r.randint(-3, 3), b.r.randint(0, 9))] +
                  ([b.const(2, 'int64')] if b.chance(0.5) else []), domain=MS)


def _pad(b, op, n, s, h, x):
    return b.node(op, [x, b.ints([b.r.randint(0, 2) for _ in range(6)])], domain=MS, mode=b.one(None, 'edge'))


def _quant(b, op, n, s, h, x):
    scale, zero = b.const(0.5, 'float32'), b.const(1, 'uint8')
    return b.node(op, [x if op[0] == 'Q' else b.input([n, s, h], 'uint8', 0, 9), scale, zero], domain=MS)


def _nbits(b, op, n, s, h, x):
    k, out = 32, b.one(3, 8)
    return b.node(op, [b.input([n, s, k]), b.input([out, k // 16, 8], 'uint8', 0, 9), b.input([out * k // 16])],
                  domain=MS, K=k,
                  N=out, bits=4, block_size=16)


def _gqa(b, op, n, s, h, x):
    size, t = 8, 11
    q, k, v = b.input([1, 1, 4 * size]), b.input([1, 1, 2 * size]), b.input([1, 1, 2 * size])
    past = [1, 2, b.dim(t), size]
    return b.node(op, [q, k, v, b.input(past), b.input(past), b.const([1], 'int32'), b.const(2, 'int32')], 3,
                  domain=MS,
                  num_heads=4, kv_num_heads=2)


def _gather_block(b, op, n, s, h, x):
    return b.node(op, [b.input([8, 32], 'uint8', 0, 9), b.input([n, s], 'int64', 0, 3), b.input([8, 4])], domain=MS,
                  bits=b.one(4, 8),
                  block_size=16, gather_axis=0, quantize_axis=1)


def _murmur(b, op, n, s, h, x):
    return b.node(op, [b.input([n, s], 'int32')], domain=MS)


def _tokenizer(b, op, n, s, h, x):
    return b.node(op, [b.input(b.one([n], [n, s]), 'object')], domain=MS, mark=b.one(0, 1), mincharnum=1,
                  pad_value='#',
                  separators=[' '])


def _crop(b, op, n, s, h, x):
    return b.node(op, [b.input([2, b.dim(), b.dim(), b.dim()]), b.input([n, 4], 'float32', 0, 1), b.input([n],
        'int32', 0, 1),
                       b.ints([3, 4])], domain=MS)


def _maxpool_mask(b, op, n, s, h, x):
    size = [b.dim(6), b.dim(7)]
    return b.node(op, [b.input([n, 2] + size), b.input([n, 2] + size, 'int32', 0, 1)], domain=MS, kernel_shape=[2, 3],
                  strides=b.one(None, [2, 2]))


def _dynamic_pads(b, op, n, s, h, x):
    return b.node(op, [b.input([n, 2, b.dim(), b.dim()]), b.input([2, 3, 3, 3]), b.ints([0, 1, 1, 0])], domain=MS,
                  strides=b.one(None, [2, 2]))


def _repeat(b, op, n, s, h, x):
    return b.node(op, [b.input([n, s], 'int64', 0, 2), b.input([n, 5])], domain=MS, ngram_size=2)


MICROSOFT = {'FusedMatMul': _fused_matmul, 'TransposeMatMul': _fused_matmul, 'FusedGemm': _fused_gemm,
             'Inverse': _inverse,
             'MultiHeadAttention': _mha, 'Attention': _attention, 'RotaryEmbedding': _rotary, 'FusedConv': _fused_conv,
             'CDist': _cdist, 'EmbedLayerNormalization': _embed, 'GatherND': _gather_nd, 'Trilu': _trilu,
             'Unique': _unique,
             'ExpandDims': _expand_dims, 'UnfoldTensor': _unfold, 'DynamicQuantizeMatMul': _quant_matmul,
             'MatMulIntegerToFloat': _quant_matmul, 'QLinearAdd': _qlinear, 'QLinearMul': _qlinear,
             'QLinearConcat': _qlinear,
             'QLinearSigmoid': _qlinear, 'QLinearLeakyRelu': _qlinear, 'QLinearWhere': _qlinear,
             'QLinearSoftmax': _qlinear,
             'QLinearAveragePool': _qpool, 'QLinearGlobalAveragePool': _qpool, 'NhwcMaxPool': _nhwc_pool,
             'QGemm': _qgemm,
             'Range': _range, 'Pad': _pad, 'QuantizeLinear': _quant, 'DequantizeLinear': _quant, 'MatMulNBits': _nbits,
             'GroupQueryAttention': _gqa, 'GatherBlockQuantized': _gather_block, 'MurmurHash3': _murmur,
             'Tokenizer': _tokenizer,
             'CropAndResize': _crop, 'MaxpoolWithMask': _maxpool_mask, 'ConvTransposeWithDynamicPads': _dynamic_pads,
             'NGramRepeatBlock': _repeat}
FAMILIES = {'text': (text,), 'ml': (same, same, linear, tree, svm, features, zipmap), 'microsoft': (microsoft,)}
