"""Steps of random programs: constants made of constants, computed sizes, masks and tables of attention.  See programs.py."""

import numpy as np
from onnx import helper

from programs import fit, free, number, plain, pure, replaced, several, step, whole, without

ROWS = 24

# Computed sizes.


def size_node(p, axis):
    """Nodes that compute a size as one number in a list."""
    node = p.size_of(axis)
    fit(node)
    return node


@step(3)
def merge_computed(p, r):
    """Two axes merged by a target that multiplies their sizes."""
    fit(len(p.axes) > 1)
    k = r.randrange(len(p.axes) - 1)
    merged = p.axes[k] + p.axes[k + 1]
    fit(free(merged))
    if r.random() < 0.5:
        both = p.op('Slice', p.op('Shape', p.x), p.ints(k), p.ints(k + 2), p.ints(0))
        product = p.op('ReduceProd', both, axes=[0], keepdims=1)
    else:
        product = p.op('Mul', size_node(p, p.axes[k]), p.ints(p.n(p.axes[k + 1])))
    axes = p.axes[:k] + [merged] + p.axes[k + 2 :]
    parts = [product if i == k else p.ints(p.n(a)) for i, a in enumerate(axes)]
    p.apply('Reshape', p.op('Concat', *parts, axis=0), axes=axes)


@step(3)
def slice_computed(p, r):
    """The first half, or all but the last, by an end that is computed."""
    k = p.pick(r, pure)
    axis = p.axes[k]
    p.at_least(axis, 2)
    n = size_node(p, axis)
    how = r.choice(('half', 'rest', 'but_last'))
    if how == 'half':
        end, new = p.op('Div', n, p.ints(2)), (f'({axis[0]}//2)',)
        start, end = (p.ints(0), end) if r.random() < 0.7 else (p.op('Sub', n, end), n)
    elif how == 'but_last':
        start, end, new = p.ints(0), p.op('Sub', n, p.ints(1)), (f'({axis[0]}-1)',)
    else:
        start, end, new = p.ints(1), n, (f'({axis[0]}-1)',)
    p.apply('Slice', start, end, p.ints(k), axes=replaced(p.axes, k, new))


@step(2)
def pad_computed(p, r):
    """Padded to a multiple of 2, by what is missing."""
    k = p.pick(r, pure)
    axis, rank = p.axes[k], len(p.axes)
    missing = p.op('Mod', size_node(p, axis), p.ints(2))
    parts = [missing if i == rank + k else p.ints(0) for i in range(2 * rank)]
    p.apply('Pad', p.op('Concat', *parts, axis=0), axes=replaced(p.axes, k, (f'(({axis[0]}+1)//2*2)',)))


@step(2)
def range_computed(p, r):
    """Positions counted at run time."""
    k = p.pick(r, pure)
    n = p.op('Squeeze', size_node(p, p.axes[k]), p.ints(0))
    places = p.op('Range', p.const(np.int64(0)), n, p.const(np.int64(1)))
    shape = [-1 if i == k else 1 for i in range(len(p.axes))]
    p.apply('Add', p.op('Cast', p.op('Reshape', places, p.ints(*shape)), to=1))


# Constants made of constants.


@step(4)
def chain(p, r):
    """A constant that is equal along the symbols, made by a few nodes."""
    full, once = p.equal(r, p.axes, True), p.equal(r, p.axes, False)
    how = r.choice(('expand', 'fill', 'concat', 'turn', 'where'))
    shape = p.ints(*p.shape())
    if how == 'expand':
        value = p.op('Mul', p.op('Expand', p.const(once), shape), p.const(np.float32(0.5)))
    elif how == 'fill':
        filled = p.op('ConstantOfShape', shape, value=helper.make_tensor('value', 1, [1], [0.25]))
        value = p.op('Add', filled, p.const(once))
    elif how == 'concat':
        k = p.pick(r, lambda a: whole(a) and number(a) > 1)
        cut = r.randrange(1, number(p.axes[k]))
        parts = [np.take(full, range(*ends), k) for ends in ((0, cut), (cut, number(p.axes[k])))]
        value = p.op('Concat', *map(p.const, parts), axis=k)
    elif how == 'turn':
        order = r.sample(range(len(p.axes)), len(p.axes))
        value = p.op('Transpose', p.const(np.transpose(full, np.argsort(order))), perm=order)
    else:
        value = p.op('Where', p.op('Greater', p.const(full), p.const(np.float32(0))), p.const(once), p.const(np.float32(-1)))
    p.apply(r.choice(('Add', 'Mul')), value)


@step(3)
def counted(p, r):
    """A table's rows by positions that are counted: ones, added up."""
    k = p.pick(r, several(p))
    n = p.n(p.axes[k])
    p.at_most(p.axes[k], ROWS)
    ones = p.const(np.ones(n, np.int64)) if r.random() < 0.5 else p.op('Expand', p.ints(1), p.ints(n))
    index = p.op('Sub', p.op('CumSum', ones, p.const(np.int64(0))), p.const(np.int64(1)))
    rows = p.op('Gather', p.const(p.numbers(r, ROWS)), index, axis=0)
    p.apply('Add', p.op('Reshape', rows, p.ints(*[n if i == k else 1 for i in range(len(p.axes))])))


@step(3)
def rotary(p, r):
    """Halves of the last axis turned by angles along a symbol: folded, or computed from places and frequencies."""
    fit(len(p.axes) >= 2 and whole(p.axes[-1]) and number(p.axes[-1]) % 2 == 0 and several(p)(p.axes[-2]))
    n, half = p.n(p.axes[-2]), number(p.axes[-1]) // 2
    frequencies = (10.0 ** -np.arange(half)).astype(np.float32)
    angles = np.arange(n, dtype=np.float32)[:, None] * frequencies
    how = r.choice(('folded', 'angles', 'product', 'range'))
    if how == 'folded':
        turns = [p.const(np.cos(angles)), p.const(np.sin(angles))]
    else:
        places = p.const(np.arange(n, dtype=np.float32)[:, None])
        if how == 'range':
            counted = p.op('Range', p.const(np.int64(0)), p.const(np.int64(n)), p.const(np.int64(1)))
            places = p.op('Unsqueeze', p.op('Cast', counted, to=1), p.ints(1))
        kind = 'Mul' if how == 'range' else 'MatMul'
        computed = p.const(angles) if how == 'angles' else p.op(kind, places, p.const(frequencies[None]))
        turns = [p.op('Cos', computed), p.op('Sin', computed)]
    a, b = p.op('Split', p.x, p.ints(half, half), outputs=2, axis=len(p.axes) - 1)
    first = p.op('Sub', p.op('Mul', a, turns[0]), p.op('Mul', b, turns[1]))
    second = p.op('Add', p.op('Mul', b, turns[0]), p.op('Mul', a, turns[1]))
    p.put(p.op('Concat', first, second, axis=len(p.axes) - 1), p.axes)


@step(2)
def anchored(p, r):
    """Places counted from the last one: -2, -1, 0, or 2, 1, 0."""
    k = p.pick(r, several(p))
    n = p.n(p.axes[k])
    places = np.arange(n, dtype=np.float32) - (n - 1)
    if r.random() < 0.5:
        return p.apply('Add', p.const(p.along(k, places if r.random() < 0.5 else -places)))
    whole = p.const(p.along(k, places.astype(np.int64)))
    return p.apply('Add', p.op('Cast', p.op('Min', whole, p.const(np.int64(0))), to=1))


# Masks.


@step(3)
def window(p, r):
    """Attention that looks no further than one or two places."""
    fit(len(p.axes) >= 2 and several(p)(p.axes[-2]))
    n, far, axes, source = p.n(p.axes[-2]), r.choice((1, 2)), p.axes, p.x
    fit(p.was(axes[-2]) >= far + 3)
    order = list(range(len(axes)))
    scores = p.op('MatMul', source, p.op('Transpose', source, perm=order[:-2] + order[:-3:-1]))
    places = np.arange(n)
    lag = places[:, None] - places
    near = (lag <= far) & (lag >= (0 if r.random() < 0.5 else -far))
    if r.random() < 0.5:
        masked = p.op('Where', p.const(near), scores, p.const(np.float32(-9)))
    else:
        masked = p.op('Add', scores, p.const(np.where(near, 0, -9).astype(np.float32)))
    p.put(p.op('MatMul', p.op('Softmax', masked, axis=-1), source), axes)


@step(3)
def prefix(p, r):
    """Attention with constant rows in front, which every place sees; the mask is a constant or counted."""
    fit(len(p.axes) >= 2 and several(p)(p.axes[-2]))
    n, more, axes, source = p.n(p.axes[-2]), r.choice((1, 2, 3)), p.axes, p.x
    fit(p.was(axes[-2]) >= 3)
    rows = p.const(p.equal(r, [*axes[:-2], (more,), axes[-1]], True))
    keys = p.op('Concat', rows, source, axis=len(axes) - 2)
    order = list(range(len(axes)))
    scores = p.op('MatMul', source, p.op('Transpose', keys, perm=order[:-2] + order[:-3:-1]))
    if r.random() < 0.5:
        seen = p.const(np.tri(n, n + more, more) > 0)
    else:
        seen = p.op('LessOrEqual', p.const(np.arange(n + more)[None]), p.const(np.arange(n)[:, None] + more))
    masked = p.op('Where', seen, scores, p.const(np.float32(-9)))
    p.put(p.op('MatMul', p.op('Softmax', masked, axis=-1), keys), axes)


@step(4)
def pieces(p, r):
    """A symbol's axis cut into pieces of 2 or 3, or into 2 or 3 pieces, something done there, and put together again."""
    k = p.pick(r, several(p))
    fit(len(p.axes) <= 4)
    axis, part = p.axes[k], r.choice((2, 3))
    p.multiple(axis, part)
    inner = [(f'({axis[0]}//{part})',), (part,)]
    order = inner if r.random() < 0.7 else inner[::-1]
    source, axes = p.x, p.axes
    p.reshape(r, replaced(axes, k, *order))
    along = k + order.index((part,))
    if r.random() < 0.5:
        p.apply('Softmax', axis=along)
    else:
        p.apply('Mul', p.const(p.along(along, p.numbers(r, part))))
    p.reshape(r, axes)
    if r.random() < 0.5:
        p.apply('Add', source)


# Data as indices, windows over all.


@step(2)
def embed(p, r):
    """Rows of a constant by indices that are data."""
    k = p.pick(r, whole)
    fit(2 <= len(p.axes) <= 5)
    width = r.choice((2, 3, *p.old.values()))
    index = p.op('ArgMax', p.x, axis=k, keepdims=0)
    p.put(p.op('Gather', p.const(p.numbers(r, number(p.axes[k]), width)), index), [*without(p.axes, k), plain(width)])


@step(2)
def chosen(p, r):
    """The largest of each row, by its index."""
    k = p.pick(r, whole)
    index = p.op('ArgMax', p.op('Neg', p.x), axis=k, keepdims=1)
    p.apply('GatherElements', index, axis=k, axes=replaced(p.axes, k, ()))


@step(2)
def pool_all(p, r):
    """A window of the size of all axes."""
    fit(3 <= len(p.axes) <= 4 and whole(p.axes[1]) and all(p.axes[2:]))
    window = p.shape(p.axes[2:])
    p.apply(r.choice(('AveragePool', 'MaxPool')), kernel_shape=window, axes=p.axes[:2] + [()] * len(window))


@step(1)
def mean_by_hand(p, r):
    """A sum divided by the number of its terms."""
    k = p.pick(r, bool)
    fit(len(p.axes) > 1 and (not free(p.axes[k]) or p.was(p.axes[k]) > 2))
    total = p.op('ReduceSum', p.x, p.ints(k), keepdims=0)
    p.put(p.op('Div', total, p.const(np.float32(p.n(p.axes[k])))), without(p.axes, k))
