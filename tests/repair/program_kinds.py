"""Steps of random programs: norms, windows, indices and tuples, transforms, quantization, fused operators.  See programs.py."""

import numpy as np

from programs import fit, free, number, plain, pure, replaced, several, step, whole, without


def windowed(p, spatial=(1, 2)):
    """Batch, plain channels, then one or two axes."""
    fit(len(p.axes) - 2 in spatial and whole(p.axes[1]) and all(p.axes[2:]))
    return number(p.axes[1])


# Norms.


@step(2)
def channel_norm(p, r):
    """BatchNormalization or InstanceNormalization: the second axis holds channels."""
    fit(len(p.axes) >= 3 and whole(p.axes[1]) and p.axes[2:])
    c = number(p.axes[1])
    scale, shift = p.const(p.numbers(r, c)), p.const(p.numbers(r, c))
    if r.random() < 0.5:
        return p.apply('BatchNormalization', scale, shift, p.const(p.numbers(r, c)), p.const(np.abs(p.numbers(r, c)) + 1))
    fit(any(p.axes[2:]))
    return p.apply('InstanceNormalization', scale, shift)


@step(2)
def norm(p, r):
    """Norms along axes, whatever these are."""
    k = p.pick(r, bool)
    kind = r.choice(('LpNormalization', 'MeanVarianceNormalization', 'LogSoftmax', 'Hardmax'))
    if kind == 'MeanVarianceNormalization':
        return p.put(p.op(kind, p.x, axes=sorted({k, r.randrange(len(p.axes))})), p.axes)
    return p.apply(kind, axis=k, **({'p': r.choice((1, 2))} if kind[0:2] == 'Lp' else {}))


@step(1)
def lrn(p, r):
    windowed(p, (2,))
    p.apply('LRN', size=3)


@step(2)
def reduce_sum(p, r):
    """By axes that are an input, or all of them but one."""
    fit(len(p.axes) > 1)
    keep = r.randrange(2)
    if r.random() < 0.7:
        axes = [p.pick(r, whole if r.random() < 0.7 else bool)]
    else:
        axes = without(list(range(len(p.axes))), r.randrange(len(p.axes)))
    given = [a - len(p.axes) if r.random() < 0.3 else a for a in axes]
    left = [() if i in axes else a for i, a in enumerate(p.axes) if keep or i not in axes]
    p.put(p.op('Tanh', p.op('ReduceSum', p.x, p.ints(*given), keepdims=keep)), left)


# Windows, blocks, grids.


@step(2)
def conv_transpose(p, r):
    """Twice as large along the last axis or axes."""
    c = windowed(p)
    fit(all(not free(a) or pure(a) for a in p.axes[2:]))
    out, spatial = r.choice((2, 3)), len(p.axes) - 2
    axes = [(f'(2*{a[0]})',) if free(a) else plain(2 * number(a)) for a in p.axes[2:]]
    weights = p.const(p.numbers(r, c, out, *[2] * spatial))
    p.apply('ConvTranspose', weights, axes=[p.axes[0], (out,), *axes], kernel_shape=[2] * spatial, strides=[2] * spatial)


@step(2)
def strided(p, r):
    """A window of 2 that steps by 2, over plain axes or over what is a multiple by its factors."""
    c = windowed(p)
    last = p.axes[-1]
    fit(last[-1:] == (2,) or whole(last) and number(last) % 2 == 0)
    new = last[:-1] if last[-1] == 2 else plain(number(last) // 2)
    spatial = len(p.axes) - 2
    window = [1] * (spatial - 1) + [2]
    kind = r.choice(('Conv', 'MaxPool', 'AveragePool', 'LpPool'))
    words = {'kernel_shape': window, 'strides': window}
    if kind != 'Conv':
        return p.apply(kind, axes=p.axes[:-1] + [new], **words)
    axes = [p.axes[0], (3,), *p.axes[2:-1], new]
    return p.apply(kind, p.const(p.numbers(r, 3, c, *window)), axes=axes, **words)


@step(2)
def blocks(p, r):
    """DepthToSpace or SpaceToDepth."""
    c = windowed(p, (2,))
    if c % 4 == 0 and r.random() < 0.6:
        axes = [a + (2,) if free(a) else plain(2 * number(a)) for a in p.axes[2:]]
        return p.apply('DepthToSpace', blocksize=2, mode=r.choice(('DCR', 'CRD')), axes=[p.axes[0], plain(c // 4), *axes])
    fit(all(a[-1:] == (2,) or whole(a) and number(a) % 2 == 0 for a in p.axes[2:]))
    axes = [a[:-1] if free(a) else plain(number(a) // 2) for a in p.axes[2:]]
    return p.apply('SpaceToDepth', blocksize=2, axes=[p.axes[0], plain(4 * c), *axes])


@step(2)
def grid_sample(p, r):
    """A constant grid, the same for each item."""
    windowed(p, (2,))
    axes = [p.axes[0], (2,), (3,), (2,)]
    grid = np.tanh(p.equal(r, axes, True))
    p.apply('GridSample', p.const(grid), axes=[*p.axes[:2], (2,), (3,)])


@step(3)
def resize_symbol(p, r):
    """Twice as large along a symbol, by sizes that are numbers."""
    fit(3 <= len(p.axes) <= 4 and pure(p.axes[-1]))
    axes = p.axes[:-1] + [p.axes[-1] + (2,)]
    words = {'mode': 'nearest', 'coordinate_transformation_mode': 'asymmetric', 'nearest_mode': 'floor'}
    p.apply('Resize', '', '', p.target(r, axes), axes=axes, **words)


# Places and tuples.


@step(2)
def sort(p, r):
    """All of an axis in order: TopK of its size."""
    k = p.pick(r, lambda a: whole(a) or several(p)(a))
    values, _ = p.op('TopK', p.x, p.target(r, [p.axes[k]]), outputs=2, axis=k, largest=r.randrange(2))
    p.put(values, p.axes)


@step(1)
def cumsum_more(p, r):
    k = p.pick(r, bool)
    p.apply('CumSum', p.const(np.int64(k - len(p.axes))), exclusive=r.randrange(2), reverse=r.randrange(2))
    p.apply('Tanh')


@step(3)
def gather_each(p, r):
    """GatherND with the first axes as a batch: the same place of each item, by a constant."""
    fit(len(p.axes) >= 2 and whole(p.axes[1]) and p.axes[0])
    n, d = p.n(p.axes[0]), number(p.axes[1])
    place = r.randrange(d)
    p.apply('GatherND', p.const(np.full((n, 1), place)), batch_dims=1, axes=[p.axes[0], *p.axes[2:]])


@step(3)
def scatter_items(p, r):
    """One place of each item is overwritten: x[arange(b), i] = constant, or a part of x itself."""
    fit(len(p.axes) >= 2 and pure(p.axes[0]) and whole(p.axes[1]))
    n, d = p.n(p.axes[0]), number(p.axes[1])
    index = p.const(np.stack([np.arange(n), np.full(n, r.randrange(d))], 1))
    axes = [p.axes[0], *p.axes[2:]]
    if r.random() < 0.5:
        updates = p.const(p.equal(r, axes, True))
    else:
        updates = p.op('Gather', p.op('Neg', p.x), p.const(np.int64(r.randrange(d))), axis=1)
    p.apply('ScatterND', index, updates, **({'reduction': 'add'} if r.random() < 0.3 else {}))


@step(2)
def scatter_rows(p, r):
    """Rows of a plain first axis are overwritten."""
    fit(len(p.axes) >= 2 and whole(p.axes[0]))
    updates = p.const(p.equal(r, [(), *p.axes[1:]], True))
    p.apply('ScatterND', p.const(np.array([[r.randrange(number(p.axes[0]))]])), updates)


@step(2)
def scatter_into(p, r):
    """Written into zeros of its own size, or of numbers."""
    fit(len(p.axes) >= 2 and pure(p.axes[0]) and whole(p.axes[1]))
    n, d = p.n(p.axes[0]), number(p.axes[1])
    axes = [p.axes[0], (d + 1,), *p.axes[2:]]
    zeros = np.zeros(p.shape(axes), np.float32)
    place = np.stack([np.repeat(np.arange(n), d), np.tile(np.arange(d) + 1, n)], 1).reshape(n, d, 2)
    p.put(p.op('ScatterND', p.const(zeros), p.const(place), p.x), axes)


@step(2)
def trilu(p, r):
    """A triangle of the last two axes, whatever these are."""
    fit(len(p.axes) >= 2)
    p.apply('Trilu', p.const(np.int64(r.choice((0, 1, -1)))), upper=r.randrange(2))


@step(2)
def hot(p, r):
    """The largest of each row as one of a fixed number."""
    k = p.pick(r, whole)
    fit(2 <= len(p.axes) <= 5)
    depth, place = number(p.axes[k]) + r.randrange(2), r.randrange(len(p.axes))
    best = p.op('ArgMax', p.x, axis=k, keepdims=0)
    axes = without(p.axes, k)
    values = p.const(np.array([0.5, 2], np.float32))
    p.put(p.op('OneHot', best, p.const(np.int64(depth)), values, axis=place), axes[:place] + [(depth,)] + axes[place:])


@step(1)
def reversed_sequence(p, r):
    """Each item's first places reversed, by constant lengths."""
    fit(len(p.axes) >= 2 and p.axes[1] and whole(p.axes[0]))
    lengths = np.full(p.n(p.axes[1]), r.randrange(1, number(p.axes[0]) + 1))
    p.apply('ReverseSequence', p.const(lengths), time_axis=0, batch_axis=1)


# Products.


@step(3)
def letters(p, r):
    """Einsum: transposed, summed, multiplied by itself."""
    fit(2 <= len(p.axes) <= 4)
    words = 'abcd'[: len(p.axes)]
    how = r.choice(('turn', 'sum', 'self', 'outer', 'scale'))
    k = r.randrange(len(words))
    if how == 'turn':
        order = r.sample(range(len(words)), len(words))
        equation, axes = f'{words}->{"".join(words[i] for i in order)}', [p.axes[i] for i in order]
        return p.put(p.op('Einsum', p.x, equation=equation), axes)
    if how == 'sum':
        return p.put(p.op('Tanh', p.op('Einsum', p.x, equation=f'{words}->{words.replace(words[k], "")}')), without(p.axes, k))
    if how == 'scale':
        fit(whole(p.axes[k]))
        other = p.const(p.numbers(r, number(p.axes[k])))
        return p.put(p.op('Einsum', p.x, other, equation=f'{words},{words[k]}->{words}'), p.axes)
    fit(len(words) < 4)
    other = words.replace(words[k], 'z')
    rest = words.replace(words[k], '')
    if how == 'self':
        axes = [*without(p.axes, k), p.axes[k], p.axes[k]]
        return p.put(p.op('Tanh', p.op('Einsum', p.x, p.x, equation=f'{words},{other}->{rest}{words[k]}z')), axes)
    axes = [p.axes[k], p.axes[k]]
    return p.put(p.op('Tanh', p.op('Einsum', p.x, p.x, equation=f'{words},{other}->{words[k]}z')), axes)


@step(3)
def recurrent_both(p, r):
    """In both directions; the result's four axes in the order that layout says."""
    fit(len(p.axes) == 3 and whole(p.axes[2]) and p.axes[0] and p.axes[1])
    width, hidden = number(p.axes[2]), r.choice((2, *p.old.values()))
    kind, gates = r.choice((('RNN', 1), ('GRU', 3), ('LSTM', 4)))
    weights = [p.const(p.numbers(r, 2, gates * hidden, width)), p.const(p.numbers(r, 2, gates * hidden, hidden))]
    extra, axes = [], [(2,), p.axes[1], plain(hidden)]
    if r.random() < 0.5:
        extra = ['', '', p.const(p.equal(r, axes, True))]
    y, last = p.op(kind, p.x, *weights, *extra, outputs=2, hidden_size=hidden, direction='bidirectional')
    if r.random() < 0.3:
        return p.put(last, axes)
    turned = p.op('Transpose', y, perm=[0, 2, 1, 3])
    axes = [p.axes[0], p.axes[1], plain(2 * hidden)]
    return p.put(p.op('Reshape', turned, p.target(r, axes)), axes)


# Spectra, quantization, fused operators.


@step(1)
def spectrum(p, r):
    """DFT along one axis; real and imaginary parts are a last axis."""
    fit(2 <= len(p.axes) <= 4)
    k = r.randrange(1, len(p.axes))
    fit(p.axes[k])
    last = p.op('Unsqueeze', p.x, p.ints(len(p.axes)))
    p.put(p.op('Tanh', p.op('DFT', last, axis=k)), [*p.axes, (2,)])


@step(2)
def quantized(p, r):
    """To 8 bits and back: by one scale, by one for each channel, or by what the data say."""
    how = r.choice(('one', 'axis', 'dynamic'))
    if how == 'dynamic':
        small, scale, zero = p.op('DynamicQuantizeLinear', p.x, outputs=3)
        return p.put(p.op('DequantizeLinear', small, scale, zero), p.axes)
    k = p.pick(r, whole) if how == 'axis' else 0
    shape = (number(p.axes[k]),) if how == 'axis' else ()
    scale, zero = p.const(np.full(shape, 0.25, np.float32)), p.const(np.full(shape, 3, np.int8))
    words = {'axis': k} if how == 'axis' else {}
    small = p.op('QuantizeLinear', p.x, scale, zero, **words)
    return p.put(p.op('DequantizeLinear', small, scale, zero, **words), p.axes)


@step(2)
def fused(p, r):
    """Operators of ONNX Runtime."""
    fit(len(p.axes) == 3 and whole(p.axes[2]))
    d, words = number(p.axes[2]), {'domain': 'com.microsoft'}
    kind = r.choice(('SkipLayerNormalization', 'BiasGelu', 'FastGelu', 'FusedMatMul', 'MultiHeadAttention'))
    if kind == 'SkipLayerNormalization':
        return p.apply(kind, p.op('Tanh', p.x), p.const(p.numbers(r, d)), p.const(p.numbers(r, d)), **words)
    if kind == 'FusedMatMul':
        return p.apply(kind, p.x, transB=1, alpha=0.5, axes=[*p.axes[:2], p.axes[1]], **words)
    if kind == 'MultiHeadAttention':
        heads = r.choice([h for h in (1, 2) if d % h == 0])
        return p.apply(kind, p.op('Tanh', p.x), p.op('Neg', p.x), num_heads=heads, **words)
    return p.apply(kind, p.const(p.numbers(r, d)), **words)
