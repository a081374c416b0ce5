"""Steps of random programs: shapes, elementwise operators, operators along one axis, products.  See programs.py."""

import numpy as np

from programs import fit, number, plain, pure, replaced, step, whole, without

# Reshape, Transpose, Squeeze.


@step(6)
def merge(p, r):
    fit(len(p.axes) > 1)
    k = r.randrange(len(p.axes) - 1)
    p.reshape(r, p.axes[:k] + [p.axes[k] + p.axes[k + 1]] + p.axes[k + 2 :])


@step(5)
def cut(p, r):
    k = p.pick(r, lambda a: len(a) > 1)
    j = r.randrange(1, len(p.axes[k]))
    p.reshape(r, replaced(p.axes, k, p.axes[k][:j], p.axes[k][j:]))


@step(2)
def cut_number(p, r):
    k = p.pick(r, lambda a: len(a) == 1 and whole(a) and number(a) % 2 == 0 and number(a) > 2)
    half = number(p.axes[k]) // 2
    parts = [(2,), (half,)] if r.random() < 0.5 else [(half,), (2,)]
    p.reshape(r, replaced(p.axes, k, *parts))


@step(2)
def one(p, r):
    k = r.randrange(len(p.axes) + 1)
    p.reshape(r, p.axes[:k] + [()] + p.axes[k:])


@step(2)
def drop_one(p, r):
    k = p.pick(r, lambda a: a == ())
    fit(len(p.axes) > 1)
    p.reshape(r, without(p.axes, k))


@step(2)
def regroup(p, r):
    """All factors in order, cut anew."""
    factors = [f for a in p.axes for f in a]
    fit(len(factors) > 1)
    axes, place = [], 0
    while place < len(factors):
        step = r.choice((1, 1, 2, 3))
        axes.append(tuple(factors[place : place + step]))
        place += step
    p.reshape(r, axes)


@step(2)
def flatten(p, r):
    k = r.randrange(len(p.axes) + 1)
    flat = [tuple(f for a in part for f in a) for part in (p.axes[:k], p.axes[k:])]
    p.apply('Flatten', axis=k, axes=flat)


@step(7)
def transpose(p, r):
    order = list(range(len(p.axes)))
    r.shuffle(order)
    p.apply('Transpose', perm=order, axes=[p.axes[i] for i in order])


@step(2)
def unsqueeze(p, r):
    k = r.randrange(len(p.axes) + 1)
    p.apply('Unsqueeze', p.ints(k), axes=p.axes[:k] + [()] + p.axes[k:])


@step(2)
def squeeze(p, r):
    k = p.pick(r, lambda a: a == ())
    fit(len(p.axes) > 1)
    p.apply('Squeeze', p.ints(k), axes=without(p.axes, k))


# Elementwise.


@step(3)
def unary(p, r):
    p.apply(r.choice(('Tanh', 'Sigmoid', 'Softplus', 'Erf', 'Neg', 'Abs', 'Identity')))


@step(2)
def scalar(p, r):
    p.apply(r.choice(('Mul', 'Add', 'Div')), p.const(np.float32(r.choice((0.5, 2.5, 1.25, -0.75)))))


@step(1)
def sized(p, r):
    """By the size of an axis that the program reads: no repair can see that, so it must be told."""
    k = p.pick(r, lambda a: pure(a) and a[0] in p.old and p.old[a[0]] in (3, 5, 6))
    p.used.add(p.axes[k][0])
    n = np.float32(p.n(p.axes[k]))
    if r.random() < 0.5:
        p.apply('Div', p.const(n))
    else:
        p.apply('Mul', p.const(np.float32(1) / n))


@step(4)
def constant(p, r):
    """With a constant that is equal along the symbols, written out along them or not."""
    full = r.random() < 0.5
    start = r.randrange(len(p.axes)) if r.random() < 0.4 else 0
    axes = [() if r.random() < 0.3 else a for a in p.axes[start:]]
    p.apply(r.choice(('Add', 'Mul', 'Sub', 'Max')), p.const(p.equal(r, axes, full)))


@step(2)
def mask(p, r):
    chosen = p.const(p.equal(r, p.axes, r.random() < 0.5) > 0)
    other = p.const(np.float32(-2)) if r.random() < 0.5 else p.op('Tanh', p.x)
    p.put(p.op('Where', chosen, p.x, other), p.axes)


@step(1)
def threshold(p, r):
    low = p.op('Less', p.x, p.const(np.float32(0.1)))
    p.put(p.op('Where', low, p.const(p.equal(r, p.axes, r.random() < 0.4)), p.x), p.axes)


@step(4)
def join(p, r):
    """With an earlier value of the same axes."""
    found = [v for v in p.values[:-1] if v.axes == p.axes]
    fit(found)
    p.apply(r.choice(('Add', 'Mul', 'Sub')), r.choice(found).name)


@step(2)
def back(p, r):
    """Go on with an earlier value."""
    fit(len(p.values) > 2)
    value = r.choice(p.values[:-1])
    p.put(p.op('Tanh', value.name), value.axes)


@step(2)
def gate(p, r):
    """A second input along the symbols, as a factor."""
    fit(len(p.inputs) < 3)
    places = [i for i, a in enumerate(p.axes) if pure(a) and a[0] in p.old and (r.random() < 0.7)]
    fit(places and len({p.axes[i] for i in places}) == len(places))
    name = f'y{len(p.inputs)}'
    p.input(name, [p.axes[i] for i in places], r.choice(('f', 'mask')))
    if r.random() < 0.5:
        shape = [p.n(a) if i in places else 1 for i, a in enumerate(p.axes)]
        if r.random() < 0.4:
            shape[places[0]] = -1
        other = p.op('Reshape', name, p.ints(*shape))
    else:
        other = p.op('Unsqueeze', name, p.ints(*[i for i in range(len(p.axes)) if i not in places]))
    p.apply('Mul', other)


# Along one axis.


@step(3)
def softmax(p, r):
    k = p.pick(r, whole if r.random() < 0.75 else bool)
    p.apply('Softmax', axis=k)


@step(3)
def reduce(p, r):
    k = p.pick(r, whole if r.random() < 0.7 else bool)
    keep = r.randrange(2)
    fit(keep or len(p.axes) > 1)
    kind = r.choice(('ReduceMean', 'ReduceMax', 'ReduceL2', 'ReduceMin'))
    p.put(p.op(kind, p.x, axes=[k], keepdims=keep), replaced(p.axes, k, ()) if keep else without(p.axes, k))


@step(1)
def mean_by_hand(p, r):
    """A sum, and a number for the count."""
    k = p.pick(r, whole if r.random() < 0.6 else pure)
    n = np.float32(p.n(p.axes[k]))
    total = p.op('ReduceSum', p.x, p.ints(k), keepdims=1)
    if pure(p.axes[k]):
        fit(p.old.get(p.axes[k][0], 1) >= 3)
        p.used.add(p.axes[k][0])
    p.put(p.op('Div', total, p.const(n)), replaced(p.axes, k, ()))


@step(2)
def centre(p, r):
    """Minus its own mean, along one or two axes."""
    fit(p.axes)
    axes = sorted({r.randrange(len(p.axes)) for _ in range(r.choice((1, 1, 2)))})
    p.apply('Sub', p.op('ReduceMean', p.x, axes=axes, keepdims=1))


@step(2)
def layer_norm(p, r):
    fit(p.axes and whole(p.axes[-1]))
    d = number(p.axes[-1])
    p.apply('LayerNormalization', p.const(p.numbers(r, d)), p.const(p.numbers(r, d)), axis=-1)


@step(1)
def cumsum(p, r):
    k = p.pick(r, bool)
    p.apply('CumSum', p.const(np.int64(k)))
    p.apply('Tanh')


@step(1)
def top(p, r):
    k = p.pick(r, lambda a: whole(a) and number(a) >= 2)
    count = r.randrange(1, number(p.axes[k]) + 1)
    values, _ = p.op('TopK', p.x, p.ints(count), outputs=2, axis=k)
    p.put(values, replaced(p.axes, k, plain(count)))


@step(1)
def best(p, r):
    k = p.pick(r, lambda a: whole(a) or pure(a) and r.random() < 0.3)
    fit(len(p.axes) > 1)
    p.put(p.op('Cast', p.op('ArgMax', p.x, axis=k, keepdims=0), to=1), without(p.axes, k))


# Products.


def turn(p):
    """The order that swaps the last two axes."""
    order = list(range(len(p.axes)))
    return order[:-2] + order[:-3:-1]


@step(4)
def weight(p, r):
    fit(p.axes and whole(p.axes[-1]))
    d = number(p.axes[-1])
    out = r.choice((d, 2, 4, *p.old.values()))
    p.apply('MatMul', p.const(p.numbers(r, d, out) / np.float32(d) ** 0.5), axes=p.axes[:-1] + [plain(out)])


@step(4)
def gemm(p, r):
    fit(len(p.axes) == 2 and whole(p.axes[1]))
    d, out = number(p.axes[1]), r.choice((2, 3, *p.old.values()))
    words = {'transB': 1} if r.random() < 0.5 else {}
    w = p.numbers(r, *((out, d) if words else (d, out)))
    p.apply('Gemm', p.const(w), p.const(p.numbers(r, out)), axes=[p.axes[0], plain(out)], **words)


@step(2)
def outer(p, r):
    """With its own transpose: attention without weights."""
    fit(len(p.axes) >= 2)
    order = turn(p)
    turned = p.op('Transpose', p.x, perm=order)
    if r.random() < 0.6:
        p.apply('MatMul', turned, axes=p.axes[:-1] + [p.axes[-2]])
    else:
        p.put(p.op('MatMul', turned, p.x), p.axes[:-2] + [p.axes[-1], p.axes[-1]])
    p.apply('Tanh')


@step(2)
def attend(p, r):
    """softmax(x x') x over the last two axes."""
    fit(len(p.axes) >= 2)
    scores = p.op('Softmax', p.op('MatMul', p.x, p.op('Transpose', p.x, perm=turn(p))), axis=-1)
    p.put(p.op('MatMul', scores, p.x), p.axes)


@step(2)
def attend_scaled(p, r):
    """The same, with the scores, or one side, divided by the root of the last size."""
    fit(len(p.axes) >= 2 and whole(p.axes[-1]))
    scale, how = p.const(np.float32(number(p.axes[-1])) ** np.float32(-0.5)), r.randrange(3)
    left = p.op('Mul', p.x, scale) if how == 0 else p.x
    right = p.op('Transpose', p.op('Mul', scale, p.x) if how == 1 else p.x, perm=turn(p))
    scores = p.op('MatMul', left, right)
    scores = p.op('Mul', scores, scale) if how == 2 else scores
    p.put(p.op('MatMul', p.op('Softmax', scores, axis=-1), p.x), p.axes)


@step(1)
def einsum(p, r):
    fit(len(p.axes) >= 2 and whole(p.axes[-1]))
    letters = 'abcdef'[: len(p.axes)]
    d = number(p.axes[-1])
    equation = f'{letters},{letters[-1]}z->{letters[:-1]}z'
    p.put(p.op('Einsum', p.x, p.const(p.numbers(r, d, 3)), equation=equation), p.axes[:-1] + [(3,)])
