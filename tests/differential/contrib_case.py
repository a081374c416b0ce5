"""A small model of one operator with sizes at which it should run, and what is changed about them."""

import random
import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper

MS = 'com.microsoft'
ML = 'ai.onnx.ml'
TYPES = {'float32': TensorProto.FLOAT, 'float16': TensorProto.FLOAT16, 'int32': TensorProto.INT32,
         'int64': TensorProto.INT64, 'int16': TensorProto.INT16, 'uint8': TensorProto.UINT8, 'int8': TensorProto.INT8,
         'bool': TensorProto.BOOL, 'object': TensorProto.STRING, 'float64': TensorProto.DOUBLE}


class Input:
    def __init__(self, name, dims, dtype, low, high, values, constant):
        self.name, self.dims, self.dtype, self.constant = name, list(dims), dtype, constant
        self.low, self.high, self.values = low, high, values

    def fill(self, dims):
        if self.values is not None:
            return np.resize(np.array(self.values, self.dtype), dims)
        r = np.random.default_rng(zlib.crc32(repr((self.name, dims)).encode()))
        if self.dtype == 'object':
            return np.array(r.choice(['a', 'b c', 'd'], dims), dtype=object)
        if self.dtype.startswith('float'):
            return r.uniform(self.low, self.high, dims).astype(self.dtype)
        return r.integers(self.low, self.high + 1, dims).astype(self.dtype)


class Case:
    """Collects the inputs, constants and nodes of one model."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.inputs, self.constants, self.nodes = [], [], []
        self.opset, self.ml, self.ir = 17, 3, 8
        self.alias = {}  # outputs that share the memory of an input
        self.pool = [2, 3, 4, 5, 6, 7]
        self.r.shuffle(self.pool)

    def size(self):
        """A size that no other axis of this case has, while there are any."""
        return self.pool.pop() if self.pool else self.r.randint(2, 7)

    def sizes(self, count):
        return [self.size() for _ in range(count)]

    def one(self, *options):
        return self.r.choice(options)

    def chance(self, p=0.5):
        return self.r.random() < p

    def x(self, dims, dtype='float32', low=None, high=None, values=None, constant=False):
        if low is None:
            low, high = (-1, 1) if dtype.startswith('float') else (0, 1)
        self.inputs.append(Input(f'i{len(self.inputs)}', dims, dtype, low, high, values,
                                 constant))
        return self.inputs[-1].name

    def maybe(self, dims, *rest, **named):
        return self.x(dims, *rest, **named) if self.chance() else ''

    def c(self, values, dtype='float32'):
        name = f'c{len(self.constants)}'
        self.constants.append(onnx.numpy_helper.from_array(np.array(values, dtype), name))
        return name

    def node(self, op, ins, outs=1, domain=MS, **attributes):
        while ins and ins[-1] == '':
            ins = ins[:-1]
        named = outs if isinstance(outs, (tuple, list)) else [True] * outs
        outputs = [f'o{len(self.nodes)}_{i}' if want else '' for i, want in enumerate(named)]
        while outputs and not outputs[-1]:
            outputs.pop()
        given = {k: v for k, v in attributes.items() if v is not None}
        self.nodes.append(helper.make_node(op, ins, outputs, domain=domain, **given))

    def model(self, shapes, claims=None):
        """The model with these dims of its inputs, by name; outputs are declared as (dims, element type)."""
        inputs = [helper.make_tensor_value_info(i.name, TYPES[i.dtype], shapes[i.name]) for i in self.inputs
                  if not i.constant]
        constants = self.constants + [onnx.numpy_helper.from_array(i.fill(tuple(shapes[i.name])), i.name)
                                      for i in self.inputs if i.constant]
        outputs = []
        for node in self.nodes:
            for name in filter(None, node.output):
                value = onnx.ValueInfoProto(name=name)
                if claims:
                    value = helper.make_tensor_value_info(name, claims[1].get(name, 1), claims[0])
                outputs.append(value)
        graph = helper.make_graph(self.nodes, 'g', inputs, outputs, constants)
        return helper.make_model(graph, ir_version=self.ir, opset_imports=[
            helper.make_opsetid('', self.opset), helper.make_opsetid(MS, 1), helper.make_opsetid(ML, self.ml)])

    def base(self):
        return {i.name: list(i.dims) for i in self.inputs}

    def symbolic(self):
        return {i.name: list(i.dims) if i.constant else [f'{i.name}_{axis}' for axis in range(len(i.dims))]
                for i in self.inputs}

    def constant(self, name):
        return any(i.name == name and i.constant for i in self.inputs)

    def feeds(self, shapes):
        return {i.name: i.fill(tuple(shapes[i.name])) for i in self.inputs if not i.constant}

    def changes(self):
        """Each (input, axis or None, dims) that differs from the base in one size or in its rank."""
        out = []
        for i in self.inputs:
            d = i.dims
            for axis, size in enumerate(d):
                for other in {size + 1, size - 1, 2 * size, 1} - {size, 0}:
                    out.append((i.name, axis, d[:axis] + [other] + d[axis + 1:]))
            for dims in [d + [1], [1] + d] + ([d[1:], d[:-1]] if d else []):
                out.append((i.name, None, dims))
        return out
