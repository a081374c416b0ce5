"""Cases of the products, convolutions, pools and quantized operators of com.microsoft."""


def fused_matmul(c, op='FusedMatMul'):
    m, k, n = c.sizes(3)
    ta, tb = c.one(0, 1), c.one(0, 1)
    batch = c.chance(0.3) and op == 'FusedMatMul'
    lead = [c.size() for _ in range(c.one(1, 2) if batch else c.one(0, 1, 2))]
    a, b = ([k, m] if ta else [m, k]), ([n, k] if tb else [k, n])
    if batch:
        ba, bb = c.one((1, 1), (1, 0), (0, 1))
        a = lead + a if not ba else [a[0]] + lead + [a[1]]
        b = lead + b if not bb else [b[0]] + lead + [b[1]]
        return c.node(op, [c.x(a), c.x(b)], transA=ta, transB=tb, transBatchA=ba, transBatchB=bb)
    return c.node(op, [c.x(lead + a), c.x(c.one(lead, lead, []) + b)], transA=ta, transB=tb)


def transpose_matmul(c):
    return fused_matmul(c, 'TransposeMatMul')


def fused_gemm(c):
    m, k, n = c.sizes(3)
    ta, tb = c.one(0, 1), c.one(0, 1)
    ins = [c.x([k, m] if ta else [m, k]), c.x([n, k] if tb else [k, n]), c.one('', c.x(c.one([n], [m, n], [1, n],
           [m, 1], [])))]
    c.inputs = [i for i in c.inputs if i.name in ins]
    return c.node('FusedGemm', ins, transA=ta, transB=tb, activation='Relu')


def qgemm(c):
    m, k, n = c.sizes(3)
    ta, tb = c.one(0, 1), c.one(0, 1)
    column = c.chance(0.4)
    q = lambda dims: c.x(dims, 'uint8', 0, 9)
    per = lambda: [n] if column else []
    ins = [q([k, m] if ta else [m, k]), c.x(c.one([], [1])), q([]), q([n, k] if tb else [k, n]), c.x(per()), q(per())]
    ins += [c.x(c.one([n], [m, n], [1, n]), 'int32', 0, 9) if c.chance(0.4) else '']
    ins += c.one([], [c.c(0.5), c.c(1, 'uint8')])
    return c.node('QGemm', ins, transA=ta, transB=tb)


def dynamic_matmul(c):
    m, k, n, l = c.sizes(4)
    column = c.chance(0.4)
    per = [n] if column else c.one([], [1])
    return c.node('DynamicQuantizeMatMul', [c.x(c.one([m, k], [l, m, k])), c.x([k, n], 'uint8', 0, 9), c.x(per),
                                            c.maybe(per, 'uint8', 0, 9), c.maybe([n])])


def integer_to_float(c):
    m, k, n, l = c.sizes(4)
    per = [n] if c.chance(0.4) else c.one([], [1])
    return c.node('MatMulIntegerToFloat', [c.x(c.one([m, k], [l, m, k]), 'uint8', 0, 9), c.x([k, n], 'uint8', 0, 9),
                                           c.x(c.one([], [1])), c.x(per), c.maybe([], 'uint8', 0, 9),
                                           c.maybe(per, 'uint8', 0, 9), c.maybe([n])])


def integer16(c):
    m, k, n, l = c.sizes(4)
    lead = c.one([], [l])
    return c.node('MatMulInteger16', [c.x(lead + [m, k], 'int16', 0, 9), c.x(c.one([], lead) + [k, n], 'int16', 0, 9)])


def nbits(c):
    m, l = c.sizes(2)
    k, n, block, bits = c.one(32, 48), c.one(3, 8), 16, 4
    blocks = k // block
    ins = [c.x(c.one([m, k], [l, m, k])), c.x([n, blocks, 8], 'uint8', 0, 9), c.x(c.one([n, blocks], [n * blocks])),
           c.maybe([n, (blocks + 1) // 2], 'uint8', 0, 9), '', c.maybe([n])]
    return c.node('MatMulNBits', ins, K=k, N=n, bits=bits, block_size=block)


def bnb4(c):
    m, l = c.sizes(2)
    k, n, block = 32, c.one(3, 8), 16
    return c.node('MatMulBnb4', [c.x(c.one([m, k], [l, m, k])), c.x([(n * k + 1) // 2], 'uint8', 0, 9),
                                 c.x([n * k // block])], K=k, N=n, block_size=block, quant_type=1)


def fpq4(c):
    m, n = c.sizes(2)
    k = 32
    return c.node('MatMulFpQ4', [c.x([m, k]), c.x([n * 20], 'uint8', 0, 9), c.c([k, n], 'int64')], blk_quant_type=0)


def fused_conv(c):
    n, m = c.sizes(2)
    group = c.one(1, 1, 2)
    ch = 2 * group
    m *= group
    h, w = 7, 8
    bias = c.maybe([m])
    z = ''
    if c.chance(0.3):
        bias = bias or c.x([m])
        z = c.x([n, m, h - 2, w - 1])
        return c.node('FusedConv', [c.x([n, ch, h, w]), c.x([m, 2, 3, 2]), bias, z], activation='Relu', group=group)
    return c.node('FusedConv', [c.x([n, ch, h, w]), c.x([m, 2, 3, 2]), bias, z], activation='Relu', group=group,
                  strides=[c.one(1, 2), 1], pads=c.one(None, [1, 0, 1, 1]), kernel_shape=c.one(None, [3, 2]))


def qconv(c):
    n, m = c.sizes(2)
    last = c.one(None, 0, 1)
    x = [n, 7, 8, 2] if last else [n, 2, 7, 8]
    u = lambda dims: c.x(dims, 'uint8', 0, 9)
    per = [m] if c.chance(0.4) else []
    return c.node('QLinearConv', [u(x), c.x([]), u([]), u([m, 2, 3, 2]), c.x(per), u(per), c.x([]), u([]),
                                  c.maybe([m], 'int32', 0, 9)], channels_last=last,
                  strides=c.one(None, [2, 1]), pads=c.one(None, [1, 0, 1, 1]))


def dynamic_pads(c):
    n, m = c.sizes(2)
    return c.node('ConvTransposeWithDynamicPads', [c.x([n, 2, 5, 4]), c.x([2, m, 3, 3]),
                                                   c.c([0, 1, 1, 0], 'int64'), c.maybe([m])],
                  strides=c.one(None, [2, 2]))


def maxpool_mask(c):
    n, ch = c.sizes(2)
    return c.node('MaxpoolWithMask', [c.x([n, ch, 6, 7]), c.x(c.one([n, ch, 6, 7], [1, ch, 6, 7], [1, 1, 6, 7]),
                                                               'int32', 0, 1)],
                  kernel_shape=[2, 3], strides=c.one(None, [2, 2]))


def nhwc_pool(c):
    return c.node('NhwcMaxPool', [c.x([c.size(), 6, 7, c.size()], 'uint8', 0, 9)], kernel_shape=[2, 3],
                  strides=c.one(None, [2, 2]), pads=c.one(None, [1, 1, 0, 1]))


def qpool(c, op='QLinearAveragePool'):
    last = c.one(None, 0, 1)
    n, ch = c.sizes(2)
    q = c.x([n, 6, 7, ch] if last else [n, ch, 6, 7], 'uint8', 0, 9)
    ins = [q, c.x([], values=0.5), c.x([], 'uint8'), c.x([], values=0.5), c.x([], 'uint8')]
    if op != 'QLinearAveragePool':
        return c.node(op, ins, channels_last=last)
    return c.node(op, ins, channels_last=last, kernel_shape=[2, 3], strides=c.one(None, [2, 2]))


def qglobal(c):
    return qpool(c, 'QLinearGlobalAveragePool')


def qbinary(c, op='QLinearAdd'):
    n, s, h = c.sizes(3)
    u = lambda dims: c.x(dims, 'uint8', 0, 9)
    return c.node(op, [u([n, s, h]), c.x([]), u([]), u(c.one([n, s, h], [1, s, 1], [h])), c.x([]), u([]),
                       c.x([]), c.one('', u([]))])


def qmul(c):
    return qbinary(c, 'QLinearMul')


def qunary(c, op='QLinearSigmoid'):
    u = lambda dims: c.x(dims, 'uint8', 0, 9)
    x = c.sizes(c.one(1, 2, 3))
    a = {'alpha': 0.1} if op == 'QLinearLeakyRelu' else {'opset': 13, 'axis': -1} if op == 'QLinearSoftmax' else {}
    return c.node(op, [u(x), c.x([]), u([]), c.x([]), u([])], **a)


def qleaky(c):
    return qunary(c, 'QLinearLeakyRelu')


def qsoftmax(c):
    return qunary(c, 'QLinearSoftmax')


def qwhere(c):
    n, s, h = c.sizes(3)
    u = lambda dims: c.x(dims, 'uint8', 0, 9)
    return c.node('QLinearWhere', [c.x(c.one([s, 1], [n, s, h], [h]), 'bool'), u([n, s, h]), c.x([]), u([]),
                                   u(c.one([n, s, h], [1, s, h])), c.x([]), u([]), c.x([]), u([])])


def qconcat(c):
    n, s, h, t = c.sizes(4)
    u = lambda dims: c.x(dims, 'uint8', 0, 9)
    return c.node('QLinearConcat', [c.x([]), u([]), u([n, s, h]), c.x([]), u([]), u([n, t, h]), c.x([]), u([])],
                  axis=c.one(1, -2))


def quantize(c, op='QuantizeLinear'):
    n, s, h = c.sizes(3)
    axis = c.one(None, 1, -1)
    per = {None: [], 1: [s], -1: [h]}[axis]
    x = c.x([n, s, h]) if op[0] == 'Q' else c.x([n, s, h], 'uint8', 0, 9)
    return c.node(op, [x, c.x(per, 'float32', 0.1, 1), c.maybe(per, 'uint8', 0, 9)], axis=axis)


def dequantize(c):
    return quantize(c, 'DequantizeLinear')


def lstm(c):
    s, b, i = c.sizes(3)
    h, d = c.one(2, 3), c.one(1, 2)
    f, z = lambda dims: c.x(dims), lambda dims: c.x(dims, 'uint8', 0, 9, constant=True)
    k = lambda dims: c.x(dims, constant=True)
    per = [d]
    ins = [f([s, b, i]), z([d, i, 4 * h]), z([d, h, 4 * h]), c.maybe([d, 8 * h]), c.maybe([b], 'int32', 1, 1),
           c.maybe([d, b, h]), c.maybe([d, b, h]), c.maybe([d, 3 * h]), *[g(per) for g in (k, z, k, z)]]
    return c.node('DynamicQuantizeLSTM', ins, 3, hidden_size=h, direction='bidirectional' if d == 2 else None)


CASES = {'FusedMatMul': fused_matmul, 'TransposeMatMul': transpose_matmul, 'FusedGemm': fused_gemm, 'QGemm': qgemm,
         'DynamicQuantizeMatMul': dynamic_matmul, 'MatMulIntegerToFloat': integer_to_float,
         'MatMulInteger16': integer16, 'MatMulNBits': nbits, 'MatMulBnb4': bnb4, 'MatMulFpQ4': fpq4, 'FusedConv': fused_conv,
         'QLinearConv': qconv, 'ConvTransposeWithDynamicPads': dynamic_pads, 'MaxpoolWithMask': maxpool_mask,
         'NhwcMaxPool': nhwc_pool, 'QLinearAveragePool': qpool, 'QLinearGlobalAveragePool': qglobal,
         'QLinearAdd': qbinary, 'QLinearMul': qmul, 'QLinearSigmoid': qunary, 'QLinearLeakyRelu': qleaky,
         'QLinearSoftmax': qsoftmax, 'QLinearWhere': qwhere, 'QLinearConcat': qconcat, 'QuantizeLinear': quantize,
         'DequantizeLinear': dequantize, 'DynamicQuantizeLSTM': lstm}
