"""Operators that move, slice, join and select: layout, slices, pads, gathers, scatters, generators."""

import numpy as np

BIG = (1 << 63) - 1


def axes_of(b, rank, least=0, negative=11):
    axes = b.r.sample(range(rank), b.r.randint(min(least, rank), rank))
    return [a - rank if b.opset >= negative and b.chance(0.4) else a for a in axes]


def target(b, shape):
    """A Reshape target for this shape: kept, joined, split, with 0 and -1."""
    parts, i = [], 0
    while i < len(shape):
        if b.chance(0.3) and i + 1 < len(shape):
            parts.append(shape[i] * shape[i + 1])
            i += 2
            continue
        n = shape[i]
        divisors = [d for d in range(2, n) if n % d == 0]
        if divisors and b.chance(0.5):
            d = b.r.choice(divisors)
            parts += [d, n // d]
        else:
            parts.append(0 if len(parts) == i and b.chance(0.4) else n)
        i += 1
    if b.chance(0.2):
        parts.insert(b.r.randint(0, len(parts)), 1)
    if parts and b.chance(0.6):
        parts[b.r.randrange(len(parts))] = -1
    if b.chance(0.1):
        b.r.shuffle(parts)
    return b.one(parts, parts, parts, [-1], [0, -1], [-1, 1])


def reshape(b):
    x = b.pick('n', 0)
    goal = target(b, b.shape(x))
    allow = b.one(None, None, 0, 1) if b.opset >= 14 else None
    return b.node('Reshape', [x, b.ints(goal)], allowzero=allow)


def flatten(b):
    x = b.pick('f', 0)
    rank = b.rank(x)
    return b.node('Flatten', [x], axis=b.one(None, b.r.randint(-rank if b.opset >= 11 else 0, rank)))


def squeeze(b):
    dims = [1 if b.chance(0.5) else b.dim() for _ in range(b.r.randint(1, 4))]
    x = b.input(dims) if b.chance(0.7) else b.pick('n', 1)
    ones = [i for i, n in enumerate(b.shape(x)) if n == 1]
    axes = b.r.sample(ones, b.r.randint(0, len(ones)))
    axes = [a - b.rank(x) if b.opset >= 11 and b.chance(0.4) else a for a in axes]
    if not axes or b.chance(0.2):
        return b.node('Squeeze', [x])
    return b.node('Squeeze', [x, b.ints(axes)]) if b.opset >= 13 else b.node('Squeeze', [x], axes=axes)


def unsqueeze(b):
    x = b.pick('n', 0, 3)
    count = b.r.randint(1, 2)
    rank = b.rank(x) + count
    axes = [a - rank if b.opset >= 11 and b.chance(0.4) else a for a in b.r.sample(range(rank), count)]
    return b.node('Unsqueeze', [x, b.ints(axes)]) if b.opset >= 13 else b.node('Unsqueeze', [x], axes=axes)


def transpose(b):
    x = b.pick('n', 0)
    return b.node('Transpose', [x], perm=b.r.sample(range(b.rank(x)), b.rank(x)) if b.rank(x) and b.chance(0.8)
                  else None)


def expand(b):
    b.since(8)
    dims = [1 if b.chance(0.5) else b.dim() for _ in range(b.r.randint(0, 3))]
    x = b.input(dims) if b.chance(0.7) else b.pick('n', 0, 3)
    goal = [b.one(1, n) if n != 1 else b.one(1, 1, 3, 5) for n in b.shape(x)]
    goal = goal[b.r.randint(0, len(goal)):] if b.chance(0.3) else goal
    goal = [b.size()] + goal if b.chance(0.3) else goal
    return b.node('Expand', [x, b.ints(goal)])


def tile(b):
    x = b.pick('n', 1, 3)
    return b.node('Tile', [x, b.ints([b.r.randint(0 if b.chance(0.1) else 1, 3) for _ in b.shape(x)])])


def edge(b, size, step):
    """A start or end of a slice: inside, at the border, beyond, and the sentinels."""
    near = b.r.randint(-size - 2, size + 2)
    return b.one(near, near, near, 0, size, -1, BIG if step > 0 else -BIG, 1 << 31, -(1 << 31), -BIG - 1)


def slice_(b):
    x = b.pick('n', 1)
    axes = axes_of(b, b.rank(x), 1, 10)
    steps = [b.one(1, 1, 2, 3, -1, -2) for _ in axes]
    if b.opset < 10:
        steps, axes = [1] * len(axes), [a % b.rank(x) for a in axes]
    starts = [edge(b, b.shape(x)[a], -s) for a, s in zip(axes, steps)]
    ends = [edge(b, b.shape(x)[a], s) for a, s in zip(axes, steps)]
    plain = sorted(axes) == list(range(len(axes))) and b.chance(0.5)
    if plain:
        order = sorted(range(len(axes)), key=axes.__getitem__)
        starts, ends, steps = ([v[i] for i in order] for v in (starts, ends, steps))
    if b.opset < 10:
        return b.node('Slice', [x], starts=starts, ends=ends, axes=None if plain else axes)
    dtype = 'int32' if b.chance(0.2) and all(abs(v) < 1 << 31 for v in starts + ends) else 'int64'
    ins = [x, b.ints(starts, dtype), b.ints(ends, dtype), '' if plain else b.ints(axes, dtype)]
    return b.node('Slice', ins + ([b.ints(steps, dtype)] if b.chance(0.7) or any(s != 1 for s in steps) else []))


def pad(b):
    x = b.pick('f', 1)
    rank = b.rank(x)
    mode = b.one(None, 'constant', 'reflect', 'edge', 'wrap' if b.opset >= 19 else 'edge')
    axes = axes_of(b, rank, 1) if b.opset >= 18 and b.chance(0.4) else None
    of = list(range(rank)) if axes is None else [a % rank for a in axes]
    limits = [b.shape(x)[a] - 1 if mode in ('reflect', 'wrap') else 3 for a in of] * 2
    pads = [b.r.randint(-1 if b.chance(0.3) else 0, max(0, min(n, 3))) for n in limits]
    if b.opset < 11:
        return b.node('Pad', [x], pads=pads, mode=mode)
    value = b.const(1, b.dtype(x)) if b.chance(0.3) else ''
    return b.node('Pad', [x, b.ints(pads), value, b.ints(axes) if axes is not None else ''], mode=mode)


def depth(b):
    n = b.one(2, 3)
    if b.chance(0.5):
        x = b.input([b.dim(), b.one(n * n, 2 * n * n), b.dim(), b.dim()])
        return b.node('DepthToSpace', [x], blocksize=n, mode=b.one(None, 'DCR', 'CRD') if b.opset >= 11 else None)
    x = b.input([b.dim(), b.dim(), b.dim(b.one(n, 2 * n)), b.dim(b.one(n, 3 * n))])
    return b.node('SpaceToDepth', [x], blocksize=n)


def crop(b):
    b.since(18)
    x = b.pick('f', 1)
    axes = axes_of(b, b.rank(x), 1) if b.chance(0.5) else None
    return b.node('CenterCropPad', [x, b.ints([b.r.randint(1, 8) for _ in (axes or range(b.rank(x)))])], axes=axes)


def concat(b):
    x = b.pick('n', 1)
    axis = b.axis(b.rank(x))
    ins = [x]
    for _ in range(b.r.randint(0, 3)):
        dims = b.same_dims(x)
        dims[axis] = b.dim()
        ins.append(b.input(dims, b.dtype(x)))
    b.r.shuffle(ins)
    return b.node('Concat', ins, axis=axis)


def split(b):
    x = b.pick('n', 1)
    axis = b.axis(b.rank(x))
    size = b.shape(x)[axis]
    outs = b.r.randint(1, min(4, max(size, 1)))
    given = b.one(None, axis)
    if given is None:
        size = b.shape(x)[0]
    if b.chance(0.5):
        cuts = sorted(b.r.randint(0, size) for _ in range(outs - 1))
        parts = [e - s for s, e in zip([0] + cuts, cuts + [size])]
        return b.node('Split', [x, b.ints(parts)], outs, axis=given) if b.opset >= 13 else \
            b.node('Split', [x], outs, split=parts, axis=given)
    return b.node('Split', [x], outs, axis=given, num_outputs=outs if b.opset >= 18 else None)


def gather(b):
    x = b.pick('n', 1)
    axis = b.axis(b.rank(x))
    n = b.shape(x)[axis]
    b.need(n)
    index = b.one(b.const(b.r.randrange(n)), b.const([b.r.randrange(-n if b.opset >= 11 else 0, n) for _ in range(3)]),
                  b.input([b.dim() for _ in range(b.r.randint(0, 2))], b.one('int64', 'int32'), 0, 0))
    return b.node('Gather', [x, index], axis=b.one(None, axis))


def gather_elements(b):
    b.since(11)
    x = b.pick('n', 1)
    return b.node('GatherElements', [x, b.input(b.dims(*(b.r.randint(1, max(n, 1)) for n in b.shape(x))), 'int64', 0,
                                                0)],
                  axis=b.one(None, b.axis(b.rank(x))))


def gather_nd(b):
    b.since(11)
    batch = b.r.randint(0, 1) if b.opset >= 12 else 0
    x = b.pick('n', 1 + batch)
    last = b.r.randint(1, b.rank(x) - batch)
    middle = [b.dim() for _ in range(b.r.randint(0, 2 - batch))]
    index = b.input(b.same_dims(x)[:batch] + middle + [last], 'int64', 0, 0)
    return b.node('GatherND', [x, index], batch_dims=batch or None)


def scatter(b):
    b.since(9)
    x = b.pick('n', 1)
    if b.opset >= 11 and b.chance(0.4):
        last = b.r.randint(1, b.rank(x))
        middle = [b.dim()]
        return b.node('ScatterND', [x, b.input(middle + [last], 'int64', 0, 0),
                                    b.input(middle + b.same_dims(x)[last:], b.dtype(x))])
    dims = b.dims(*(b.r.randint(1, max(n, 1)) for n in b.shape(x)))
    return b.node('ScatterElements' if b.opset >= 11 else 'Scatter',
                  [x, b.input(dims, 'int64', 0, 0), b.input(dims, b.dtype(x))], axis=b.one(None, b.axis(b.rank(x))))


def topk(b):
    x = b.pick('f', 1)
    axis = b.axis(b.rank(x))
    k = b.r.randint(0 if b.chance(0.1) else 1, max(1, b.shape(x)[axis]))
    if b.opset < 10:
        return b.node('TopK', [x], 2, k=k, axis=axis)
    return b.node('TopK', [x, b.ints([k])], (True, b.chance(0.8)), axis=axis,
                  largest=b.one(None, 0) if b.opset >= 11 else None)


def onehot(b):
    b.since(9)
    x = b.input([b.dim() for _ in range(b.r.randint(0, 3))], 'int64', 0, 3)
    n = b.r.randint(1, 5)
    return b.node('OneHot', [x, b.ints(b.one(n, [n])), b.const([0, 1], b.one('float32', 'int64'))],
                  axis=b.one(None, b.r.randint(-b.rank(x) - 1, b.rank(x)) if b.opset >= 11 else -1))


def reverse(b):
    b.since(10)
    time = b.one(0, 1)
    x = b.input([b.dim(5), b.dim(5)] + [b.dim() for _ in range(b.r.randint(0, 2))])
    return b.node('ReverseSequence', [x, b.input([b.inputs[x][0][1 - time]], 'int64', 1, 1)], time_axis=time,
                  batch_axis=1 - time)


def cumulate(b):
    b.since(11)
    x = b.pick('f', 1)
    op = 'CumProd' if b.opset >= 26 and b.chance(0.5) else 'CumSum'
    return b.node(op, [x, b.ints(b.axis(b.rank(x)))], exclusive=b.one(None, 1), reverse=b.one(None, 1))


def trilu(b):
    b.since(14)
    x = b.pick('f', 2)
    return b.node('Trilu', [x] + ([b.ints(b.r.randint(-2, 2))] if b.chance(0.5) else []), upper=b.one(None, 0, 1))


def range_(b):
    b.since(11)
    dtype = b.one('int64', 'int32', 'float32', 'float64')
    step = b.one(1, 2, -1, -3, 0.3, 0.1) if dtype[0] == 'f' else b.one(1, 2, 3, -1, -3)
    start, limit = b.r.randint(-5, 9), b.r.randint(-5, 12)
    return b.node('Range', [b.const(v, dtype) for v in (start, limit, step)])


def make(b):
    op = b.one('ConstantOfShape', 'EyeLike', 'RandomUniform', 'RandomNormal', 'Multinomial', 'Size', 'Shape')
    if op == 'ConstantOfShape':
        b.since(9)
        value = b.tensor(np.array([b.one(0, 1)], b.one('int64', 'float32', 'bool'))) if b.chance(0.7) else None
        return b.node(op, [b.ints([b.r.randint(0, 4) for _ in range(b.r.randint(0, 3))])], value=value)
    if op == 'EyeLike':
        b.since(9)
        return b.node(op, [b.pick('f', 2, 2)], dtype=b.one(None, 7), k=b.one(None, 1))
    if op == 'Multinomial':
        return b.node(op, [b.input([b.dim(), b.dim()], 'float32', -1, 1)], sample_size=b.one(None, 3),
                      dtype=b.one(None, 7))
    if op in ('Size', 'Shape'):
        x = b.pick('n', 0)
        edges = {k: b.r.randint(-b.rank(x) - 1, b.rank(x) + 1) for k in ('start', 'end') if b.chance(0.5)}
        return b.node(op, [x], **edges if b.opset >= 15 and op == 'Shape' else {})
    return b.node(op, [], shape=[b.r.randint(0, 4) for _ in range(b.r.randint(1, 3))], dtype=b.one(None, 1, 11))


FAMILIES = {'layout': (reshape, reshape, flatten, squeeze, unsqueeze, transpose, expand, tile, depth, crop),
            'slice': (slice_, slice_, pad, pad, concat, split), 'gather': (gather, gather_elements, gather_nd, scatter,
            topk, onehot, reverse), 'generate': (cumulate, trilu, range_, make, make)}
