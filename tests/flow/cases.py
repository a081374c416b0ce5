"""Random nodes for the test of folded constants: each returns its inputs, attributes and number of outputs."""

import numpy as np

FLOATS = ('float32', 'float64', 'float16')
INTS = ('int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64')
CASES = {}


def case(*names, since=1):
    def add(make):
        for name in names:
            CASES[name] = (make, since)
        return make
    return add


class Node:
    """A node to be: arrays (or None) as inputs, attributes, outputs; `exact`: bits must agree."""

    def __init__(self, inputs, attrs=None, outputs=1, exact=True):
        self.inputs = inputs
        self.attrs = attrs or {}
        self.outputs = outputs
        self.exact = exact


class Random:
    def __init__(self, rng, opset):
        self.rng = rng
        self.opset = opset

    def below(self, n):
        return int(self.rng.integers(n))

    def pick(self, options):
        return options[self.below(len(options))]

    def shape(self, least=0, most=4, low=1, high=5):
        return [int(self.rng.integers(low, high)) for _ in range(int(self.rng.integers(least, most + 1)))]

    def array(self, dtype, shape, low=-4, high=5):
        if dtype == 'bool':
            return self.rng.integers(0, 2, shape).astype(bool)
        if dtype in INTS:
            low = max(low, 0) if dtype.startswith('u') else low
            return self.rng.integers(low, high, shape).astype(dtype)
        return np.asarray(self.rng.uniform(low, high, shape)).astype(dtype)

    def wide(self, dtype, shape):
        """Integers that overflow, floats of any size."""
        if dtype in INTS:
            i = np.iinfo(dtype)
            return self.rng.integers(i.min, i.max, shape, dtype=dtype, endpoint=True)
        return np.asarray(self.rng.normal(0, 1, shape) * 10.0 ** self.rng.integers(-3, 4, shape)).astype(dtype)

    def broadcast(self, shape):
        """A shape that broadcasts to this one."""
        out = [d if self.below(3) else 1 for d in shape]
        return out[self.below(len(out) + 1):] if out and not self.below(3) else out

    def axes(self, rank, least=0):
        count = int(self.rng.integers(least, rank + 1))
        axes = self.rng.permutation(rank)[:count]
        return [int(a) - (rank if self.below(3) == 0 else 0) for a in axes]

    def axis(self, rank):
        return int(self.rng.integers(-rank, rank))


def ints(values):
    return np.array(values, dtype=np.int64)


@case('Abs', 'Neg', 'Sign', 'Relu', since=13)
def plain(r, op):
    types = FLOATS + ('int32', 'int64', 'int8') + (() if op != 'Sign' else INTS)
    return Node([r.wide(r.pick(types), r.shape())])


@case('Floor', 'Ceil', 'Round', 'Reciprocal', 'Sqrt', since=11)
def rounded(r, op):
    x = r.wide(r.pick(FLOATS), r.shape())
    if op == 'Round' and r.below(2):
        x = (np.round(x * 2) / 2).astype(x.dtype)
    return Node([np.abs(x) if op == 'Sqrt' else x])


@case('Exp', 'Log', 'Sin', 'Cos', 'Tan', 'Atan', 'Sinh', 'Cosh', 'Asinh', 'Tanh', 'Sigmoid', 'Erf', 'Softplus',
      'Softsign', 'Elu', 'Selu', 'LeakyRelu', 'HardSigmoid', 'ThresholdedRelu', since=9)
def smooth(r, op):
    x = r.array(r.pick(FLOATS), r.shape())
    attrs = {}
    if op in ('Elu', 'LeakyRelu', 'HardSigmoid', 'ThresholdedRelu') and r.below(2):
        attrs['alpha'] = 0.7
    return Node([np.abs(x) if op == 'Log' else x], attrs, exact=False)


@case('Celu', since=12)
@case('HardSwish', since=14)
@case('Mish', since=18)
@case('Gelu', since=20)
def smoother(r, op):
    attrs = {'approximate': r.pick(['none', 'tanh'])} if op == 'Gelu' else {}
    return Node([r.array('float32', r.shape())], attrs, exact=False)


@case('Asin', 'Acos', 'Acosh', 'Atanh', since=9)
def bounded(r, op):
    return Node([r.array('float32', r.shape(), *((1, 9) if op == 'Acosh' else (-1, 1)))], exact=False)


@case('IsNaN', 'IsInf', since=10)
def odd(r, op):
    x = r.array('float32', r.shape(1, 3))
    x[r.rng.random(x.shape) < 0.3] = np.nan
    x[r.rng.random(x.shape) < 0.3] = -np.inf
    return Node([x], {'detect_negative': r.below(2)} if op == 'IsInf' else {})


@case('Not')
def negated(r, op):
    return Node([r.array('bool', r.shape())])


@case('BitwiseNot', since=18)
def bits_negated(r, op):
    return Node([r.wide(r.pick(INTS), r.shape())])


def two(r, dtype, make):
    shape = r.shape() if r.below(8) else r.shape(1, 4, 0)
    both = [make(dtype, shape), make(dtype, r.broadcast(shape))]
    return both if r.below(2) else both[::-1]


@case('Add', 'Sub', 'Mul', since=14)
def arithmetic(r, op):
    dtype = r.pick(FLOATS + INTS)
    return Node(two(r, dtype, r.wide))


@case('PRelu', since=9)
def sloped(r, op):
    shape = r.shape(1, 4)
    return Node([r.array('float32', shape), r.array('float32', r.broadcast(shape))])


@case('Div', since=14)
def divided(r, op):
    dtype = r.pick(FLOATS + INTS)
    a, b = two(r, dtype, r.wide)
    return Node([a, np.where((b == 0) | (b == -1 if not dtype.startswith('u') else False), np.array(3, dtype), b)])


@case('Mod', since=13)
def remainder(r, op):
    dtype = r.pick(('float32', 'float64') + INTS)
    a, b = two(r, dtype, lambda d, s: r.array(d, s, -40, 41))
    b = np.where(b == 0, np.array(7, dtype), b)
    fmod = 1 if dtype in FLOATS else r.below(2)
    return Node([a, b], {'fmod': fmod}, exact=dtype in INTS)


@case('Pow', since=13)
def power(r, op):
    base, other = r.pick(('float32', 'float64', 'int32', 'int64')), r.pick(('float32', 'float64', 'int32', 'int64'))
    shape = r.shape()
    low = 0 if base in INTS else -2
    return Node([r.array(base, shape, 0 if other in FLOATS else -3, 5) + np.array(base in FLOATS, base),
                 np.abs(r.array(other, r.broadcast(shape), low, 4))], exact=base in INTS)


@case('And', 'Or', 'Xor', since=7)
def logic(r, op):
    return Node(two(r, 'bool', r.array))


@case('BitwiseAnd', 'BitwiseOr', 'BitwiseXor', since=18)
def bits(r, op):
    return Node(two(r, r.pick(INTS), r.wide))


@case('BitShift', since=11)
def shifted(r, op):
    dtype = r.pick(('uint8', 'uint32', 'uint64'))
    a, b = two(r, dtype, r.wide)
    return Node([a, b % np.array(8, dtype)], {'direction': r.pick(['LEFT', 'RIGHT'])})


@case('Equal', 'Greater', 'Less', since=13)
@case('GreaterOrEqual', 'LessOrEqual', since=16)
def compared(r, op):
    return Node(two(r, r.pick(('float32', 'float64', 'int32', 'int64')), lambda d, s: np.trunc(r.array(d, s)).astype(d)))


@case('Sum', 'Min', 'Max', 'Mean', since=13)
def several(r, op):
    dtype = r.pick(('float32', 'float64') if op in ('Sum', 'Mean') else ('float32', 'float64', 'int32', 'int64', 'uint64'))
    shape = r.shape()
    return Node([r.wide(dtype, shape if i == 0 else r.broadcast(shape)) for i in range(1 + r.below(4))],
                exact=op in ('Min', 'Max'))


@case('Where', since=9)
def chosen(r, op):
    shape, dtype = r.shape(), r.pick(('float32', 'int64', 'uint8', 'float64', 'int32'))
    return Node([r.array('bool', r.broadcast(shape)), r.wide(dtype, r.broadcast(shape)), r.wide(dtype, shape)])


@case('Clip', since=6)
def clipped(r, op):
    if r.opset < 11:
        return Node([r.array('float32', r.shape())], {'min': -1.5, 'max': 2.0} if r.below(2) else {'max': 1.0})
    dtype = r.pick(('float32', 'float64') + (('int64', 'int32', 'uint8') if r.opset >= 12 else ()))
    low, high = np.array(1, dtype), np.array(3, dtype)
    return Node([r.array(dtype, r.shape(), -9, 9)] + r.pick([[low, high], [None, high], [low], [low, None], []]))


@case('Cast', since=13)
def cast(r, op):
    a, b = r.pick(FLOATS + INTS + ('bool', 'bfloat16')), r.pick(FLOATS + INTS + ('bool', 'bfloat16'))
    source = 'float32' if a == 'bfloat16' else a
    if a in INTS and r.below(2):
        x = r.wide(source, r.shape())
    else:
        unsigned = b.startswith('u')
        x = r.array(source, r.shape(), 0 if unsigned else -100, 100)
    return Node([(x, a) if a == 'bfloat16' else x], {'to': b})


@case('CastLike', since=15)
def cast_like(r, op):
    return Node([r.array(r.pick(('float32', 'int64', 'float16')), r.shape(), 0, 90),
                 r.array(r.pick(('float32', 'int64', 'uint8', 'bool')), [2])])


@case('Identity')
def same(r, op):
    return Node([r.wide(r.pick(FLOATS + INTS), r.shape())])


@case('Dropout', since=13)
def dropped(r, op):
    return Node([r.wide('float32', r.shape())], outputs=1 + r.below(2))


@case('Constant', since=13)
def constant(r, op):
    kind = r.pick(['value_int', 'value_float', 'value_ints', 'value_floats', 'value'])
    value = {'value_int': r.below(99), 'value_float': r.rng.random(), 'value_ints': [r.below(9) for _ in range(1 + r.below(5))],
             'value_floats': [float(x) for x in r.rng.random(1 + r.below(5))],
             'value': r.wide(r.pick(FLOATS + INTS), r.shape())}[kind]
    return Node([], {kind: value})


@case('ConstantOfShape', since=9)
def filled(r, op):
    value = {'value': r.wide(r.pick(FLOATS + INTS), [1])} if r.below(3) else {}
    return Node([ints(r.shape(0, 4, 0))], value)


@case('Range', since=11)
def counted(r, op):
    dtype = r.pick(('int64', 'int32', 'int16', 'float32', 'float64'))
    start, step = r.array(dtype, [], -9, 9), r.array(dtype, [], 1, 5) * np.array(r.pick([1, -1]), dtype)
    return Node([start, (start + step * np.array(r.below(9), dtype)).astype(dtype) if r.below(2) else
                 r.array(dtype, [], -9, 9), step.astype(dtype)], exact=dtype in INTS)


@case('EyeLike', since=9)
def eye(r, op):
    return Node([r.array(r.pick(('float32', 'int64')), r.shape(2, 2))],
                {'k': r.below(7) - 3, **({'dtype': r.pick(['float32', 'int64', 'float64'])} if r.below(2) else {})})


@case('Trilu', since=14)
def triangle(r, op):
    return Node([r.wide(r.pick(('float32', 'int64', 'float64')), r.shape(2, 4))] + ([np.array(r.below(7) - 3)] if r.below(2) else []), {'upper': r.below(2)})
