"""Random programs that can be built at any size, so that the right repair of one is known.

An axis is a tuple of factors, the most significant first: numbers, and expressions of the symbols b and s such as 'b' or
'(s+1)'; () is an axis of size 1.  A program is a list of steps (name, seed).  A step chooses everything else by its seed and by
the axes of the tensor that it continues, and does nothing where it does not fit: a program stays one when steps are dropped.
What depends on a size is written as a number of that size, as exporters do.  Needs numpy and onnx.
"""

import dataclasses
import math
import random

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT
LONGEST = 1 << 14  # elements at the old sizes
OPSETS = {'': 17, 'com.microsoft': 1, 'local': 1}


@dataclasses.dataclass
class Program:
    axes: list  # of the input x
    old: dict  # symbol -> size
    steps: list

    def drop(self, index):
        return Program(self.axes, self.old, self.steps[:index] + self.steps[index + 1 :])


@dataclasses.dataclass
class Value:
    name: str
    axes: list


STEPS, WEIGHTS = {}, {}


def step(weight):
    """Registers a function that takes a Build and a random.Random."""

    def take(function):
        STEPS[function.__name__], WEIGHTS[function.__name__] = function, weight
        return function

    return take


def known():
    """Both tables, once the files with the steps are loaded; they use this one."""
    import program_bodies  # noqa: F401
    import program_kinds  # noqa: F401
    import program_places  # noqa: F401
    import program_steps  # noqa: F401
    import program_tables  # noqa: F401

    return STEPS, WEIGHTS


class Unfit(Exception):
    """A step that does not fit here."""


def fit(condition):
    if not condition:
        raise Unfit


def free(axis):
    """Does it grow with a symbol?"""
    return any(isinstance(f, str) for f in axis)


def pure(axis):
    """Is it one symbol or a sum, not a product?"""
    return len(axis) == 1 and isinstance(axis[0], str)


def whole(axis):
    """Is it a number greater than 1?"""
    return bool(axis) and not free(axis)


def number(axis):
    return math.prod(axis)


def plain(n):
    return (n,) if n > 1 else ()


def size(axis, sizes):
    return math.prod(f if isinstance(f, int) else eval(f, {}, sizes) for f in axis)


def without(axes, k):
    return axes[:k] + axes[k + 1 :]


def replaced(axes, k, *new):
    return axes[:k] + list(new) + axes[k + 1 :]


def several(p):
    """Symbols of which the export has more than one row: in a row alone, nobody can see that it is one of a table."""
    return lambda axis: pure(axis) and p.was(axis) >= 2


class Build:
    """One program at one size: nodes, constants, values."""

    def __init__(self, program, sizes):
        self.program, self.sizes, self.old = program, sizes, program.old
        self.nodes, self.constants, self.inputs, self.values = [], [], [], []
        self.kinds, self.least, self.most, self.count, self.applied = {}, {}, {}, 0, []
        self.functions, self.inline, self.inside, self.parts = [], False, 0, {}
        self.used = set()  # symbols whose size is a number in the data
        self.input('x', program.axes, 'f')
        for index, (name, seed) in enumerate(program.steps):
            self.step(index, name, seed)

    def step(self, index, name, seed):
        if self.try_step(name, seed):
            self.applied.append(index)

    def try_step(self, name, seed):
        """Leaves nothing behind where the step does not fit."""
        lists = self.nodes, self.constants, self.values, self.inputs, self.functions
        marks, state = [len(x) for x in lists], (self.inline, self.inside)
        try:
            known()[0][name](self, random.Random(seed))
            fit(math.prod(size(a, self.old) for a in self.axes) <= LONGEST and (not self.inside) <= len(self.axes) <= 6)
            return True
        except Unfit:
            for x, mark in zip(lists, marks):
                del x[mark:]
            self.inline, self.inside = state
            return False

    # What the steps use.

    @property
    def axes(self):
        return self.values[-1].axes

    @property
    def x(self):
        return self.values[-1].name

    def n(self, axis):
        return size(axis, self.sizes)

    def was(self, axis):
        return size(axis, self.old)

    def shape(self, axes=None):
        return [self.n(a) for a in (self.axes if axes is None else axes)]

    def pick(self, r, test, last=False):
        """One of the axes that pass."""
        found = [i for i, a in enumerate(self.axes) if test(a)]
        fit(found)
        return found[-1] if last else r.choice(found)

    def at_least(self, axis, least):
        """The size of a pure axis must not fall below: exports of smaller sizes would be other programs."""
        fit(self.was(axis) >= least)
        text = axis[0]
        for symbol in self.old:
            if symbol in text:
                for n in range(1, 64):
                    if eval(text, {}, {**self.old, symbol: n}) >= least:
                        self.least[symbol] = max(self.least.get(symbol, 1), n)
                        break

    def at_most(self, axis, rows):
        """A table ends there."""
        fit(self.was(axis) <= rows)
        for symbol in self.old:
            sizes = [n for n in range(1, 64) if symbol in axis[0] and eval(axis[0], {}, {**self.old, symbol: n}) <= rows]
            if sizes and sizes[-1] < 63:
                self.most[symbol] = min(self.most.get(symbol, 63), sizes[-1])

    def multiple(self, axis, part):
        """A symbol's axis is cut into pieces of this size, or into as many."""
        fit(axis[0] in self.old and self.was(axis) % part == 0 and self.was(axis) > part)
        self.parts[axis[0]] = math.lcm(self.parts.get(axis[0], 1), part)

    def input(self, name, axes, kind):
        self.inputs.append(Value(name, list(axes)))
        self.kinds[name] = kind
        if name == 'x':
            self.values.append(Value(name, list(axes)))

    def fresh(self, word):
        self.count += 1
        return f'{word}{self.count}'

    def const(self, array):
        array = np.array(array)  # not a view; keeps scalars scalars
        name = self.fresh('c')
        if self.count % 3 and not self.inline:
            self.constants.append(numpy_helper.from_array(array, name))
        else:
            self.nodes.append(helper.make_node('Constant', [], [name], name='n_' + name, value=numpy_helper.from_array(array)))
        return name

    def ints(self, *values):
        return self.const(np.array(values, np.int64))

    def op(self, kind, *inputs, outputs=1, **words):
        names = [self.fresh('t') for _ in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=f'{kind}_{names[0]}', **words))
        return names[0] if outputs == 1 else names

    def put(self, name, axes):
        self.values.append(Value(name, [tuple(a) for a in axes]))

    def apply(self, kind, *inputs, axes=None, **words):
        """An operator on the current value."""
        self.put(self.op(kind, self.x, *inputs, **words), self.axes if axes is None else axes)

    def equal(self, r, axes, full):
        """Numbers that are equal along the symbols; FULL: written out along them too."""
        rng = np.random.default_rng(r.randrange(1 << 32))
        if not full:
            return rng.standard_normal([1 if free(a) else number(a) for a in axes]).astype(np.float32)
        factors = [f for a in axes for f in a]
        data = rng.standard_normal([1 if isinstance(f, str) else f for f in factors]).astype(np.float32)
        return np.broadcast_to(data, [self.n((f,)) for f in factors]).reshape(self.shape(axes))

    def numbers(self, r, *shape):
        return np.random.default_rng(r.randrange(1 << 32)).standard_normal(shape).astype(np.float32)

    def along(self, axis, array):
        """A one-dimensional constant, or one with a row for each place of the axis, as an operand of the current value."""
        shape = [1] * len(self.axes)
        shape[axis] = array.shape[0]
        return array.reshape(shape)

    def size_of(self, axis):
        """Nodes that compute a size, or None: from the current value or from an input."""
        for value in [self.values[-1], *self.inputs]:
            if axis in value.axes:
                place = value.axes.index(axis)
                return self.op('Gather', self.op('Shape', value.name), self.ints(place), axis=0)
        return None

    def target(self, r, axes):
        """The second input of Reshape or Expand: numbers, or some entries computed."""
        if not axes or r.random() < 0.7:
            return self.ints(*self.shape(axes))
        computed = [free(a) and r.random() < 0.6 for a in axes]
        parts = [(self.size_of(a) if c else None) or self.ints(self.n(a)) for a, c in zip(axes, computed)]
        return self.op('Concat', *parts, axis=0)

    def reshape(self, r, axes):
        axes = [tuple(a) for a in axes]
        how, place = r.random(), r.randrange(len(axes)) if axes else 0
        sizes = self.shape(axes)
        if how < 0.35 and axes:
            sizes[place] = -1
        elif how < 0.5:
            same = [a == b for a, b in zip(axes, self.axes)]
            sizes = [0 if i < len(same) and same[i] and r.random() < 0.7 else n for i, n in enumerate(sizes)]
        target = self.target(r, axes) if how >= 0.5 else self.ints(*sizes)
        self.apply('Reshape', target, axes=axes)

    # The result.

    def model(self):
        """With fixed sizes everywhere, as an export has them."""
        results = [self.values[-1]]
        pick = random.Random(len(self.applied))
        if len(self.values) > 3 and pick.random() < 0.4:
            other = pick.choice(self.values[1:-1])
            results += [other] if other.name != results[0].name else []
        graph = helper.make_graph(
            self.nodes,
            'program',
            [helper.make_tensor_value_info(i.name, FLOAT, self.shape(i.axes)) for i in self.inputs],
            [helper.make_tensor_value_info(v.name, FLOAT, self.shape(v.axes)) for v in results],
            self.constants,
        )
        opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8, functions=self.functions)

    def asked(self):
        return [f'{i.name}:{k}={a[0]}' for i in self.inputs for k, a in enumerate(i.axes) if free(a)]

    def feeds(self, seed, sizes=None):
        rng, out = np.random.default_rng(seed), {}
        for i in self.inputs:
            data = rng.standard_normal([size(a, sizes or self.sizes) for a in i.axes]).astype(np.float32)
            out[i.name] = (data > 0.2).astype(np.float32) if self.kinds[i.name] == 'mask' else data
        return out


def generate(seed):
    """A program: one or two symbols, other sizes that coincide with theirs more often than not."""
    r = random.Random(seed)
    old = {'b': r.choice((1, 1, 2, 3, 4, 5, 6))}
    if r.random() < 0.35:
        old['s'] = r.choice((old['b'], 1, 2, 3, 4, 5, 6))
    likely = [n for n in old.values() if n > 1] or [2]
    axes = [plain(r.choice((r.choice(likely), 2 * r.choice(likely), 1, 2, 3, 4, 6))) for _ in range(r.choice((1, 2, 2, 3)))]
    for symbol in old:
        axes.insert(r.randrange(len(axes) + 1), (symbol,))
    names, weights = zip(*known()[1].items())
    steps = [(name, r.randrange(1 << 32)) for name in r.choices(names, weights, k=r.choice((3, 5, 8, 12)))]
    return Program(axes, old, steps)
