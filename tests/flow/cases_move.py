"""Random nodes that move elements, pick them, or reduce axes; see cases.py."""

import numpy as np

from cases import FLOATS, INTS, Node, case, ints

MOST = FLOATS + INTS + ('bool',)


def any_array(r, shape, types=MOST):
    dtype = r.pick(types)
    return r.array(dtype, shape) if dtype == 'bool' else r.wide(dtype, shape)


@case('Reshape', since=5)
def reshape(r, op):
    shape = r.shape(1, 4, 1)
    target = [int(np.prod(shape[:2])), *shape[2:]] if r.below(2) else shape + [1]
    if r.below(2):
        target[r.below(len(target))] = -1
    elif target[0] == shape[0]:
        target[0] = 0
    return Node([any_array(r, shape), ints(target)])


@case('Flatten', since=9)
def flatten(r, op):
    shape = r.shape(1, 4)
    return Node([any_array(r, shape)], {'axis': r.below(len(shape) + 1)})


@case('Squeeze', 'Unsqueeze')
def squeeze(r, op):
    shape = r.shape(1, 4, 1, 3)
    ones = [i - (len(shape) if r.opset >= 11 and r.below(2) else 0) for i, d in enumerate(shape) if d == 1]
    axes = ones if op == 'Squeeze' else sorted(i % (len(shape) + 2) for i in r.axes(len(shape) + 2)[:2])
    axes = list(dict.fromkeys(axes))
    if op == 'Squeeze' and (not axes or not r.below(4)):
        return Node([any_array(r, shape)])
    return by_axes(r, any_array(r, shape), axes or [0], 13)


def by_axes(r, x, axes, since, **attrs):
    if r.opset >= since:
        return Node([x, ints(axes)], attrs)
    return Node([x], {'axes': axes, **attrs})


@case('Transpose')
def transpose(r, op):
    shape = r.shape()
    perm = {'perm': [int(i) for i in r.rng.permutation(len(shape))]} if shape and r.below(4) else {}
    return Node([any_array(r, shape)], perm)


@case('Expand', since=8)
def expand(r, op):
    shape = r.shape(0, 4, 0)
    return Node([any_array(r, r.broadcast(shape)), ints(shape if r.below(2) else r.broadcast(shape))])


@case('Tile', since=6)
def tile(r, op):
    shape = r.shape(1, 3)
    return Node([any_array(r, shape, ('float32', 'float64', 'int32', 'int64', 'bool', 'uint8')),
                 ints([r.below(4) for _ in shape])])


@case('Slice', since=1)
def slices(r, op):
    shape = r.shape(1, 4, 1, 7)
    axes = r.axes(len(shape), 1)
    ends = [-1 << 63, (1 << 63) - 1, -100, 100]
    starts = [r.below(15) - 7 for _ in axes]
    stops = [r.below(15) - 7 if r.below(3) else r.pick(ends) for _ in axes]
    if r.opset < 10:
        return Node([any_array(r, shape, ('float32', 'int64'))],
                    {'starts': starts, 'ends': stops, 'axes': [a % len(shape) for a in axes]})
    steps = [r.pick([1, 2, 9] if end > 100 else [1, 2, -1, -2, 9, -9]) for end in stops]
    return Node([any_array(r, shape), ints(starts), ints(stops), ints(axes), ints(steps)])


@case('Concat', since=4)
def concat(r, op):
    shape, dtype = r.shape(1, 4, 0), r.pick(MOST)
    axis = r.below(len(shape))
    parts = [[*shape[:axis], r.below(4), *shape[axis + 1:]] for _ in range(1 + r.below(4))]
    return Node([any_array(r, p, (dtype,)) for p in parts], {'axis': axis - (len(shape) if r.opset > 10 and r.below(2) else 0)})


@case('Split', since=2)
def split(r, op):
    shape, types = r.shape(1, 4, 1, 7), ('float32', 'int32', 'int64', 'float64', 'bool', 'uint8')
    axis, size = r.axis(len(shape)) if r.opset >= 11 else r.below(len(shape)), 0
    size = shape[axis]
    if r.opset >= 18 and r.below(2):
        parts = 1 + r.below(size)
        if (parts - 1) * -(-size // parts) < size:
            return Node([any_array(r, shape, types)], {'axis': axis, 'num_outputs': parts}, parts)
    cuts = sorted(r.below(size + 1) for _ in range(r.below(3)))
    sizes = [int(b - a) for a, b in zip([0, *cuts], [*cuts, size])]
    if r.opset >= 13:
        return Node([any_array(r, shape, types), ints(sizes)], {'axis': axis}, len(sizes))
    return Node([any_array(r, shape, ('float32', 'int32'))], {'axis': axis, 'split': sizes}, len(sizes))


@case('Pad', since=2)
def pad(r, op):
    shape = r.shape(1, 4, 2, 5)
    mode = r.pick(['constant', 'edge', 'reflect'] + (['wrap'] if r.opset >= 19 else []))
    high = min(shape) if mode == 'reflect' else 3
    low = -1 if mode == 'constant' else 0
    amount = lambda n: [low + r.below(high - low) for _ in range(2 * n)]
    if r.opset < 11:
        return Node([r.wide('float32', shape)], {'pads': amount(len(shape)), 'mode': mode, 'value': 1.5})
    x = any_array(r, shape, ('float32', 'int64', 'int32', 'float64'))
    fill = [np.array(7, x.dtype)] if r.below(2) else []
    if r.opset >= 18 and r.below(2):
        axes = r.axes(len(shape), 1)
        return Node([x, ints(amount(len(axes))), *(fill or [None]), ints(axes)], {'mode': mode})
    return Node([x, ints(amount(len(shape))), *fill], {'mode': mode})


def positions(r, size, shape):
    low = -size if r.opset >= 11 else 0
    return r.rng.integers(low, size, shape).astype(r.pick(['int64', 'int32']))


@case('Gather', since=1)
def gather(r, op):
    shape = r.shape(1, 4)
    axis = r.axis(len(shape)) if r.opset >= 11 else r.below(len(shape))
    return Node([any_array(r, shape), positions(r, shape[axis], r.shape(0, 3, 0))], {'axis': axis})


@case('GatherElements', 'ScatterElements', since=11)
def elements(r, op):
    shape = r.shape(1, 4)
    axis = r.axis(len(shape))
    at = axis % len(shape)
    inner = [1 + r.below(5 if i == at else d) for i, d in enumerate(shape)]
    if op == 'GatherElements':
        return Node([any_array(r, shape), positions(r, shape[axis], inner)], {'axis': axis})
    reduction = r.pick(['none'] + (['add', 'mul'] if r.opset >= 16 else []) + (['min', 'max'] if r.opset >= 18 else []))
    if reduction == 'none':  # no position twice
        inner[at] = min(inner[at], shape[at])
        index = np.argsort(r.rng.random([*inner[:at], shape[at], *inner[at + 1:]]), axis=at).take(range(inner[at]), at)
    else:
        index = positions(r, shape[axis], inner)
    x = any_array(r, shape, ('float32', 'int64', 'int32', 'float64'))
    attrs = {} if reduction == 'none' else {'reduction': reduction}
    return Node([x, index.astype(np.int64), r.wide(str(x.dtype), inner)], {'axis': axis, **attrs})


@case('GatherND', since=12)
def gather_nd(r, op):
    shape = r.shape(1, 4)
    batch = r.below(len(shape)) if r.below(2) else 0
    count = 1 + r.below(len(shape) - batch)
    lead = shape[:batch] + r.shape(0, 2)
    index = np.stack([r.rng.integers(-d, d, lead) for d in shape[batch:batch + count]], -1)
    if index.ndim <= batch:
        batch = 0
        index = np.stack([r.rng.integers(-d, d, [2]) for d in shape[:count]], -1)
    return Node([any_array(r, shape), index.astype(np.int64)], {'batch_dims': batch})


@case('ScatterND', since=11)
def scatter_nd(r, op):
    shape = r.shape(1, 4)
    count = 1 + r.below(len(shape))
    places = [p for p in np.ndindex(*shape[:count])]
    reduction = r.pick(['none'] + (['add', 'mul'] if r.opset >= 16 else []) + (['min', 'max'] if r.opset >= 18 else []))
    chosen = r.rng.permutation(len(places))[:1 + r.below(4)]
    index = ints([places[i] for i in chosen])
    x = any_array(r, shape, ('float32', 'int64', 'int32', 'float64'))
    attrs = {} if reduction == 'none' else {'reduction': reduction}
    return Node([x, index, r.wide(str(x.dtype), [len(index), *shape[count:]])], attrs)


@case('OneHot', since=11)
def one_hot(r, op):
    shape, depth = r.shape(1, 3), 1 + r.below(5)
    return Node([r.rng.integers(-depth - 1, depth + 2, shape).astype(np.int64), np.array(depth),
                 r.array('float32', [2])], {'axis': r.axis(len(shape) + 1)})


@case('NonZero', since=9)
def nonzero(r, op):
    return Node([r.array(r.pick(('int64', 'int32', 'bool')), r.shape(1, 4), 0, 2)])


@case('CumSum', since=11)
def cumsum(r, op):
    shape = r.shape(1, 4)
    dtype = r.pick(('float32', 'float64', 'int32', 'int64'))
    return Node([r.array(dtype, shape), np.array(r.axis(len(shape)))],
                {'exclusive': r.below(2), 'reverse': r.below(2)}, exact=dtype in INTS)


@case('ReduceSum', 'ReduceMean', 'ReduceProd', 'ReduceMax', 'ReduceMin', 'ReduceL1', 'ReduceL2', 'ReduceSumSquare',
      'ReduceLogSum', 'ReduceLogSumExp', since=11)
def reduce(r, op):
    shape = r.shape(1, 4)
    types = ('float32', 'float64') if op in ('ReduceL2', 'ReduceLogSum', 'ReduceLogSumExp') else ('float32', 'float64', 'int32', 'int64')
    x = r.array(r.pick(types), shape, 1 if op == 'ReduceLogSum' else -4)
    exact = x.dtype.name in INTS or op in ('ReduceMax', 'ReduceMin')
    axes, attrs = r.axes(len(shape)), {'keepdims': r.below(2)}
    since = 13 if op == 'ReduceSum' else 18
    if not axes:
        if r.opset >= since and r.below(2) and op in ('ReduceSum', 'ReduceMean', 'ReduceMax'):
            attrs['noop_with_empty_axes'] = 1
        return Node([x], attrs, exact=exact)
    node = by_axes(r, x, axes, since, **attrs)
    node.exact = exact
    return node


@case('ArgMax', 'ArgMin', since=13)
def best(r, op):
    shape = r.shape(1, 4)
    return Node([r.array(r.pick(('float32', 'int32', 'float64')), shape)],
                {'axis': r.axis(len(shape)), 'keepdims': r.below(2), 'select_last_index': r.below(2)})


@case('TopK', since=11)
def topk(r, op):
    shape = r.shape(1, 3)
    axis = r.axis(len(shape))
    return Node([r.array(r.pick(('float32', 'int64', 'int32', 'float64')), shape), ints([r.below(shape[axis] + 1)])],
                {'axis': axis, 'largest': r.below(2)}, 2)


@case('Softmax', 'LogSoftmax', since=1)
def softmax(r, op):
    shape = r.shape(1 if r.opset >= 13 else 2, 4)
    axis = {'axis': r.axis(len(shape)) if r.opset >= 11 else r.below(len(shape))} if r.below(3) else {}
    return Node([r.array(r.pick(('float32', 'float64')), shape)], axis, exact=False)


@case('MatMul', since=13)
def matmul(r, op):
    dtype, k, lead = r.pick(('float32', 'float64', 'int32', 'int64', 'uint32')), r.below(5) + 1, r.shape(0, 2)
    a, b = [*r.broadcast(lead), 1 + r.below(4), k], [*r.broadcast(lead), k, 1 + r.below(4)]
    if not r.below(4):
        a = [k]
    if not r.below(4):
        b = [k]
    return Node([r.array(dtype, a), r.array(dtype, b)], exact=dtype in INTS)


@case('Gemm', since=11)
def gemm(r, op):
    dtype = r.pick(('float32', 'float64'))
    m, n, k = (1 + r.below(5) for _ in range(3))
    a, b = r.below(2), r.below(2)
    c = [r.array(dtype, r.pick([[m, n], [1, n], [n], [m, 1], [1], []]))] if r.below(3) else []
    return Node([r.array(dtype, [k, m] if a else [m, k]), r.array(dtype, [n, k] if b else [k, n]), *c],
                {'transA': a, 'transB': b, 'alpha': 0.5, 'beta': 1.5}, exact=False)
