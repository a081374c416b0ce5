"""Steps of random programs: parts, places and tables of an axis, repetition, windows, states.  See programs.py."""

import numpy as np
from onnx import helper

from programs import fit, free, number, plain, pure, replaced, several, step, whole, without

FAR = 1 << 31

# Concat, Split, Slice, Pad.


@step(2)
def twice(p, r):
    """Two values of the same axes, one after the other: 2 is the leading factor."""
    fit(p.axes)
    k = r.randrange(len(p.axes))
    same = [v.name for v in p.values[:-1] if v.axes == p.axes] + [p.op('Neg', p.x)]
    axis = p.axes[k]
    axis = (2, *axis) if free(axis) else plain(2 * number(axis))
    p.apply('Concat', r.choice(same), axis=k, axes=replaced(p.axes, k, axis))


@step(3)
def token(p, r):
    """A constant row in front along a plain axis, or along a symbol: equal along all others, written out or expanded."""
    k = p.pick(r, lambda a: not free(a) or pure(a) and r.random() < 0.4)
    axes = replaced(p.axes, k, ())
    if r.random() < 0.5:
        row = p.const(p.equal(r, axes, True))
    else:
        row = p.op('Expand', p.const(p.equal(r, axes, False)), p.target(r, axes))
    axis = (f'({p.axes[k][0]}+1)',) if free(p.axes[k]) else (number(p.axes[k]) + 1,)
    parts = [row, p.x] if r.random() < 0.7 else [p.x, row]
    p.put(p.op('Concat', *parts, axis=k), replaced(p.axes, k, axis))


@step(2)
def slice_number(p, r):
    k = p.pick(r, lambda a: whole(a) and number(a) >= 2)
    d = number(p.axes[k])
    start = r.randrange(d)
    end = r.randrange(start + 1, d + 1)
    last = end if end < d or r.random() < 0.5 else FAR
    p.apply('Slice', p.ints(start), p.ints(last), p.ints(k), axes=replaced(p.axes, k, plain(end - start)))


@step(2)
def slice_symbol(p, r):
    k = p.pick(r, pure)
    axis, n = p.axes[k], p.n(p.axes[k])
    how = r.choice(('rest', 'rest', 'but_last', 'all', 'reverse', 'first', 'last'))
    less = (f'({axis[0]}-1)',)
    p.at_least(axis, 3)
    start, end, step, new = {
        'rest': (1, r.choice((FAR, n)), 1, less),
        'but_last': (0, r.choice((-1, n - 1)), 1, less),
        'all': (0, r.choice((FAR, n)), 1, axis),
        'reverse': (-1, -FAR, -1, axis),
        'first': (0, 1, 1, ()),
        'last': (r.choice((-1, n - 1)), FAR, 1, ()),
    }[how]
    p.apply('Slice', p.ints(start), p.ints(end), p.ints(k), p.ints(step), axes=replaced(p.axes, k, new))


@step(1)
def roll(p, r):
    k = p.pick(r, lambda a: pure(a) or whole(a))
    if free(p.axes[k]):
        p.at_least(p.axes[k], 2)
    else:
        fit(number(p.axes[k]) > 1)
    n = p.n(p.axes[k])
    by = r.choice((1, -1))
    cut = by if r.random() < 0.5 else by % n
    parts = [p.op('Slice', p.x, p.ints(a), p.ints(b), p.ints(k)) for a, b in ((cut, FAR), (0, cut))]
    p.put(p.op('Concat', *parts, axis=k), p.axes)


@step(2)
def split_number(p, r):
    k = p.pick(r, lambda a: whole(a) and number(a) >= 2)
    d = number(p.axes[k])
    first = r.randrange(1, d)
    a, b = p.op('Split', p.x, p.ints(first, d - first), outputs=2, axis=k)
    if 2 * first == d and r.random() < 0.5:
        p.put(p.op('Mul', a, b), replaced(p.axes, k, plain(first)))
    else:
        p.put(*((a, replaced(p.axes, k, plain(first))) if r.random() < 0.5 else (b, replaced(p.axes, k, plain(d - first)))))


@step(6)
def split_product(p, r):
    """Along a plain leading factor of a product."""
    k = p.pick(r, lambda a: len(a) > 1 and free(a) and a[0] in (2, 3, 4))
    parts, rest = p.axes[k][0], p.axes[k][1:]
    names = p.op('Split', p.x, p.ints(*[p.n(rest)] * parts), outputs=parts, axis=k)
    p.put(names[r.randrange(parts)], replaced(p.axes, k, rest))


@step(3)
def slice_product(p, r):
    """Whole parts of a product, its ends written as numbers or computed."""
    k = p.pick(r, lambda a: len(a) > 1 and free(a) and a[0] in (2, 3, 4))
    parts, rest = p.axes[k][0], p.axes[k][1:]
    start = r.randrange(parts)
    end = r.randrange(start + 1, parts + 1)
    if r.random() < 0.5:
        ends = [p.ints(p.n(rest) * i) for i in (start, end)]
    else:
        whole_size = p.op('Gather', p.op('Shape', p.x), p.ints(k), axis=0)
        ends = [p.op('Mul', p.op('Div', whole_size, p.ints(parts)), p.ints(i)) for i in (start, end)]
    p.apply('Slice', *ends, p.ints(k), axes=replaced(p.axes, k, plain(end - start) + rest))


@step(1)
def pad(p, r):
    k = p.pick(r, lambda a: not free(a) or pure(a) and r.random() < 0.4)
    before, after = r.choice(((1, 0), (0, 1), (1, 1), (2, 0)))
    pads = [0] * 2 * len(p.axes)
    pads[k], pads[k + len(p.axes)] = before, after
    axis = (f'({p.axes[k][0]}+{before + after})',) if free(p.axes[k]) else (number(p.axes[k]) + before + after,)
    p.apply('Pad', p.ints(*pads), axes=replaced(p.axes, k, axis))


# Gather, Scatter, tables.


@step(2)
def gather_number(p, r):
    k = p.pick(r, lambda a: whole(a) and number(a) >= 2)
    d = number(p.axes[k])
    shape = r.choice(((), (2,), (3,), (2, 2)))
    index = np.random.default_rng(r.randrange(1 << 32)).integers(0, d, shape)
    p.apply('Gather', p.const(np.asarray(index, np.int64)), axis=k, axes=replaced(p.axes, k, *[plain(n) for n in shape]))


@step(2)
def gather_one(p, r):
    """One row of a symbol's axis."""
    k = p.pick(r, pure)
    fit(len(p.axes) > 1)
    p.at_least(p.axes[k], 2)
    index = r.choice((0, -1, p.n(p.axes[k]) - 1, 1))
    p.apply('Gather', p.const(np.int64(index)), axis=k, axes=without(p.axes, k))


@step(2)
def gather_all(p, r):
    """Every row of a symbol's axis, in order or reversed, by a constant."""
    k = p.pick(r, pure)
    index = np.arange(p.n(p.axes[k]))
    turned = r.random() < 0.3 and several(p)(p.axes[k])
    p.apply('Gather', p.const(index[::-1] if turned else index), axis=k)


@step(4)
def gather_items(p, r):
    """x[arange(b), i]: the same row of each item."""
    fit(len(p.axes) >= 2 and pure(p.axes[0]) and whole(p.axes[1]))
    n, i = p.n(p.axes[0]), r.randrange(number(p.axes[1]))
    index = np.stack([np.arange(n), np.full(n, i)], 1)
    p.apply('GatherND', p.const(index), axes=[p.axes[0], *p.axes[2:]])


@step(4)
def gather_flat(p, r):
    """The same row of each item, by indices into items and rows together."""
    fit(len(p.axes) >= 2 and pure(p.axes[0]) and whole(p.axes[1]))
    n, d = p.n(p.axes[0]), number(p.axes[1])
    first = p.axes[0] + p.axes[1]
    p.reshape(r, [first, *p.axes[2:]])
    p.apply('Gather', p.const(np.arange(n) * d + r.randrange(d)), axis=0, axes=[first[:1], *p.axes[1:]])


@step(3)
def positions(p, r):
    """A table along a symbol: folded, sliced or gathered by numbers."""
    k = p.pick(r, several(p))
    width = number(p.axes[-1]) if whole(p.axes[-1]) and k != len(p.axes) - 1 and r.random() < 0.6 else 1
    rows, n = 24, p.n(p.axes[k])
    p.at_most(p.axes[k], rows)
    table = p.numbers(r, rows, width)
    shape = [1] * len(p.axes)
    shape[k] = n
    shape[-1] = width if width > 1 else shape[-1]
    how = r.choice(('fold', 'slice', 'gather'))
    if how == 'fold':
        return p.apply('Add', p.const(table[:n].reshape(shape)))
    if how == 'slice':
        cut = p.op('Slice', p.const(table), p.ints(0), p.ints(n), p.ints(0))
    else:
        cut = p.op('Gather', p.const(table), p.const(np.arange(n)), axis=0)
    return p.apply('Add', p.op('Reshape', cut, p.ints(*shape)))


@step(2)
def ramp(p, r):
    """0, 1, 2 ... along a symbol: a constant or Range to a number."""
    k = p.pick(r, several(p))
    n = p.n(p.axes[k])
    shape = [1] * len(p.axes)
    shape[k] = n
    if r.random() < 0.5:
        values = p.const(np.arange(n, dtype=np.float32).reshape(shape))
    else:
        values = p.op('Range', p.const(np.int64(0)), p.const(np.int64(n)), p.const(np.int64(1)))
        values = p.op('Reshape', p.op('Cast', values, to=1), p.ints(*shape))
    p.apply('Mul' if r.random() < 0.3 else 'Add', values)


@step(3)
def triangle(p, r):
    """Two axes of one symbol: a triangle or a diagonal of numbers."""
    pairs = [(i, j) for i in range(len(p.axes)) for j in range(i + 1, len(p.axes)) if p.axes[i] == p.axes[j]]
    pairs = [(i, j) for i, j in pairs if several(p)(p.axes[i])]
    fit(pairs)
    i, j = r.choice(pairs)
    n = p.n(p.axes[i])
    shape = [n if k in (i, j) else 1 for k in range(len(p.axes))]
    how = r.choice(('tril', 'triu', 'eye', 'range'))
    if how == 'range':
        rows, columns = ([n if k == m else 1 for k in range(len(p.axes))] for m in (i, j))
        places = p.op('Range', p.const(np.int64(0)), p.const(np.int64(n)), p.const(np.int64(1)))
        chosen = p.op('LessOrEqual', p.op('Reshape', places, p.ints(*columns)), p.op('Reshape', places, p.ints(*rows)))
        return p.put(p.op('Where', chosen, p.x, p.const(np.float32(-3))), p.axes)
    data = {'tril': np.tril, 'triu': lambda m: np.triu(m, 1), 'eye': lambda m: np.eye(n)}[how](np.ones((n, n)))
    if r.random() < 0.5:
        return p.put(p.op('Where', p.const(data.reshape(shape) > 0), p.x, p.const(np.float32(-3))), p.axes)
    return p.apply('Add', p.const(np.float32(data.reshape(shape) * -3)))


@step(6)
def causal(p, r):
    """Attention along a symbol with a mask of places."""
    fit(len(p.axes) >= 2 and several(p)(p.axes[-2]))
    source, axes = p.x, p.axes
    order = list(range(len(axes)))
    scores = p.op('MatMul', source, p.op('Transpose', source, perm=order[:-2] + order[:-3:-1]))
    p.put(p.op('Tanh', scores), [*axes[:-1], axes[-2]])
    triangle(p, r)
    p.put(p.op('MatMul', p.op('Softmax', p.x, axis=-1), source), axes)


@step(1)
def one_hot(p, r):
    """A constant choice of one place of a plain axis, for each item."""
    k = p.pick(r, lambda a: whole(a) and number(a) >= 2)
    axes = replaced(p.axes, k, ())
    index = np.abs(p.equal(r, axes, True) * 7).astype(np.int64) % number(p.axes[k])
    p.apply('GatherElements', p.const(index), axis=k, axes=axes)


@step(1)
def scatter(p, r):
    """A constant written into one place of a plain axis."""
    k = p.pick(r, lambda a: whole(a) and number(a) >= 2)
    axes = replaced(p.axes, k, ())
    index = np.full(p.shape(axes), r.randrange(number(p.axes[k])), np.int64)
    p.apply('ScatterElements', p.const(index), p.const(p.equal(r, axes, True)), axis=k)


# Expand, Tile, Resize, windows, states.


@step(2)
def spread(p, r):
    """A reduced value expanded again to the sizes that it had."""
    k = p.pick(r, bool)
    axes, source = list(p.axes), p.x
    reduced = p.op('ReduceMax', p.x, axes=[k], keepdims=1)
    target = p.target(r, axes)
    again = p.op('Expand', reduced, target)
    p.put(p.op(r.choice(('Sub', 'Mul')), source, again), axes)


@step(2)
def expand(p, r):
    k = p.pick(r, lambda a: a == ())
    to = replaced(p.axes, k, (r.choice((2, 3, *[n for n in p.old.values() if n > 1])),))
    if r.random() < 0.3:
        target = p.ints(*[p.n(to[k]) if i == k else 1 for i in range(len(to))])
    else:
        target = p.target(r, to)
    p.apply('Expand', target, axes=to)


@step(2)
def tile(p, r):
    fit(p.axes)
    k, times = r.randrange(len(p.axes)), r.choice((2, 3))
    axis = (times, *p.axes[k]) if free(p.axes[k]) else plain(times * number(p.axes[k]))
    p.apply('Tile', p.ints(*[times if i == k else 1 for i in range(len(p.axes))]), axes=replaced(p.axes, k, axis))


@step(2)
def tile_constant(p, r):
    """A constant repeated to the size of the symbols, added or put beside."""
    once = p.equal(r, p.axes, False)
    repeats = p.ints(*[p.n(a) if free(a) else 1 for a in p.axes])
    values = p.op('Tile', p.const(once), repeats)
    if r.random() < 0.5:
        return p.apply('Add', values)
    k = p.pick(r, whole)
    return p.apply('Concat', values, axis=k, axes=replaced(p.axes, k, plain(2 * number(p.axes[k]))))


@step(7)
def conv(p, r):
    """Windows over the axes from the third on; the first is the batch, whatever it is."""
    fit(3 <= len(p.axes) <= 4 and whole(p.axes[1]) and all(a and (not free(a) or pure(a)) for a in p.axes[2:]))
    c, spatial = number(p.axes[1]), len(p.axes) - 2
    for a in p.axes[2:]:
        if free(a):
            p.at_least(a, 2)
    out, kind = r.choice((2, 3, 4)), r.choice(('Conv', 'Conv', 'MaxPool', 'AveragePool', 'GlobalAveragePool'))
    if kind == 'GlobalAveragePool':
        return p.apply(kind, axes=p.axes[:2] + [()] * spatial)
    words = {'kernel_shape': [3] * spatial, 'pads': [1] * 2 * spatial}
    if kind != 'Conv':
        return p.apply(kind, **words)
    weights = [p.const(p.numbers(r, out, c, *[3] * spatial) / np.float32(c)), p.const(p.numbers(r, out))]
    return p.apply(kind, *weights, axes=[p.axes[0], (out,), *p.axes[2:]], **words)


@step(2)
def resize(p, r):
    """Twice as large along the last axis; sizes name all axes."""
    fit(3 <= len(p.axes) <= 4 and p.axes[-1])
    last = p.axes[-1] + (2,) if free(p.axes[-1]) else plain(2 * number(p.axes[-1]))
    axes = p.axes[:-1] + [last]
    words = {'mode': 'nearest', 'coordinate_transformation_mode': 'asymmetric', 'nearest_mode': 'floor'}
    if free(p.axes[-1]) or r.random() < 0.4:
        scales = p.const(np.array([1.0] * (len(axes) - 1) + [2.0], np.float32))
        return p.apply('Resize', '', scales, axes=axes, **words)
    return p.apply('Resize', '', '', p.target(r, axes), axes=axes, **words)


@step(8)
def recurrent(p, r):
    """The first axis is time, the second the batch; the state is a constant of the batch's size."""
    fit(len(p.axes) == 3 and whole(p.axes[2]) and p.axes[0] and p.axes[1])
    width, hidden = number(p.axes[2]), r.choice((2, 3, *p.old.values()))
    kind, gates = r.choice((('RNN', 1), ('GRU', 3), ('LSTM', 4)))
    state_axes = [(), p.axes[1], plain(hidden)]
    weights = [p.const(p.numbers(r, 1, gates * hidden, width)), p.const(p.numbers(r, 1, gates * hidden, hidden))]
    states = []
    for _ in range(2 if kind == 'LSTM' else 1):
        if r.random() < 0.4:
            states.append(p.const(np.zeros(p.shape(state_axes), np.float32)))
        elif r.random() < 0.5:
            states.append(p.const(p.equal(r, state_axes, True)))
        else:
            states.append(p.op('Expand', p.const(p.equal(r, state_axes, False)), p.target(r, state_axes)))
    y = p.op(kind, p.x, *weights, '', '', *states, hidden_size=hidden)
    p.put(p.op('Squeeze', y, p.ints(1)), [p.axes[0], p.axes[1], plain(hidden)])


@step(1)
def filled(p, r):
    """ConstantOfShape of a number, beside the value."""
    k = p.pick(r, whole)
    value = helper.make_tensor('value', 1, [1], [0.5])
    zeros = p.op('ConstantOfShape', p.target(r, p.axes), value=value)
    p.apply('Concat', zeros, axis=k, axes=replaced(p.axes, k, plain(2 * number(p.axes[k]))))

