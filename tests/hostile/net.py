"""Builds models node by node, and registers families of them.

A family is a function from a size to the bytes of a model.  Its largest model stays below 1 MB.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'models'))
from build import (BOOL, DOUBLE, FLOAT, INT32, INT64, STRING, UINT8, attribute, bools, external_tensor, float_tensor,  # noqa: F401
                   floats, function, graph, int_tensor, ints, map_type, message, model, node, optional_type, packed_ints, reference,
                   sequence_type, shape, sparse_tensor, sparse_type, strings, tensor, tensor_type, value)
from wire import data, integer, packed, varints  # noqa: F401

LARGEST = 1_000_000
FAMILIES = {}


class Family:
    """`sizes` grow; the test uses the one at `ci`, under a sanitizer the one before.

    `tensor` is explained, `other` makes what fit compares with.
    """

    def __init__(self, make, sizes, ci, tensor, other):
        self.make, self.sizes, self.tensor, self.other = make, sizes, tensor, other
        self.name = make.__name__
        self.ci, self.sanitized = sizes[ci], sizes[max(0, range(len(sizes))[ci] - 1)]


def family(*sizes, ci=1, tensor='y', other=None):
    def register(make):
        assert make.__name__ not in FAMILIES, make.__name__
        FAMILIES[make.__name__] = Family(make, sizes, ci, tensor, other)
        return make
    return register


class Net:
    """A graph that grows: every call adds a node and returns the name of its output."""

    def __init__(self, *inputs, prefix=''):
        self.nodes, self.inputs, self.constants, self.values, self.outputs = [], list(inputs), [], [], []
        self.prefix = prefix
        self.numbers = {}

    def new(self, stem='t'):
        number = self.numbers[stem] = self.numbers.get(stem, -1) + 1
        return f'{self.prefix}{stem}{number}'

    def __call__(self, op, *inputs, out=None, name=None, domain=None, **attributes):
        out = out or self.new()
        self.nodes.append(node(op, list(inputs), [out] if isinstance(out, str) else out, name or f'{op}_{len(self.nodes)}',
                               domain, **attributes))
        return out

    def input(self, name, *dims, make=floats):
        self.inputs.append(make(name, *dims))
        return name

    def ints(self, *numbers, dims=None):
        name = self.new('i')
        self.constants.append(int_tensor(name, [len(numbers)] if dims is None else dims, numbers))
        return name

    def scalar(self, number):
        return self.ints(number, dims=[])

    def floats(self, dims, *numbers):
        name = self.new('w')
        count = 1
        for d in dims:
            count *= d
        self.constants.append(float_tensor(name, dims, numbers or [0.5] * count))
        return name

    def body(self, *outputs):
        return graph('b', self.nodes, self.inputs, [o if isinstance(o, bytes) else value(o) for o in outputs], self.constants)

    def model(self, *outputs, **more):
        """The last output is renamed to y by an Identity, so that every family has a y."""
        last = outputs[-1]
        self('Identity', last, out='y')
        outputs = [*outputs[:-1], 'y']
        return model(graph('g', self.nodes, self.inputs, [value(o) for o in outputs], self.constants, self.values), **more)


def call(name, inputs, outputs, label=None):
    return node(name, inputs, outputs, label or name, 'local')


LOCAL = {'': 17, 'local': 1}
