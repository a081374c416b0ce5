"""Windows, normalisation, recurrent layers, images, quantisation, signals, losses."""

import numpy as np


def spatial(b, least=4):
    return [b.dim(b.one(5, 7, 8, 6, 11)) if least > 3 else b.dim() for _ in range(b.one(1, 2, 2, 2, 3))]


def window(b, n, strides=True, dilations=True):
    """kernel_shape, strides, dilations and either pads or auto_pad for n spatial axes."""
    a = {'kernel_shape': [b.r.randint(1, 3) for _ in range(n)]}
    if strides and b.chance(0.7):
        a['strides'] = [b.r.randint(1, 3) for _ in range(n)]
    if dilations and b.chance(0.4):
        a['dilations'] = [b.r.randint(1, 3) for _ in range(n)]
    way = b.r.random()
    if way < 0.55:
        a['pads'] = [b.r.randint(0, 2) for _ in range(2 * n)]
    elif way < 0.9:
        a['auto_pad'] = b.one('SAME_UPPER', 'SAME_LOWER', 'VALID', 'NOTSET')
    return a


def conv(b):
    size = spatial(b)
    group = b.one(1, 1, 2, 3)
    c, m = group * b.one(1, 2), group * b.one(1, 2)
    x = b.input([b.dim(), b.dim(c, 0.2)] + size)
    a = window(b, len(size))
    w = b.input([b.dim(m, 0.2), c // group] + a['kernel_shape'])
    if b.chance(0.4):
        del a['kernel_shape']
    bias = [b.input([m])] if b.chance(0.3) else []
    return b.node('Conv', [x, w] + bias, group=group if group > 1 else None, **a)


def conv_integer(b):
    b.since(10)
    size = [b.dim(6), b.dim(7)]
    x = b.input([b.dim(), 2] + size, 'uint8', 0, 5)
    a = window(b, 2)
    w = b.input([3, 2] + a['kernel_shape'], 'uint8', 0, 5)
    if b.chance(0.5):
        return b.node('ConvInteger', [x, w] + ([b.const(1, 'uint8')] if b.chance(0.4) else []), **a)
    scale, zero = b.const(0.5, 'float32'), b.const(1, 'uint8')
    return b.node('QLinearConv', [x, scale, zero, w, scale, zero, scale, zero], **a)


def conv_transpose(b):
    size = spatial(b, 3)
    n = len(size)
    group = b.one(1, 1, 2)
    c, m = group * 2, b.one(1, 2)
    x = b.input([b.dim(), c] + size)
    a = window(b, n)
    w = b.input([c, b.dim(m, 0.2)] + a['kernel_shape'])
    if b.chance(0.3):
        limit = [max(s, d) for s, d in zip(a.get('strides', [1] * n), a.get('dilations', [1] * n))]
        a['output_padding'] = [b.r.randint(0, v - 1) for v in limit]
    if b.chance(0.2):
        a['output_shape'] = [s * t + b.r.randint(0, 1) for s, t in zip(b.sizes(size), a.get('strides', [1] * n))]
    if b.chance(0.4):
        del a['kernel_shape']
    return b.node('ConvTranspose', [x, w], group=group if group > 1 else None, **a)


def pool(b):
    op = b.one('MaxPool', 'MaxPool', 'AveragePool', 'AveragePool', 'LpPool')
    size = spatial(b)
    x = b.input([b.dim(), b.dim()] + size)
    a = window(b, len(size), dilations=b.opset >= {'MaxPool': 10, 'AveragePool': 19, 'LpPool': 18}[op])
    if 'pads' in a:
        a['pads'] = [min(p, k - 1) for p, k in zip(a['pads'], a['kernel_shape'] * 2)]
    if b.opset >= (18 if op == 'LpPool' else 10) and b.chance(0.5):
        a['ceil_mode'] = b.one(0, 1, 1)
    if op == 'AveragePool':
        a['count_include_pad'] = b.one(None, 1)
    return b.node(op, [x], (True, op == 'MaxPool' and b.opset >= 8 and b.chance(0.4)), **a)


def global_pool(b):
    return b.node(b.one('GlobalAveragePool', 'GlobalMaxPool', 'GlobalLpPool'), [b.input([b.dim(),
        b.dim()] + spatial(b))])


def unpool(b):
    b.since(9)
    x = b.input([b.dim(), 2, b.dim(), b.dim()])
    a = {k: v for k, v in window(b, 2, dilations=False).items() if k != 'auto_pad'}
    if 'strides' not in a:
        a['strides'] = [2, 2]
    index = b.input(b.inputs[x][0], 'int64', 0, 1)
    goal = b.ints(list(b.shape(x)[:2]) + [b.shape(x)[2] * 3 + 1, b.shape(x)[3] * 3]) if b.chance(0.3) else ''
    return b.node('MaxUnpool', [x, index, goal], **a)


def roi(b):
    x = b.input([b.dim(), b.dim(), b.dim(7), b.dim(6)])
    n = b.dim()
    if b.chance(0.3):
        return b.node('MaxRoiPool', [x, b.input([n, 5], 'float32', 0, 0)], pooled_shape=[2, b.one(1, 3)])
    b.since(10)
    return b.node('RoiAlign', [x, b.input([n, 4], 'float32', 0, 5), b.input([n], 'int64', 0, 0)],
                  output_height=b.one(None, 2), output_width=b.one(None, 3))


def col2im(b):
    b.since(18)
    image, block = [b.r.randint(3, 6), b.r.randint(3, 6)], [b.r.randint(1, 3), b.r.randint(1, 3)]
    count = (image[0] - block[0] + 1) * (image[1] - block[1] + 1)
    x = b.input([b.dim(), b.one(1, 3) * block[0] * block[1], b.dim(count)])
    return b.node('Col2Im', [x, b.ints(image), b.ints(block)])


def deform(b):
    b.since(19)
    k, c = [b.r.randint(1, 3), b.r.randint(1, 3)], 2
    h, w = b.r.randint(3, 6), b.r.randint(3, 6)
    x, n = None, b.dim()
    x = b.input([n, c, b.dim(h), b.dim(w)])
    offset = b.input([n, 2 * k[0] * k[1], b.dim(h - k[0] + 1), b.dim(w - k[1] + 1)])
    return b.node('DeformConv', [x, b.input([b.one(1, 4), c] + k), offset], kernel_shape=b.one(None, k))


def tensor_scatter(b):
    b.since(24)
    n, s = b.dim(), b.dim()
    past = [n, 2, b.dim(7), 3]
    return b.node('TensorScatter', [b.input(past), b.input([n, 2, b.dim(2), 3])] + ([b.input([n], 'int64', 0, 1)]
                  if b.chance(0.7) else []), mode=b.one(None, 'circular'))


def normal(b):
    x = b.pick('f', 2) if b.chance(0.5) else b.input([b.dim(), b.dim()] + spatial(b, 3))
    b.need(b.dtype(x) == 'float32')
    c = b.same_dims(x)[1]
    op = b.one('BatchNormalization', 'InstanceNormalization', 'LRN', 'LpNormalization', 'MeanVarianceNormalization',
               'LayerNormalization', 'GroupNormalization', 'RMSNormalization')
    if op == 'BatchNormalization':
        train = b.opset >= 14 and b.chance(0.4)
        return b.node(op, [x] + [b.input([c], 'float32', 1, 2) for _ in range(4)],
                      3 if train else 1, training_mode=1 if train else None)
    if op == 'InstanceNormalization':
        b.need(b.rank(x) > 2)
        return b.node(op, [x, b.input([c]), b.input([c])])
    if op == 'LRN':
        return b.node(op, [x], size=3)
    if op == 'LpNormalization':
        return b.node(op, [x], axis=b.axis(b.rank(x)), p=b.one(None, 1))
    if op == 'MeanVarianceNormalization':
        b.since(9)
        return b.node(op, [x], axes=b.one(None, [0, 2]) if b.rank(x) > 2 else [1])
    if op == 'GroupNormalization':
        b.since(21)
        return b.node(op, [b.input([b.dim(), 4] + spatial(b, 3)), b.input([4]), b.input([4])], num_groups=2)
    b.since(17 if op[0] == 'L' else 23)
    axis = b.axis(b.rank(x))
    scale = b.input(b.same_dims(x)[axis:] if axis else b.same_dims(x))
    return b.node(op, [x, scale], (True, b.chance(0.5), b.chance(0.5)) if op[0] == 'L' else 1,
                  axis=axis)


def recurrent(b):
    b.least = 1  # onnxruntime crashes on an empty sequence
    op, gates = b.one(('RNN', 1), ('GRU', 3), ('LSTM', 4))
    layout = b.one(None, 0, 1) if b.opset >= 14 else None
    direction = b.one(None, 'forward', 'reverse', 'bidirectional')
    d, h, i = 2 if direction == 'bidirectional' else 1, b.one(1, 2, 3), b.dim()
    seq, batch = b.dim(), b.dim()
    x = b.input([batch, seq, i] if layout else [seq, batch, i])
    ins = [x, b.input([d, gates * h, i]), b.input([d, gates * h, h])]
    ins += [b.input([d, 2 * gates * h]) if b.chance(0.3) else '']
    ins += [b.input([batch], 'int32', 1, 1) if b.chance(0.3) else '']
    state = [batch, d, h] if layout else [d, batch, h]
    ins += [b.input(state) if b.chance(0.3) else '']
    if op == 'LSTM':
        ins += [b.input(state) if b.chance(0.3) else '', b.input([d, 3 * h]) if b.chance(0.2) else '']
    outs = [b.chance(0.7), b.chance(0.7)] + ([b.chance(0.6)] if op == 'LSTM' else [])
    b.need(any(outs))
    return b.node(op, ins, outs, layout=layout, direction=direction, hidden_size=h,
                  linear_before_reset=b.one(None, 1) if op == 'GRU' else None)


def resize(b):
    if b.opset < 10:
        x = b.input([b.dim(), b.dim(), b.dim(), b.dim()])
        scales = [1.0, 1.0, b.one(1.0, 2.0, 1.5, 1.7), b.one(1.0, 2.0, 3.0, 1.3)]
        if b.opset < 9:
            return b.node('Upsample', [x], scales=scales, mode=b.one(None, 'nearest', 'linear'))
        return b.node('Upsample', [x, b.const(scales, 'float32')], mode=b.one(None, 'nearest', 'linear'))
    rank = b.one(2, 3, 4, 4)
    x = b.input([b.dim() for _ in range(rank)])
    kept = 2 if rank > 2 and b.chance(0.7) else 0
    mode = b.one(None, 'nearest', 'linear', 'cubic' if b.opset >= 11 and kept and rank == 4 else 'nearest')
    axes = None
    if b.opset >= 18 and b.chance(0.4):
        axes = [a - rank if b.chance(0.3) else a for a in b.r.sample(range(kept, rank), b.r.randint(1, rank - kept))]
    count = rank if axes is None else len(axes)
    lead = [1.0] * kept if axes is None else []
    if b.opset == 10 or b.chance(0.5):
        scales = lead + [b.one(0.5, 0.7, 1.3, 2.0, 1.5, 3.0, 0.3, 1.0, 0.6, 2.2) for _ in range(count - len(lead))]
        s = b.const(scales, 'float32')
        if b.opset == 10:
            return b.node('Resize', [x, s], mode=mode if mode != 'cubic' else None)
        return b.node('Resize', [x, no_roi(b), s], mode=mode, axes=axes,
                      coordinate_transformation_mode=b.one(None, 'asymmetric', 'align_corners', 'pytorch_half_pixel'))
    sizes = list(b.shape(x)[:len(lead)]) + [b.r.randint(1, 9) for _ in range(count - len(lead))]
    policy = b.one(None, 'stretch', 'not_larger', 'not_smaller') if b.opset >= 18 else None
    if axes and policy and b.chance(0.7):
        axes = sorted(a % rank for a in axes)
    return b.node('Resize', [x, no_roi(b), b.const([], 'float32') if b.opset < 13 else '', b.ints(sizes)], mode=mode,
                  axes=axes, keep_aspect_ratio_policy=policy)


def no_roi(b):
    return '' if b.opset >= 13 and b.chance(0.6) else b.const([], 'float32')


def grid(b):
    b.since(16)
    n = b.dim()
    if b.opset >= 20 and b.chance(0.4):
        size = [b.one(1, 2), b.one(1, 3), 4, 5][: b.one(4, 4)]
        return b.node('AffineGrid', [b.input([size[0], 2, 3]), b.ints(size)], align_corners=b.one(None, 1))
    return b.node('GridSample', [b.input([n, b.dim(), b.dim(), b.dim()]), b.input([n, b.dim(), b.dim(), 2])])


def quantize(b):
    b.since(10)
    x = b.pick('f', 1)
    b.need(b.dtype(x) == 'float32')
    axis = b.axis(b.rank(x), 13) if b.opset >= 13 and b.chance(0.5) else None
    per = [b.same_dims(x)[axis]] if axis is not None else []
    s = b.input(per, 'float32', 1, 2)
    z = b.input(per, b.one('uint8', 'int8'), 0, 3) if b.chance(0.7) else ''
    if b.opset >= 11 and b.chance(0.2):
        return b.node('DynamicQuantizeLinear', [x], 3)
    q = b.node('QuantizeLinear', [x, s, z], axis=axis)
    return b.node('DequantizeLinear', [q, s, z], axis=axis) if b.chance(0.6) else q


def blocked(b):
    b.since(21)
    block, n = b.one(2, 3), b.one(2, 3)
    x = b.input([b.dim(), b.dim(block * n), b.dim()])
    dims = list(b.inputs[x][0])
    dims[1] = b.dim(n)
    s, z = b.input(dims, 'float32', 1, 2), b.input(dims, 'uint8', 0, 3)
    q = b.node('QuantizeLinear', [x, s, z], axis=1, block_size=block)
    return b.node('DequantizeLinear', [q, s, z], axis=1, block_size=block)


def quantized_matmul(b):
    b.since(10)
    m, k, n = b.dim(), b.dim(), b.dim()
    lead = [b.dim() for _ in range(b.r.randint(0, 2))]
    x, y = b.input(lead + [m, k], 'uint8', 0, 9), b.input(b.one(lead, []) + [k, n], 'uint8', 0, 9)
    if b.chance(0.5):
        return b.node('MatMulInteger', [x, y] + ([b.const(1, 'uint8')] if b.chance(0.5) else []))
    s, z = b.const(0.5, 'float32'), b.const(1, 'uint8')
    return b.node('QLinearMatMul', [x, s, z, y, s, z, s, z])


def signal(b):
    b.since(17)
    op = b.one('DFT', 'DFT', 'STFT', 'HannWindow', 'HammingWindow', 'BlackmanWindow', 'MelWeightMatrix')
    if op.endswith('Window'):
        return b.node(op, [b.ints(b.r.randint(1, 9), b.one('int64', 'int32'))], periodic=b.one(None, 0),
                      output_datatype=b.one(None, 11))
    if op == 'MelWeightMatrix':
        return b.node(op, [b.const(v, t) for v, t in ((b.r.randint(1, 5), 'int64'), (b.one(8, 16, 9), 'int64'),
                                                      (8000, 'int64'), (0.0, 'float32'), (4000.0, 'float32'))])
    onesided = b.one(None, 0, 1)
    if op == 'STFT':
        frame, step = b.one(4, 5, 8), b.r.randint(1, 5)
        x = b.input([b.dim(), b.dim(b.one(11, 16, 13)), 1])
        win = b.input([frame], 'float32', 0, 1) if b.chance(0.5) else ''
        return b.node(op, [x, b.ints(step), win, b.ints(frame) if not win or b.chance(0.5) else ''], onesided=onesided)
    x = b.input([b.dim() for _ in range(b.r.randint(1, 3))] + [b.one(1, 2)])
    axis = b.r.randrange(b.rank(x) - 1)
    axis -= b.rank(x) if b.opset >= 20 and b.chance(0.4) else 0
    length = b.ints(b.r.randint(1, 9)) if b.chance(0.4) else ''
    inverse = None if onesided == 1 else b.one(None, 1)
    if b.opset >= 20:
        return b.node(op, [x, length, b.ints(axis) if b.chance(0.7) else ''], onesided=onesided, inverse=inverse)
    return b.node(op, [x, length], axis=b.one(None, axis), onesided=onesided, inverse=inverse)


def loss(b):
    b.since(12)
    n, c = b.dim(), b.dim(b.one(3, 5), 0.4)
    rest = [b.dim() for _ in range(b.r.randint(0, 2))]
    x, t = b.input([n, c] + rest), b.input([n] + rest, 'int64', 0, 0)
    w = [b.input([c], 'float32', 1, 2)] if b.chance(0.4) else []
    reduction = b.one(None, 'none', 'sum', 'mean')
    if b.chance(0.5):
        return b.node('NegativeLogLikelihoodLoss', [x, t] + w, reduction=reduction)
    return b.node('SoftmaxCrossEntropyLoss', [x, t] + w, (True, b.chance(0.5)), reduction=reduction)


def attention(b):
    b.since(23)
    n, s, t, heads, kv, e = b.dim(), b.dim(), b.dim(), 4, b.one(4, 2), 8
    dtype = 'float32'
    if b.chance(0.5):
        q, k, v = b.input([n, heads, s, e], dtype), b.input([n, kv, t, e], dtype), b.input([n, kv, t, e], dtype)
        a = {}
    else:
        q, k, v = b.input([n, s, heads * e]), b.input([n, t, kv * e]), b.input([n, t, kv * e])
        a = {'q_num_heads': heads, 'kv_num_heads': kv}
    past = b.chance(0.4)
    p = [n, kv, b.dim(), e]
    ins = [q, k, v, ''] + ([b.input(p), b.input(p)] if past else [])
    return b.node('Attention', ins, (True, past, past, b.chance(0.3)), is_causal=b.one(None, 1), **a)


FAMILIES = {'window': (conv, conv, pool, pool, conv_transpose, global_pool, conv_integer),
            'region': (unpool, roi, col2im, deform, grid), 'transpose': (conv_transpose,), 'pool': (pool,),
            'norm': (normal,), 'recurrent': (recurrent,), 'resize': (resize,),
            'quantize': (quantize, quantize, blocked, quantized_matmul), 'signal': (signal,), 'loss': (loss,),
            'attention': (attention, attention, tensor_scatter)}
